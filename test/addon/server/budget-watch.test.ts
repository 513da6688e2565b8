// Formulas without budget, while the sidebar is open: they run again once there is more of it, and only then.
import { describe, expect, inject, it } from 'vitest';
import { connectionProperty } from '../../../shared/connection.ts';
import { TestGateway } from '../gateway.ts';
import { Grid } from '../grid.ts';
import { openSpreadsheet } from '../spreadsheet.ts';

/** A spreadsheet whose sidebar looks for formulas that wait, and a gateway with so many credits left. */
async function open(
  cells: ConstructorParameters<typeof Grid>[0],
  credits: number,
  document: Record<string, string> = {},
) {
  const { url, team_token: token } = inject('session');
  const gateway = new TestGateway();
  gateway.budget = credits;
  const grid = new Grid(cells);
  const spreadsheet = await openSpreadsheet({
    ...grid.options,
    properties: { document: { [connectionProperty]: JSON.stringify({ url, token }), ...document } },
    fetch: gateway.fetch,
  });
  const { host, sent } = spreadsheet;
  await grid.calculate(host);
  const call = async (method: string, payload: object = {}): Promise<Record<string, unknown>> => {
    const reply = JSON.parse(String(await host.call('cdapiSidebar', [JSON.stringify({ method, payload })])));
    if (reply.ok !== true) throw new Error(reply.message);
    return reply.value;
  };
  /** What the open sidebar does now and then. */
  const look = async (): Promise<number> => {
    const { formulas } = await call('pending');
    if (formulas === 0) return 0;
    const { again } = await call('completePending');
    await grid.calculate(host);
    return Number(again);
  };
  return { gateway, grid, host, sent, call, look };
}

// "`#BUDGET` does not heal when budget is available again"
describe('a formula that shows #BUDGET', () => {
  it('is completed once there are more credits, and not asked again before that', async () => {
    const { gateway, grid, look, sent } = await open(
      [
        ['a.com', '=CDAPI_ENRICH(A1:A3, "name")'],
        ['b.com', ''],
        ['c.com', ''],
      ],
      10,
    );
    expect(grid.values('B1:B3')).toEqual([['Name of a.com'], ['#BUDGET'], ['#BUDGET']]);
    expect([await look(), await look()]).toEqual([0, 0]);
    expect(sent.filter(({ url }) => url.endsWith('/lookup'))).toHaveLength(1);
    gateway.budget = 15;
    expect(await look()).toBe(1);
    expect(grid.values('B1:B3')).toEqual([['Name of a.com'], ['Name of b.com'], ['#BUDGET']]);
    expect([await look(), await look()]).toEqual([0, 0]);
    gateway.budget = 10;
    expect([await look(), await look()]).toEqual([1, 0]);
    expect(grid.values('B3')).toEqual([['Name of c.com']]);
  });

  it('is completed after the admin has taken the limit away', async () => {
    const { gateway, grid, look } = await open([['a.com', '=CDAPI_ENRICH(A1, "name")']], 0);
    expect(grid.values('B1')).toEqual([['#BUDGET']]);
    expect(await look()).toBe(0);
    gateway.budget = Number.POSITIVE_INFINITY;
    expect([await look(), await look()]).toEqual([1, 0]);
    expect(grid.values('B1')).toEqual([['Name of a.com']]);
  });

  it('with max_credits stays until a person refreshes it', async () => {
    const limited = await open([['a.com', '=CDAPI_ENRICH(A1, "name", "max_credits=5")']], 100);
    expect(limited.grid.values('B1')).toEqual([['#BUDGET']]);
    limited.gateway.budget = 200;
    expect([await limited.look(), await limited.look()]).toEqual([0, 0]);
    const inCell = await open([['a.com', 'max_credits=5', '=CDAPI_ENRICH(A1, "name", B1)']], 100);
    expect(await inCell.look()).toBe(0);
  });
});

// "“Spending is off” stays red after switching it on"
it('formulas that spending was off for run again when it is switched on in this sheet', async () => {
  const formulas = ['=CDAPI_ENRICH(A1, "name")', '=CDAPI_PREVIEW("company_base", "acme", "name")'];
  const { grid, call, look } = await open([['a.com', ...formulas]], 100, { CDAPI_SPENDING: 'off' });
  expect(grid.values('B1:C1')).toEqual([['#BUDGET', '#ERROR!']]);
  expect(await look()).toBe(0);
  await call('setSpending', { on: true });
  expect([await look(), await look()]).toEqual([2, 0]);
  expect(grid.values('B1:C2')).toEqual([
    ['Name of a.com', 'name'],
    ['', 'Company 1'],
  ]);
});
