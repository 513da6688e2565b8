// Invalid input to /sheets/v1: a problem that names the part, never a 500, and nothing is stored.
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeText } from '../../../unicode-text.ts';
import { buildCompanyResponse, createGateway } from '../../harness.ts';
import { createClient } from './callers.ts';
import { newId, newRun, validSearch, validTable } from './fixtures.ts';

const lookup = { family: 'company_clean', by: 'website', keys: ['a1.com'] };
const run = newRun();

const createBadInputClient = () => createClient('bad-input');

/** Creates a body with a deeply nested query. */
const nest = (body: object, part: string): string =>
  JSON.stringify({ ...body, [part]: 0 }).replace(
    `"${part}":0`,
    `"${part}":{"kind":"search","query":{"es_dsl":{"bool":${'['.repeat(30_000)}${']'.repeat(30_000)}}}}`,
  );

it.each<[path: string, invalid: string, body: unknown, part: string]>([
  ['/lookup', 'JSON', '{"family":', 'not JSON'],
  ['/lookup', 'a list', [lookup], 'The body'],
  ['/lookup', 'family', { ...lookup, family: 'companies' }, 'family'],
  ['/lookup', 'property', { ...lookup, feilds: ['name'] }, 'feilds'],
  ['/lookup', '1,001 keys', { ...lookup, keys: Array(1001).fill('a1.com') }, 'keys'],
  ['/lookup', 'key', { ...lookup, keys: [42] }, 'keys.0'],
  ['/lookup', 'field path', { ...lookup, fields: ['a b'] }, 'fields.0'],
  ['/lookup', 'waiting time', { ...lookup, wait_ms: 60_000 }, 'wait_ms'],
  [
    '/lookup',
    'number of whole records',
    { ...lookup, keys: Array.from({ length: 51 }, (_, at) => `a${at}.com`), fields: ['*'] },
    'keys',
  ],
  ['/runs', 'JSON', '{', 'not JSON'],
  ['/runs', 'id', { ...run, id: '42' }, 'id'],
  ['/runs', 'title of two lines', { ...run, title: 'a\nb' }, 'title'],
  ['/runs', 'number of rows', { ...run, rows: -1 }, 'rows'],
  ['/runs', 'credits', JSON.stringify(run).replace('"credits":234', '"credits":1e999'), 'credits'],
  ['/runs', 'date', { ...run, ended_at: '2026-02-30T12:00:00Z' }, 'ended_at'],
  ['/runs', 'end before the start', { ...run, ended_at: '2026-09-01T11:59:59Z' }, 'ended_at'],
  ['/runs', 'property', { ...run, token: 'x' }, 'token'],
  ['/searches', 'missing name', { ...validSearch, name: undefined }, 'name'],
  ['/searches', 'name of two lines', { ...validSearch, name: 'a\nb' }, 'name'],
  ['/searches', 'family without search', { ...validSearch, family: 'employee_post' }, 'family'],
  ['/searches', 'two queries', { ...validSearch, query: { text: 'a', filters: {} } }, 'query'],
  ['/searches', 'filters of the family', { ...validSearch, query: { filters: { name: 'a' } } }, 'filters'],
  ['/searches', 'long text', { ...validSearch, query: { text: 'x'.repeat(15_001) } }, 'query'],
  ['/searches', 'deep query', nest(validSearch, 'query'), 'nested deeper'],
  ['/searches', 'sort order', { ...validSearch, sort: 'name' }, 'sort'],
  ['/searches', 'column path', { ...validSearch, columns: ['a b'] }, 'columns.0'],
  ['/searches', 'id', { ...validSearch, id: newId() }, 'id'],
  ['/tables', 'long title', { ...validTable, title: 'x'.repeat(201) }, 'title'],
  ['/tables', 'family without search', { ...validTable, family: 'employee_post' }, 'family'],
  [
    '/tables',
    'row',
    { ...validTable, spreadsheet: { ...validTable.spreadsheet, sheet_id: -1 } },
    'spreadsheet.sheet_id',
  ],
  [
    '/tables',
    'missing id column',
    { ...validTable, columns: [{ id: 'c2', path: 'name', heading: 'N' }] },
    'exactly one',
  ],
  [
    '/tables',
    'duplicate column id',
    { ...validTable, columns: [...validTable.columns, { id: 'c1', path: 'industry', heading: 'Industry' }] },
    'duplicate id',
  ],
  [
    '/tables',
    'column path',
    { ...validTable, columns: [{ id: 'c50', path: 'a b', heading: 'x' }] },
    'columns.0.path',
  ],
  ['/tables', 'source', { ...validTable, source: { kind: 'file' } }, 'source'],
  ['/tables', 'filters', { ...validTable, source: { kind: 'search', query: { filters: {} } } }, 'filters'],
  ['/tables', 'deep query', nest(validTable, 'source'), 'nested deeper'],
  ['/tables', 'property', { ...validTable, last_push: null }, 'last_push'],
])('POST or PUT %s returns 422 and names the part: %s', async (path, _, body, part) => {
  const client = await createBadInputClient();
  const [method, address] = path === '/tables' ? ['PUT', `/tables/${newId()}`] : ['POST', path];
  const problem = await client.problem(method ?? '', address ?? '', body);
  expect(problem).toMatchObject({ status: 422, code: 'invalid_request' });
  expect(problem.detail).toContain(part);
  for (const name of ['runs', 'searches', 'tables']) {
    const count = env.DB.prepare(`SELECT count(*) AS n FROM ${name} WHERE team_id = 'bad-input'`);
    expect(await count.first('n')).toBe(0);
  }
});

it('returns 413 for a lookup above 4 MB', async () => {
  const problem = await (await createBadInputClient()).problem('POST', '/lookup', {
    ...lookup,
    keys: ['x'.repeat(5e6)],
  });
  expect(problem).toMatchObject({ status: 413, code: 'too_large', fix: expect.any(String) });
});

it('returns 404 for a malformed table id', async () => {
  const client = await createBadInputClient();
  for (const id of ['x', '1', encodeURIComponent("' OR 1=1 --"), '%00']) {
    for (const [method, body] of [['GET'], ['PUT', validTable], ['DELETE']] as const) {
      const problem = await client.problem(method, `/tables/${id}`, body);
      expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    }
  }
});

describe('random input never causes a 500', () => {
  it.each(['/lookup', '/searches', '/runs'])('POST %s', async (path) => {
    const client = await createBadInputClient();
    await fc.assert(
      fc.asyncProperty(fc.json(), async (json) => {
        expect((await client.call('POST', path, json)).status).toBe(422);
      }),
      { numRuns: 15 },
    );
  });

  it('in the keys of a lookup', async () => {
    const { lookup: send } = createGateway(buildCompanyResponse);
    await fc.assert(
      fc.asyncProperty(fc.array(unicodeText(), { maxLength: 20 }), async (keys) => {
        const { rows } = await send({ family: 'company_clean', by: 'website', keys });
        expect(rows.map(({ key }) => key)).toEqual(keys);
      }),
      { numRuns: 15 },
    );
  });

  it('in a table; a stored table is returned unchanged', async () => {
    const client = await createClient('random-tables');
    const text = unicodeText({ maxLength: 300 });
    const wild = fc.oneof(text, fc.jsonValue());
    const query = fc.oneof(fc.record({ text }), fc.record({ filters: fc.object() }));
    const heading = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), wild);
    const columns = fc
      .array(
        fc.record({
          id: fc.constantFrom('c2', 'c3', 'C', 'c1'),
          path: fc.constantFrom('name', 'a[0].b', 'industry', '*', ''),
          heading,
        }),
      )
      .map((more) => [{ id: 'c1', path: 'id', heading: 'Id' }, ...more]);
    // Only one part changes, so that many tables are valid.
    const change = fc.oneof(
      fc.record({ title: wild }),
      fc.record({ family: fc.constantFrom('company_base', 'employee_post', 'job_base') }),
      fc.record({ spreadsheet: fc.record({ id: wild, sheet_id: fc.integer() }) }),
      fc.record({ columns }),
      fc.record({ source: fc.record({ kind: fc.constant('search'), query }) }),
      fc.record({ source: fc.record({ kind: fc.constant('request'), request: fc.oneof(fc.uuid(), text) }) }),
      fc.record({ push: fc.boolean(), as_of: text }),
    );
    let stored = 0;
    await fc.assert(
      fc.asyncProperty(change, async (part) => {
        const path = `/tables/${newId()}`;
        const response = await client.call('PUT', path, { ...validTable, ...part });
        expect([200, 422, 503]).toContain(response.status);
        if (response.status !== 200) return;
        stored += 1;
        expect(await client.ok('GET', path)).toEqual(await response.json());
        await client.ok('DELETE', path);
      }),
      { numRuns: 60 },
    );
    expect(stored).toBeGreaterThan(0);
  });
});
