// The sidebar's search: switching between form and query, conditions, and sentences that become a form.
import { describe, expect, it } from 'vitest';
import { gateway } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { holdResults, type ServedSidebar, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'search' });

const complex = { query: { bool: { must_not: [{ match: { industry: 'software' } }] } } };
/** The query of the form with a condition. */
const createQuery = (field: string, query: string) => ({
  query: { bool: { must: [{ match: { [field]: { query, operator: 'and' } } }] } },
});

const json = ({ page }: ServedSidebar) => page.getByLabel('Query (JSON)');
const readQuery = async (sidebar: ServedSidebar): Promise<unknown> =>
  JSON.parse(await json(sidebar).inputValue());
const planned = (sidebar: ServedSidebar) => eventually(() => sidebar.sent('planSearch').at(-1)?.query);
const showsIn = (sidebar: ServedSidebar, field: string, value: string) =>
  eventually(() => sidebar.field(field).inputValue()).toBe(value);
const compare = ({ page }: ServedSidebar, field: string, label: string) =>
  page.getByLabel(`Comparison of ${field}`).selectOption({ label });

/** Writes a query by hand. @returns its text */
async function writeQuery(sidebar: ServedSidebar, query: unknown): Promise<string> {
  const text = `${JSON.stringify(query, null, 4)}\n`;
  await sidebar.button('Query').click();
  await json(sidebar).fill(text);
  return text;
}

/** Shows a query as a form, which it is too complex for. */
async function runsUnchanged(sidebar: ServedSidebar): Promise<void> {
  await sidebar.button('Form').click();
  await sidebar.shows('This query is too complex for the form. It will run unchanged.');
  await planned(sidebar).toEqual({ es_dsl: complex });
}

describe('form and query', () => {
  it('keep a query that is too complex for the form, show a simple one as a form, and rebuild it after a change', async () => {
    const sidebar = await open();
    const text = await writeQuery(sidebar, complex);
    await runsUnchanged(sidebar);
    await sidebar.button('Query').click();
    await eventually(() => json(sidebar).inputValue()).toBe(text);
    const simple = await writeQuery(sidebar, createQuery('industry', 'software'));
    await sidebar.button('Form').click();
    await showsIn(sidebar, 'Industry', 'software');
    await planned(sidebar).toEqual({ es_dsl: createQuery('industry', 'software') });
    await sidebar.button('Query').click();
    await eventually(() => json(sidebar).inputValue()).toBe(simple);
    await writeQuery(sidebar, complex);
    await sidebar.button('Form').click();
    await sidebar.button('Use the form instead').click();
    await sidebar.field('Industry').fill('mining');
    await sidebar.button('Query').click();
    expect(await readQuery(sidebar)).toEqual(createQuery('industry', 'mining'));
  });

  it('have an example instead of named filters without a translation, and return to the filled form', async () => {
    const sidebar = await open();
    await sidebar.chooseFamily('company_base');
    await sidebar.field('Industry').fill('software');
    await sidebar.button('Query').click();
    await sidebar.shows('An example, without the conditions of the form.');
    // No data set lacks its fields.
    expect(await readQuery(sidebar)).toEqual({ query_string: { query: 'software' } });
    await sidebar.button('Form').click();
    await showsIn(sidebar, 'Industry', 'software');
    await planned(sidebar).toEqual({ filters: { industry: 'software' } });
    await writeQuery(sidebar, complex);
    await runsUnchanged(sidebar);
  });

  it('translate the named filters of jobs, and show a changed query as a form again', async () => {
    const sidebar = await open();
    await sidebar.page.getByLabel('Find', { exact: true }).selectOption('Jobs');
    // Closed jobs are no sign of hiring.
    await planned(sidebar).toEqual({ filters: { application_active: true } });
    await sidebar.page.getByLabel('Open for applications').selectOption('Any');
    await sidebar.field('Title').fill('manager');
    await sidebar.button('Query').click();
    const query = createQuery('title', 'manager');
    expect(await readQuery(sidebar)).toEqual(query);
    await planned(sidebar).toEqual({ es_dsl: query });
    await json(sidebar).fill(JSON.stringify(query).replace('manager', 'director'));
    await sidebar.button('Form').click();
    await showsIn(sidebar, 'Title', 'director');
    await planned(sidebar).toEqual({ filters: { title: 'director' } });
    await compare(sidebar, 'Title', 'is not');
    await planned(sidebar).toMatchObject({ es_dsl: { query: { bool: { must_not: [{}] } } } });
  });
});

describe('conditions', () => {
  it('exclude values, or ask for records with or without one', async () => {
    const sidebar = await open();
    await sidebar.field('Industry').fill('banking');
    await compare(sidebar, 'Industry', 'is not');
    await sidebar.button('Add condition').click();
    await sidebar.field('Find a condition').fill('contact emails');
    expect(await sidebar.findings()).toEqual([]);
    await sidebar.button('Emails').click();
    await compare(sidebar, 'Emails', 'has a value');
    const must = [{ exists: { field: 'emails' } }];
    const { must: must_not } = createQuery('industry', 'banking').query.bool;
    await planned(sidebar).toEqual({ es_dsl: { query: { bool: { must, must_not } } } });
    await eventually(() => sidebar.field('Emails').count()).toBe(0);
    await sidebar.chooseFamily('company_base');
    await eventually(() => sidebar.page.getByLabel('Comparison of Industry').count()).toBe(0);
  });

  it('offer values by their matches, and count a few at a time and only while the list is open', async () => {
    const { hold, release } = holdResults();
    const sidebar = await open({ changes: { counts: hold } });
    const list = sidebar.page.getByRole('group', { name: 'Add a country' });
    const headings = () => list.locator('.choices .label').allInnerTexts();
    const lines = () => list.locator('.choices button').allInnerTexts();
    const readLines = (from: number, to: number) => eventually(async () => (await lines()).slice(from, to));
    const counted = () => sidebar.sent('counts');
    const search = sidebar.field('Find a country');
    await sidebar.button('Choose country').click();
    await eventually(() => counted().length).toBe(1);
    await eventually(headings).toEqual(['Common', 'Others, A to Z']);
    const [{ queries = [] } = {}] = counted();
    expect(queries).toHaveLength(20);
    expect(JSON.stringify(queries[0])).toContain('United States');
    await search.press('Escape');
    await sidebar.settle();
    release();
    await sidebar.button('Choose country').click();
    await readLines(0, 3).toEqual(['Germany\n63', 'France\n50', 'Canada\n7']);
    await eventually(headings).toEqual(['Common, most matches first', 'Others, A to Z']);
    expect((await lines())[19]).toMatch(/\n0$/);
    // The others are counted once they are seen, and stay where they are.
    await readLines(20, 23).toEqual(['Afghanistan', 'Åland Islands', 'Albania']);
    expect(counted()).toHaveLength(1);
    await list.getByRole('button', { name: 'Åland Islands' }).scrollIntoViewIfNeeded();
    await eventually(() => counted().length).toBe(2);
    await sidebar.settle();
    release();
    await readLines(20, 22).toEqual(['Afghanistan\n0', 'Åland Islands\n0']);
    // Other spellings find a value, and few values have no groups.
    await search.fill('deutschland');
    await eventually(lines).toEqual(['Germany\n63']);
    await eventually(headings).toEqual([]);
    await search.press('ArrowDown');
    await eventually(() => sidebar.page.locator('.choices button:focus').innerText()).toBe('Germany\n63');
    await sidebar.page.keyboard.press('ArrowUp');
    await search.fill('germ');
    await search.press('Enter');
    await showsIn(sidebar, 'Country', 'Germany');
    // The list stays open for further values.
    await sidebar.button(/^France/).click();
    await showsIn(sidebar, 'Country, or', 'France');
    await eventually(() => search.evaluate((field) => field.matches(':focus'))).toBe(true);
    await sidebar.button('Done choosing country').click();
    await list.waitFor({ state: 'detached' });
    await sidebar.price().toMatch(/^113 companies match/);
    expect(counted().length).toBeLessThan(5);
  });

  it('suggest known values while typing, by mouse and keyboard, and keep other words', async () => {
    const sidebar = await open();
    const { page } = sidebar;
    const industry = sidebar.field('Industry');
    const list = page.getByRole('group', { name: 'Suggestions for Industry' });
    await industry.pressSequentially('softw');
    await eventually(() => list.getByRole('button').allInnerTexts()).toEqual(['Software Development']);
    expect(await sidebar.findings()).toEqual([]);
    await industry.press('ArrowDown');
    await page.keyboard.press('Enter');
    await showsIn(sidebar, 'Industry', 'Software Development');
    await list.waitFor({ state: 'detached' });
    await eventually(() => page.locator('input:focus').inputValue()).toBe('Software Development');
    await industry.fill('consulting');
    await list.getByRole('button', { name: 'Business Consulting and Services' }).click();
    await showsIn(sidebar, 'Industry', 'Business Consulting and Services');
    await industry.fill('food');
    await industry.press('Escape');
    await list.waitFor({ state: 'detached' });
    // Other spellings find a country, too.
    await sidebar.field('Country').fill('deutsch');
    const countries = page.getByRole('group', { name: 'Suggestions for Country' });
    await eventually(() => countries.getByRole('button').allInnerTexts()).toEqual(['Germany']);
    await sidebar.field('Country').fill('Dänemark');
    await eventually(() => countries.getByRole('button').allInnerTexts()).toEqual(['Denmark']);
    await sidebar.field('Employees from').focus();
    await countries.waitFor({ state: 'detached' });
    await showsIn(sidebar, 'Industry', 'food');
  });

  it('take nothing that is not marked, close, and are one tab stop', async () => {
    const sidebar = await open();
    const { page } = sidebar;
    const country = sidebar.field('Country');
    const list = page.getByRole('group', { name: 'Add a country' });
    await country.fill('Germany');
    await country.press('ArrowDown');
    await list.waitFor();
    expect(await list.locator('[tabindex="0"], input, .icon').count()).toBe(3);
    await page.keyboard.press('Enter');
    await list.waitFor({ state: 'detached' });
    await showsIn(sidebar, 'Country', 'Germany');
    expect(await sidebar.field('Country, or').count()).toBe(0);
  });

  it('are counted once they are typed, and name a misspelled country if nothing matches', async () => {
    const sidebar = await open({ stopped: true });
    const country = sidebar.field('Country');
    const countPlans = () => sidebar.sent('planSearch').length;
    const shows = (text: string) =>
      sidebar.whileTimePasses(() => sidebar.page.getByText(text, { exact: true }).count()).toBe(1);
    await shows('120 companies match · 20 rows cost 10 credits');
    await country.press('Tab');
    await country.pressSequentially('Untied Kingdom');
    await sidebar.page.clock.runFor(500);
    await sidebar.settle();
    expect(countPlans()).toBe(1);
    // Half a word matches nothing, either: nothing is said until the field is left, or after a pause.
    await sidebar.page.clock.runFor(200);
    await eventually(countPlans).toBe(2);
    expect(JSON.stringify(sidebar.sent('planSearch').at(-1))).toContain('Untied Kingdom');
    await sidebar.settle();
    await sidebar.page.clock.runFor(100);
    await sidebar.price().toBe('Calculating the price …');
    await country.press('Tab');
    await shows('Nothing matches. No such country: Untied Kingdom. Did you mean United Kingdom?');
    await country.fill('Qwxyz');
    await shows('Nothing matches. No such country: Qwxyz.');
    await country.fill('"Peru" OR Chile');
    await shows('Nothing matches. Remove a condition or try other words.');
  });

  it('are named if nothing matches at the companies of a column, also those of another search', async () => {
    const nothing = { rows: 0, pages: 0, cached: 0, to_fetch: 0, credits: 0 };
    gateway.answer('POST accounts/people/estimate', ({ companies }) => ({
      ...nothing,
      accounts: companies.map((company) => ({ company, total: 0, rows: 0 })),
    }));
    const sidebar = await open();
    await sidebar.field('Industry').fill('mining');
    await sidebar.page.getByLabel('Find', { exact: true }).selectOption('People');
    await sidebar.page.getByLabel('At companies in a column').check();
    const price = 'Nothing matches at the 12 companies. Remove a condition';
    await sidebar.price().toBe(`${price} (Company industry, Current job) or try other words.`);
    for (const name of ['Company industry', 'Current job'])
      await sidebar.button(`Remove the condition ${name}`).click();
    await sidebar.price().toBe(`${price} or try other words.`);
  });

  it('stay when the records to find change, and come back if they did not apply', async () => {
    const sidebar = await open();
    const find = sidebar.page.getByLabel('Find', { exact: true });
    const name = sidebar.page.getByLabel('Name', { exact: true });
    const title = () => eventually(() => name.getAttribute('placeholder'));
    await sidebar.field('Country').fill('Germany');
    await find.selectOption('People');
    await title().toBe('People: Germany, current job');
    await find.selectOption('Companies');
    await sidebar.field('Employees from').fill('50');
    await sidebar.field('Industry').fill('software');
    await compare(sidebar, 'Industry', 'is not');
    await find.selectOption('Jobs');
    await sidebar.shows('Conditions that don’t apply to jobs: Employees. Switch back to use them.');
    await planned(sidebar).toMatchObject({ es_dsl: { query: { bool: { must: [{}, {}], must_not: [{}] } } } });
    await find.selectOption('People');
    await sidebar.page.getByText('apply to jobs').waitFor({ state: 'detached' });
    const comparison = sidebar.page.getByLabel('Comparison of Company industry');
    await eventually(() => comparison.inputValue()).toBe('isNot');
    // What does not fit leaves out words before numbers.
    await title().toBe('People: 50+ company employees …');
    await sidebar.field('Company employees from').fill('70');
    await find.selectOption('Companies');
    await showsIn(sidebar, 'Country', 'Germany');
    await showsIn(sidebar, 'Employees from', '70');
    await showsIn(sidebar, 'Industry', 'software');
  });

  it('keep the order of sizes', async () => {
    const sidebar = await open({
      changes: { counts: ({ totals }) => ({ totals: totals.map((_, at) => at) }) },
    });
    await sidebar.chooseFamily('company_base');
    await sidebar.button('Choose size').click();
    const lines = sidebar.page.getByRole('group', { name: 'Add a size' }).locator('.choices button');
    await eventually(() => lines.nth(7).innerText()).toBe('10,001+ employees\n7');
    await eventually(() => lines.nth(0).innerText()).toBe('1-10 employees\n0');
  });
});

it('a sentence fills in the form without buying, if the gateway has a model, and says what each part became', async () => {
  const sentence = 'People at banks in Berlin who golf';
  const without = await open();
  await without.field('Industry').waitFor();
  await eventually(() => without.field('Describe your search').count()).toBe(0);
  gateway.account = { ...gateway.account, assistant: true };
  gateway.answer('POST ask', () => ({
    family: 'employee_clean',
    conditions: [
      { name: 'location_city', values: ['Berlin'], words: 'in Berlin' },
      { name: 'experience.company_employees_count', values: ['', '200'], words: 'banks' },
    ],
    left_out: [{ words: 'who golf', reason: 'no field of “People, standard” says this.' }],
  }));
  const { hold, release } = holdResults();
  const sidebar = await open({ changes: { ask: hold } });
  const box = sidebar.field('Describe your search');
  await box.fill(`${sentence}\n`);
  await sidebar.button('Fill in the form').click();
  await sidebar.shows('Reading your sentence …');
  await sidebar.button('Stop').click();
  await sidebar.settle();
  release();
  await sidebar.button('Fill in the form').click();
  await eventually(() => sidebar.sent('ask')).toEqual(Array(2).fill({ sentence, family: 'company_clean' }));
  await sidebar.settle();
  // The answer of the stopped call is ignored.
  await eventually(() => sidebar.page.getByText('was left out').count()).toBe(0);
  release();
  await sidebar.shows('“who golf” was left out: no field of “People, standard” says this.');
  await sidebar.shows('“banks” → Company employees: 200 or less');
  await showsIn(sidebar, 'City', 'Berlin');
  await planned(sidebar).toMatchObject({ es_dsl: { query: { bool: { must: [{}, {}] } } } });
  expect(gateway.spent).toBe(40);
  expect(await sidebar.findings()).toEqual([]);
  gateway.refuse('POST ask', 'assistant_unavailable');
  await box.press('Enter');
  await sidebar.page.getByRole('alert').getByText('The language model did not answer.').waitFor();
  await showsIn(sidebar, 'City', 'Berlin');
});
