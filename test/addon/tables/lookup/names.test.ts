// Lookups of columns with company names: matched, uncertain and unknown names, prices, batches and Undo.
import { describe, expect, it } from 'vitest';
import { createEnrichOrder, createList } from '../../server/orders.ts';
import { gateway } from '../../server/sidebar.ts';
import { describeWorkbook } from '../../server/state.ts';
import { openMatching } from './matching.ts';

const RECORD_CREDITS = 10;

const openNames = (names: readonly string[]) => openMatching(createList(names));

const order = createEnrichOrder({ by: 'name', statusColumn: true });

describe('a column of names', () => {
  it('is written with the records of matches, and with candidates of uncertain names', async () => {
    const { sidebar, calls } = await openNames(['Acme', 'Twin', 'Nobody', '', 'Acme']);
    const before = describeWorkbook(sidebar.getWorkbook());
    const { approval, ...plan } = await sidebar.callOk('planEnrich', order);
    expect(calls).toEqual([]);
    // Three records, and two pages for the candidates of up to ten names.
    expect(plan).toMatchObject({ rows: 4, distinct: 3, credits: 50, isMaximum: true, invalid: 0 });
    const done = await sidebar.finishRun(await sidebar.callOk('startEnrich', { ...order, approval }));
    expect(done).toMatchObject({
      state: 'done',
      rows: 2,
      credits: RECORD_CREDITS,
      failed: { '#AMBIGUOUS': 1, '#NOT_FOUND': 1 },
      failedRows: { '#AMBIGUOUS': [3], '#NOT_FOUND': [4] },
    });
    expect(sidebar.getValues('Sheet1').slice(1)).toEqual([
      ['Acme', 'Acme GmbH', 1999, 'bought'],
      [
        ...['Twin', '#AMBIGUOUS', ''],
        expect.stringMatching(
          /^#AMBIGUOUS .* Candidates: Twin GmbH, Germany, id 7, \d+% likely; id 8, \d+% likely\.$/,
        ),
      ],
      ['Nobody', '#NOT_FOUND', '', expect.stringMatching(/^#NOT_FOUND /)],
      [''],
      ['Acme', 'Acme GmbH', 1999, 'bought'],
    ]);
    expect(calls).toMatchObject([
      {
        family: 'company_clean',
        companies: [{ name: 'Acme' }, { name: 'Twin' }, { name: 'Nobody' }],
        fields: ['name', 'founded'],
        max_credits: 50,
      },
    ]);
    await sidebar.callOk('undo', { runId: done.runId });
    expect(describeWorkbook(sidebar.getWorkbook())).toEqual(before);
  });

  it.each([
    ['free if they were compared before', { is_exact: true, records: 0 }, { credits: 0 }],
    ['exactly, where the gateway can compare them', { is_exact: true, records: 20 }, { credits: 20 }],
    [
      'at most, where pages have to be bought',
      { is_exact: false, records: 10, found: 1 },
      { credits: 10 + 2 * 10, isMaximum: true, reason: '10 for up to 1 record, 20 to compare names' },
    ],
    [
      'at their highest, if candidates were not found in time',
      { is_exact: false, records: 10, unfinished: 1 },
      { credits: 50, isMaximum: true, reason: '30 for up to 3 records, 20 to compare names' },
    ],
  ])('are priced %s', async (_, answer, price) => {
    const { sidebar } = await openMatching(createList(['Acme', 'Twin', 'Nobody', 'Acme']), () => answer);
    const { approval, isMaximum, reason, ...plan } = await sidebar.callOk('planEnrich', order);
    expect(plan).toMatchObject({ rows: 4, distinct: 3, credits: price.credits });
    expect(approval.credits).toBe(price.credits);
    expect({ credits: plan.credits, isMaximum, reason }).toMatchObject(price);
    if (!('isMaximum' in price)) expect([isMaximum, reason]).toEqual([undefined, undefined]);
  });

  it('is priced in the steps of the run, and at its highest above 100 names', async () => {
    const sizes: number[] = [];
    const names = Array.from({ length: 100 }, (_, at) => `Acme ${at}`);
    const open = (list: string[]) =>
      openMatching(createList(list), ({ companies }) => {
        sizes.push(companies.length);
        return { is_exact: true, records: 30 };
      });
    const { sidebar } = await open(names);
    expect(await sidebar.callOk('planEnrich', order)).toMatchObject({ credits: 60 });
    expect(sizes).toEqual([50, 50]);
    const { sidebar: large } = await open([...names, 'One more']);
    expect(await large.callOk('planEnrich', order)).toMatchObject({ isMaximum: true });
    expect(sizes).toHaveLength(2);
  });

  it('costs nothing for names that were compared in the last day, in whichever rows', async () => {
    let now = Date.now();
    const list = createList(['Acme', 'Twin', 'Nobody', 'Unknown', 'Twin']);
    const { sidebar, calls } = await openMatching(list, undefined, () => now);
    const plan = (changed: Partial<typeof order>) => sidebar.callOk('planEnrich', { ...order, ...changed });
    const run = async (changed: Partial<typeof order>) => {
      const { approval } = await plan(changed);
      const start = { ...order, ...changed, approval, confirmed: true };
      const started = await sidebar.callOk('startEnrich', start);
      return sidebar.finishRun(started);
    };
    await run({});
    const values = sidebar.getValues('Sheet1');
    now += 3_600_000;
    const again = await plan({ scope: 'gaps' });
    expect(again).toMatchObject({ rows: 4, distinct: 3, credits: 0 });
    expect(again).not.toHaveProperty('isMaximum');
    expect(await run({ scope: 'gaps' })).toMatchObject({
      ...{ state: 'done', credits: 0 },
      failed: { '#AMBIGUOUS': 2, '#NOT_FOUND': 2 },
    });
    expect(sidebar.getValues('Sheet1')).toEqual(values);
    expect(calls).toHaveLength(1);
    expect((await sidebar.callOk('uncertainNames', {})).undecided).toMatchObject([{ name: 'Twin' }]);
    // A certain name is looked up by the id of its company.
    await run({});
    expect(calls).toHaveLength(1);
    expect(gateway.lookups.map(({ by, keys }) => [by, keys])).toEqual([['id', ['7']]]);
    // Records of the last hours only, or a day later: names are compared again.
    expect(await plan({ scope: 'gaps', maxAgeDays: 0 })).toMatchObject({ isMaximum: true });
    now += 24 * 3_600_000;
    expect(await plan({ scope: 'gaps' })).toMatchObject({ isMaximum: true });
    await run({ scope: 'gaps' });
    expect(calls[1]?.companies.map(({ name }) => name)).toEqual(['Twin', 'Nobody', 'Unknown']);
    // Beside a new name, all names of a step are compared together: their pages are cached.
    sidebar.editSheet('Sheet1', ({ values }) => ({
      values: values.map((row) => (row[0] === 'Unknown' ? ['New name', ...row.slice(1)] : row)),
    }));
    await run({ scope: 'gaps' });
    expect(calls[2]?.companies.map(({ name }) => name)).toEqual(['Twin', 'Nobody', 'New name']);
  });

  it('sends no address of a person', async () => {
    const { sidebar, calls } = await openNames(['Acme', 'ada@gmail.com']);
    const { approval, invalid } = await sidebar.callOk('planEnrich', order);
    expect(invalid).toBe(1);
    await sidebar.finishRun(await sidebar.callOk('startEnrich', { ...order, approval }));
    expect(calls.map(({ companies }) => companies)).toEqual([[{ name: 'Acme' }]]);
  });

  it('may hold websites and ids in place of uncertain names', async () => {
    const { sidebar, calls } = await openNames([
      'Acme',
      'site-1.example',
      'https://www.site-2.example/',
      '7',
      'v1 Labs',
    ]);
    const { approval } = await sidebar.callOk('planEnrich', order);
    await sidebar.finishRun(await sidebar.callOk('startEnrich', { ...order, approval }));
    expect(calls.map(({ companies }) => companies)).toEqual([[{ name: 'Acme' }, { name: 'v1 Labs' }]]);
    expect(gateway.lookups.map(({ by, keys }) => [by, keys])).toEqual([
      ['website', ['site-1.example', 'site-2.example']],
      ['id', ['7']],
    ]);
    // What the lookups by key spent is no longer there for names.
    expect(calls[0]?.max_credits).toBe(approval.credits - gateway.spent);
    const statuses = sidebar
      .getValues('Sheet1')
      .slice(1)
      .map((row) => row[3]);
    expect(statuses.slice(0, 3)).toEqual(['bought', 'bought', 'bought']);
  });

  it('is matched 50 names at a time, within the approved price', async () => {
    const names = Array.from({ length: 120 }, (_, at) => `Acme ${at}`);
    const { sidebar, calls } = await openNames(names);
    const { approval } = await sidebar.callOk('planEnrich', order);
    expect(approval.credits).toBe(120 * RECORD_CREDITS + 12 * 2 * 10);
    const done = await sidebar.finishRun(await sidebar.callOk('startEnrich', { ...order, approval }));
    expect(done).toMatchObject({ state: 'done', rows: 120, credits: 1200 });
    expect(calls.map(({ companies }) => companies.length)).toEqual([50, 50, 20]);
    expect(calls.map(({ max_credits: left }) => left)).toEqual([1440, 940, 440]);
  });

  it('is stopped and resumed without matching a name twice', async () => {
    const names = Array.from({ length: 120 }, (_, at) => `Acme ${at}`);
    const { sidebar, calls } = await openNames(names);
    const { approval } = await sidebar.callOk('planEnrich', order);
    const run = await sidebar.callOk('startEnrich', { ...order, approval });
    await sidebar.callOk('step', { runId: run.runId });
    await sidebar.callOk('stop', { runId: run.runId });
    expect(calls).toHaveLength(1);
    expect(await sidebar.resumeRun(run.runId)).toMatchObject({ state: 'done', done: 120 });
    const sent = calls.flatMap(({ companies }) => companies.map(({ name }) => name));
    expect(sent).toEqual(names);
  });
});
