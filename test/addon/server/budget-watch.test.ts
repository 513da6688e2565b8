// Formulas without budget while the sidebar is open: they run again once per increase.
import { describe, expect, inject, it } from 'vitest';
import { getCellTexts } from '../../../addon/dev/host/sheets/locales.ts';
import { connectionProperty } from '../../../shared/connection.ts';
import { TestGateway } from '../gateway.ts';
import { Grid } from '../grid.ts';
import { callSidebarOk, openSpreadsheet } from '../spreadsheet.ts';

/** Opens a spreadsheet with formulas and a gateway with some credits left. */
async function open(
  cells: ConstructorParameters<typeof Grid>[0],
  credits: number,
  document: Record<string, string> = {},
  locale = 'en_US',
) {
  const { url, team_token: token } = inject('session');
  const gateway = new TestGateway();
  gateway.budget = credits;
  const grid = new Grid(cells, {}, locale);
  const spreadsheet = await openSpreadsheet({
    ...grid.options,
    properties: { document: { [connectionProperty]: JSON.stringify({ url, token }), ...document } },
    fetch: gateway.fetch,
  });
  const { host, requests: sent } = spreadsheet;
  await grid.calculate(host);
  /** Polls like the open sidebar. @returns the number of rerun formulas */
  const poll = async (): Promise<number> => {
    const { formulas } = await callSidebarOk(spreadsheet, 'pending');
    if (formulas === 0) return 0;
    const { again } = await callSidebarOk(spreadsheet, 'completePending');
    await grid.calculate(host);
    return again;
  };
  return { gateway, grid, host, sent, spreadsheet, poll };
}

// "`#BUDGET` does not heal when budget is available again"
describe('a formula that shows #BUDGET', () => {
  it('is completed after the budget was raised, and not retried before', async () => {
    const { gateway, grid, poll, sent } = await open(
      [
        ['a.com', '=CDAPI_ENRICH(A1:A3, "name")'],
        ['b.com', ''],
        ['c.com', ''],
      ],
      10,
    );
    expect(grid.values('B1:B3')).toEqual([['Name of a.com'], ['#BUDGET'], ['#BUDGET']]);
    expect([await poll(), await poll()]).toEqual([0, 0]);
    expect(sent.filter(({ url }) => url.endsWith('/lookup'))).toHaveLength(1);
    gateway.budget = 15;
    expect(await poll()).toBe(1);
    expect(grid.values('B1:B3')).toEqual([['Name of a.com'], ['Name of b.com'], ['#BUDGET']]);
    expect([await poll(), await poll()]).toEqual([0, 0]);
    gateway.budget = 10;
    expect([await poll(), await poll()]).toEqual([1, 0]);
    expect(grid.values('B3')).toEqual([['Name of c.com']]);
  });

  it('is completed after the admin has removed the limit', async () => {
    const { gateway, grid, poll } = await open([['a.com', '=CDAPI_ENRICH(A1, "name")']], 0);
    expect(grid.values('B1')).toEqual([['#BUDGET']]);
    expect(await poll()).toBe(0);
    gateway.budget = Number.POSITIVE_INFINITY;
    expect([await poll(), await poll()]).toEqual([1, 0]);
    expect(grid.values('B1')).toEqual([['Name of a.com']]);
  });

  it('with max_credits is not completed automatically', async () => {
    const limited = await open([['a.com', '=CDAPI_ENRICH(A1, "name", "max_credits=5")']], 100);
    expect(limited.grid.values('B1')).toEqual([['#BUDGET']]);
    limited.gateway.budget = 200;
    expect([await limited.poll(), await limited.poll()]).toEqual([0, 0]);
    const inCell = await open([['a.com', 'max_credits=5', '=CDAPI_ENRICH(A1, "name", B1)']], 100);
    expect(await inCell.poll()).toBe(0);
  });
});

// "“Spending is off” stays red after switching it on"
it.each(['en_US', 'de_DE'])(
  'formulas blocked by the spending switch run again when it is switched on in %s',
  async (locale) => {
    const formulas = ['=CDAPI_ENRICH(A1; "name")', '=CDAPI_PREVIEW("company_base"; "acme"; "name")'];
    const { grid, poll, spreadsheet } = await open(
      [['a.com', ...formulas]],
      100,
      { CDAPI_SPENDING: 'off' },
      locale,
    );
    expect(grid.values('B1:C1')).toEqual([['#BUDGET', getCellTexts(locale).error]]);
    expect(await poll()).toBe(0);
    await callSidebarOk(spreadsheet, 'setSpending', { on: true });
    expect([await poll(), await poll()]).toEqual([2, 0]);
    expect(grid.values('B1:C2')).toEqual([
      ['Name of a.com', 'name'],
      ['', 'Company 1'],
    ]);
  },
);
