// The sidebar's search: switching between form and query, and sentences that become a form.
import { describe, expect, it } from 'vitest';
import type { Family } from '../../shared/families/index.ts';
import { eventually } from './browser.ts';
import { answers, plan, status } from './sidebar-answers.ts';
import { type CannedSidebar, Refused, setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);

const TOO_COMPLEX = 'This query is too complex for the form. It will run unchanged.';
const complex = { query: { bool: { must_not: [{ match: { industry: 'software' } }] } } };

const json = ({ page }: CannedSidebar) => page.getByLabel('Query (JSON)');
const planned = (sidebar: CannedSidebar) => eventually(() => sidebar.sent('planSearch').at(-1)?.query);

/** Opens the sidebar with a family and a hand-written query. */
async function openWithQuery(
  query: unknown,
  family: Family = 'company_clean',
): Promise<{ sidebar: CannedSidebar; text: string }> {
  const sidebar = await open();
  const text = `${JSON.stringify(query, null, 4)}\n`;
  await sidebar.chooseFamily(family);
  await sidebar.button('Query').click();
  await json(sidebar).fill(text);
  return { sidebar, text };
}

describe('form and query', () => {
  it.each([
    ['DSL', 'company_clean'],
    ['filters', 'company_base'],
  ] as const)('keeps and runs a query that is too complex for a form of %s', async (_, family) => {
    const { sidebar, text } = await openWithQuery(complex, family);
    await sidebar.button('Form').click();
    await sidebar.shows(TOO_COMPLEX);
    await planned(sidebar).toEqual({ es_dsl: complex });
    await sidebar.button('Query').click();
    await eventually(() => json(sidebar).inputValue()).toBe(text);
  });

  it('shows a simple query as a form and keeps its text', async () => {
    const query = {
      query: { bool: { must: [{ match: { industry: { query: 'software', operator: 'and' } } }] } },
    };
    const { sidebar, text } = await openWithQuery(query);
    await sidebar.button('Form').click();
    await eventually(() => sidebar.field('Industry').inputValue()).toBe('software');
    await planned(sidebar).toEqual({ es_dsl: query });
    await sidebar.button('Query').click();
    await eventually(() => json(sidebar).inputValue()).toBe(text);
  });

  it('rebuilds the query after a change of the form', async () => {
    const { sidebar } = await openWithQuery(complex);
    await sidebar.button('Form').click();
    await sidebar.button('Use the form instead').click();
    await sidebar.field('Industry').fill('mining');
    await sidebar.button('Query').click();
    expect(JSON.parse(await json(sidebar).inputValue())).toEqual({
      query: { bool: { must: [{ match: { industry: { query: 'mining', operator: 'and' } } }] } },
    });
  });

  it('translates the named filters of jobs, and shows a changed query as a form again', async () => {
    const sidebar = await open();
    await sidebar.page.getByLabel('Find', { exact: true }).selectOption('Jobs');
    await sidebar.field('Title').fill('manager');
    await sidebar.button('Query').click();
    const query = {
      query: { bool: { must: [{ match: { title: { query: 'manager', operator: 'and' } } }] } },
    };
    expect(JSON.parse(await json(sidebar).inputValue())).toEqual(query);
    await planned(sidebar).toEqual({ es_dsl: query });
    await json(sidebar).fill(JSON.stringify(query).replace('manager', 'director'));
    await sidebar.button('Form').click();
    await eventually(() => sidebar.field('Title').inputValue()).toBe('director');
    await planned(sidebar).toEqual({ filters: { title: 'director' } });
    await sidebar.page.getByLabel('Comparison of Title').selectOption({ label: 'is not' });
    await planned(sidebar).toMatchObject({ es_dsl: { query: { bool: { must_not: [{}] } } } });
  });

  it('says that the example has no conditions of the form', async () => {
    const sidebar = await open();
    await sidebar.chooseFamily('company_base');
    await sidebar.field('Industry').fill('software');
    await sidebar.button('Query').click();
    await sidebar.shows('An example, without the conditions of the form.');
    // No data set lacks its fields.
    expect(JSON.parse(await json(sidebar).inputValue())).toEqual({ query_string: { query: 'software' } });
  });

  it('returns to the filled form if the query is unchanged', async () => {
    const sidebar = await open();
    await sidebar.chooseFamily('company_base');
    await sidebar.field('Industry').fill('software');
    await sidebar.button('Query').click();
    await sidebar.button('Form').click();
    await eventually(() => sidebar.field('Industry').inputValue()).toBe('software');
    await planned(sidebar).toEqual({ filters: { industry: 'software' } });
  });
});

describe('conditions', () => {
  const valueList = ({ page }: CannedSidebar, noun: string) =>
    page.getByRole('group', { name: `Add a ${noun}` });

  it('exclude values, or ask for records with or without one', async () => {
    const sidebar = await open();
    await sidebar.field('Industry').fill('banking');
    await sidebar.page.getByLabel('Comparison of Industry').selectOption({ label: 'is not' });
    await sidebar.button('Add condition').click();
    await sidebar.field('Find a condition').fill('contact emails');
    expect(await sidebar.findings()).toEqual([]);
    await sidebar.button('Emails').click();
    await sidebar.page.getByLabel('Comparison of Emails').selectOption({ label: 'has a value' });
    await planned(sidebar).toEqual({
      es_dsl: {
        query: {
          bool: {
            must: [{ exists: { field: 'emails' } }],
            must_not: [{ match: { industry: { query: 'banking', operator: 'and' } } }],
          },
        },
      },
    });
    await eventually(() => sidebar.field('Emails').count()).toBe(0);
    await sidebar.chooseFamily('company_base');
    await eventually(() => sidebar.page.getByLabel('Comparison of Industry').count()).toBe(0);
  });

  it('offer values by their matches, and count a few at a time and only while the list is open', async () => {
    const totals: Readonly<Record<string, number>> = { France: 1234, Germany: 70, Canada: 500 };
    let release = (): void => {};
    const sidebar = await open({
      counts: async ({ queries }) => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        const getTotal = (query: string): number =>
          Object.entries(totals).find(([name]) => query.includes(name))?.[1] ?? 0;
        return { totals: queries.map((query) => getTotal(JSON.stringify(query))) };
      },
    });
    const headings = () => valueList(sidebar, 'country').locator('.choices .label').allInnerTexts();
    const lines = () => valueList(sidebar, 'country').locator('.choices button').allInnerTexts();
    await sidebar.button('Choose country').click();
    await eventually(() => sidebar.sent('counts').length).toBe(1);
    await eventually(headings).toEqual(['Common', 'Others, A to Z']);
    const [{ queries = [] } = {}] = sidebar.sent('counts');
    expect(queries).toHaveLength(20);
    expect(JSON.stringify(queries[0])).toContain('United States');
    await sidebar.field('Find a country').press('Escape');
    release();
    await sidebar.button('Choose country').click();
    await eventually(async () => (await lines()).slice(0, 3)).toEqual([
      'France\n1,234',
      'Canada\n500',
      'Germany\n70',
    ]);
    await eventually(headings).toEqual(['Common, most matches first', 'Others, A to Z']);
    expect((await lines())[19]).toMatch(/\n0$/);
    // The others are counted once they are seen, and stay where they are.
    const seen = (await lines()).slice(20, 23);
    expect(seen).toEqual(['Afghanistan', 'Åland Islands', 'Albania']);
    expect(sidebar.sent('counts')).toHaveLength(1);
    await valueList(sidebar, 'country')
      .getByRole('button', { name: 'Åland Islands' })
      .scrollIntoViewIfNeeded();
    await eventually(() => sidebar.sent('counts').length).toBe(2);
    release();
    await eventually(async () => (await lines()).slice(20, 22)).toEqual([
      'Afghanistan\n0',
      'Åland Islands\n0',
    ]);
    // Other spellings find a value, and few values have no groups.
    await sidebar.field('Find a country').fill('deutschland');
    await eventually(lines).toEqual(['Germany\n70']);
    await eventually(headings).toEqual([]);
    await sidebar.field('Find a country').press('ArrowDown');
    await eventually(() => sidebar.page.locator('.choices button:focus').innerText()).toBe('Germany\n70');
    await sidebar.page.keyboard.press('ArrowUp');
    await sidebar.field('Find a country').fill('germ');
    await sidebar.field('Find a country').press('Enter');
    await eventually(() => sidebar.field('Country').inputValue()).toBe('Germany');
    // The list stays open for further values.
    await sidebar.button(/^France/).click();
    await eventually(() => sidebar.field('Country, or').inputValue()).toBe('France');
    await eventually(() => sidebar.page.locator('input:focus').getAttribute('placeholder')).toBe(
      'Find a country',
    );
    await sidebar.button('Done choosing country').click();
    await valueList(sidebar, 'country').waitFor({ state: 'detached' });
    await planned(sidebar).toMatchObject({ es_dsl: { query: { bool: { must: [{}] } } } });
    release();
    await eventually(() => sidebar.sent('counts').length).toBeLessThan(5);
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
    await eventually(() => industry.inputValue()).toBe('Software Development');
    await list.waitFor({ state: 'detached' });
    await eventually(() => page.locator('input:focus').inputValue()).toBe('Software Development');
    await industry.fill('consulting');
    await list.getByRole('button', { name: 'Business Consulting and Services' }).click();
    await eventually(() => industry.inputValue()).toBe('Business Consulting and Services');
    await industry.fill('food');
    await industry.press('Escape');
    await list.waitFor({ state: 'detached' });
    // Other spellings find a country, too.
    await sidebar.field('Country').fill('deutsch');
    const countries = page.getByRole('group', { name: 'Suggestions for Country' });
    await eventually(() => countries.getByRole('button').allInnerTexts()).toEqual(['Germany']);
    await sidebar.field('Employees from').focus();
    await countries.waitFor({ state: 'detached' });
    await eventually(() => industry.inputValue()).toBe('food');
  });

  it('name a misspelled country if nothing matches', async () => {
    const sidebar = await open({ planSearch: () => ({ ...plan, total: 0, rows: 0, credits: 0 }) });
    const country = sidebar.field('Country');
    await country.press('Tab');
    await country.fill('Untied Kingdom');
    // Half a word matches nothing, either: nothing is said until the field is left, or after a pause.
    await eventually(() => JSON.stringify(sidebar.sent('planSearch').at(-1))).toContain('Untied Kingdom');
    await sidebar.price().toBe('Calculating the price …');
    await country.press('Tab');
    const unknown = 'Nothing matches. No such country: Untied Kingdom. Did you mean United Kingdom?';
    await sidebar.price().toBe(unknown);
    await country.fill('Qwxyz');
    await sidebar.price().toBe('Nothing matches. No such country: Qwxyz.');
    await country.fill('"Peru" OR Chile');
    await sidebar.price().toBe('Nothing matches. Remove a condition or try other words.');
  });

  it('are named if nothing matches at the companies of a column, also those of another search', async () => {
    const empty = { ...plan, total: 0, rows: 0, credits: 0, companies: { all: 7, found: 0 } };
    const sidebar = await open({ planSearch: ({ accounts }) => (accounts === undefined ? plan : empty) });
    await sidebar.field('Industry').fill('mining');
    await sidebar.page.getByLabel('Find', { exact: true }).selectOption('People');
    await sidebar.page.getByLabel('At companies in a column').check();
    await sidebar
      .price()
      .toBe(
        'Nothing matches at the 7 companies. Remove a condition (Company industry, Current job) or try other words.',
      );
    for (const name of ['Company industry', 'Current job'])
      await sidebar.button(`Remove the condition ${name}`).click();
    await sidebar.price().toBe('Nothing matches at the 7 companies. Remove a condition or try other words.');
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
    await sidebar.page.getByLabel('Comparison of Industry').selectOption('isNot');
    await find.selectOption('Jobs');
    await sidebar.shows('Conditions that don’t apply to jobs: Employees. Switch back to use them.');
    await planned(sidebar).toMatchObject({ es_dsl: { query: { bool: { must: [{}], must_not: [{}] } } } });
    await find.selectOption('People');
    await sidebar.page.getByText('apply to jobs').waitFor({ state: 'detached' });
    await eventually(() => sidebar.page.getByLabel('Comparison of Company industry').inputValue()).toBe(
      'isNot',
    );
    // What does not fit leaves out words before numbers.
    await title().toBe('People: 50+ company employees …');
    await sidebar.field('Company employees from').fill('70');
    await find.selectOption('Companies');
    await eventually(() => sidebar.field('Country').inputValue()).toBe('Germany');
    await eventually(() => sidebar.field('Employees from').inputValue()).toBe('70');
    await eventually(() => sidebar.field('Industry').inputValue()).toBe('software');
  });

  it('keep the order of sizes', async () => {
    const sidebar = await open({ counts: ({ queries }) => ({ totals: queries.map((_, at) => at) }) });
    await sidebar.chooseFamily('company_base');
    await sidebar.button('Choose size').click();
    const lines = valueList(sidebar, 'size').locator('.choices button');
    await eventually(() => lines.nth(7).innerText()).toBe('10,001+ employees\n7');
    await eventually(() => lines.nth(0).innerText()).toBe('1-10 employees\n0');
  });
});

describe('a sentence', () => {
  const SENTENCE = 'People at banks in Berlin who golf';
  const ask = (sidebar: CannedSidebar) => sidebar.button('Fill in the form').click();

  it('fills in the form without buying, and says what each part became', async () => {
    let reply: (() => void) | undefined;
    const sidebar = await open({
      status: () => ({ ...status, connection: status.connection && { ...status.connection, canAsk: true } }),
      ask: async () => {
        await new Promise<void>((resolve) => {
          reply = resolve;
        });
        return {
          family: 'employee_clean',
          conditions: [
            { name: 'location_city', values: ['Berlin'], words: 'in Berlin' },
            { name: 'experience.company_employees_count', values: ['', '200'], words: 'banks' },
          ],
          left_out: [{ words: 'who golf', reason: 'no field of “People, standard” says this.' }],
        };
      },
    });
    const box = sidebar.field('Describe your search');
    await box.fill(`${SENTENCE}\n`);
    await ask(sidebar);
    await sidebar.shows('Reading your sentence …');
    await sidebar.button('Stop').click();
    reply?.();
    await ask(sidebar);
    await eventually(() => sidebar.sent('ask').length).toBe(2);
    // The answer of the stopped call is ignored.
    await eventually(() => sidebar.page.getByText('was left out').count()).toBe(0);
    reply?.();
    await sidebar.shows('“who golf” was left out: no field of “People, standard” says this.');
    await sidebar.shows('“banks” → Company employees: 200 or less');
    await eventually(() => sidebar.sent('ask')).toEqual(
      Array(2).fill({ sentence: SENTENCE, family: 'company_clean' }),
    );
    await eventually(() => sidebar.field('City').inputValue()).toBe('Berlin');
    await planned(sidebar).toMatchObject({ es_dsl: { query: { bool: { must: [{}, {}] } } } });
    expect(sidebar.sent('startSearch')).toEqual([]);
    expect(await sidebar.findings()).toEqual([]);
    sidebar.answers.ask = () => new Refused('The language model did not answer. Try again in a minute.');
    await box.press('Enter');
    await sidebar.page.getByRole('alert').getByText('The language model did not answer.').waitFor();
    await eventually(() => sidebar.field('City').inputValue()).toBe('Berlin');
  });

  it('is not asked for unless the gateway has a model', async () => {
    const sidebar = await open();
    await sidebar.field('Industry').waitFor();
    await eventually(() => sidebar.field('Describe your search').count()).toBe(0);
  });
});
