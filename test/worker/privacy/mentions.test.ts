// Texts of teams that name an erased person or company by a key are deleted; other texts stay.
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { RecordKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { deleteMentions } from '../../../worker/privacy/erasure-run.ts';

const jane: RecordKey[] = [
  { family: 'employee_base', kind: 'shorthand_name', value: 'jane-doe' },
  { family: 'employee_clean', kind: 'shorthand_name', value: 'jane-doe' },
  { family: 'employee_base', kind: 'id', value: '42' },
];

async function run(sql: string, ...values: unknown[]): Promise<void> {
  await env.DB.prepare(sql)
    .bind(...values)
    .run();
}

const insertSearch = (id: string, query: unknown, team = 'team') =>
  run(
    `INSERT INTO searches (id, team_id, name, folded_name, family, query, created_at, updated_at)
       VALUES (?1, ?2, ?1, ?1, 'employee_base', ?3, 0, 0)`,
    id,
    team,
    JSON.stringify(query),
  );

const insertRun = (id: string, title: string) =>
  run(
    `INSERT INTO runs VALUES ('team', ?, 'search', ?, 'employee_base', 0, 0, 0, 0, 0, 0, 'done', NULL, 0)`,
    id,
    title,
  );

/** Inserts a table with a schedule. @param query - of the schedule */
async function insertTable(id: string, title: string, source: unknown, query: unknown = null): Promise<void> {
  await run(
    `INSERT INTO tables VALUES (?, 'team', 'token', ?, 'employee_base', 'book', 0, '[]', ?, NULL, 'append', 0, 0, 0, 0, 0)`,
    id,
    title,
    JSON.stringify(source),
  );
  await run(
    `INSERT INTO schedules (team_id, table_id, token_id, every, max_credits, query, state, created_at, updated_at)
       VALUES ('team', ?, 'token', 'day', 1, ?, 'on', 0, 0)`,
    id,
    query === null ? null : JSON.stringify(query),
  );
}

const insertAlertMessage = (id: string, text: string) =>
  run(
    `INSERT INTO alert_messages (id, alert_id, subject, body, created_at) VALUES (?1, 'x', ?1, ?2, 0)`,
    id,
    JSON.stringify({ text }),
  );

async function listIds(table: string, column = 'id'): Promise<unknown[]> {
  const { results } = await env.DB.prepare(`SELECT ${column} AS id FROM ${table} ORDER BY 1`).run();
  return results.map(({ id }) => id);
}

beforeAll(() => run(`INSERT INTO teams (id, name, created_at) VALUES ('others', 'Others', 0)`));
beforeEach(async () => {
  const tables = ['searches', 'runs', 'tables', 'schedules', 'table_runs', 'alert_messages'];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

it('deletes saved searches, runs and alert messages that name the person, of any team', async () => {
  await insertSearch('a', { filters: { shorthand_name: 'Jane-Doe' } });
  await insertSearch('b', { text: 'profile:"https://network.example/in/jane-doe/" OR x' }, 'others');
  await insertSearch('jane-doe', { text: 'baker' });
  await insertSearch('d', { text: 'baker' });
  await insertRun('a', 'Search jane-doe');
  await insertRun('b', 'Search baker');
  await insertAlertMessage('a', 'The table “Posts of jane-doe” has 1 new row.');
  await insertAlertMessage('b', 'The table “Posts” has 1 new row.');
  expect(await deleteMentions(env.DB, jane)).toBe(5);
  expect(await listIds('searches')).toEqual(['d']);
  expect(await listIds('runs')).toEqual(['b']);
  expect(await listIds('alert_messages')).toEqual(['b']);
});

it('deletes tables that name the person in title, search or schedule, with their schedules', async () => {
  const bakers = { kind: 'search', query: { text: 'bakers' } };
  const profile = { kind: 'search', query: { filters: { url: 'network.example/in/jane-doe' } } };
  await insertTable('a', 'Posts of jane-doe', bakers);
  await insertTable('b', 'Posts', profile);
  await insertTable('c', 'Posts', { kind: 'request', request: 'x' }, { text: 'jane-doe' });
  await insertTable('d', 'Posts', bakers, { text: 'mary-jane-doe' });
  expect(await deleteMentions(env.DB, jane)).toBe(3);
  expect(await listIds('tables')).toEqual(['d']);
  expect(await listIds('schedules', 'table_id')).toEqual(['d']);
});

it('deletes provider messages that name the person, but keeps the run and the schedule', async () => {
  const [problem, fix] = ['invalid_request', 'x'];
  const stored = JSON.stringify({ problem, detail: 'Failed to parse [jane-doe', fix });
  await insertTable('a', 'Posts', { kind: 'search', query: { text: 'bakers' } });
  await run('UPDATE schedules SET problem = ?', stored);
  await run(
    `INSERT INTO table_runs (id, team_id, table_id, state, since, credits, problem, started_at)
       VALUES ('run', 'team', 'a', 'failed', 0, 10, ?, 0)`,
    stored,
  );
  expect(await deleteMentions(env.DB, jane)).toBe(0);
  const redacted = JSON.stringify({ problem, fix });
  expect(await env.DB.prepare('SELECT problem FROM schedules').first()).toEqual({ problem: redacted });
  const tableRun = await env.DB.prepare('SELECT problem, credits FROM table_runs').first();
  expect(tableRun).toEqual({ problem: redacted, credits: 10 });
});

it.each<[string, unknown]>([
  ['a query for the id', { es_dsl: { query: { term: { id: 42 } } } }],
  ['a list of ids', { es_dsl: { query: { terms: { id: [41, 42, 43] } } } }],
  ['a range of one id', { es_dsl: { query: { range: { id: { gte: 42, lte: 42 } } } } }],
  ['a query string', { text: 'title:baker AND id:(41 OR 42)' }],
  ['a query for the author', { filters: { employee_id: '42' } }],
  ['a boosted query', { es_dsl: { query: { term: { id: { boost: 2, value: 42 } } } } }],
  ['a range in a query string', { text: 'id:[10 TO 42]' }],
])('deletes saved searches with %s of the person', async (_, query) => {
  await insertSearch('a', query);
  expect(await deleteMentions(env.DB, jane)).toBe(1);
});

it.each<[string, unknown]>([
  ['another id', { es_dsl: { query: { terms: { id: [142, 421] } } } }],
  ['the same number in another field', { es_dsl: { query: { term: { id: 41, size: 42 } } } }],
  ['the same id of a company', { filters: { company_id: 42 } }],
])('keeps saved searches with %s', async (_, query) => {
  await insertSearch('a', query);
  expect(await deleteMentions(env.DB, jane)).toBe(0);
});

it('keeps saved searches with a word that is also the shorthand name of a person', async () => {
  const must: RecordKey = { family: 'employee_base', kind: 'shorthand_name', value: 'must' };
  await insertSearch('a', { es_dsl: { query: { bool: { must: [] } } } });
  expect(await deleteMentions(env.DB, [must])).toBe(0);
  await insertSearch('b', { text: 'profile_url:"https://network.example/in/must"' });
  await insertSearch('c', { filters: { shorthand_name: 'must' } });
  expect(await deleteMentions(env.DB, [must])).toBe(2);
});

it('deletes saved searches that name a company by website, profile URL, id or shorthand name', async () => {
  const acme: RecordKey[] = [
    { family: 'company_clean', kind: 'website', value: 'acme.example' },
    { family: 'company_base', kind: 'shorthand_name', value: 'acme' },
    { family: 'company_base', kind: 'id', value: '7' },
  ];
  await insertSearch('a', { filters: { company_website: 'https://www.acme.example/about' } });
  await insertSearch('b', { text: 'company_url:"https://network.example/company/Acme"' });
  await insertSearch('c', { filters: { company_id: 7 } });
  await insertSearch('d', { filters: { company_shorthand_name: 'acme' } });
  await insertSearch('e', {
    text: 'notacme.example OR acme.example.org OR x.acme.example OR acme-2 OR acme',
  });
  // The number of an employee.
  await insertSearch('f', { filters: { id: 7 } });
  expect(await deleteMentions(env.DB, acme)).toBe(4);
  expect(await listIds('searches')).toEqual(['e', 'f']);
});

it('deletes runs whose title is, or has, the bare id, and keeps other numbers', async () => {
  const titles = [
    '4711',
    'Filled 4711',
    'id 4711, 12',
    '4711.',
    '14711',
    '4,711',
    '4711 5',
    '1.4711',
    'A4711',
    '4711-2',
  ];
  for (const title of titles) await insertRun(title, title);
  await insertSearch('a', { text: '4711' });
  expect(await deleteMentions(env.DB, [{ family: 'employee_base', kind: 'id', value: '4711' }])).toBe(5);
  expect(await listIds('runs')).toEqual(['1.4711', '14711', '4,711', '4711-2', 'A4711']);
  const company: RecordKey = { family: 'company_base', kind: 'id', value: '14711' };
  expect(await deleteMentions(env.DB, [company])).toBe(0);
});

it('keeps parts of other shorthand names, other numbers, plain names, and shorthand names of companies', async () => {
  await insertSearch('a', { text: 'mary-jane-doe OR jane-doe-2 OR xjane-doe OR jane-doé OR jane-doe_x' });
  await insertSearch('b', { text: 'Jane Doe' });
  await insertSearch('c', { es_dsl: { range: { size: { gte: 42 } } } });
  await insertSearch('d', { text: '100% "quoted" \\ (jane' });
  await insertSearch('e', { text: 'name:apple' });
  await insertRun('a', 'mary-jane-doe');
  const apple: RecordKey = { family: 'company_base', kind: 'shorthand_name', value: 'apple' };
  expect(await deleteMentions(env.DB, [...jane, apple])).toBe(0);
  expect(await listIds('searches')).toHaveLength(5);
  expect(await listIds('runs')).toHaveLength(1);
});
