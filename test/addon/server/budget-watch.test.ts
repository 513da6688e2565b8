// Formulas without budget or without a confirmation while the sidebar is open: they are offered, and run at a click.
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
  formulaMaxCredits: number | null = null,
) {
  const { url, team_token: token } = inject('session');
  const gateway = new TestGateway();
  gateway.budget = credits;
  gateway.account = { formula_max_credits: formulaMaxCredits };
  const grid = new Grid(cells, {}, locale);
  const spreadsheet = await openSpreadsheet({
    ...grid.options,
    properties: { document: { [connectionProperty]: JSON.stringify({ url, token }), ...document } },
    fetch: gateway.fetch,
  });
  const { host, requests: sent } = spreadsheet;
  await grid.calculate(host);
  /** Polls like the open sidebar. @returns the number of offered formulas */
  const poll = async (): Promise<number> => {
    const { formulas, offered } = await callSidebarOk(spreadsheet, 'pending');
    expect(formulas).toBe(0);
    return offered;
  };
  /** Clicks the offer. @returns its price */
  const run = async (column = 2): Promise<number | null> => {
    const order = { sheetId: 1, name: 'CDAPI_ENRICH', column };
    const { credits, approval } = await callSidebarOk(spreadsheet, 'planRerun', order);
    await callSidebarOk(spreadsheet, 'rerunFormulas', { ...order, approval });
    await grid.calculate(host);
    return credits;
  };
  return { gateway, grid, host, sent, spreadsheet, poll, run };
}

describe('a formula that shows #BUDGET', () => {
  it('is offered with its price once there are credits again, and not rewritten before the click', async () => {
    const cells = [
      ['a.com', '=CDAPI_ENRICH(A1:A3, "name")'],
      ['b.com', ''],
      ['c.com', ''],
    ];
    const { gateway, grid, poll, run, sent } = await open(cells, 10);
    expect(grid.values('B1:B3')).toEqual([['Name of a.com'], ['#BUDGET'], ['#BUDGET']]);
    expect(await poll()).toBe(0);
    gateway.budget = 100;
    expect([await poll(), await poll()]).toEqual([1, 1]);
    expect(grid.formulas('B1')).toEqual([['=CDAPI_ENRICH(A1:A3, "name")']]);
    expect(sent.filter(({ url }) => url.endsWith('/lookup'))).toHaveLength(1);
    expect(await run()).toBe(20);
    expect(grid.values('B1:B3').flat()).toEqual(['Name of a.com', 'Name of b.com', 'Name of c.com']);
    expect([gateway.spent, await poll()]).toEqual([30, 0]);
  });

  it('with max_credits is not offered: its own limit is too low', async () => {
    const limited = await open([['a.com', '=CDAPI_ENRICH(A1, "name", "max_credits=5")']], 100);
    expect(limited.grid.values('B1')).toEqual([['#BUDGET']]);
    expect(await limited.poll()).toBe(0);
    const inCell = await open([['a.com', 'max_credits=5', '=CDAPI_ENRICH(A1, "name", B1)']], 100);
    expect(await inCell.poll()).toBe(0);
  });
});

describe('a formula without max_credits above the limit of the team', () => {
  const websites = ['a.com', 'b.com', 'c.com'];
  const cells = websites.map((website, at) => [
    website,
    at === 0 ? '=CDAPI_ENRICH(A1:A3, "name, founded")' : '',
    '',
  ]);

  it('buys nothing, says its price, and runs when a person has confirmed it', async () => {
    const { gateway, grid, poll, run, spreadsheet } = await open(cells, 1000, {}, 'en_US', 20);
    const hint = 'Costs up to 30 credits: confirm it in the sidebar, under Tables → Formulas.';
    expect(grid.values('B1:C3')).toEqual([
      ['#CONFIRM', hint],
      ['#CONFIRM', ''],
      ['#CONFIRM', ''],
    ]);
    expect([gateway.spent, await poll()]).toEqual([0, 1]);
    const { sheets } = await callSidebarOk(spreadsheet, 'formulas', {});
    expect(sheets[0]?.entries).toMatchObject([{ failed: 1, errors: { '#CONFIRM': 3 }, credits: 30 }]);
    expect(await run()).toBe(30);
    expect(grid.values('B1:B3').flat()).toEqual(websites.map((website) => `Name of ${website}`));
    expect([gateway.spent, await poll()]).toEqual([30, 0]);
  });

  it('may spend the confirmed price later, too, and no more', async () => {
    const { gateway, grid, host, run } = await open(cells, 1000, {}, 'en_US', 20);
    await run();
    for (const [at, website] of ['d.com', 'e.com', 'f.com'].entries()) grid.type(`A${at + 1}`, website);
    // Another value of the option does not make another formula.
    const formula = grid.formulas('B1')[0]?.[0]?.replace(/refresh=\d+/, 'refresh=9') ?? '';
    grid.options.onWrites([{ kind: 'formulas', sheet: 1, row: 1, column: 2, formulas: [[formula]] }]);
    await grid.calculate(host);
    expect([grid.values('B1'), gateway.spent]).toEqual([[['Name of d.com']], 60]);
  });
});

// "“Spending is off” stays red after switching it on"
it.each(['en_US', 'de_DE'])(
  'formulas blocked by the spending switch are offered when it is switched on in %s',
  async (locale) => {
    const formulas = ['=CDAPI_ENRICH(A1; "name")', '=CDAPI_PREVIEW("company_base"; "acme"; "name")'];
    const { grid, poll, run, spreadsheet } = await open(
      [['a.com', ...formulas]],
      100,
      { CDAPI_SPENDING: 'off' },
      locale,
    );
    expect(grid.values('B1:C1')).toEqual([['#BUDGET', getCellTexts(locale).error]]);
    expect(await poll()).toBe(0);
    await callSidebarOk(spreadsheet, 'setSpending', { on: true });
    expect(await poll()).toBe(2);
    expect(await run()).toBe(10);
    expect(grid.values('B1')).toEqual([['Name of a.com']]);
    expect(await poll()).toBe(1);
  },
);
