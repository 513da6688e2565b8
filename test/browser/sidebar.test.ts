// The sidebar's search, and runs: what it asks, what it says before it costs, stopping, refusals, taking back.
import { describe, expect, it } from 'vitest';
import { eventually } from './sidebar.ts';
import { plan, progress, status } from './sidebar-answers.ts';
import { button, field, price, says, sidebars, tab } from './sidebar-desk.ts';

const open = sidebars();

describe('search', () => {
  it('says what it costs before it costs, and writes only then', async () => {
    const sidebar = await open();
    await eventually(() => price(sidebar).textContent()).toBe(
      '1,240 companies match · 20 rows cost 10 credits',
    );
    expect(sidebar.sent('startSearch')).toEqual([]);
    await field(sidebar, 'Industry').fill('software');
    await sidebar.page.getByLabel('Rows', { exact: true }).selectOption('5');
    await eventually(() => price(sidebar).textContent()).toBe(
      '1,240 companies match · 100 rows cost 50 credits',
    );
    await button(sidebar, 'Write 100 rows').click();
    await says(sidebar, '100 of 100');
    expect(sidebar.sent('startSearch')).toEqual([
      expect.objectContaining({
        family: 'company_clean',
        pages: 5,
        where: { kind: 'newSheet' },
        mode: 'replace',
        title: 'Companies: software',
        query: {
          es_dsl: {
            query: { bool: { must: [{ match: { industry: { query: 'software', operator: 'and' } } }] } },
          },
        },
      }),
    ]);
  });

  it('asks once for a word that is typed, not once for each letter', async () => {
    const sidebar = await open();
    await eventually(() => price(sidebar).textContent()).toMatch(/1,240/);
    await field(sidebar, 'Industry').pressSequentially('software', { delay: 5 });
    await eventually(() => sidebar.sent('planSearch').length).toBe(2);
    expect(JSON.stringify(sidebar.sent('planSearch')[1])).toContain('"software"');
  });

  it('says beside the line what can’t be read, and has no price for it', async () => {
    const sidebar = await open();
    await sidebar.page.getByLabel('Choose a condition').selectOption('followers');
    await button(sidebar, 'Add condition').click();
    await field(sidebar, 'Followers from').fill('many');
    await says(sidebar, '“many” is not a whole number.');
    expect(await field(sidebar, 'Followers from').getAttribute('aria-invalid')).toBe('true');
    expect(await button(sidebar, 'Write rows').isDisabled()).toBe(true);
  });

  it('checks a query as it is typed, by its line', async () => {
    const sidebar = await open();
    await button(sidebar, 'Query').click();
    const text = sidebar.page.getByLabel('Query (JSON)');
    await text.fill('{\n  "match": {"industry": "software",}\n}');
    await says(sidebar, /^Line 2: a name in "double quotes" is missing/);
    await text.fill('{"match": {"industry": "software"}}');
    await eventually(() => sidebar.sent('planSearch').at(-1)?.query).toEqual({
      es_dsl: { query: { match: { industry: 'software' } } },
    });
  });

  it('says how many match without each condition, where nothing matches', async () => {
    const without = [
      { condition: 'location_hq_country', total: 1966 },
      { condition: 'industry', total: 0 },
      { condition: 'funding_rounds.last_round_type', total: 3 },
    ];
    const sidebar = await open({ planSearch: () => ({ ...plan, total: 0, without, rows: 0, credits: 0 }) });
    const list = sidebar.page.locator('.panel:not([hidden]) li', { hasText: /^Without/ });
    await eventually(() => list.allTextContents()).toEqual([
      'Without Country: 1,966 matches',
      'Without Last round type: 3 matches',
    ]);
  });

  it('asks before it replaces what someone typed', async () => {
    const overwrite = {
      cells: 3,
      sample: [{ cell: 'Sheet1!B3', value: 'my note' }],
      question: 'Replace 3 cells that you typed?',
    };
    const sidebar = await open({ planSearch: () => ({ ...plan, willOverwrite: overwrite }) });
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, 'my note');
    expect(sidebar.sent('startSearch')).toEqual([]);
    await button(sidebar, 'Cancel').click();
    await button(sidebar, 'Write 20 rows').click();
    await button(sidebar, 'Replace cells').click();
    await says(sidebar, '100 of 100');
    expect(sidebar.sent('startSearch')).toEqual([expect.objectContaining({ confirmed: true })]);
  });

  it('saves a search for the team, and opens it as the form that it was', async () => {
    const sidebar = await open();
    await sidebar.page.getByLabel('Find').selectOption('company_base');
    await field(sidebar, 'Industry').fill('software');
    await sidebar.page.getByText('Save this search').click();
    await field(sidebar, 'Search name').fill('German software');
    await sidebar.page.getByLabel('Share with my team').check();
    await button(sidebar, 'Save search').click();
    await says(sidebar, 'Saved.');
    expect(sidebar.sent('saveSearch')).toEqual([
      expect.objectContaining({
        name: 'German software',
        shared: true,
        query: { filters: { industry: 'software' } },
      }),
    ]);
    await field(sidebar, 'Industry').fill('');
    await sidebar.page.getByLabel('Saved searches').selectOption({ label: 'German software (team)' });
    expect(await field(sidebar, 'Industry').inputValue()).toBe('software');
  });

  it.each([
    ['a query', { query: { match: { industry: 'software' } }, sort: ['id'] }],
    ['a query alone', { match: { industry: 'software' } }],
  ])('opens a search that was saved as %s of the DSL as that, and asks the same', async (_, dsl) => {
    const sidebar = await open({
      savedSearches: () => [
        {
          id: 'dsl',
          name: 'Software',
          family: 'company_base',
          query: { es_dsl: dsl },
          shared: false,
          created_at: '2026-11-22T12:00:00Z',
          updated_at: '2026-11-22T12:00:00Z',
        },
      ],
    });
    await sidebar.page.getByLabel('Saved searches').selectOption('dsl');
    expect(await button(sidebar, 'Query').getAttribute('aria-pressed')).toBe('true');
    expect(JSON.parse(await sidebar.page.getByLabel('Query (JSON)').inputValue())).toEqual(dsl);
    await eventually(() => sidebar.sent('planSearch').at(-1)?.query).toEqual({
      es_dsl: 'query' in dsl ? dsl : { query: dsl },
    });
  });

  it('puts a formula into the active cell, with its price beside it', async () => {
    const sidebar = await open();
    await sidebar.page.getByText('Use as a formula').click();
    await says(sidebar, 'up to 10 credits');
    await sidebar.page.getByLabel(/First 20 IDs/).check();
    await button(sidebar, 'Insert formula').click();
    await says(sidebar, 'In Companies!B2: =CDAPI_SEARCH');
    expect(sidebar.sent('insertFormula')).toEqual([
      expect.objectContaining({ formula: 'CDAPI_SEARCH', limit: 20 }),
    ]);
  });

  it('moves columns by keys, and keeps the focus on the one that moves', async () => {
    const sidebar = await open();
    await sidebar.page.locator('summary', { hasText: 'Columns' }).click();
    await sidebar.page.getByRole('listitem', { name: /^Name, column 2/ }).focus();
    await sidebar.page.keyboard.press('Alt+ArrowUp');
    await says(sidebar, /^Name is column 1 of/);
    await eventually(() =>
      sidebar.page.evaluate<string>(`document.activeElement?.getAttribute('aria-label') ?? ''`),
    ).toMatch(/^Name, column 1/);
    await button(sidebar, 'Move ID up').click();
    await eventually(() => sidebar.page.locator('.columns .name').first().textContent()).toBe('ID');
  });
});

describe('a run', () => {
  it('can be stopped, goes on from there, and is taken back', async () => {
    let steps = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const sidebar = await open({
      step: async () => {
        steps += 1;
        if (steps === 2) await held;
        return progress(steps * 20, steps > 2 ? 'done' : 'running');
      },
    });
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, '20 of 100');
    await button(sidebar, /^Stop/).click();
    release();
    await says(sidebar, '40 of 100');
    await says(sidebar, 'Stopped');
    expect(sidebar.sent('withdraw')).toEqual([{ runId: 'run' }]);
    expect(sidebar.sent('stop')).toEqual([{ runId: 'run' }]);
    await button(sidebar, /^Resume( ·|$)/).click();
    await says(sidebar, '60 of 100');
    await button(sidebar, 'Undo').click();
    await says(sidebar, 'Undone (300 cells restored).');
    expect(sidebar.sent('undo')).toEqual([{ runId: 'run' }]);
  });

  it('that pauses says why, and goes on when someone wants', async () => {
    let paused = true;
    const sidebar = await open({
      step: () =>
        paused
          ? progress(40, 'paused', { failure: { message: 'The budget is used up. Ask your admin.' } })
          : progress(100, 'done'),
    });
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, 'The budget is used up.');
    expect(sidebar.sent('step')).toHaveLength(1);
    paused = false;
    await button(sidebar, /^Resume( ·|$)/).click();
    await says(sidebar, '100 of 100');
  });

  it('that was left is offered at the next opening', async () => {
    const sidebar = await open({ status: () => ({ ...status, unfinished: 1 }) });
    await says(sidebar, '“Website” stopped at 40 of 100 rows.');
    await button(sidebar, 'Resume: Website').click();
    await says(sidebar, '100 of 100');
    expect(sidebar.sent('step')).toEqual([{ runId: 'left' }]);
    expect(await tab(sidebar, 'Enrich').getAttribute('aria-selected')).toBe('true');
  });
});
