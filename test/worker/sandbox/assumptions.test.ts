// What nobody says of the real service: each assumption on searches, previews and records shown by a test of its name.
import { beforeAll, expect, it } from 'vitest';
import { assumptions } from '../../../worker/sandbox/api/assumptions.ts';
import { call, control, post, put } from './client.ts';

const employees = [
  {
    id: 1,
    full_name: 'Ada',
    experience: [
      { title: 'Engineer', is_current: 0 },
      { title: 'Founder', is_current: 1 },
    ],
  },
  {
    id: 2,
    full_name: 'Bo',
    experience: [{ title: 'Engineer', is_current: 1 }],
    skills: [{ skill: 'Machine Learning' }, { skill: 'SQL' }],
  },
];
const companies = [
  { id: 1, name: 'one two', last_updated: '2024-03-01 00:00:00' },
  { id: 2, name: 'one two', last_updated: '2024-01-01 00:00:00' },
  { id: 3, name: 'one', last_updated: '2024-02-01 00:00:00', canonical_shorthand_name: '1' },
];

beforeAll(async () => {
  await control({ rate_per_s: 10_000 });
  await put('company_base', companies);
  await put('employee_base', employees);
  await put('company_clean', [{ id: 8, name: 'Clean', websites_main: 'clean.example' }]);
  await put('job_base', [{ id: 9, title: 'Baker' }]);
});

async function ids(path: string, body: unknown): Promise<unknown> {
  return (await post(`/cdapi/v2/${path}`, body)).json();
}

it(assumptions.absentFields, async () => {
  const response = await call('/cdapi/v2/company_base/collect/1?fields=name&fields=nothing');
  expect(await response.json()).toEqual({ name: 'one two' });
});

it(assumptions.websiteOfPreviews, async () => {
  const items = await ids('company_clean/search/es_dsl/preview', { query: { match_all: {} } });
  expect(items).toMatchObject([{ website_main: 'clean.example' }]);
});

it(assumptions.lastPage, async () => {
  const page = await post('/cdapi/v2/company_base/search/filter?items_per_page=3', {});
  expect(await page.json()).toEqual([1, 2, 3]);
  expect(page.headers.get('x-next-page-after')).toBeNull();
});

it(assumptions.cursorDate, async () => {
  for (const after of ['"2024-03-01 00:00:00",1', '"1999-01-01 00:00:00",1', 'null,1', '1']) {
    expect(await ids(`company_base/search/filter?after=${encodeURIComponent(after)}`, {})).toEqual([2, 3]);
  }
});

it(assumptions.updatedOrder, async () => {
  expect(await ids('company_base/search/filter?sort=last_updated', {})).toEqual([2, 3, 1]);
  const query = { match: { name: 'two' } };
  expect(await ids('company_base/search/es_dsl', { query, sort: ['_score'] })).toEqual([1, 2]);
});

it(assumptions.multiSource, async () => {
  const clean = await call('/cdapi/v2/company_multi_source/enrich?website=clean.example');
  expect(await clean.json()).toMatchObject({ name: 'Clean' });
  expect(await ids('job_multi_source/search/es_dsl', { query: { match: { title: 'baker' } } })).toEqual([9]);
});

it(assumptions.sameExperience, async () => {
  expect(await ids('employee_base/search/filter', { experience_title: 'Engineer' })).toEqual([1, 2]);
  expect(
    await ids('employee_base/search/filter', { experience_title: 'Engineer', active_experience: true }),
  ).toEqual([2]);
});

it(assumptions.severalSkills, async () => {
  const found = (skill: string) => ids('employee_base/search/filter', { skill });
  expect(await found('sql AND "machine learning"')).toEqual([2]);
  expect(await found('machine learning')).toEqual([2]);
  expect(await found('machine sql')).toEqual([]);
  expect(await found('sql AND python')).toEqual([]);
  expect(await found('python OR sql')).toEqual([2]);
});

it(assumptions.filterWords, async () => {
  expect(await ids('company_base/search/filter', { name: 'two one' })).toEqual([1, 2]);
  expect(await ids('company_base/search/filter', { name: 'nothing AND two OR one' })).toEqual([1, 2, 3]);
});

it(assumptions.snapshotLife, async () => {
  const path = '/cdapi/v2/company_base/search/filter/preview';
  const token = (await post(`${path}?snapshot=true`, {})).headers.get('x-snapshot-token');
  const again = () => post(`${path}?page=1&snapshot_token=${token}`, {});
  expect((await again()).status).toBe(200);
  await control({ clock_offset_s: 15 * 60 + 1 });
  expect((await again()).status).toBe(422);
  await control({ clock_offset_s: 0 });
});

it(assumptions.digitsOnly, async () => {
  const name = async (key: string) =>
    (await (await call(`/cdapi/v2/company_base/collect/${key}`)).json<{ name: string }>()).name;
  expect(await name('1')).toBe('one two');
  expect(await name(encodeURIComponent('https://network.example/company/1'))).toBe('one');
});
