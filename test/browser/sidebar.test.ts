// Search and runs in the sidebar: prices, conditions, stopping and undo.
import { describe, expect, it } from 'vitest';
import { eventually } from './browser.ts';
import { setUpSidebars } from './sidebar.ts';
import { answers, existing, NOW, overwrite, plan, progress, status } from './sidebar-answers.ts';

const open = setUpSidebars(answers);

describe('search', () => {
  it('shows the budget that is left, again after a run, and compares what was charged with the price', async () => {
    const sidebar = await open();
    await sidebar.shows(/^Budget left: 460 credits\. Each search buys its own pages\.$/);
    // A page that is not full needs an explanation.
    sidebar.answers.planSearch = () => ({ ...plan, rows: 7 });
    await sidebar.field('Industry').fill('mining');
    await sidebar.shows(
      /^Budget left: 460 credits\. A page of up to 20 rows costs 10 credits\. Each search buys its own\.$/,
    );
    sidebar.answers.planSearch = () => plan;
    await sidebar.field('Industry').fill('');
    await sidebar.shows(/^Budget left: 460 credits\. Each search buys its own pages\.$/);
    const connection = status.connection && { ...status.connection, remaining: 5 };
    sidebar.answers.status = () => ({ ...status, connection });
    sidebar.answers.step = () => progress(100, 'done', { credits: 40, saved: 10 });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('100 rows · 40 credits charged (shown: 50) · 10 credits of data reused');
    await sidebar.shows(/^Budget left: 5 credits, less than this price\./);
    sidebar.answers.step = () => progress(100, 'done');
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('100 rows · 50 credits charged, as shown');
  });

  it('shows the price before it writes', async () => {
    const sidebar = await open();
    await sidebar.price().toBe('1,240 companies match · 20 rows cost 10 credits');
    expect(sidebar.sent('startSearch')).toEqual([]);
    await sidebar.field('Industry').fill('software');
    await sidebar.page.getByLabel('Rows', { exact: true }).selectOption('5');
    await sidebar.price().toBe('1,240 companies match · 100 rows cost 50 credits');
    await sidebar.button('Write 100 rows').click();
    await sidebar.shows('100 of 100');
    const query = { bool: { must: [{ match: { industry: { query: 'software', operator: 'and' } } }] } };
    await eventually(() => sidebar.sent('startSearch')).toMatchObject([
      {
        family: 'company_clean',
        pages: 5,
        where: { kind: 'newSheet' },
        mode: 'replace',
        query: { es_dsl: { query } },
      },
    ]);
  });

  it('offers what to find, and the data sets with their prices, the chosen one by name', async () => {
    const sidebar = await open();
    const list = (label: string) =>
      eventually(() => sidebar.page.getByLabel(label, { exact: true }).locator('option').allTextContents());
    await list('Find').toEqual(['Companies', 'People', 'Jobs']);
    await list('Data set').toEqual([
      'Standard · 10 credits a page',
      'Raw profile · 10 credits a page',
      'All sources · 20 credits a page',
    ]);
    await sidebar.shows('Data: Standard');
    await sidebar.chooseFamily('employee_multi_source');
    await eventually(() => sidebar.sent('planSearch').at(-1)?.family).toBe('employee_multi_source');
    await sidebar.page.getByLabel('Find').selectOption('Jobs');
    await eventually(() => sidebar.sent('planSearch').at(-1)?.family).toBe('job_base');
    await eventually(() => sidebar.overflow()).toBe(0);
  });

  it('offers to update the table that has the search, and leaves it for another search', async () => {
    const sidebar = await open({
      planSearch: ({ query, where }) => ({
        ...plan,
        ...(where.kind !== 'cursor' && !JSON.stringify(query).includes('mining') && { existing }),
      }),
    });
    await sidebar.shows('“Companies: software” has this search. Updating it is free.');
    const choice = sidebar.button('Update this table');
    await choice.click();
    const update = { where: { kind: 'table', tableId: 'one' }, mode: 'update', columns: existing.columns };
    await eventually(() => sidebar.sent('planSearch').at(-1)).toMatchObject(update);
    await eventually(() => choice.evaluate((button) => button.matches('[aria-pressed=true]:focus'))).toBe(
      true,
    );
    await sidebar.button('Update with 20 rows · 10 credits').click();
    await sidebar.shows('100 of 100');
    await eventually(() => sidebar.sent('startSearch')).toMatchObject([update]);
    await sidebar.field('Industry').fill('mining');
    await eventually(() => sidebar.sent('planSearch').at(-1)).toMatchObject({ where: { kind: 'newSheet' } });
    await eventually(() => choice.count()).toBe(0);
  });

  it('marks columns of full records with their price, and includes it', async () => {
    const sidebar = await open({
      planSearch: ({ columns }) =>
        columns.includes('founded')
          ? { ...plan, credits: 210, recordCredits: 200, approval: { credits: 210, digest: 'records' } }
          : plan,
    });
    const hint = sidebar.page.getByText('Columns marked +10 credits a row share one full record.');
    await sidebar.page.getByText('Columns', { exact: true }).click();
    await sidebar.button('Add column').waitFor();
    expect(await hint.count()).toBe(0);
    await sidebar.button('Add column').click();
    await hint.waitFor();
    // Full records have it too, under another name.
    await sidebar.field('Find a column').fill('website');
    await sidebar.shows('No column has these words.');
    await sidebar.field('Find a column').fill('founded');
    await sidebar.button('Founded +10 credits a row').click();
    await sidebar.page.getByText('Founded +10 credits a row').waitFor();
    await eventually(() => hint.count()).toBe(1);
    await eventually(() => sidebar.clipped()).toEqual([]);
    await eventually(() => sidebar.field('Find a column').inputValue()).toBe('');
    await sidebar.price().toBe('1,240 companies match · 20 rows cost up to 210 credits');
    await sidebar.button('Write 20 rows · up to 210 credits').waitFor();
    await sidebar.shows(
      /^Budget left: 460 credits\. “Up to”: above 1,000 matches, records your team has are only found/,
    );
    await eventually(() => sidebar.sent('planSearch').at(-1)?.columns).toEqual([
      'name',
      'website_main',
      'industry',
      'size_range',
      'location_hq_country',
      'websites_professional_network_canonical',
      'id',
      'founded',
    ]);
    await eventually(() => sidebar.page.getByText('Founded added.').count()).toBe(1);
    await sidebar.page.getByLabel('Find', { exact: true }).selectOption('People');
    await eventually(() => sidebar.page.getByText('Founded added.').count()).toBe(0);
  });

  it('shows sample rows only on request', async () => {
    const sidebar = await open({ sampleRows: () => ({ rows: [['Acme', '', 'software']] }) });
    await sidebar.field('Industry').fill('software');
    await sidebar.page.getByText('Sample rows').click();
    const lines = () => sidebar.page.locator('.sample').locator('dt, dd').allInnerTexts();
    await eventually(lines).toEqual(['Name', 'Acme', 'Industry', 'software']);
    expect(await sidebar.clipped()).toEqual([]);
    await sidebar.shows(
      'From records that your team already bought. A page of 20 new rows costs 10 credits.',
    );
    await eventually(() => sidebar.sent('sampleRows')).toMatchObject([{ family: 'company_clean' }]);
    sidebar.answers.sampleRows = () => ({ rows: [] });
    await sidebar.field('Industry').fill('mining');
    await sidebar.shows('Your team has none of the first 100 matches yet.');
  });

  it('keeps the search when the sidebar is closed, with its excluded values', async () => {
    const sidebar = await open();
    await sidebar.page.getByLabel('Find').selectOption('People');
    await sidebar.field('Job title').fill('buyer');
    await sidebar.page.getByLabel('Comparison of Job title').selectOption('isNot');
    await sidebar.page.getByLabel('Rows', { exact: true }).selectOption('3');
    await eventually(() => sidebar.sent('saveDraft').at(-1)?.lastSearch).toMatch(/"must_not".*"pages":3/);
    const lastSearch = sidebar.sent('saveDraft').at(-1)?.lastSearch ?? '';
    const again = await open({ status: () => ({ ...status, lastSearch }) });
    await eventually(() => again.field('Job title').inputValue()).toBe('buyer');
    await eventually(() => again.page.getByLabel('Comparison of Job title').inputValue()).toBe('isNot');
    await eventually(() => again.page.getByLabel('Rows', { exact: true }).inputValue()).toBe('3');
    const broken = await open({ status: () => ({ ...status, lastSearch: '{"family":"company_x"}' }) });
    await eventually(() => broken.page.getByLabel('Find').inputValue()).toBe('Companies');
  });

  it('debounces typing', async () => {
    const sidebar = await open();
    await sidebar.price().toMatch(/1,240/);
    await sidebar.field('Industry').pressSequentially('software', { delay: 5 });
    await eventually(() => sidebar.sent('planSearch').length).toBe(2);
    expect(JSON.stringify(sidebar.sent('planSearch')[1])).toContain('"software"');
  });

  it('marks an invalid condition and shows no price', async () => {
    const sidebar = await open();
    await sidebar.button('Add condition').click();
    await sidebar.field('Find a condition').fill('size follow');
    await sidebar.field('Find a condition').press('Enter');
    // The focus is in the new condition.
    await sidebar.page.keyboard.type('many');
    await sidebar.shows('“many” is not a whole number.');
    await eventually(() => sidebar.field('Followers from').getAttribute('aria-invalid')).toBe('true');
    await sidebar.price().toBe('Correct the condition Followers.');
    await eventually(() => sidebar.button('Write rows').isDisabled()).toBe(true);
  });

  it('reports the line of a syntax error in a query', async () => {
    const sidebar = await open();
    await sidebar.button('Query').click();
    const text = sidebar.page.getByLabel('Query (JSON)');
    await text.fill('{\n  "match": {"industry": "software",}\n}');
    await sidebar.shows(/^Line 2: a name in "double quotes" is missing/);
    await text.fill('{"match": {"industry": "software"}}');
    await eventually(() => sidebar.sent('planSearch').at(-1)?.query).toEqual({
      es_dsl: { query: { match: { industry: 'software' } } },
    });
  });

  it('shows the matches without each condition if nothing matches', async () => {
    const without = [
      { condition: 'location_hq_country', total: 1966 },
      { condition: 'industry', total: 0 },
      { condition: 'funding_rounds.last_round_type', total: 3 },
    ];
    const sidebar = await open({ planSearch: () => ({ ...plan, total: 0, without, rows: 0, credits: 0 }) });
    const list = sidebar.page.locator('.panel:not([hidden]) li', { hasText: /^Without/ });
    await sidebar.field('Country').fill('Chile');
    const lines = ['Without Country: 1,966 matches Remove', 'Without Last round type: 3 matches '];
    await eventually(() => list.allTextContents()).toEqual(lines);
    await sidebar.price().toBe('Nothing matches. Without Country: 1,966 matches.');
    await sidebar.button('Remove the condition Country').click();
    await eventually(() => sidebar.field('Country').inputValue()).toBe('');
    sidebar.answers.planSearch = () => ({
      ...{ ...plan, total: 0, rows: 0, credits: 0 },
      without: without.map((each) => ({ ...each, total: 0 })),
    });
    await sidebar.field('Country').fill('Peru');
    await sidebar.price().toBe('Nothing matches, whichever condition you remove. Remove two or more.');
  });

  it('asks before it replaces typed cells', async () => {
    const sidebar = await open({ planSearch: () => ({ ...plan, willOverwrite: overwrite }) });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('my note');
    expect(sidebar.sent('startSearch')).toEqual([]);
    await sidebar.button('Cancel').click();
    await sidebar.button('Write 20 rows').click();
    await sidebar.button('Replace cells').click();
    await sidebar.shows('100 of 100');
    await eventually(() => sidebar.sent('startSearch')).toEqual([
      expect.objectContaining({ confirmed: true }),
    ]);
  });

  it('inserts a formula after showing its price', async () => {
    const sidebar = await open();
    await sidebar.page.getByText('Use as a formula').click();
    await sidebar.shows('up to 10 credits');
    await sidebar.page.getByLabel(/First 20 IDs/).check();
    await sidebar.button('Insert formula').click();
    await sidebar.shows('In Companies!B2: =CDAPI_SEARCH');
    await eventually(() => sidebar.sent('insertFormula')).toMatchObject([
      { formula: 'CDAPI_SEARCH', limit: 20 },
    ]);
  });

  it('moves columns by keyboard and keeps the focus', async () => {
    const sidebar = await open();
    await sidebar.page.locator('summary', { hasText: 'Columns' }).click();
    await sidebar.page.getByRole('listitem', { name: /^Website, column 2/ }).focus();
    await sidebar.page.keyboard.press('Alt+ArrowUp');
    await sidebar.shows(/^Website is column 1 of/);
    await eventually(() =>
      sidebar.page.evaluate<string>(`document.activeElement?.getAttribute('aria-label') ?? ''`),
    ).toMatch(/^Website, column 1/);
    await sidebar.button('Move Name up').click();
    await eventually(() => sidebar.page.locator('.columns .name').first().getAttribute('title')).toBe('name');
  });
});

describe('a run', () => {
  it('stops after the current step, resumes and can be undone', async () => {
    let steps = 0;
    const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
    const sidebar = await open({
      step: async () => {
        steps += 1;
        if (steps === 2) await blocked;
        return progress(steps * 20, steps > 2 ? 'done' : 'running');
      },
    });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('20 of 100');
    await sidebar.button(/^Stop/).click();
    await sidebar.shows(/^Stopping …/);
    expect(sidebar.sent('stop')).toEqual([]);
    release();
    await sidebar.shows('40 of 100');
    await sidebar.shows('Stopped');
    await eventually(() => sidebar.sent('cancelStep')).toEqual([{ runId: 'run' }]);
    await eventually(() => sidebar.sent('stop')).toEqual([{ runId: 'run' }]);
    await sidebar.button(/^Resume( ·|$)/).click();
    await sidebar.shows('60 of 100');
    await sidebar.button('Undo').click();
    await sidebar.shows('Undone (300 cells restored).');
    await eventually(() => sidebar.sent('undo')).toEqual([{ runId: 'run' }]);
  });

  it('that is undone is reported over the full width, with Close in the corner, at every size', async () => {
    const sheet = 'Development managers at software companies of Germany';
    const sidebar = await open({ undo: () => ({ cells: 1284, sheet, before: 'before' }) });
    await sidebar.button('Write 20 rows').click();
    await sidebar.button('Undo').click();
    const sentence = sidebar.page.getByText(/^Undone in “Development/);
    await sidebar.price().toMatch(/10 credits/);
    await sentence.waitFor();
    for (const [width, height] of [
      [300, 800],
      [300, 640],
      [200, 640],
    ] as const) {
      await sidebar.page.setViewportSize({ width, height });
      // Nothing of the notice scrolls.
      const isUndoVisible = `(() => {
        const button = document.querySelector('.dock .notice .quiet');
        const { left, top, bottom } = button.getBoundingClientRect();
        return [top + 2, bottom - 4].every((y) => button.contains(document.elementFromPoint(left + 4, y)));
      })()`;
      await eventually(() => sidebar.page.evaluate(isUndoVisible)).toBe(true);
      const boxes = [sidebar.page.locator('.panel:not([hidden]) .dock'), sentence, sidebar.button('Close')];
      const [dock, text, close] = await Promise.all(boxes.map((box) => box.boundingBox()));
      expect(text?.width).toBeGreaterThan(width - 100);
      expect(close?.x).toBeGreaterThan(width - 60);
      expect((close?.y ?? 0) - (text?.y ?? 0)).toBeLessThan(8);
      expect(dock?.height).toBeLessThanOrEqual(height * 0.7);
    }
    await sidebar.page.setViewportSize({ width: 300, height: 640 });
  });

  it('that stopped shows all its buttons, and the form keeps its place in a low window', async () => {
    const sidebar = await open({
      planSearch: () => ({ ...plan, existing }),
      step: () => progress(40, 'stopped'),
    });
    const dock = sidebar.page.locator('.panel:not([hidden]) .dock');
    await sidebar.price().toMatch(/10 credits/);
    await sidebar.page.setViewportSize({ width: 300, height: 520 });
    expect((await dock.boundingBox())?.height).toBeLessThanOrEqual(200);
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('40 of 100');
    for (const tab of ['Search', 'Enrich', 'Tables']) {
      await sidebar.tab(tab).click();
      for (const height of [800, 640]) {
        await sidebar.page.setViewportSize({ width: 300, height });
        const scrolled = () => dock.evaluate((box) => box.scrollHeight - box.clientHeight);
        await eventually(scrolled).toBeLessThanOrEqual(0);
        const names = tab === 'Search' ? ['Undo', 'Add full records …'] : ['Undo'];
        for (const name of names) await sidebar.button(name).click({ trial: true });
        const line = await sidebar.page.getByText('40 of 100').filter({ visible: true }).boundingBox();
        const close = await sidebar.button('Close').boundingBox();
        expect(Math.abs((close?.y ?? 0) - (line?.y ?? 0))).toBeLessThan(8);
        expect(close?.x).toBeGreaterThan(240);
      }
    }
  });

  it('stays with Undo while the pointer is over the sidebar, also when the search is saved', async () => {
    const sidebar = await open({}, { now: NOW, stopped: true });
    const pass = (ms: number) => sidebar.page.clock.runFor(ms);
    const undo = sidebar.button('Undo');
    const write = sidebar.button('Write 20 rows · 10 credits');
    const becomes = (state: () => Promise<boolean>) =>
      eventually(async () => {
        await pass(100);
        return state();
      }).toBe(true);
    await becomes(() => write.isVisible());
    await write.click();
    await becomes(() => undo.isVisible());
    await sidebar.page.getByText('Save this search').click();
    await sidebar.button('Save search').click();
    await becomes(() => sidebar.page.getByText('Search saved.').isVisible());
    await pass(65_000);
    expect(await undo.isVisible()).toBe(true);
  });

  it.each([
    [0, '6 rows · 2 companies without rows · 3 credits charged'],
    [5, '6 rows · 2 companies without rows · at most 5 for each company · 3 credits charged'],
  ])(
    'at companies tells rows from companies without rows, with a limit of %i',
    async (perCompany, outcome) => {
      const run = { total: 8, failed: { '#NOT_FOUND': 2 }, perCompany, maxCredits: 0, title: 'Jobs' };
      const sidebar = await open({ step: () => progress(6, 'done', run) });
      await sidebar.button('Write 20 rows').click();
      await sidebar.page.locator('.run summary').getByText('Done 6 rows · 3 credits').click();
      await sidebar.shows(`Jobs. ${outcome}.`);
      await eventually(() => sidebar.page.locator('.run [role=status]').textContent()).toBe(outcome);
    },
  );

  it('explains a pause and resumes', async () => {
    const failure = { message: 'The budget is used up. Ask your admin.' };
    const sidebar = await open({ step: () => progress(40, 'paused', { failure }) });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('The budget is used up.');
    await eventually(() => sidebar.sent('step')).toHaveLength(1);
    sidebar.answers.step = () => progress(100, 'done');
    await sidebar.button(/^Resume( ·|$)/).click();
    await sidebar.shows('100 of 100');
  });

  it('is offered again if it was left unfinished', async () => {
    const sidebar = await open({ status: () => ({ ...status, unfinished: 1 }) });
    await sidebar.shows('“Website” stopped at 40 of 100 rows.');
    await sidebar.button('Resume: Website').click();
    await sidebar.shows('100 of 100');
    await eventually(() => sidebar.sent('step')).toEqual([{ runId: 'left' }]);
    await eventually(() => sidebar.tab('Enrich').getAttribute('aria-selected')).toBe('true');
  });
});
