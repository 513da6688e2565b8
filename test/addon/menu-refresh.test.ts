// Refresh selection, and the completing of #PENDING: formulas run again, though Sheets remembers what they gave.
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { HostOptions, UiAnswer, UiRequest } from '../../addon/host/types.ts';
import { Grid } from './grid.ts';
import { answer, network, openSpreadsheet, type Spreadsheet } from './spreadsheet.ts';

const session = inject('session');
let opened: Spreadsheet[] = [];
afterEach(() => {
  for (const { host } of opened) host.close();
  opened = [];
});

/** A gateway that still fetches what it is asked for the first time, and remembers it the second. */
function slow() {
  const bought: string[] = [];
  const fetch: HostOptions['fetch'] = async ({ body }) => {
    const { keys } = JSON.parse(new TextDecoder().decode(body ?? undefined)) as { keys: string[] };
    const rows = keys.map((key) => {
      if (bought.includes(key))
        return { key, status: 'hit', record: { name: key.toUpperCase() }, credits: 0 };
      bought.push(key);
      return { key, status: 'pending', problem: 'pending', credits: 0 };
    });
    return answer(200, { rows, credits: { spent: 0, saved: 0, remaining: null }, stamp: '1' });
  };
  return { bought, fetch };
}

async function open(grid: Grid, options: Partial<HostOptions> = {}) {
  const shown: UiRequest[] = [];
  const spreadsheet = await openSpreadsheet({
    ...grid.options,
    onUi: (request): UiAnswer => {
      shown.push(request);
      return { button: 'OK' };
    },
    ...options,
  });
  opened.push(spreadsheet);
  await grid.calculate(spreadsheet.host);
  const said = (): string[] =>
    shown.map((request) =>
      'prompt' in request ? request.prompt : 'message' in request ? request.message : '',
    );
  return { ...spreadsheet, said };
}

const sheet = () =>
  new Grid([
    ['a.com', '=CDAPI_ENRICH(A1:A2, "name")', 'mine'],
    ['b.com', '', '=LEN(B2)'],
    ['c.com', '=CDAPI_ENRICH(A3, "name")'],
  ]);

describe('Refresh selection', () => {
  it('completes #PENDING rows without buying twice', async () => {
    const grid = sheet();
    const gateway = slow();
    const { host, said } = await open(grid, { fetch: gateway.fetch });
    expect(grid.values('B1:B3')).toEqual([['#PENDING'], ['#PENDING'], ['#PENDING']]);
    grid.select('B1:B3');
    await host.run('refreshSelection');
    await grid.calculate(host);
    expect(grid.values('B1:B3')).toEqual([['A.COM'], ['B.COM'], ['C.COM']]);
    expect(gateway.bought.toSorted()).toEqual(['a.com', 'b.com', 'c.com']);
    expect(said()).toEqual([expect.stringMatching(/^2 formulas run again\. What your team has bought/)]);
  });

  it('changes no other cell, and runs no formula beyond the selection', async () => {
    const grid = sheet();
    const { host } = await open(grid, { fetch: slow().fetch });
    const formulas = grid.formulas('A1:C3');
    grid.select('B1:C2');
    await host.run('refreshSelection');
    await grid.calculate(host);
    expect(grid.formulas('A1:C3')).toEqual(formulas);
    expect(grid.values('A1:C3')).toEqual([
      ['a.com', 'A.COM', 'mine'],
      ['b.com', 'B.COM', '?'],
      ['c.com', '#PENDING', ''],
    ]);
  });

  it('takes several selected blocks', async () => {
    const grid = sheet();
    const { host } = await open(grid, { fetch: slow().fetch });
    grid.select('B1', 'B3:B9');
    await host.run('refreshSelection');
    await grid.calculate(host);
    expect(grid.values('B1:B3')).toEqual([['A.COM'], ['B.COM'], ['C.COM']]);
  });

  it('costs nothing the second time, asked of the real gateway', async () => {
    const { examples } = (await (await fetch(`${session.url}/playground/session`)).json()) as {
      examples: string[];
    };
    const grid = new Grid(
      examples.slice(0, 3).map((website, at) => [website, at === 0 ? '=CDAPI_ENRICH(A1:A3, "name")' : '']),
    );
    const spent: number[] = [];
    const { host } = await open(grid, {
      fetch: async (request) => {
        const response = await network(request);
        spent.push(JSON.parse(new TextDecoder().decode(response.body)).credits.spent);
        return response;
      },
    });
    const before = grid.values('B1:B3');
    expect(before.flat().every((cell) => /^[^#]/.test(String(cell)))).toBe(true);
    const runs = host.usage.formulaRuns;
    const first = spent.length;
    grid.select('B1');
    await host.run('refreshSelection');
    await grid.calculate(host);
    expect(grid.values('B1:B3')).toEqual(before);
    expect(host.usage.formulaRuns).toBe(runs + 1);
    expect(first).toBe(1);
    expect(spent.slice(first).every((credits) => credits === 0)).toBe(true);
  });

  it('without a formula in the selection says where it is to be found', async () => {
    const grid = sheet();
    const { host, said } = await open(grid, { fetch: slow().fetch });
    grid.select('A1:A3');
    await host.run('refreshSelection');
    expect(said()).toEqual([expect.stringMatching(/^There is no CDAPI formula in the selection/)]);
  });

  it('that Sheets refuses says why, and no formula is gone', async () => {
    const grid = sheet();
    const { host, said } = await open(grid, { fetch: slow().fetch });
    const formulas = grid.formulas('A1:C3');
    grid.select('B1:B3');
    let batches = 0;
    grid.refuse = () => {
      batches += 1;
      if (batches === 1) throw new Error('You are trying to edit a protected cell.');
    };
    await host.run('refreshSelection');
    expect(grid.formulas('A1:C3')).toEqual(formulas);
    expect(said()).toEqual([expect.stringMatching(/protected cell/)]);
  });
});

describe('on opening, where it is switched on', () => {
  it('runs only the formulas that have a #PENDING row again', async () => {
    const grid = sheet();
    const gateway = slow();
    gateway.bought.push('a.com', 'c.com');
    const { host, sent } = await open(grid, { fetch: gateway.fetch });
    expect(grid.values('B1:B3')).toEqual([['A.COM'], ['#PENDING'], ['C.COM']]);
    const before = sent.length;
    await host.run('cdapiOnOpen');
    await grid.calculate(host);
    expect(grid.values('B1:B3')).toEqual([['A.COM'], ['B.COM'], ['C.COM']]);
    expect(sent.length).toBe(before + 1);
  });

  it('changes nothing where nothing waits, not even where somebody typed the word', async () => {
    const grid = new Grid([['#PENDING', 'x']]);
    const writes: unknown[] = [];
    grid.refuse = (journal) => writes.push(...journal);
    const { host, sent } = await open(grid);
    await host.run('cdapiOnOpen');
    expect([writes, sent]).toEqual([[], []]);
  });
});
