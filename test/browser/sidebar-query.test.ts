// Form ↔ Query in the sidebar's search: switching to the form and back keeps the JSON unless the person changed the form.
import { describe, expect, it } from 'vitest';
import { eventually, type Sidebar } from './sidebar.ts';
import { button, field, says, sidebars } from './sidebar-desk.ts';

const open = sidebars();

const TOO_COMPLEX = 'This query is too complex for the form. It will run unchanged.';
const complex = { query: { bool: { must_not: [{ match: { industry: 'software' } }] } } };

const json = ({ page }: Sidebar) => page.getByLabel('Query (JSON)');
const planned = (sidebar: Sidebar) => eventually(() => sidebar.sent('planSearch').at(-1)?.query);

/** Opens the sidebar with a family and a hand-written query. */
async function typed(query: unknown, family = 'company_clean'): Promise<{ sidebar: Sidebar; text: string }> {
  const sidebar = await open();
  const text = `${JSON.stringify(query, null, 4)}\n`;
  await sidebar.page.getByLabel('Find').selectOption(family);
  await button(sidebar, 'Query').click();
  await json(sidebar).fill(text);
  return { sidebar, text };
}

describe('Form ↔ Query', () => {
  it.each([
    ['a family whose form is DSL', 'company_clean'],
    ['a family with filters', 'company_base'],
  ])(
    'keeps hand-written JSON that is too complex for the form, says so and runs it: %s',
    async (_, family) => {
      const { sidebar, text } = await typed(complex, family);
      await button(sidebar, 'Form').click();
      await says(sidebar, TOO_COMPLEX);
      await planned(sidebar).toEqual({ es_dsl: complex });
      await button(sidebar, 'Query').click();
      expect(await json(sidebar).inputValue()).toBe(text);
    },
  );

  it('shows JSON that the form can say as a form, and keeps its text', async () => {
    const query = {
      query: { bool: { must: [{ match: { industry: { query: 'software', operator: 'and' } } }] } },
    };
    const { sidebar, text } = await typed(query);
    await button(sidebar, 'Form').click();
    expect(await field(sidebar, 'Industry').inputValue()).toBe('software');
    await planned(sidebar).toEqual({ es_dsl: query });
    await button(sidebar, 'Query').click();
    expect(await json(sidebar).inputValue()).toBe(text);
  });

  it('makes the JSON anew once the person has changed the form', async () => {
    const { sidebar } = await typed(complex);
    await button(sidebar, 'Form').click();
    await button(sidebar, 'Use the form instead').click();
    await field(sidebar, 'Industry').fill('mining');
    await button(sidebar, 'Query').click();
    expect(JSON.parse(await json(sidebar).inputValue())).toEqual({
      query: { bool: { must: [{ match: { industry: { query: 'mining', operator: 'and' } } }] } },
    });
  });

  it('goes back to the form that was filled in where nobody touched the JSON', async () => {
    const sidebar = await open();
    await sidebar.page.getByLabel('Find').selectOption('company_base');
    await field(sidebar, 'Industry').fill('software');
    await button(sidebar, 'Query').click();
    await button(sidebar, 'Form').click();
    expect(await field(sidebar, 'Industry').inputValue()).toBe('software');
    await planned(sidebar).toEqual({ filters: { industry: 'software' } });
  });
});
