// =CDAPI_CREDITS, =CDAPI_COST, =CDAPI_STATUS and exhausted budgets
import { describe, expect, inject, it } from 'vitest';
import type { HostOptions } from '../../../addon/dev/host/types.ts';
import { type Connection, connectionProperty } from '../../../shared/connection.ts';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { answer, getAccount, getCells, measureSpending, open, type Spreadsheet, toColumn } from './sheets.ts';
import { createTeam } from './teams.ts';

const NOW = { now: () => Date.UTC(2026, 0, 31, 14, 3) };
const AS_OF = 'as of 2026-01-31 14:03';

const connected = (connection: Connection): Partial<HostOptions> => ({
  properties: { document: { [connectionProperty]: JSON.stringify(connection) } },
});

/** Ids of jobs that no other test buys, last first. */
const jobs = [...generateSample({ seed: SAMPLE_SEED, companies: 60, families: ['job_base'] })]
  .map(({ record }) => String(record.id))
  .toReversed();

const status = async (sheet: Spreadsheet, refresh = false): Promise<Map<string, unknown>> =>
  new Map(
    getCells(await sheet.evaluate('CDAPI_STATUS', refresh)).map(([name, value]) => [String(name), value]),
  );

describe('credits', () => {
  it('shows the remaining credits and their time', async () => {
    const sheet = await open({ ...NOW, reusesResults: true });
    const { remaining } = await getAccount();
    expect(await sheet.evaluate('CDAPI_CREDITS', false)).toEqual({ values: [[remaining, AS_OF]] });
    expect(sheet.requests).toHaveLength(1);
    await sheet.evaluate('CDAPI_CREDITS', false);
    expect(sheet.requests).toHaveLength(1);
    await sheet.evaluate('CDAPI_CREDITS', true);
    expect(sheet.requests).toHaveLength(2);
  });
});

describe('the cost of a lookup', () => {
  it('is estimated for distinct uncached keys, and is the actual cost', async () => {
    const sheet = await open(NOW);
    const [one = '', two = '', three = ''] = jobs;
    const keys = toColumn([one, two, '', one, 'no id', three, Number(two)]);
    const cost = () => sheet.evaluate('CDAPI_COST', keys, 'job_base', Math.random());
    expect(await measureSpending(cost)).toBe(0);
    const unread = `1 can't be read, the first is "no id", ${AS_OF}`;
    expect(await cost()).toEqual({ values: [[3, `3 of 3 to buy, ${unread}`]] });
    expect(await measureSpending(() => sheet.evaluate('CDAPI_JOB', keys, 'title'))).toBe(3);
    expect(await cost()).toEqual({ values: [[0, `free: nothing to buy, ${unread}`]] });
  });

  // "`=CDAPI_COST(A1:A3)` on employee ids says 0: unreadable keys are dropped silently."
  it('is an error with the first key when all keys are invalid', async () => {
    const sheet = await open(NOW);
    const ids = toColumn([4_711, 4_712, 'jane-doe']);
    expect(await sheet.evaluate('CDAPI_COST', ids)).toMatchObject({
      error:
        '"4711" can’t be looked up. This is an ID, not a website. For IDs and profile URLs name the family, as in =CDAPI_COST(A2:A100; "employee_clean").',
    });
    expect(await sheet.evaluate('CDAPI_COST', toColumn(['4711.0']), 'job_base')).toMatchObject({
      error: '"4711.0" can’t be looked up. This number isn’t an ID: an ID is a whole number such as 4711.',
    });
    expect(await sheet.evaluate('CDAPI_COST', toColumn(['E.Ondra']))).toMatchObject({
      error: '"E.Ondra" can’t be looked up. This is a company name. Find its website with =CDAPI_MATCH.',
    });
    expect(sheet.requests).toEqual([]);
    expect(await sheet.evaluate('CDAPI_COST', ids, 'employee_clean')).toEqual({
      values: [[30, `3 of 3 to buy, ${AS_OF}`]],
    });
  });
});

describe('a budget', () => {
  it('that ends during a lookup leaves bought rows, and #BUDGET in the others', async () => {
    const team = await createTeam(3);
    const sheet = await open(connected(team.connection));
    const keys = jobs.slice(10, 16);
    const bought = (cells: ReturnType<typeof getCells>) => cells.flat().filter((cell) => cell !== '#BUDGET');
    const first = getCells(await sheet.evaluate('CDAPI_JOB', toColumn(keys), 'title'));
    expect(first).toHaveLength(6);
    expect(bought(first)).toHaveLength(3);
    expect(await sheet.evaluate('CDAPI_CREDITS')).toMatchObject({ values: [[0, expect.any(String)]] });
    sheet.host.clearResults();
    const again = getCells(await sheet.evaluate('CDAPI_JOB', toColumn(keys), 'title'));
    expect(again).toEqual(first);
    await team.revoke();
  });
});

describe('a spreadsheet with spending off', () => {
  it('shows cached records, and #BUDGET for the others', async () => {
    const { url, team_token: token } = inject('session');
    const sheet = await open({
      properties: {
        document: { [connectionProperty]: JSON.stringify({ url, token }), CDAPI_SPENDING: 'off' },
      },
    });
    const [known = '', unknown = ''] = jobs.slice(20);
    await (await open()).evaluate('CDAPI_JOB', known, 'id');
    const spent = await measureSpending(async () => {
      expect(await sheet.evaluate('CDAPI_JOB', toColumn([known, unknown]), 'id')).toEqual({
        values: [[Number(known)], ['#BUDGET']],
      });
      const query = '{"query": {"exists": {"field": "headline"}}}';
      expect(await sheet.evaluate('CDAPI_PREVIEW', 'employee_base', query)).toMatchObject({
        error: 'Spending is off for this spreadsheet: switch it on in the sidebar to see a preview.',
      });
    });
    expect(spent).toBe(0);
  });
});

describe('a status', () => {
  it('shows gateway, team, credits, records and time', async () => {
    const { connection } = await createTeam(500);
    const sheet = await open({ ...NOW, ...connected(connection) });
    expect(Object.fromEntries(await status(sheet))).toEqual({
      Gateway: connection.url,
      Help: `${connection.url}/help`,
      Connection: 'this spreadsheet’s',
      State: 'connected',
      Team: 'Team of 500',
      'Credits left': 500,
      'Credits spent today': 0,
      'Reused today (credits)': 0,
      Records: 'of the sandbox: samples are fictional',
      'Last error': 'none in the last six hours',
      'As of': '2026-01-31 14:03',
    });
  });

  it('never fails', async () => {
    const nowhere = await open({ properties: { document: {} } });
    expect((await status(nowhere)).get('State')).toMatch(/^Not connected: .*Extensions → CDAPI → Connect/);

    const team = await createTeam(100);
    await team.revoke();
    const revoked = await open(connected(team.connection));
    const shown = await status(revoked);
    expect(shown.get('State')).toContain('new connection link');
    expect(JSON.stringify([...shown])).not.toContain(team.connection.token);
    expect(await revoked.evaluate('CDAPI_JOB', jobs[0], 'title')).toMatchObject({
      error: expect.stringContaining('new connection link'),
    });

    const down = await open({ fetch: () => Promise.reject(new Error('down')) });
    expect((await status(down)).get('State')).toContain("can't be reached");
    expect((await status(down, true)).get('Last error')).toContain("can't be reached");

    const garbled = await open({ fetch: async () => answer(200, 'hello') });
    expect((await status(garbled)).get('State')).toContain('could not be read');
  });
});
