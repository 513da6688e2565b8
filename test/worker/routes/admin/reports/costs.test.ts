// Costs by person, connection and spreadsheet, with names in place of ids.

import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CostsReport } from '../../../../../shared/api/admin-reports.ts';
import { sourceHeader, spreadsheetHeader, spreadsheetNameHeader } from '../../../../../shared/sources.ts';
import { people, tokens, usageDays } from '../../../../../worker/db/schema.ts';
import { getEmailPlace } from '../../../../../worker/gateway/auth/identity/people-repository.ts';
import { getLedger } from '../../../../../worker/gateway/ledger/ledger-object.ts';
import { encryptStored } from '../../../../../worker/http/secrets.ts';
import { storeSpreadsheetName } from '../../../../../worker/tables/spreadsheets.ts';
import { buildCompanyResponse, createGateway } from '../../../harness.ts';
import { clock } from '../../../platform.ts';
import { createToken, createTokenClient } from '../../sheets/callers.ts';
import { newTeam } from '../../sheets/fixtures.ts';
import { type Admin, admin } from '../harness.ts';

const day = '2026-09-30';
const SHEET = 'spreadsheet-0001';
const orm = drizzle(env.DB);

let at: Admin;
const report = (query = ''): Promise<CostsReport> => at.ok('GET', `/costs?${query}`);

async function use(row: Partial<typeof usageDays.$inferInsert> & { teamId: string; tokenId: string }) {
  const key = { day, family: 'company_base', operation: 'collect' } as const;
  const counts = { hit: 0, stale: 0, coalesced: 0, fetched: 1, notFound: 0, failed: 0 };
  const sums = { credits: 0, saved: 0, latencyMs: 0 };
  await orm.insert(usageDays).values({ ...key, ...counts, ...sums, ...row });
}

/** Adds a token of a person. */
async function addPersonToken(teamId: string, id: string, personId: string): Promise<void> {
  const names = { name: 'acme.com, person 1', prefix: 'cds_1' };
  await orm.insert(tokens).values({ id, teamId, hash: id, createdAt: 0, personId, ...names });
}

async function addPerson(id: string, tokenId: string, address: string): Promise<void> {
  const email = await encryptStored(env, address, getEmailPlace(id));
  const times = { createdAt: 0, lastSeenAt: 0, revokedAt: null };
  await orm.insert(people).values({ id, domain: 'acme.com', email, tokenId, byRule: false, ...times });
}

beforeEach(async () => {
  for (const table of ['usage_days', 'people', 'spreadsheets']) await env.DB.exec(`DELETE FROM ${table}`);
  at = admin();
  at.clock.now = Date.UTC(2026, 8, 30, 12);
});

describe('the report of costs', () => {
  it('sums up a person over tokens and days, formulas included, and tells teams apart', async () => {
    const [sales, board] = [await at.team({ name: 'Sales' }), await at.team({ name: 'Board' })];
    const [first, second, other] = ['a', 'b', 'c'].map((name) => `${name}${crypto.randomUUID()}`);
    if (first === undefined || second === undefined || other === undefined) throw new Error('no ids');
    await addPersonToken(sales.id, first, 'ada');
    await addPersonToken(sales.id, second, 'ada');
    await addPersonToken(board.id, other, 'ada');
    await addPerson('ada', other, 'ada@acme.com');
    await use({ teamId: sales.id, tokenId: first, credits: 10, formulaSpent: 4, spreadsheet: SHEET });
    await use({ teamId: sales.id, tokenId: second, day: '2026-09-01', credits: 5, saved: 2 });
    await use({ teamId: sales.id, tokenId: second, day: '2026-08-31', credits: 100 });
    await use({ teamId: board.id, tokenId: other, credits: 1 });
    await use({ teamId: board.id, tokenId: 'admin', credits: 3 });
    const ada = { kind: 'person', name: 'ada@acme.com', connection: null };
    const found = await report();
    expect(found).toEqual({
      ...{ from: '2026-09-01', to: day, more: false, total: { credits: 19, saved: 2, calls: 4 } },
      rows: [
        { ...ada, ...team(sales), credits: 15, formula_credits: 4, saved: 2, calls: 2 },
        {
          ...{ kind: 'admin', name: 'Admin', connection: null, ...team(board) },
          ...{ credits: 3, formula_credits: 0, saved: 0, calls: 1 },
        },
        { ...ada, ...team(board), credits: 1, formula_credits: 0, saved: 0, calls: 1 },
      ],
    });
    expect((await report(`from=2026-08-01&to=2026-08-31&team=${sales.id}`)).total.credits).toBe(100);
    expect(await report('limit=1')).toMatchObject({ more: true, total: { credits: 19 } });
    await env.DB.exec('DELETE FROM people');
    expect((await report()).rows[0]).toMatchObject({ kind: 'person', name: 'acme.com, person 1' });
  });

  it('names the spreadsheets of a shared connection, and the rest by the connection', async () => {
    const { id: teamId } = await at.team();
    const { id: tokenId } = await at.token(teamId, { name: 'Whole company' });
    await storeSpreadsheetName(orm, { team: teamId, id: SHEET, name: 'Leads' }, 0);
    await use({ teamId, tokenId, spreadsheet: SHEET, credits: 3 });
    await use({ teamId, tokenId, spreadsheet: 'spreadsheet-0002', credits: 2 });
    await use({ teamId, tokenId, credits: 1 });
    const { rows } = await report(`team=${teamId}`);
    expect(rows.map(({ kind, name, connection }) => [kind, name, connection])).toEqual([
      ['spreadsheet', 'Leads', 'Whole company'],
      ['spreadsheet', 'Spreadsheet spreadsheet-0002', 'Whole company'],
      ['connection', 'Whole company', null],
    ]);
  });

  it('as CSV has all teams, and no cell that starts a formula', async () => {
    const [one, two] = [await at.team({ name: '=1+1' }), await at.team({ name: '@SUM(A1)' })];
    const { id: tokenId } = await at.token(one.id, { name: '-2+3' });
    await storeSpreadsheetName(orm, { team: two.id, id: SHEET, name: '+HYPERLINK("x")' }, 0);
    await use({ teamId: one.id, tokenId, credits: 2 });
    await use({ teamId: two.id, tokenId: 'gone', spreadsheet: SHEET, credits: 1 });
    const response = await at.call('GET', '/costs?format=csv');
    expect(response.headers.get('content-disposition')).toContain('costs-2026-09-01-2026-09-30.csv');
    const lines = (await response.text()).split('\r\n');
    expect(lines.slice(1, 3)).toEqual([
      `'=1+1,connection,'-2+3,,2,0,0,1,${one.id}`,
      `'@SUM(A1),spreadsheet,"'+HYPERLINK(""x"")",Connection without a name,1,0,0,1,${two.id}`,
    ]);
    expect(await at.problem('GET', '/costs?format=csv&limit=1')).toMatchObject({ code: 'invalid_request' });
  });

  it.each(['from=2026-09-02&to=2026-09-01', 'team=nobody', 'from=yesterday', 'limit=0'])(
    'rejects %s',
    async (query) => {
      expect(await at.problem('GET', `/costs?${query}`)).toMatchObject({ code: 'invalid_request' });
    },
  );
});

const team = ({ id, name }: { id: string; name: string }) => ({ team: id, team_name: name });

it('the sidebar’s call for the account stores the name of the spreadsheet; other headers do no harm', async () => {
  const teamId = newTeam();
  const gateway = createGateway(buildCompanyResponse, teamId);
  const token = await createToken(teamId);
  const send = async (id: string, name: string): Promise<unknown[]> => {
    const headers = {
      authorization: `Bearer ${token}`,
      [spreadsheetHeader]: id,
      [spreadsheetNameHeader]: name,
    };
    expect((await gateway.request('/sheets/v1/me', { headers })).status).toBe(200);
    const { results } = await env.DB.prepare('SELECT id, name FROM spreadsheets').all();
    return results;
  };
  expect(await send(SHEET, encodeURIComponent('Länder\n 2026'))).toEqual([
    { id: SHEET, name: 'Länder 2026' },
  ]);
  expect(await send(SHEET, 'Renamed')).toEqual([{ id: SHEET, name: 'Renamed' }]);
  for (const [id, name] of [
    [SHEET, '%'],
    [SHEET, '%20'],
    ['short', 'x'],
    [`${SHEET}'--`, 'x'],
    ['x'.repeat(101), 'x'],
  ] as const)
    expect(await send(id, name)).toEqual([{ id: SHEET, name: 'Renamed' }]);
});

it('calls of a shared connection are recorded with their spreadsheet, those of a person without', async () => {
  const teamId = newTeam();
  const own = await createToken(teamId);
  await orm.update(tokens).set({ personId: 'ada' }).where(eq(tokens.teamId, teamId));
  const shared = await createToken(teamId);
  const gateway = createGateway(buildCompanyResponse, teamId);
  const lookUp = async (token: string, key: string): Promise<void> => {
    const { status } = await gateway.request('/sheets/v1/lookup', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        [sourceHeader]: 'table',
        [spreadsheetHeader]: SHEET,
      },
      body: JSON.stringify({ family: 'company_clean', by: 'website', keys: [key], fields: ['name'] }),
    });
    expect(status).toBe(200);
  };
  await lookUp(shared, 'shared-1.com');
  await lookUp(shared, 'shared-1.com');
  await lookUp(own, 'own-1.com');
  const ledger = getLedger(env, teamId);
  await expect.poll(async () => (await ledger.getBudget()).reserved).toBe(0);
  clock.now += 60_000;
  await createTokenClient(shared, gateway).ok('GET', '/me');
  clock.now += 60_000;
  await runDurableObjectAlarm(ledger);
  const { results } = await env.DB.prepare(
    'SELECT spreadsheet, sum(credits) AS credits, sum(saved) AS saved FROM usage_days WHERE team_id = ? GROUP BY 1',
  )
    .bind(teamId)
    .all();
  expect(results).toEqual([
    { spreadsheet: '', credits: 10, saved: 0 },
    { spreadsheet: SHEET, credits: 10, saved: 10 },
  ]);
});
