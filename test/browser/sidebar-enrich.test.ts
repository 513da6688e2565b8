// The tab Enrich: plans, keys, own columns.
import { describe, expect, it } from 'vitest';
import { eventually, matchSpaces } from './browser.ts';
import { never, Refused, setUpSidebars } from './sidebar.ts';
import { answers, enrichPlan, NOW, overwrite, progress, status, websites } from './sidebar-answers.ts';

const open = setUpSidebars(answers);

const at = (tab: typeof status.tab) => ({ status: () => ({ ...status, tab }) });

describe('enrich', () => {
  it('shows rows, unique keys, bought records and credits before it buys', async () => {
    const sidebar = await open(at('enrich'));
    await sidebar.price().toBe('14 rows · 70 credits');
    const readFacts = () => sidebar.page.locator('.facts dd').allTextContents();
    await eventually(readFacts).toEqual(['14', '12', '5', '7']);
    await sidebar.page.getByLabel('Selected rows', { exact: true }).check();
    await sidebar.button('Enrich 14 rows').click();
    await sidebar.shows('100 of 100');
    await eventually(() => sidebar.sent('startEnrich')).toEqual([
      {
        sheet: 'Companies',
        column: 1,
        by: 'website',
        family: 'company_clean',
        scope: 'selection',
        fields: ['name', 'industry'],
        approval: enrichPlan.approval,
      },
    ]);
  });

  it('says why a price is a maximum', async () => {
    const reason = '60 for up to 6 records, 10 to compare names';
    const sidebar = await open({
      ...at('enrich'),
      planEnrich: () => ({ ...enrichPlan, isMaximum: true, reason }),
    });
    await sidebar.price().toBe(`14 rows · up to 70 credits: ${reason}`);
    await sidebar.button('Enrich 14 rows · up to 70 credits').waitFor();
  });

  it('reads the price again when the pointer comes back from the sheet, and keeps the button usable', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sidebar = await open(at('enrich'));
    await sidebar.price().toBe('14 rows · 70 credits');
    sidebar.answers.planEnrich = () => promise.then(() => ({ ...enrichPlan, rows: 16, credits: 90 }));
    const asked = sidebar.sent('planEnrich').length;
    await sidebar.page.mouse.move(150, 300);
    await eventually(() => sidebar.sent('planEnrich').length).toBe(asked + 1);
    await sidebar.button('Enrich 14 rows').click({ trial: true });
    resolve();
    await sidebar.price().toBe('16 rows · 90 credits');
  });

  it('reads the price again soon after the keys were changed in the sheet, without a pointer', async () => {
    const sidebar = await open(at('enrich'), { stopped: true, now: NOW });
    const shows = (price: string) =>
      eventually(async () => {
        await sidebar.page.clock.runFor(100);
        return sidebar.page.getByText(price, { exact: true }).count();
      }).toBe(1);
    await shows('14 rows · 70 credits');
    const asked = sidebar.sent('planEnrich').length;
    let { digest } = enrichPlan.approval;
    sidebar.answers.deliveries = () => ({ deliveries: [], digest });
    const checks = sidebar.sent('deliveries').length;
    await sidebar.page.evaluate("dispatchEvent(new Event('blur'))");
    await sidebar.page.clock.runFor(5000);
    await eventually(() => sidebar.sent('deliveries').length).toBe(checks + 1);
    expect(sidebar.sent('deliveries').at(-1)?.watched).toEqual(sidebar.sent('planEnrich').at(-1));
    expect(sidebar.sent('planEnrich')).toHaveLength(asked);
    digest = 'changed';
    const approval = { credits: 90, digest };
    sidebar.answers.planEnrich = () => ({ ...enrichPlan, rows: 16, credits: 90, approval });
    await sidebar.page.clock.runFor(10_000);
    await shows('16 rows · 90 credits');
    expect(sidebar.sent('deliveries')).toHaveLength(checks + 2);
    expect(sidebar.sent('planEnrich')).toHaveLength(asked + 1);
  });

  it('warns, not as an error, if the sheet has changed since the price was read', async () => {
    const message = 'The sheet or the price has changed: it is now 16 rows for 90 credits.';
    const sidebar = await open({ ...at('enrich'), startEnrich: () => new Refused(message, 'price_changed') });
    await sidebar.button('Enrich 14 rows').click();
    await sidebar.shows(message);
    await sidebar.page.locator('.notice.warn').filter({ visible: true }).waitFor();
  });

  it('keeps the input of each column while another one is looked at', async () => {
    const sidebar = await open(at('enrich'));
    const last = () => sidebar.sent('planEnrich').at(-1);
    await sidebar.button('Remove Industry').click();
    await sidebar.page.getByLabel('Selected rows', { exact: true }).check();
    await sidebar.page.getByLabel(matchSpaces(/C · Profile/)).check();
    const defaults = { sheet: 'People', scope: 'all', fields: ['name', 'industry'] };
    await eventually(last).toMatchObject(defaults);
    await sidebar.page.getByLabel(matchSpaces(/A · Website/)).check();
    await eventually(last).toMatchObject({ sheet: 'Companies', scope: 'selection', fields: ['name'] });
  });

  it('names the sheet of columns whose labels are equal, and follows the sheet that the person opens', async () => {
    const all = [websites, ...['Leads', 'Events'].map((sheet) => ({ ...websites, sheet }))];
    const sidebar = await open({ ...at('enrich'), columns: () => all });
    const planned = () => eventually(() => sidebar.sent('planEnrich').at(-1)?.sheet);
    await sidebar.page.getByLabel(matchSpaces(/^Companies: A · Website/)).waitFor();
    await sidebar.page.getByLabel(matchSpaces(/^Leads: A · Website/)).check();
    await planned().toBe('Leads');
    // Columns of the open sheet come first.
    sidebar.answers.columns = () => all.toReversed();
    await sidebar.button('Look for columns again').click();
    await planned().toBe('Events');
  });

  it('shows no figure of another column while a price is loading', async () => {
    const sidebar = await open({
      ...at('enrich'),
      planEnrich: ({ sheet }) => (sheet === 'People' ? never() : enrichPlan),
    });
    await sidebar.shows('2 cells without a website (1 name, 1 private e-mail address): not looked up');
    await sidebar.page.getByLabel(matchSpaces(/C · Profile/)).check();
    await eventually(() => sidebar.sent('planEnrich').at(-1)?.sheet).toBe('People');
    const dock = sidebar.page.locator('.panel:not([hidden]) .dock');
    expect(await dock.innerText()).not.toMatch(/\d (?:row|cell)/);
    expect(await dock.locator('dd').allTextContents()).toEqual(['–', '–', '–', '–']);
  });

  it('calls e-mail addresses so, and says what the rows of other cells will show', async () => {
    const sidebar = await open({
      ...at('enrich'),
      columns: () => [{ ...websites, cells: 28, examples: ['sue@acme.example', 'bob@globex.example'] }],
      planEnrich: () => ({ ...enrichPlan, invalid: 1, notKeys: { mail: 1 } }),
    });
    await sidebar.shows('14 of 28 are valid work e-mail addresses, 12 unique');
    await sidebar.shows('1 cell without a work e-mail address (1 private e-mail address): not looked up');
  });

  it('offers to look up cells that are names, before a run and in its report', async () => {
    const failed = { '#INVALID_KEY': 3 };
    const sidebar = await open({
      ...at('enrich'),
      planEnrich: ({ by }) =>
        by === 'name'
          ? { ...enrichPlan, invalid: 1, notKeys: { mail: 1 }, isMaximum: true }
          : { ...enrichPlan, invalid: 3, notKeys: { name: 2, mail: 1 } },
      step: () => progress(100, 'done', { kind: 'enrich', failed, notKeys: { name: 2, mail: 1 } }),
    });
    await sidebar.shows('3 cells without a website (2 names, 1 private e-mail address): not looked up');
    await sidebar.button('Look up 2 company names, too').click();
    await sidebar.shows('1 cell without a name (1 private e-mail address): not looked up');
    expect(sidebar.sent('planEnrich').at(-1)).toMatchObject({ by: 'name', statusColumn: true });
    await sidebar.page.getByLabel('Cells hold').selectOption('Websites or e-mail addresses');
    await sidebar.shows('3 cells without a website');
    expect(sidebar.sent('planEnrich').at(-1)).toMatchObject({ by: 'website' });
    await sidebar.button('Enrich 14 rows').click();
    const line = sidebar.page.locator('summary').getByText('100 of 103 found');
    await line.click();
    await sidebar.shows('3 invalid (2 names, 1 private e-mail address)');
    await sidebar.button('Look up 2 company names').click();
    await eventually(() => sidebar.sent('planEnrich').at(-1)?.by).toBe('name');
  });

  it('leads from a run with uncertain names to their list, and its report leaves room for the form', async () => {
    const candidates = [{ id: '1', name: 'Acme Inc.', confidence: 0.8 }];
    const undecided = ['Acme', 'Globex'].map((name) => ({
      ...{ tableId: 'two', key: name, name, candidates },
      credits: 10,
    }));
    const sidebar = await open({
      ...at('enrich'),
      uncertainNames: () => ({ undecided, decided: [] }),
      planChoices: ({ choices }) => ({ ...enrichPlan, rows: choices.length, credits: choices.length * 10 }),
      startChoices: () => progress(2, 'done', { kind: 'enrich' }),
      planEnrich: () => ({ ...enrichPlan, invalid: 3, warnings: ['One.', 'Two.', 'Three.'] }),
      step: () => progress(100, 'done', { kind: 'enrich', failed: { '#AMBIGUOUS': 2, '#INVALID_KEY': 3 } }),
    });
    await sidebar.shows('3 cells without a website');
    await sidebar.button('Enrich 14 rows').click();
    const line = sidebar.page.locator('summary').getByText('100 of 105 found · 50 credits');
    await line.waitFor();
    // The report says it.
    await eventually(() => sidebar.page.getByText('without a website').count()).toBe(0);
    await line.click();
    await sidebar.page.locator('details[open]').getByText('2 not certain, 3 invalid · 50 credits').waitFor();
    await line.click();
    await sidebar.button('Decide names').click();
    await sidebar.page.locator('summary:focus').getByText('Acme').waitFor();
    const dock = sidebar.page.locator('.panel:not([hidden]) .dock');
    expect((await dock.boundingBox())?.height).toBeLessThanOrEqual(340);
    // Figures, price and button stay visible; the warnings between them may scroll.
    await dock.getByText('Three.').scrollIntoViewIfNeeded();
    const figures = await sidebar.page.locator('.facts').boundingBox();
    const point = `${(figures?.x ?? 0) + 4}, ${(figures?.y ?? 0) + 4}`;
    const isOnTop = `document.elementFromPoint(${point})?.closest('.facts') instanceof Element`;
    expect(await sidebar.page.evaluate(isOnTop)).toBe(true);
    await sidebar.button('Enrich 14 rows').click({ trial: true });
    // Decisions share one price and one button.
    await sidebar.button('Choose the first of each').click();
    await sidebar.button('Decide 2 names · 20 credits').waitFor();
    await sidebar.page.getByLabel('Decide later').first().check();
    await sidebar.button('Decide 1 name · 10 credits').click();
    await eventually(() => sidebar.sent('startChoices')).toMatchObject([
      { tableId: 'two', choices: [{ key: 'Globex', companyId: '1' }] },
    ]);
  });

  it('can leave out rows that were changed by hand, and asks again if others were changed meanwhile', async () => {
    const replaced = { ...overwrite, digest: 'efgh', question: 'Replace 4 cells?', canKeep: true };
    const sidebar = await open({
      ...at('enrich'),
      planEnrich: () => ({ ...enrichPlan, willOverwrite: overwrite }),
      startEnrich: ({ changes }) =>
        changes === replaced.digest
          ? progress(100, 'done', { kind: 'enrich' })
          : new Refused(replaced.question, 'confirm_first', replaced),
    });
    await sidebar.button('Enrich 14 rows').click();
    await sidebar.shows(overwrite.question);
    await sidebar.button('Replace cells').click();
    await sidebar.shows(replaced.question);
    await sidebar.button('Keep them').click();
    await eventually(() => sidebar.sent('startEnrich')).toMatchObject([
      { confirmed: true, changes: overwrite.digest },
      { confirmed: true, changes: replaced.digest, keepChanges: true },
    ]);
  });

  it('writes to columns of the person, for rows with any empty cell', async () => {
    const sidebar = await open(at('enrich'));
    await sidebar.page.getByText('Write to my columns').click();
    const column = sidebar.page.getByRole('combobox', { name: 'Industry', exact: true });
    await column.selectOption({ label: 'E · Sector' });
    await sidebar.shows('to E, only empty cells');
    await sidebar.page.getByLabel('Rows with any empty cell', { exact: true }).check();
    const order = { scope: 'gaps', fields: ['name', 'industry'], into: [{ path: 'industry', column: 5 }] };
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject(order);
    await eventually(() => sidebar.overflow()).toBe(0);
    await column.selectOption({ label: 'New column' });
    await eventually(() => sidebar.sent('planEnrich').at(-1)).not.toHaveProperty('into');
  });

  it('proposes columns of the person with the heading of a field, and none that formulas or tables fill', async () => {
    const field = { family: 'company_clean', isOwn: false } as const;
    const name = { column: 2, letter: 'B', heading: 'NAMES (from the  CRM)*' };
    const beside = [
      name,
      { column: 3, letter: 'C', heading: 'Founded', hasFormulas: true as const },
      { column: 4, letter: 'D', heading: 'Industry 2', field: { ...field, path: 'industry' } },
      { column: 5, letter: 'E', heading: 'industry' },
      { column: 7, letter: 'G', heading: 'Size range', isFar: true as const },
    ];
    const fields = ['name', 'industry', 'founded', 'size_range'];
    const sidebar = await open({
      ...at('enrich'),
      columns: () => [{ ...websites, beside }],
      fields: () => ({
        columns: fields.map((path) => ({ name: path, type: 'text' })),
        preview: [],
        defaults: fields,
      }),
    });
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject({
      scope: 'all',
      into: [{ path: 'name', column: 2 }],
    });
    await sidebar.shows('to B, only empty cells');
    await sidebar.shows('Formulas fill C · Founded: new columns are added.');
    // A name beside e-mail addresses is that of a person.
    sidebar.answers.columns = () => [{ ...websites, beside, examples: ['sue@acme.example'] }];
    await sidebar.button('Look for columns again').click();
    await eventually(() => sidebar.sent('planEnrich').at(-1)).not.toHaveProperty('into');
    const common = ['Headcount', 'Company'].map((heading, at) => ({
      column: 8 + at,
      letter: 'HI'[at] ?? '',
      heading,
    }));
    sidebar.answers.columns = () => [
      { ...websites, beside: [...beside, ...common], examples: ['sue@acme.example'] },
    ];
    await sidebar.button('Look for columns again').click();
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject({
      into: [
        { path: 'name', column: 9 },
        { path: 'size_range', column: 8 },
      ],
    });
    // Rows of a search have the industry already: it would be bought for nothing.
    const written = { column: 2, letter: 'B', heading: 'Industry', field: { ...field, path: '' } };
    sidebar.answers.columns = () => [{ ...websites, beside: [written] }];
    await sidebar.button('Look for columns again').click();
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject({
      fields: ['name', 'founded', 'size_range'],
    });
    sidebar.answers.columns = () => [{ ...websites, beside }];
    await sidebar.button('Look for columns again').click();
    await sidebar.shows('to B, only empty cells');
    for (const label of ['Industry', 'Founded', 'Size']) await sidebar.button(`Remove ${label}`).click();
    // Rows without an empty cell would be bought for nothing.
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject({
      fields: ['name'],
      scope: 'gaps',
    });
    await eventually(() => sidebar.overflow()).toBe(0);
    await sidebar.page.getByText('Write to my columns').click();
    const choice = sidebar.page.getByRole('combobox', { name: 'Name', exact: true });
    await eventually(() => choice.locator('option').allTextContents()).not.toContain('C · Founded');
    await choice.selectOption({ label: 'New column' });
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject({
      fields: ['name'],
      scope: 'all',
    });
    await eventually(() => sidebar.sent('planEnrich').at(-1)).not.toHaveProperty('into');
  });
});
