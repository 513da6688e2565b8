// =CDAPI_CREDITS, =CDAPI_COST, =CDAPI_STATUS, =CDAPI_FIELDS, and budgets that end: teams of a running Worker.
import { describe, expect, inject, it } from 'vitest';
import type { HostOptions } from '../../../addon/dev/host/types.ts';
import { type Connection, connectionProperty } from '../../../shared/connection.ts';
import { generateSample, SAMPLE_SEED } from '../../../worker/commands/sample/index.ts';
import { account, answer, cellsOf, column, open, type Spreadsheet, spentBy } from './sheets.ts';
import { makeTeam } from './teams.ts';

const NOW = { now: () => Date.UTC(2026, 0, 31, 14, 3) };
const AS_OF = 'as of 2026-01-31 14:03';

const connected = (connection: Connection): Partial<HostOptions> => ({
  properties: { document: { [connectionProperty]: JSON.stringify(connection) } },
});

/** Ids of job postings, the last ones first: no other suite looks them up. */
const jobs = [...generateSample({ seed: SAMPLE_SEED, companies: 60, families: ['job_base'] })]
  .map(({ record }) => String(record.id))
  .toReversed();

const status = async (sheet: Spreadsheet, refresh = false): Promise<Map<string, unknown>> =>
  new Map(
    cellsOf(await sheet.formula('CDAPI_STATUS', refresh)).map(([name, value]) => [String(name), value]),
  );

describe('credits', () => {
  it('are what the team may still spend, and as of when', async () => {
    const sheet = await open(NOW);
    const { remaining } = await account();
    expect(await sheet.formula('CDAPI_CREDITS', false)).toEqual({ values: [[remaining, AS_OF]] });
    expect(sheet.sent).toHaveLength(1);
    await sheet.formula('CDAPI_CREDITS', false);
    expect(sheet.sent).toHaveLength(1);
    await sheet.formula('CDAPI_CREDITS', true);
    expect(sheet.sent).toHaveLength(2);
  });
});

describe('what a lookup costs', () => {
  it('is told before, for different keys that are not remembered, and is what it then costs', async () => {
    const sheet = await open(NOW);
    const [one = '', two = '', three = ''] = jobs;
    const keys = column([one, two, '', one, 'no id', three, Number(two)]);
    const cost = () => sheet.formula('CDAPI_COST', keys, 'job_base', Math.random());
    expect(await spentBy(cost)).toBe(0);
    const unread = `1 can't be read, the first is "no id", ${AS_OF}`;
    expect(await cost()).toEqual({ values: [[3, `3 of 3 to buy, ${unread}`]] });
    expect(await spentBy(() => sheet.formula('CDAPI_JOB', keys, 'title'))).toBe(3);
    expect(await cost()).toEqual({ values: [[0, `0 of 3 to buy, ${unread}`]] });
  });

  // "`=CDAPI_COST(A1:A3)` on employee ids says 0: unreadable keys are dropped silently."
  it('is an error that names the first key, where none can be read', async () => {
    const sheet = await open(NOW);
    const ids = column([4_711, 4_712, 'jane-doe']);
    expect(await sheet.formula('CDAPI_COST', ids)).toMatchObject({
      error:
        '"4711" is not a website such as example.com. For ids, names and profile URLs name the family, as in =CDAPI_COST(A2:A100, "employee_clean").',
    });
    expect(await sheet.formula('CDAPI_COST', column(['jane-doe']), 'job_base')).toMatchObject({
      error: '"jane-doe" is not a key of job_base: use an id.',
    });
    expect(sheet.sent).toEqual([]);
    expect(await sheet.formula('CDAPI_COST', ids, 'employee_clean')).toEqual({
      values: [[30, `3 of 3 to buy, ${AS_OF}`]],
    });
  });
});

describe('a budget', () => {
  it('that is gone half way leaves the rows that were bought, and says #BUDGET in the others', async () => {
    const team = await makeTeam(3);
    const sheet = await open(connected(team.connection));
    const keys = jobs.slice(10, 16);
    const bought = (cells: ReturnType<typeof cellsOf>) => cells.flat().filter((cell) => cell !== '#BUDGET');
    const first = cellsOf(await sheet.formula('CDAPI_JOB', column(keys), 'title'));
    expect(first).toHaveLength(6);
    expect(bought(first)).toHaveLength(3);
    expect(await sheet.formula('CDAPI_CREDITS')).toMatchObject({ values: [[0, expect.any(String)]] });
    sheet.host.clearResults();
    const again = cellsOf(await sheet.formula('CDAPI_JOB', column(keys), 'title'));
    expect(again).toEqual(first);
    await team.revoke();
  });
});

describe('a sheet whose spending is off', () => {
  it('shows what is remembered, buys nothing and says #BUDGET', async () => {
    const { url, team_token: token } = inject('session');
    const sheet = await open({
      properties: {
        document: { [connectionProperty]: JSON.stringify({ url, token }), CDAPI_SPENDING: 'off' },
      },
    });
    const [known = '', unknown = ''] = jobs.slice(20);
    await (await open()).formula('CDAPI_JOB', known, 'id');
    const spent = await spentBy(async () => {
      expect(await sheet.formula('CDAPI_JOB', column([known, unknown]), 'id')).toEqual({
        values: [[Number(known)], ['#BUDGET']],
      });
      const query = '{"query": {"exists": {"field": "headline"}}}';
      expect(await sheet.formula('CDAPI_PREVIEW', 'employee_base', query)).toMatchObject({
        error: 'Spending is off for this sheet: switch it on in the sidebar to see a preview.',
      });
    });
    expect(spent).toBe(0);
  });
});

describe('a status', () => {
  it('tells gateway, team, credits, records and time', async () => {
    const { connection } = await makeTeam(500);
    const sheet = await open({ ...NOW, ...connected(connection) });
    expect(Object.fromEntries(await status(sheet))).toEqual({
      Gateway: connection.url,
      State: 'connected',
      Team: 'Team of 500',
      'Credits left': 500,
      'Credits spent today': 0,
      'Credits saved today': 0,
      Records: 'fictional, for trying out',
      'Last error': 'none in the last six hours',
      'As of': '2026-01-31 14:03',
    });
  });

  it('never fails: not connected, revoked, unreachable, not to be read', async () => {
    const nowhere = await open({ properties: { document: {} } });
    expect((await status(nowhere)).get('State')).toMatch(/^Not connected: .*CDAPI → Connect/);

    const team = await makeTeam(100);
    await team.revoke();
    const revoked = await open(connected(team.connection));
    const shown = await status(revoked);
    expect(shown.get('State')).toContain('new connection link');
    expect(JSON.stringify([...shown])).not.toContain(team.connection.token);
    expect(await revoked.formula('CDAPI_JOB', jobs[0], 'title')).toMatchObject({
      error: expect.stringContaining('new connection link'),
    });

    const down = await open({ fetch: () => Promise.reject(new Error('down')) });
    expect((await status(down)).get('State')).toContain("can't be reached");
    expect((await status(down, true)).get('Last error')).toContain("can't be reached");

    const garbled = await open({ fetch: async () => answer(200, '<html>') });
    expect((await status(garbled)).get('State')).toContain('could not be read');
  });
});
