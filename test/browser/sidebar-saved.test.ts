// Saved searches in the sidebar: saving, reopening, changing and leaving them.
import { describe, expect, it } from 'vitest';
import type { SavedSearch } from '../../shared/api/saved-searches.ts';
import { eventually } from './browser.ts';
import { answers, status } from './sidebar-answers.ts';
import { type CannedSidebar, Refused, setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);

const [created_at, updated_at] = ['2026-11-22T12:00:00Z', '2026-11-22T12:00:00Z'];

/** Opens the sidebar with a store of saved searches. */
async function openWithStore(
  stored: SavedSearch[] = [],
): Promise<{ sidebar: CannedSidebar; all: SavedSearch[] }> {
  const all = [...stored];
  const sidebar = await open({
    savedSearches: () => all,
    saveSearch: ({ id, ...search }) => {
      const others = all.filter((each) => each.id !== id);
      if (others.some(({ name, shared }) => name === search.name && shared === search.shared))
        return new Refused('This name is already in use.', 'name_taken');
      const saved = { ...search, id: id ?? `new-${all.length}`, created_at, updated_at };
      all.splice(0, all.length, ...others, saved);
      return all;
    },
  });
  return { sidebar, all };
}

const chosen = ({ page }: CannedSidebar) =>
  eventually(() => page.getByLabel('Saved searches').locator('option:checked').textContent());

describe('a saved search', () => {
  it('saves a search for the team and reopens it as a form', async () => {
    const sidebar = await open();
    await sidebar.chooseFamily('company_base');
    await sidebar.field('Industry').fill('software');
    await sidebar.page.getByText('Save this search').click();
    await sidebar.field('Search name').fill('German software');
    await sidebar.page.getByLabel('Share with my team').check();
    await sidebar.button('Save search').click();
    await sidebar.shows('Saved.');
    const saved = { name: 'German software', shared: true, query: { filters: { industry: 'software' } } };
    await eventually(() => sidebar.sent('saveSearch')).toMatchObject([saved]);
    await sidebar.field('Industry').fill('');
    await sidebar.page.getByLabel('Saved searches').selectOption({ label: 'German software (team)' });
    await eventually(() => sidebar.field('Industry').inputValue()).toBe('software');
  });

  it.each([
    ['with sort', { query: { match: { industry: 'software' } }, sort: ['id'] }],
    ['without envelope', { match: { industry: 'software' } }],
  ])('reopens a saved DSL query %s unchanged', async (_, dsl) => {
    const search = {
      id: 'dsl',
      name: 'Software',
      query: { es_dsl: dsl },
      shared: false,
      created_at,
      updated_at,
    };
    const sidebar = await open({ savedSearches: () => [{ ...search, family: 'company_base' }] });
    await sidebar.page.getByLabel('Saved searches').selectOption('dsl');
    await eventually(() => sidebar.button('Query').getAttribute('aria-pressed')).toBe('true');
    expect(JSON.parse(await sidebar.page.getByLabel('Query (JSON)').inputValue())).toEqual(dsl);
    await eventually(() => sidebar.sent('planSearch').at(-1)?.query).toEqual({
      es_dsl: 'query' in dsl ? dsl : { query: dsl },
    });
  });

  it('is the chosen one once it is saved, and can be changed, renamed and saved as a new one', async () => {
    const { sidebar, all } = await openWithStore();
    await sidebar.field('Industry').fill('mining');
    await sidebar.field('Country').fill('Chile');
    await sidebar.page.getByText('Save this search').click();
    await sidebar.button('Save search').click();
    await sidebar.shows('Search saved.');
    await chosen(sidebar).toBe('Companies: mining, Chile');
    await eventually(() => sidebar.button('Save changes').count()).toBe(0);
    await sidebar.field('Country').fill('Peru');
    await eventually(() => sidebar.page.getByText('Search saved.').count()).toBe(0);
    expect(await sidebar.findings()).toEqual([]);
    await sidebar.button('Save changes').click();
    await sidebar.shows('Search saved.');
    // Its name came from its conditions.
    await chosen(sidebar).toBe('Companies: mining, Peru');
    expect(all).toHaveLength(1);
    await sidebar.field('Country').fill('Cuba');
    await sidebar.field('Search name').fill('Miners');
    await sidebar.button('Save as new').click();
    await chosen(sidebar).toBe('Miners');
    expect(all.map(({ name }) => name)).toEqual(['Companies: mining, Peru', 'Miners']);
    await sidebar.page.getByLabel('Share with my team').check();
    await sidebar.field('Industry').fill('banking');
    await sidebar.button('Save changes').click();
    await chosen(sidebar).toBe('Miners (team)');
    await sidebar.page.getByLabel('Saved searches').selectOption('Companies: mining, Peru');
    await eventually(() => sidebar.field('Country').inputValue()).toBe('Peru');
    await eventually(() => sidebar.page.getByLabel('Share with my team').isChecked()).toBe(false);
    await eventually(() => sidebar.clipped()).toEqual([]);
  });

  it('shows either its error or its success, until the search changes', async () => {
    const { sidebar } = await openWithStore();
    const success = sidebar.page.getByText('Search saved.');
    const error = sidebar.page.getByText('This name is already in use.');
    const counts = () => eventually(async () => [await success.count(), await error.count()]);
    await sidebar.field('Industry').fill('mining');
    await sidebar.page.getByText('Save this search').click();
    await sidebar.button('Save search').click();
    await counts().toEqual([1, 0]);
    await sidebar.button('Save as new').click();
    await counts().toEqual([0, 1]);
    await sidebar.field('Search name').fill('Mines');
    await counts().toEqual([0, 0]);
    await sidebar.button('Save as new').click();
    await counts().toEqual([1, 0]);
    await sidebar.field('Search name').fill('Mines');
    await sidebar.button('Save as new').click();
    await counts().toEqual([0, 1]);
    await sidebar.page.getByLabel('Saved searches').selectOption('New search');
    await counts().toEqual([0, 0]);
    await eventually(() => sidebar.field('Industry').inputValue()).toBe('');
  });

  it('is left when something else is to be found, and stays open when the sidebar is closed', async () => {
    const { sidebar, all } = await openWithStore();
    await sidebar.field('Industry').fill('mining');
    await sidebar.page.getByText('Save this search').click();
    await sidebar.button('Save search').click();
    await chosen(sidebar).toBe('Companies: mining');
    await sidebar.field('Employees from').fill('50');
    await sidebar.field('Industry').fill('International Trade and Development');
    await sidebar.button('Save changes').click();
    // A long name keeps its numbers.
    await chosen(sidebar).toBe('Companies: 50+ employees, International Trade and …');
    await sidebar.button('Save changes').waitFor({ state: 'detached' });
    await eventually(() => sidebar.sent('saveDraft').at(-1)?.lastSearch).toContain(all[0]?.id);
    const lastSearch = sidebar.sent('saveDraft').at(-1)?.lastSearch ?? '';
    await sidebar.page.getByLabel('Find', { exact: true }).selectOption('Jobs');
    await chosen(sidebar).toBe('New search');
    await sidebar.button('Save search').waitFor();
    const again = await open({ status: () => ({ ...status, lastSearch }), savedSearches: () => all });
    await chosen(again).toMatch(/^Companies: 50\+ employees/);
  });
});
