// What people kept of their own work goes where it names somebody erased by a key that is theirs alone, and only there.
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { RecordKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { deleteMentions } from '../../../worker/privacy/mentions.ts';

const jane: RecordKey[] = [
  { family: 'employee_base', kind: 'shorthand_name', value: 'jane-doe' },
  { family: 'employee_clean', kind: 'shorthand_name', value: 'jane-doe' },
  { family: 'employee_base', kind: 'id', value: '42' },
];

async function keep(id: string, query: unknown, team = 'team'): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO searches (id, team_id, name, folded_name, family, query, created_at, updated_at)
       VALUES (?1, ?2, ?1, ?1, 'employee_base', ?3, 0, 0)`,
  )
    .bind(id, team, JSON.stringify(query))
    .run();
}

async function note(id: string, title: string): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO runs VALUES ('team', ?, 'search', ?, 'employee_base', 0, 0, 0, 0, 0, 0, 'done', NULL, 0)`,
  )
    .bind(id, title)
    .run();
}

/** Registers a table, with a schedule. @param query - of the schedule */
async function register(id: string, title: string, source: unknown, query: unknown = null): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO tables VALUES (?, 'team', 'token', ?, 'employee_base', 'book', 0, 1, '[]', ?, NULL, 'append', 0, 0, 0, 0)`,
    ).bind(id, title, JSON.stringify(source)),
    env.DB.prepare(
      `INSERT INTO schedules (team_id, table_id, token_id, every, max_credits, query, state, created_at, updated_at)
         VALUES ('team', ?, 'token', 'day', 1, ?, 'on', 0, 0)`,
    ).bind(id, query === null ? null : JSON.stringify(query)),
  ]);
}

async function left(table: 'searches' | 'runs' | 'tables'): Promise<unknown[]> {
  const { results } = await env.DB.prepare(`SELECT id FROM ${table} ORDER BY id`).run();
  return results.map(({ id }) => id);
}

beforeAll(async () => {
  await env.DB.prepare(`INSERT INTO teams (id, name, created_at) VALUES ('others', 'Others', 0)`).run();
});

beforeEach(async () => {
  await env.DB.batch(
    ['searches', 'runs', 'tables', 'schedules', 'table_runs', 'alert_messages'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
});

it('a saved search goes that holds a person’s shorthand name or profile URL, of whichever team', async () => {
  await keep('a', { filters: { shorthand_name: 'Jane-Doe' } });
  await keep('b', { text: 'profile:"https://network.example/in/jane-doe/" OR x' }, 'others');
  await keep('jane-doe', { text: 'baker' });
  await keep('d', { text: 'baker' });
  await note('a', 'Search jane-doe');
  await note('b', 'Search baker');
  expect(await deleteMentions(env.DB, jane)).toBe(4);
  expect(await left('searches')).toEqual(['d']);
  expect(await left('runs')).toEqual(['b']);
});

it('a registered table goes that names a person in its title, its search or its schedule, and the schedule with it', async () => {
  const bakers = { kind: 'search', query: { text: 'bakers' } };
  await register('a', 'Posts of jane-doe', bakers);
  await register('b', 'Posts', {
    kind: 'search',
    query: { filters: { url: 'network.example/in/jane-doe' } },
  });
  await register('c', 'Posts', { kind: 'request', request: 'x' }, { text: 'jane-doe' });
  await register('d', 'Posts', bakers, { text: 'mary-jane-doe' });
  expect(await deleteMentions(env.DB, jane)).toBe(3);
  expect(await left('tables')).toEqual(['d']);
  const schedules = await env.DB.prepare('SELECT table_id FROM schedules').all();
  expect(schedules.results).toEqual([{ table_id: 'd' }]);
});

it('a message to an alert address goes that names a person', async () => {
  for (const [id, text] of [
    ['a', 'The table “Posts of jane-doe” has 1 new row.'],
    ['b', 'The table “Posts” has 1 new row.'],
  ]) {
    await env.DB.prepare(
      `INSERT INTO alert_messages (id, alert_id, subject, body, created_at) VALUES (?1, 'x', ?1, ?2, 0)`,
    )
      .bind(id, JSON.stringify({ text }))
      .run();
  }
  expect(await deleteMentions(env.DB, jane)).toBe(1);
  const messages = await env.DB.prepare('SELECT id FROM alert_messages').all();
  expect(messages.results).toEqual([{ id: 'b' }]);
});

it('the provider’s words go that name a person, and the run and the schedule that they are about stay', async () => {
  const problem = JSON.stringify({
    problem: 'invalid_request',
    detail: 'Failed to parse [jane-doe',
    fix: 'x',
  });
  await register('a', 'Posts', { kind: 'search', query: { text: 'bakers' } });
  await env.DB.batch([
    env.DB.prepare('UPDATE schedules SET problem = ?').bind(problem),
    env.DB.prepare(
      `INSERT INTO table_runs (id, team_id, table_id, state, since, credits, problem, started_at)
         VALUES ('run', 'team', 'a', 'failed', 0, 10, ?, 0)`,
    ).bind(problem),
  ]);
  expect(await deleteMentions(env.DB, jane)).toBe(0);
  const left = { problem: JSON.stringify({ problem: 'invalid_request', fix: 'x' }) };
  expect(await env.DB.prepare('SELECT problem FROM schedules').all()).toMatchObject({ results: [left] });
  expect(await env.DB.prepare('SELECT problem, credits FROM table_runs').all()).toMatchObject({
    results: [{ ...left, credits: 10 }],
  });
});

it('a part of another’s shorthand name, an id and a plain name are no mention', async () => {
  await keep('a', { text: 'mary-jane-doe OR jane-doe-2 OR xjane-doe OR jane-doé OR jane-doe_x' });
  await keep('b', { text: 'Jane Doe' });
  await keep('c', { es_dsl: { range: { size: { gte: 42 } } } });
  await keep('d', { text: '100% "quoted" \\ (jane' });
  await note('a', 'mary-jane-doe');
  expect(await deleteMentions(env.DB, jane)).toBe(0);
  expect(await left('searches')).toHaveLength(4);
  expect(await left('runs')).toHaveLength(1);
});

it('a company’s shorthand name is any word, and stays', async () => {
  await keep('a', { text: 'name:apple' });
  const keys: RecordKey[] = [{ family: 'company_base', kind: 'shorthand_name', value: 'apple' }];
  expect(await deleteMentions(env.DB, keys)).toBe(0);
  expect(await left('searches')).toEqual(['a']);
});
