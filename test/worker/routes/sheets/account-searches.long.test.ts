// People and open jobs at companies, by real searches: which records match, and what their rows have.
import { beforeAll, describe, expect, it } from 'vitest';
import { openJobsField } from '../../../../shared/accounts.ts';
import { buildFormQuery } from '../../../../shared/query/form-query.ts';
import { put } from '../../sandbox/client.ts';
import { createSandboxClient, everybody, firstCells, list } from './accounts.ts';

/** Creates a job of a clean employee. */
const jobAt = (company: string, id: number, more: object = {}) => ({
  title: 'Engineer',
  company_id: id,
  company_name: `${company} Foods`,
  company_website: `https://www.${company}.example/about`,
  order_in_profile: 1,
  date_from: '2020-01',
  ...more,
});

describe('with real searches', () => {
  beforeAll(async () => {
    await put('employee_clean', [
      {
        id: 910_001,
        full_name: 'Ada',
        job_title: 'Chief Engineer',
        management_level: 'C-Level',
        websites_professional_network: 'https://network.example/in/ada',
        experience: [jobAt('apples', 920_001)],
      },
      {
        id: 910_002,
        full_name: 'Former',
        job_title: 'Engineer',
        experience: [jobAt('pears', 920_002), jobAt('apples', 920_001, { date_to: '2022-02' })],
      },
      { id: 910_003, full_name: 'Gone', is_deleted: 1, experience: [jobAt('apples', 920_001)] },
      { id: 910_004, full_name: 'Other', experience: [jobAt('green-apples', 920_004)] },
    ]);
    await put('job_base', [
      {
        id: 930_001,
        title: 'Open engineer',
        company_id: 920_001,
        company_name: 'apples Foods',
        job_company_website: 'https://www.apples.example',
        application_active: 1,
        deleted: 0,
        created: '2026-01-01 00:00:00',
        last_updated: '2026-01-01 00:00:00',
      },
      {
        id: 930_003,
        title: 'Lookalike engineer',
        company_id: 920_005,
        company_name: 'apples Foods Berlin Kitchens',
        job_company_website: 'https://www.kitchens.example',
        application_active: 1,
        deleted: 0,
        created: '2026-01-01 00:00:00',
        last_updated: '2026-01-01 00:00:00',
      },
      {
        id: 930_002,
        title: 'Closed engineer',
        company_id: 920_001,
        company_name: 'apples Foods',
        job_company_website: 'https://www.apples.example',
        application_active: 0,
        deleted: 0,
        created: '2026-01-01 00:00:00',
        last_updated: '2026-01-01 00:00:00',
      },
    ]);
  });

  it('finds the people whose current job is at a company by website, id and name', async () => {
    const client = await createSandboxClient();
    const names = [
      'apples Foods',
      'apples Foods GmbH',
      'apples Foods | Careers',
      'apples',
      'apples Foods Berlin',
    ];
    const companies = ['https://apples.example/', '920001', 'pears.example', ...names];
    expect(firstCells(await list(client, 'people', { ...everybody, companies }))).toEqual({
      'https://apples.example/': ['Ada'],
      '920001': ['Ada'],
      'pears.example': ['Former'],
      'apples Foods': ['Ada'],
      'apples Foods GmbH': ['Ada'],
      'apples Foods | Careers': ['Ada'],
      apples: [],
      'apples Foods Berlin': [],
    });
  });

  it.each([
    ['text', { text: 'job_title:chief' }],
    ['a clause', { es_dsl: { match: { job_title: 'chief' } } }],
    [
      'known values',
      {
        es_dsl: { query: { bool: { filter: [{ match: { management_level: { query: 'c-level' } } }] } } },
        known_values: true,
      },
    ],
  ])('narrows people down by %s', async (_, query) => {
    const client = await createSandboxClient();
    const companies = ['apples.example', 'pears.example'];
    expect(firstCells(await list(client, 'people', { ...query, companies }))).toEqual({
      'apples.example': ['Ada'],
      'pears.example': [],
    });
  });

  it('shows name, title, company and profile link, or the requested fields', async () => {
    const client = await createSandboxClient();
    const companies = ['apples.example'];
    const { columns, accounts } = await list(client, 'people', { ...everybody, companies });
    const [row = []] = accounts[0]?.rows ?? [];
    expect(Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]))).toMatchObject({
      full_name: 'Ada',
      job_title: 'Chief Engineer',
      company_name: 'apples Foods',
      websites_professional_network: 'https://network.example/in/ada',
    });
    const fields = ['id', 'full_name'];
    const named = await list(client, 'people', { ...everybody, companies, fields });
    expect(named.accounts[0]?.rows).toEqual([[910_001, 'Ada']]);
  });

  it.each([
    ['text', { text: 'engineer' }],
    ['filters', { filters: { title: 'engineer' } }],
    ['filters on flags', { filters: { title: 'engineer', application_active: 1, deleted: 0 } }],
  ])('finds open jobs by %s, and none of a company whose name contains the typed one', async (_, query) => {
    const client = await createSandboxClient();
    const companies = ['apples.example', '920001', 'apples Foods', 'apples', 'pears.example'];
    expect(firstCells(await list(client, 'jobs', { ...query, companies }))).toEqual({
      'apples.example': ['Open engineer'],
      '920001': ['Open engineer'],
      'apples Foods': ['Open engineer'],
      apples: [],
      'pears.example': [],
    });
  });

  it('finds closed jobs, too, by the form in which any job is asked for', async () => {
    const client = await createSandboxClient();
    const any = { name: openJobsField, values: [], comparison: 'hasValue' } as const;
    const built = buildFormQuery('job_base', [{ name: 'title', values: ['engineer'] }, any]);
    const query = built.ok ? built.query : {};
    const found = firstCells(await list(client, 'jobs', { ...query, companies: ['apples.example'] }));
    expect(found['apples.example']?.toSorted()).toEqual(['Closed engineer', 'Open engineer']);
  });

  it('searches no name with filters that can only search phrases of names', async () => {
    const client = await createSandboxClient();
    const filters = { created_at_lte: '2026-06-01 12:30:00' };
    const { accounts, credits } = await list(client, 'jobs', {
      filters,
      companies: ['apples Foods', 'x.example'],
    });
    expect(accounts.map(({ problem }) => problem)).toEqual(['ambiguous_name', 'not_found']);
    expect(credits.spent).toBe(0);
  });
});
