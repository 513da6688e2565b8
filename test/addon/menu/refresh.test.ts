// Refresh selection and the open trigger: formulas run again despite Sheets' result cache, and none is lost.
import { describe, expect, it } from 'vitest';
import type { HostOptions } from '../../../addon/dev/host/types.ts';
import { parseBody } from '../functions/sheets.ts';
import { TestGateway } from '../gateway.ts';
import { Grid } from '../grid.ts';
import { openSpreadsheet } from '../spreadsheet.ts';

/** Creates a gateway whose records are pending at the first request. */
function slow(): TestGateway {
  const gateway = new TestGateway();
  for (const key of ['a.com', 'b.com', 'c.com']) gateway.pendingCounts.set(key, 1);
  return gateway;
}

async function open(grid: Grid, fetch: HostOptions['fetch'], button: 'YES' | 'NO' = 'YES') {
  const spreadsheet = await openSpreadsheet({ ...grid.options, fetch }, button);
  await grid.calculate(spreadsheet.host);
  return spreadsheet;
}

const sheet = (locale = 'de_DE') =>
  new Grid(
    [
      ['a.com', '=CDAPI_ENRICH(A1:A2; "name")', 'mine'],
      ['b.com', '', '=LEN(B2)'],
      ['c.com', '=CDAPI_ENRICH(A3; "name")'],
    ],
    {},
    locale,
  );

describe('Refresh selection', () => {
  it.each(['en_US', 'de_DE'])('completes #PENDING rows without buying twice in %s', async (locale) => {
    const grid = sheet(locale);
    const gateway = slow();
    const { host, listMessages: said } = await open(grid, gateway.fetch);
    expect(grid.values('B1:B3')).toEqual([['#PENDING'], ['#PENDING'], ['#PENDING']]);
    grid.select('B1:B3');
    await host.run('refreshSelection');
    await grid.calculate(host);
    expect(grid.values('B1:B3')).toEqual([['Name of a.com'], ['Name of b.com'], ['Name of c.com']]);
    expect([...gateway.bought.values()]).toEqual([1, 1, 1]);
    expect(said()).toEqual([
      'Run 2 formulas again? It costs up to 30 credits.',
      expect.stringMatching(/^2 formulas run again\. Records your team already bought/),
    ]);
  });

  it('buys nothing without a Yes', async () => {
    const grid = sheet();
    const gateway = slow();
    const { host, listMessages: said } = await open(grid, gateway.fetch, 'NO');
    grid.select('B1:B3');
    const formulas = grid.formulas('B1:B3');
    await host.run('refreshSelection');
    expect(grid.formulas('B1:B3')).toEqual(formulas);
    expect([gateway.spent, said()]).toEqual([0, ['Run 2 formulas again? It costs up to 30 credits.']]);
  });

  it('changes only the option of the selected formulas, and runs no other formula', async () => {
    const grid = sheet();
    const { host } = await open(grid, slow().fetch);
    grid.select('B1:C2');
    await host.run('refreshSelection');
    await grid.calculate(host);
    expect(grid.formulas('A1:C3')).toEqual([
      ['', expect.stringMatching(/^=CDAPI_ENRICH\(A1:A2; "name"; "refresh=\d+"\)$/), ''],
      ['', '', '=LEN(B2)'],
      ['', '=CDAPI_ENRICH(A3; "name")', ''],
    ]);
    expect(grid.values('A1:C3')).toEqual([
      ['a.com', 'Name of a.com', 'mine'],
      ['b.com', 'Name of b.com', '?'],
      ['c.com', '#PENDING', ''],
    ]);
  });

  it.each(['en_US', 'de_DE'])(
    'runs a formula with options again in %s, as often as it is chosen, with the same request',
    async (locale) => {
      const cells = [
        ['a.com', '=CDAPI_ENRICH(A1; "name"; "max_age=7d")', 'max_age=7d'],
        ['b.com', '=CDAPI_ENRICH(A2; "name"; C1:C2)', 'max_credits=50'],
      ];
      const grid = new Grid(cells, {}, locale);
      const gateway = new TestGateway();
      for (const key of ['a.com', 'b.com']) gateway.pendingCounts.set(key, 2);
      const { host, requests: sent } = await open(grid, gateway.fetch);
      grid.select('B1:B2');
      for (const expected of ['#PENDING', 'Name of a.com', 'Name of a.com']) {
        await host.run('refreshSelection');
        await grid.calculate(host);
        expect(grid.values('B1')).toEqual([[expected]]);
      }
      expect(grid.values('B2')).toEqual([['Name of b.com']]);
      const lookups = sent.filter(({ url }) => url.endsWith('/lookup')).map((request) => parseBody(request));
      const [first, second, ...others] = lookups.map(({ wait_ms: _, ...body }) => body);
      // The third refresh is answered by the cache: the option is no part of its keys.
      expect(others).toEqual([first, second, first, second]);
      expect([...gateway.bought.values()]).toEqual([1, 1]);
    },
  );

  it('reports a selection without formulas', async () => {
    const grid = sheet();
    const { host, listMessages: said } = await open(grid, slow().fetch);
    grid.select('A1:A3');
    await host.run('refreshSelection');
    expect(said()).toEqual([expect.stringMatching(/^There is no CDAPI formula in the selection/)]);
  });

  it.each([0, 1, 2])('keeps every formula when the execution dies after %i writes', async (writes) => {
    const grid = sheet();
    const { host } = await open(grid, slow().fetch);
    const isFormula = () => grid.formulas('A1:C3').map((row) => row.map((formula) => formula !== ''));
    const before = isFormula();
    grid.select('B1:B3');
    let batches = 0;
    grid.refuse = () => {
      batches += 1;
      if (batches > writes) throw new Error('Exceeded maximum execution time');
    };
    await host.run('refreshSelection').catch(() => undefined);
    expect(batches).toBeGreaterThan(0);
    expect(isFormula()).toEqual(before);
  });

  it('says why Sheets refuses a change', async () => {
    const grid = sheet();
    const { host, listMessages: said } = await open(grid, slow().fetch);
    const formulas = grid.formulas('A1:C3');
    grid.select('B1:B3');
    grid.refuse = () => {
      throw new Error('You are trying to edit a protected cell.');
    };
    await host.run('refreshSelection');
    expect(grid.formulas('A1:C3')).toEqual(formulas);
    expect(said().at(-1)).toMatch(/protected cell/);
  });
});

describe('the open trigger', () => {
  it('reruns only formulas with #PENDING rows', async () => {
    const grid = sheet();
    const gateway = slow();
    gateway.pendingCounts.delete('a.com');
    gateway.pendingCounts.delete('c.com');
    const { host, requests: sent } = await open(grid, gateway.fetch);
    expect(grid.values('B1:B3')).toEqual([['Name of a.com'], ['#PENDING'], ['Name of c.com']]);
    const before = sent.length;
    await host.run('cdapiOnOpen');
    await grid.calculate(host);
    expect(grid.values('B1:B3')).toEqual([['Name of a.com'], ['Name of b.com'], ['Name of c.com']]);
    expect(sent.length).toBe(before + 1);
  });
});
