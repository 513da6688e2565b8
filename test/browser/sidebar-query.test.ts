// Switching between form and query in the sidebar's search.
import { describe, expect, it } from 'vitest';
import { eventually } from './browser.ts';
import { type Sidebar, setUpSidebars } from './sidebar.ts';
import { answers } from './sidebar-answers.ts';

const open = setUpSidebars(answers);

const TOO_COMPLEX = 'This query is too complex for the form. It will run unchanged.';
const complex = { query: { bool: { must_not: [{ match: { industry: 'software' } }] } } };

const json = ({ page }: Sidebar) => page.getByLabel('Query (JSON)');
const planned = (sidebar: Sidebar) => eventually(() => sidebar.sent('planSearch').at(-1)?.query);

/** Opens the sidebar with a family and a hand-written query. */
async function openWithQuery(
  query: unknown,
  family = 'company_clean',
): Promise<{ sidebar: Sidebar; text: string }> {
  const sidebar = await open();
  const text = `${JSON.stringify(query, null, 4)}\n`;
  await sidebar.page.getByLabel('Find').selectOption(family);
  await sidebar.button('Query').click();
  await json(sidebar).fill(text);
  return { sidebar, text };
}

describe('form and query', () => {
  it.each([
    ['DSL', 'company_clean'],
    ['filters', 'company_base'],
  ])('keeps and runs a query that is too complex for a form of %s', async (_, family) => {
    const { sidebar, text } = await openWithQuery(complex, family);
    await sidebar.button('Form').click();
    await sidebar.shows(TOO_COMPLEX);
    await planned(sidebar).toEqual({ es_dsl: complex });
    await sidebar.button('Query').click();
    expect(await json(sidebar).inputValue()).toBe(text);
  });

  it('shows a simple query as a form and keeps its text', async () => {
    const query = {
      query: { bool: { must: [{ match: { industry: { query: 'software', operator: 'and' } } }] } },
    };
    const { sidebar, text } = await openWithQuery(query);
    await sidebar.button('Form').click();
    expect(await sidebar.field('Industry').inputValue()).toBe('software');
    await planned(sidebar).toEqual({ es_dsl: query });
    await sidebar.button('Query').click();
    expect(await json(sidebar).inputValue()).toBe(text);
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

  it('returns to the filled form if the query is unchanged', async () => {
    const sidebar = await open();
    await sidebar.page.getByLabel('Find').selectOption('company_base');
    await sidebar.field('Industry').fill('software');
    await sidebar.button('Query').click();
    await sidebar.button('Form').click();
    expect(await sidebar.field('Industry').inputValue()).toBe('software');
    await planned(sidebar).toEqual({ filters: { industry: 'software' } });
  });
});
