// Uncertain names: listed with candidates, decided by hand, remembered, undone. Countries and cities of names.
import { describe, expect, it } from 'vitest';
import { createEnrichOrder, createList } from '../../server/orders.ts';
import { completeRun, createWorkbook, gateway } from '../../server/sidebar.ts';
import { describeWorkbook } from '../../server/state.ts';
import { openMatching } from './matching.ts';

const enrichOrder = createEnrichOrder({ by: 'name', statusColumn: true });

async function openTwins(names = ['Acme', 'Twin', 'twin Two', 'TWIN ']) {
  const { sidebar, calls } = await openMatching(createList(names));
  await completeRun(sidebar, 'startEnrich', enrichOrder);
  const { undecided } = await sidebar.callOk('uncertainNames', {});
  const { tableId = '', key = '' } = undecided[0] ?? {};
  const choose = async (companyId: string, others: readonly { key: string; companyId: string }[] = []) => {
    const order = { tableId, choices: [{ key, companyId }, ...others] };
    const { approval, ...plan } = await sidebar.callOk('planChoices', order);
    const run = await sidebar.callOk('startChoices', { ...order, approval });
    return { plan, done: await sidebar.finishRun(run) };
  };
  return { sidebar, calls, undecided, tableId, key, choose };
}

describe('an uncertain name', () => {
  it('is listed with its candidates; a choice buys only the chosen record, for all its rows, and is remembered', async () => {
    const { sidebar, calls, undecided, choose } = await openTwins();
    expect(undecided).toMatchObject([
      {
        name: 'Twin',
        credits: 10,
        candidates: [{ id: '7', name: 'Twin GmbH', country: 'Germany' }, { id: '8' }],
      },
    ]);
    const { plan, done } = await choose('8');
    expect(plan).toMatchObject({ rows: 2, distinct: 1, credits: 10 });
    expect(done).toMatchObject({ state: 'done', rows: 2, credits: 10 });
    expect(gateway.lookups.map(({ by, keys }) => [by, keys])).toEqual([['id', ['8']]]);
    const [table] = await sidebar.callOk('tables', {});
    expect(table?.lastRun).toMatchObject({ counts: { found: 3, notFound: 1, '#AMBIGUOUS': 0 } });
    const values = sidebar.getValues('Sheet1');
    expect([values[2], values[4]]).toEqual(
      ['Twin', 'TWIN '].map((name) => [name, 'Name of 8', 1999, 'bought']),
    );
    expect(await sidebar.callOk('uncertainNames', {})).toMatchObject({
      undecided: [],
      decided: [{ name: 'Twin', companyId: '8', candidates: [{ id: '8' }] }],
    });
    // Another run neither compares the name again nor pays for it.
    const again = await completeRun(sidebar, 'startEnrich', { ...enrichOrder, confirmed: true });
    expect(calls).toHaveLength(1);
    expect(gateway.bought.get('company_clean 8')).toBe(1);
    expect(again.failed).not.toHaveProperty('#AMBIGUOUS');
  });

  it('may be none of the candidates: that costs nothing, and it is not offered again until it is forgotten', async () => {
    const { sidebar, calls, tableId, key, choose } = await openTwins();
    const { plan, done } = await choose('');
    expect([plan.credits, done.credits, gateway.spent]).toEqual([0, 0, 0]);
    expect(sidebar.getValues('Sheet1')[2]?.[3]).toMatch(/^#NOT_FOUND You decided that none/);
    await completeRun(sidebar, 'startEnrich', { ...enrichOrder, confirmed: true });
    expect(calls).toHaveLength(1);
    expect((await sidebar.callOk('uncertainNames', {})).undecided).toEqual([]);
    expect((await sidebar.callOk('resetChoice', { tableId, key })).decided).toEqual([]);
    await completeRun(sidebar, 'startEnrich', { ...enrichOrder, confirmed: true });
    expect(calls).toHaveLength(2);
    expect((await sidebar.callOk('uncertainNames', {})).undecided).toMatchObject([{ name: 'Twin' }]);
  });

  it('is decided together with others of its table, for one price, and Undo takes all decisions back', async () => {
    const { sidebar, undecided, choose, key } = await openTwins(['Twin', 'Acme', 'Twin Two', 'Twin Three']);
    const before = describeWorkbook(sidebar.getWorkbook());
    const others = undecided.filter((name) => name.key !== key).map((name) => name.key);
    const [second = '', third = ''] = others;
    const { plan, done } = await choose('7', [
      { key: second, companyId: '8' },
      { key: third, companyId: '' },
    ]);
    expect(plan).toMatchObject({ rows: 3, credits: 20 });
    expect(done).toMatchObject({ state: 'done', rows: 2, failed: { '#NOT_FOUND': 1 }, credits: 20 });
    expect(gateway.lookups.flatMap(({ keys }) => keys).sort()).toEqual(['7', '8']);
    expect(await sidebar.callOk('uncertainNames', {})).toMatchObject({
      undecided: [],
      decided: [{ companyId: '7' }, { companyId: '8' }, { companyId: '' }],
    });
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
    const again = await sidebar.callOk('uncertainNames', {});
    expect(again.decided).toEqual([]);
    expect(again.undecided.map((name) => name.key).sort()).toEqual([key, ...others].sort());
  });

  it('is undecided again after Undo', async () => {
    const { sidebar, undecided, choose } = await openTwins();
    const before = describeWorkbook(sidebar.getWorkbook());
    const { done } = await choose('7');
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
    expect(await sidebar.callOk('uncertainNames', {})).toEqual({ undecided, decided: [] });
  });

  it('is no longer listed when its cell has another text, and takes no other company', async () => {
    const { sidebar, tableId, key } = await openTwins();
    const order = { tableId, choices: [{ key, companyId: '99' }] };
    expect(await sidebar.call('planChoices', order)).toMatchObject({ ok: false, code: 'bad_call' });
    sidebar.editSheet('Sheet1', (sheet) => ({
      ...sheet,
      values: sheet.values.map((row) =>
        /twin ?$/i.test(String(row[0])) ? ['twin.example', ...row.slice(1)] : row,
      ),
    }));
    expect((await sidebar.callOk('uncertainNames', {})).undecided).toEqual([]);
  });
});

it('countries and cities beside names narrow the search down, and are part of a decision', async () => {
  const { sidebar, calls } = await openMatching(
    createWorkbook([
      ['Company', 'Country', 'Town'],
      ['Twin', 'Germany', 'Berlin'],
      ['Twin', 'France', ''],
      ['Acme', '#N/A', 'ada@acme.example'],
    ]),
  );
  const [column] = await sidebar.callOk('columns', {});
  expect(column?.beside).toEqual([
    { column: 2, letter: 'B', heading: 'Country' },
    { column: 3, letter: 'C', heading: 'Town' },
  ]);
  const moreKeys = [
    { column: 2, holds: 'country' as const },
    { column: 3, holds: 'city' as const },
  ];
  await completeRun(sidebar, 'startEnrich', { ...enrichOrder, moreKeys });
  expect(calls.map(({ companies }) => companies)).toEqual([
    [
      { name: 'Twin', country: 'Germany', city: 'Berlin' },
      { name: 'Twin', country: 'France' },
      { name: 'Acme' },
    ],
  ]);
  expect(sidebar.getValues('Sheet1')[3]).toEqual([
    'Acme',
    '#N/A',
    'ada@acme.example',
    'Acme GmbH',
    1999,
    'bought',
  ]);
  const { undecided } = await sidebar.callOk('uncertainNames', {});
  expect(undecided).toMatchObject([
    { name: 'Twin', country: 'Germany', city: 'Berlin' },
    { name: 'Twin', country: 'France' },
  ]);
});
