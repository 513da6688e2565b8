// Attacks through a shared table: a token spends a colleague's budget, redirects rows, reads them without the scopes, or
// survives its revocation.
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, expect, it } from 'vitest';
import type { Schedule } from '../../../shared/api/schedules.ts';
import type { SheetsResponse } from '../../../shared/api/sheets-endpoints.ts';
import type { TableBody, TableList, TableView } from '../../../shared/api/tables.ts';
import { schedules, type TableRow, tokens } from '../../../worker/db/schema.ts';
import type { TokenGrant } from '../../../worker/gateway/auth/tokens.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { sha256Hex } from '../../../worker/lib/hash.ts';
import { recordChange } from '../../../worker/tables/changes.ts';
import { runPush } from '../../../worker/tables/push/run-push.ts';
import { readJob } from '../job-rows.ts';
import { clock } from '../platform.ts';
import { admin } from '../routes/admin/harness.ts';
import { type ApiCall, type ApiClient, createClient, createToken } from '../routes/sheets/callers.ts';
import { createPushGateway, insertDataRequest, newId, newTeam, putTable } from '../routes/sheets/fixtures.ts';
import { strictD1 } from '../strict/d1.ts';
import { allowances, Invocation } from '../strict/invocation.ts';
import { deleteTables, getOnlyPush, ids, listPushes, storeRows, TablesHarness } from './harness.ts';
import { createScheduledTable, HOUR, ScheduleHarness, startInMorning } from './schedules/harness.ts';

beforeEach(deleteTables);

const FORBIDDEN = { status: 403, code: 'forbidden_scope' };
const searchOnly: Partial<TokenGrant> = { families: ['company_base'], operations: ['search'] };
const validSchedule = { every: 'hour', max_credits: 100, paused: false };
const ownQuery = { kind: 'search', query: { filters: { industry: 'Mining' } } } as const;

const getTokenId = async (token: string): Promise<string> => (await sha256Hex(token)).slice(0, 16);

/** Finds the tokens of a team by name; the first token has none. */
const findTokenId = async (team: string, name = ''): Promise<string> => {
  const all = await drizzle(env.DB).select().from(tokens).where(eq(tokens.teamId, team));
  return all.find((token) => token.name === name)?.id ?? '';
};

const getPayer = async (team: string): Promise<string | undefined> =>
  (await drizzle(env.DB).select().from(schedules).where(eq(schedules.teamId, team)).get())?.tokenId;

/** Creates a colleague whose token may spend nothing. */
async function createPoorColleague(
  harness: ScheduleHarness,
  grant: Partial<TokenGrant>,
): Promise<{ client: ApiClient; id: string }> {
  const client = await harness.createClient(harness.team, { ...grant, name: 'poor' });
  const id = await findTokenId(harness.team, 'poor');
  await getLedger(env, harness.team).setToken(id, { caps: { day: 0, month: 0 } });
  return { client, id };
}

/** Reads the body with which a table can be registered again. */
async function readBody(harness: ScheduleHarness): Promise<TableBody> {
  const view = await harness.client.ok<TableView>('GET', `/tables/${harness.table}`);
  const { title, family, spreadsheet, columns, source, mode, push, as_of } = view;
  return { title, family, spreadsheet, columns, source, mode, push, as_of };
}

it('a search-only token without budget changes the query of a colleague’s schedule: refused', async () => {
  const harness = await createScheduledTable();
  const { client } = await createPoorColleague(harness, searchOnly);
  const before = await harness.client.ok('GET', `/tables/${harness.table}`);
  const changed = { ...(await readBody(harness)), source: ownQuery };
  expect(await client.problem('PUT', `/tables/${harness.table}`, changed)).toMatchObject(FORBIDDEN);
  expect(await harness.client.ok('GET', `/tables/${harness.table}`)).toEqual(before);
});

it('a token with previews but without budget changes the query of a colleague’s schedule: it pays itself, so nothing is bought', async () => {
  const harness = await createScheduledTable();
  const { client, id } = await createPoorColleague(harness, {});
  await client.ok('PUT', `/tables/${harness.table}`, { ...(await readBody(harness)), source: ownQuery });
  expect(await getPayer(harness.team)).toBe(id);
  await harness.runNextHour(ids(5));
  expect(await harness.getSchedule()).toMatchObject({ state: 'stopped', problem: { code: 'over_budget' } });
  expect([await harness.getSpent(), await harness.listRuns()]).toEqual([0, []]);
});

/** Acts after the second call of a database: the first takes the lease, the second reads the job's object. */
class InterruptedInvocation extends Invocation {
  #calls = 0;
  readonly #act: () => Promise<unknown>;

  constructor(act: () => Promise<unknown>) {
    super(allowances.object);
    this.#act = act;
  }

  override async recordRefusal<T>(binding: string, call: () => T | Promise<T>): Promise<T> {
    const value = await super.recordRefusal(binding, call);
    this.#calls += 1;
    if (this.#calls === 2) await this.#act();
    return value;
  }
}

it('a token changes the query while a job takes up the schedule: the owner’s token buys only its own query', async () => {
  const harness = await createScheduledTable();
  const { client } = await createPoorColleague(harness, {});
  const changed = { ...(await readBody(harness)), source: ownQuery };
  const invocation = new InterruptedInvocation(() => client.ok('PUT', `/tables/${harness.table}`, changed));
  harness.provider.updateRecords(ids(5), clock.now + 1000);
  clock.now += HOUR + 1000;
  await harness.runJob({ DB: strictD1(env.DB, 'DB', invocation) });
  expect(harness.provider.bought).toEqual(['page 1']);
  expect(harness.provider.bodies.join()).not.toContain('Mining');
});

it.each<[string, Partial<TableBody>]>([
  ['the spreadsheet', { spreadsheet: { id: 'mine', sheet_id: 0 } }],
  ['the sheet', { spreadsheet: { id: 'spreadsheet', sheet_id: 5 } }],
  ['the columns', { columns: [{ id: 'c1', path: 'id', heading: 'ID' }] }],
  ['the mode', { mode: 'update' }],
  ['the push switch', { push: true }],
  ['the time of the last rows', { as_of: '2100-01-01T00:00:00.000Z' }],
])('a search-only token changes %s of a colleague’s table: refused', async (_, change) => {
  const harness = await createScheduledTable();
  const weak = await createClient(harness.team, searchOnly, createPushGateway());
  const before = await harness.client.ok('GET', `/tables/${harness.table}`);
  clock.now += HOUR / 2;
  const body = { ...(await readBody(harness)), ...change };
  expect(await weak.problem('PUT', `/tables/${harness.table}`, body)).toMatchObject(FORBIDDEN);
  expect(await harness.client.ok('GET', `/tables/${harness.table}`)).toEqual(before);
});

it('a search-only token pauses, deletes or re-creates a colleague’s schedule or table, or reports its sheet missing: refused', async () => {
  const harness = await createScheduledTable();
  const weak = await harness.createClient(harness.team, searchOnly);
  const paused = { ...validSchedule, paused: true };
  const calls: ApiCall[] = [
    ['PUT', `/schedules/${harness.table}`, paused],
    ['DELETE', `/schedules/${harness.table}`],
    ['POST', `/tables/${harness.table}/missing`],
    ['DELETE', `/tables/${harness.table}`],
    ['PUT', `/tables/${newId()}`, await readBody(harness)],
  ];
  for (const call of calls) expect(await weak.problem(...call)).toMatchObject(FORBIDDEN);
  expect(await harness.getSchedule()).toMatchObject({ state: 'on' });
});

it('a search-only token reads the rows that a colleague’s schedule bought: refused', async () => {
  const harness = await createScheduledTable();
  const weak = await harness.createClient(harness.team, searchOnly);
  await harness.runNextHour(ids(5));
  const [run = ''] = await harness.listRuns();
  expect(await weak.problem('GET', `/tables/${harness.table}/runs/${run}/rows`)).toMatchObject(FORBIDDEN);
  expect((await weak.ok<SheetsResponse<'listChanges'>>('GET', '/changes')).changes).toEqual([]);
  expect(await harness.listRows(run)).toHaveLength(5);
});

it('a token reads rows of a forbidden family after their table has changed its family: refused', async () => {
  const harness = await createScheduledTable();
  await harness.runNextHour(ids(5));
  const [run = ''] = await harness.listRuns();
  await harness.register({ family: 'company_clean', source: { kind: 'search', query: { text: 'x' } } });
  const weak = await harness.createClient(harness.team, { families: ['company_clean'] });
  const problem = await weak.problem('GET', `/tables/${harness.table}/runs/${run}/rows`);
  expect(problem).toMatchObject({ ...FORBIDDEN, detail: expect.stringContaining('company_base') });
});

it('a search-only token changes the title again and again: the schedule keeps its payer and buys no record of the day twice', async () => {
  startInMorning();
  const harness = new ScheduleHarness();
  await harness.register({ family: 'company_clean', source: { kind: 'search', query: { text: 'baking' } } });
  await harness.schedule();
  const payer = await getPayer(harness.team);
  const weak = await harness.createClient(harness.team, { operations: ['search'] });
  harness.provider.updateRecords(ids(5), clock.now + 60_000);
  await harness.runNextHour();
  expect(harness.provider.bought).toHaveLength(1);
  await weak.ok('PUT', `/tables/${harness.table}`, { ...(await readBody(harness)), title: 'Renamed' });
  await harness.runNextHour();
  expect(harness.provider.bought).toHaveLength(1);
  expect(await harness.getSchedule()).toMatchObject({ title: 'Renamed', state: 'on' });
  expect(await getPayer(harness.team)).toBe(payer);
});

it('a schedule outlives its revoked token: it stops at once, until a colleague takes it over and pays', async () => {
  const harness = await createScheduledTable();
  const colleague = await harness.createClient(harness.team, { name: 'colleague' });
  await admin().remove(`/teams/${harness.team}/tokens/${await findTokenId(harness.team)}`);
  const get = () => colleague.ok<Schedule>('GET', `/schedules/${harness.table}`);
  expect(await get()).toMatchObject({ state: 'stopped', next_at: null, problem: { code: 'unauthorised' } });
  await harness.runNextHour(ids(5));
  expect(harness.provider.calls).toEqual([]);
  await colleague.ok('PUT', `/schedules/${harness.table}`, validSchedule);
  expect(await get()).toMatchObject({ state: 'on' });
  expect(await getPayer(harness.team)).toBe(await findTokenId(harness.team, 'colleague'));
  await harness.runNextHour();
  expect(harness.provider.bought).toEqual(['page 1']);
});

/** Registers a pushed table with its own token. */
async function createPushedTable(harness: TablesHarness): Promise<{ table: TableRow; tokenId: string }> {
  const tokenId = await getTokenId(await createToken('team', { name: 'leaver' }));
  const source = { kind: 'search', query: { text: 'bakers' } } as const;
  return { table: await harness.registerTable({ tokenId, source }), tokenId };
}

const revoke = (tokenId: string): Promise<void> => admin().remove(`/teams/team/tokens/${tokenId}`);

it('a push outlives its revoked token: no row is written, until a colleague takes the table over', async () => {
  const harness = new TablesHarness();
  const { table, tokenId } = await createPushedTable(harness);
  await revoke(tokenId);
  await harness.addRun(table, 2);
  await harness.addRun(table, 1, 3);
  expect(await harness.runDue()).toBe(1);
  expect([harness.google.calls, await harness.runDue()]).toEqual([[], 0]);
  const colleague = await createClient('team', {}, createPushGateway());
  const path = `/tables/${table.id}`;
  const {
    id: _,
    last_push: __,
    push_problem: problem,
    created_at,
    updated_at,
    ...body
  } = await colleague.ok<TableView>('GET', path);
  expect(problem).toMatchObject({
    code: 'unauthorised',
    fix: expect.stringContaining('Take the updates over'),
  });
  const weak = await createClient('team', { operations: ['search'] }, createPushGateway());
  expect(await weak.ok('PUT', path, body)).toHaveProperty('push_problem');
  expect(await colleague.ok('PUT', path, body)).not.toHaveProperty('push_problem');
  expect((await colleague.ok<TableList>('GET', '/tables')).tables).not.toMatchObject([
    { push_problem: expect.anything() },
  ]);
  await harness.runDue();
  expect(harness.sheetIds).toEqual([1, 2, 3]);
  expect((await listPushes(table)).map(({ state }) => state)).toEqual(['done', 'done']);
});

it('a token is revoked during its push: the next page is not written', async () => {
  const harness = new TablesHarness();
  const { table, tokenId } = await createPushedTable(harness);
  await harness.addRun(table, 2001);
  let isRevoked = false;
  const push = await getOnlyPush(table);
  await runPush(
    harness.context,
    push.id,
    harness.createAccess(async (url, init) => {
      if (init.method === 'POST' && !isRevoked) {
        isRevoked = true;
        await revoke(tokenId);
      }
      return harness.google.fetch(url, init);
    }),
  );
  expect(harness.sheetIds).toHaveLength(2000);
  expect(await getOnlyPush(table)).toMatchObject({ state: 'waiting', rowsWritten: 2000 });
  expect(await readJob('push', push.id)).toMatchObject({ dueAt: null });
});

it('a token without bulk orders pushes a bulk order’s rows through its own table: refused', async () => {
  const team = newTeam();
  const weak = await createClient(team, { operations: ['search', 'preview'] }, createPushGateway());
  const source = { kind: 'request', request: await insertDataRequest(team) } as const;
  const table = { ...(await putTable(weak)), source };
  const { id: _, last_push: __, created_at, updated_at, ...body } = table;
  for (const push of [true, false]) {
    expect(await weak.problem('PUT', `/tables/${newId()}`, { ...body, push })).toMatchObject(FORBIDDEN);
    expect(await weak.problem('PUT', `/tables/${table.id}`, { ...body, push })).toMatchObject(FORBIDDEN);
  }
});

it('rows of a bulk order wait for a push when a token without bulk orders takes the table over: not written', async () => {
  const harness = new TablesHarness();
  const tokenId = await getTokenId(await createToken('team', { operations: ['preview'], name: 'weak' }));
  const requestId = await insertDataRequest('team');
  await storeRows(requestId, 2);
  const table = await harness.registerTable({ tokenId });
  const change = { teamId: 'team', kind: 'table', subject: table.id, run: requestId, hasRows: true } as const;
  await recordChange(env, change, harness.now);
  harness.now += HOUR;
  await harness.runDue();
  expect(harness.google.calls).toEqual([]);
  expect(await getOnlyPush(table)).toMatchObject({ rowsWritten: 0, problem: { problem: 'forbidden_scope' } });
});
