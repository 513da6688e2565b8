// Search in the sidebar: prices, conditions, columns and formulas.
import { describe, expect, it } from 'vitest';
import { eventually } from './browser.ts';
import { answers, existing, overwrite, plan, progress, status } from './sidebar-answers.ts';
import { Refused, setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);

describe('search', () => {
  it('shows the budget that is left, again after a run, and compares what was charged with the price', async () => {
    const sidebar = await open();
    await sidebar.shows(/^460 credits left\. Each search buys its own pages\.$/);
    // A page that is not full needs an explanation.
    sidebar.answers.planSearch = () => ({ ...plan, rows: 7 });
    await sidebar.field('Industry').fill('mining');
    await sidebar.shows(
      /^460 credits left\. A page of up to 20 rows costs 10 credits\. Each search buys its own\.$/,
    );
    sidebar.answers.planSearch = () => plan;
    await sidebar.field('Industry').fill('');
    await sidebar.shows(/^460 credits left\. Each search buys its own pages\.$/);
    const connection = status.connection && { ...status.connection, remaining: 5 };
    sidebar.answers.status = () => ({ ...status, connection });
    sidebar.answers.step = () => progress(100, 'done', { credits: 40, saved: 10 });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('100 rows · 40 credits charged (shown: 50) · 10 credits of data reused');
    await sidebar.shows(/^5 credits left, less than this price\./);
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

  it('updates the table that has the search and its columns, until a new sheet is chosen', async () => {
    const sidebar = await open({
      planSearch: ({ columns, query, where }) => ({
        ...plan,
        ...(!JSON.stringify(query).includes('mining') && { existing: { ...existing, columns } }),
        ...(where.kind === 'table' && { target: { title: 'Companies: software', rows: 12 } }),
      }),
    });
    const sent = () => eventually(() => sidebar.sent('planSearch').at(-1));
    await sidebar.button('Update with 20 rows · 10 credits').waitFor();
    await sidebar.shows(/^Updates “Companies: software”/);
    await sidebar.button('New sheet').click();
    await sidebar.button('Write 20 rows · 10 credits').waitFor();
    await sent().toMatchObject({ where: { kind: 'newSheet' } });
    await sidebar.field('Industry').fill('mining');
    await eventually(() => JSON.stringify(sidebar.sent('planSearch').at(-1))).toMatch(/mining.*newSheet/);
    await sidebar.field('Industry').fill('banking');
    await sidebar.button('Update with 20 rows · 10 credits').waitFor();
    // With another column, it is another table.
    await sidebar.page.getByText('Columns', { exact: true }).click();
    await sidebar.button('Remove Name').click();
    await sent().toMatchObject({ where: { kind: 'newSheet' } });
  });

  it('goes to a new sheet again after Undo has removed its table', async () => {
    let isGone = false;
    const sidebar = await open({
      planSearch: ({ columns, where }) =>
        isGone && where.kind === 'table'
          ? new Refused('This table is no longer tracked here.', 'gone')
          : { ...plan, ...(!isGone && { existing: { ...existing, columns } }) },
    });
    await sidebar.button('Update with 20 rows · 10 credits').click();
    isGone = true;
    await sidebar.button('Undo').click();
    await sidebar.button('Write 20 rows · 10 credits').waitFor();
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
      /^460 credits left\. “Up to”: above 1,000 matches, records your team has are only found/,
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

  it('reports a syntax error in a query', async () => {
    const sidebar = await open();
    const write = sidebar.button(/^Write /);
    const readColour = () =>
      sidebar.page.evaluate<string>(
        "getComputedStyle(document.querySelector('#panel-search .primary')).backgroundColor",
      );
    await sidebar.button('Write 20 rows').waitFor();
    const colour = await readColour();
    await sidebar.button('Query').click();
    const text = sidebar.page.getByLabel('Query (JSON)');
    await text.fill('{\n  "match": {"industry": "software",}\n}');
    await sidebar.shows(/^This is not JSON: Expected double-quoted property name in JSON at position 37/);
    await eventually(() => write.isDisabled()).toBe(true);
    expect(await readColour()).not.toBe(colour);
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
