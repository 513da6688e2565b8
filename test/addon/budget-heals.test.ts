// Formulas without budget, while the sidebar is open: they run again once there is more of it, and only then.
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { HostRequest } from '../../addon/host/types.ts';
import type { LookupRequest } from '../../shared/api/lookup.ts';
import { connectionProperty } from '../../shared/connection.ts';
import { Grid } from './grid.ts';
import { answer, openSpreadsheet, type Spreadsheet } from './spreadsheet.ts';

const PRICE = 10;
const opened: Spreadsheet[] = [];
afterEach(() => {
  for (const { host } of opened.splice(0)) host.close();
});

/** A Worker with a budget, and a spreadsheet whose sidebar looks for formulas that wait. */
async function open(
  cells: ConstructorParameters<typeof Grid>[0],
  budget: { remaining: number | null; spending: boolean },
  document: Record<string, string> = {},
) {
  const { url, team_token: token } = inject('session');
  const bought = new Set<string>();
  const buy = (key: string, limit = Number.POSITIVE_INFINITY): boolean => {
    if (bought.has(key)) return true;
    if (!budget.spending || limit < PRICE || (budget.remaining ?? PRICE) < PRICE) return false;
    if (budget.remaining !== null) budget.remaining -= PRICE;
    bought.add(key);
    return true;
  };
  const grid = new Grid(cells);
  const spreadsheet = await openSpreadsheet({
    ...grid.options,
    properties: { document: { [connectionProperty]: JSON.stringify({ url, token }), ...document } },
    fetch: async ({ url, body }: HostRequest) => {
      const told = {
        team: 'Acme',
        mode: 'embedded',
        scopes: { families: null, operations: null },
        stamp: '1',
      };
      if (url.endsWith('/me')) return answer(200, { ...told, ...budget, budget: {}, spent: {}, saved: {} });
      const request = JSON.parse(new TextDecoder().decode(body ?? undefined)) as LookupRequest;
      if (url.endsWith('/preview')) {
        return buy('preview')
          ? answer(200, {
              columns: [{ name: 'name' }],
              rows: [['A']],
              page: 1,
              total_pages: 1,
              total: 1,
              credits: { spent: PRICE },
              stamp: '1',
            })
          : answer(402, { code: 'over_budget' });
      }
      const rows = request.keys.map((key) =>
        buy(key, request.max_credits)
          ? { key, status: 'fetched', record: { name: key.toUpperCase() }, credits: PRICE }
          : { key, status: 'over_budget', problem: 'over_budget', credits: 0 },
      );
      return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: budget.remaining }, stamp: '1' });
    },
  });
  opened.push(spreadsheet);
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
  return { grid, host, sent, call, look };
}

// "`#BUDGET` does not heal when budget is available again"
describe('a formula that shows #BUDGET', () => {
  it('is completed once there are more credits, and not asked again before that', async () => {
    const budget = { remaining: 10, spending: true };
    const { grid, look, sent } = await open(
      [
        ['a.com', '=CDAPI_ENRICH(A1:A3, "name")'],
        ['b.com', ''],
        ['c.com', ''],
      ],
      budget,
    );
    expect(grid.values('B1:B3')).toEqual([['A.COM'], ['#BUDGET'], ['#BUDGET']]);
    expect([await look(), await look()]).toEqual([0, 0]);
    expect(sent.filter(({ url }) => url.endsWith('/lookup'))).toHaveLength(1);
    budget.remaining = 15;
    expect(await look()).toBe(1);
    expect(grid.values('B1:B3')).toEqual([['A.COM'], ['B.COM'], ['#BUDGET']]);
    expect([await look(), await look()]).toEqual([0, 0]);
    budget.remaining = 10;
    expect([await look(), await look()]).toEqual([1, 0]);
    expect(grid.values('B3')).toEqual([['C.COM']]);
  });

  it('is completed after the admin has switched spending on again', async () => {
    const budget = { remaining: null, spending: false };
    const { grid, look } = await open([['a.com', '=CDAPI_ENRICH(A1, "name")']], budget);
    expect(grid.values('B1')).toEqual([['#BUDGET']]);
    expect(await look()).toBe(0);
    budget.spending = true;
    expect([await look(), await look()]).toEqual([1, 0]);
    expect(grid.values('B1')).toEqual([['A.COM']]);
  });

  it('with max_credits stays until a person refreshes it', async () => {
    const budget = { remaining: 100, spending: true };
    const limited = await open([['a.com', '=CDAPI_ENRICH(A1, "name", "max_credits=5")']], budget);
    expect(limited.grid.values('B1')).toEqual([['#BUDGET']]);
    budget.remaining = 200;
    expect([await limited.look(), await limited.look()]).toEqual([0, 0]);
    const inCell = await open([['a.com', 'max_credits=5', '=CDAPI_ENRICH(A1, "name", B1)']], budget);
    expect(await inCell.look()).toBe(0);
  });
});

// "“Spending is off” stays red after switching it on"
it('formulas that spending was off for run again when it is switched on in this sheet', async () => {
  const budget = { remaining: null, spending: true };
  const formulas = ['=CDAPI_ENRICH(A1, "name")', '=CDAPI_PREVIEW("company_base", "acme", "name")'];
  const { grid, call, look } = await open([['a.com', ...formulas]], budget, { CDAPI_SPENDING: 'off' });
  expect(grid.values('B1:C1')).toEqual([['#BUDGET', '#ERROR!']]);
  expect(await look()).toBe(0);
  await call('setSpending', { on: true });
  expect([await look(), await look()]).toEqual([2, 0]);
  expect(grid.values('B1:C2')).toEqual([
    ['A.COM', 'name'],
    ['', 'A'],
  ]);
});
