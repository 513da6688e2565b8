// Saved searches in the sidebar: saving, reopening, changing and leaving them.
import { expect, it } from 'vitest';
import { gateway } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { NOW, type ServedSidebar, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'search' });

const savedSearches = ({ page }: ServedSidebar) => page.getByLabel('Saved searches');
const chosen = (sidebar: ServedSidebar) =>
  eventually(() => savedSearches(sidebar).locator('option:checked').textContent());
const listNames = () => gateway.lists.searches.items.map(({ name }) => name);

/** Saves a search for mining companies under the name of its conditions. */
async function saveMining(sidebar: ServedSidebar): Promise<void> {
  await sidebar.field('Industry').fill('mining');
  await sidebar.page.getByText('Save this search').click();
  await sidebar.button('Save search').click();
  await chosen(sidebar).toBe('Companies: mining');
}

it('a search is saved for the team and reopened as a form, and a query unchanged as text', async () => {
  const [created_at, updated_at] = [NOW.toISOString(), NOW.toISOString()];
  const bodies = {
    sorted: { query: { match: { industry: 'software' } }, sort: ['id'] },
    plain: { match: { industry: 'software' } },
  };
  gateway.lists.searches.items = Object.entries(bodies).map(([id, es_dsl]) => ({
    ...{ id, name: id, family: 'company_base', query: { es_dsl }, shared: false, created_at, updated_at },
  }));
  const sidebar = await open();
  await sidebar.chooseFamily('company_base');
  await sidebar.field('Industry').fill('software');
  await sidebar.page.getByText('Save this search').click();
  await sidebar.field('Search name').fill('German software');
  await sidebar.page.getByLabel('Share with my team').check();
  await sidebar.button('Save search').click();
  await sidebar.shows('Search saved.');
  const saved = { name: 'German software', shared: true, query: { filters: { industry: 'software' } } };
  expect(gateway.lists.searches.items.at(-1)).toMatchObject(saved);
  for (const [id, dsl] of Object.entries(bodies)) {
    await savedSearches(sidebar).selectOption(id);
    await eventually(() => sidebar.button('Query').getAttribute('aria-pressed')).toBe('true');
    expect(JSON.parse(await sidebar.page.getByLabel('Query (JSON)').inputValue())).toEqual(dsl);
    const es_dsl = 'query' in dsl ? dsl : { query: dsl };
    await eventually(() => sidebar.sent('planSearch').at(-1)?.query).toEqual({ es_dsl });
  }
  await savedSearches(sidebar).selectOption({ label: 'German software (team)' });
  await eventually(() => sidebar.field('Industry').inputValue()).toBe('software');
});

it('a saved search is the chosen one, and can be changed, renamed and saved as a new one', async () => {
  const sidebar = await open();
  await sidebar.field('Country').fill('Chile');
  await sidebar.field('Industry').fill('mining');
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
  expect(listNames()).toEqual(['Companies: mining, Peru']);
  await sidebar.field('Country').fill('Cuba');
  await sidebar.field('Search name').fill('Miners');
  await sidebar.button('Save as new').click();
  await chosen(sidebar).toBe('Miners');
  expect(listNames()).toEqual(['Companies: mining, Peru', 'Miners']);
  await sidebar.page.getByLabel('Share with my team').check();
  await sidebar.field('Industry').fill('banking');
  await sidebar.button('Save changes').click();
  await chosen(sidebar).toBe('Miners (team)');
  await savedSearches(sidebar).selectOption('Companies: mining, Peru');
  await eventually(() => sidebar.field('Country').inputValue()).toBe('Peru');
  await eventually(() => sidebar.page.getByLabel('Share with my team').isChecked()).toBe(false);
  await eventually(() => sidebar.clipped()).toEqual([]);
});

it('saving shows either its error or its success, until the search changes', async () => {
  const sidebar = await open();
  const texts = [sidebar.page.getByText('Search saved.'), sidebar.page.getByText(/name is already in use/)];
  const counts = () => eventually(() => Promise.all(texts.map((text) => text.count())));
  await saveMining(sidebar);
  await counts().toEqual([1, 0]);
  await sidebar.settle();
  gateway.refuse('POST searches', 'name_taken');
  await sidebar.button('Save as new').click();
  await counts().toEqual([0, 1]);
  await sidebar.field('Search name').fill('Mines');
  await counts().toEqual([0, 0]);
  gateway.allow('POST searches');
  await sidebar.button('Save as new').click();
  await counts().toEqual([1, 0]);
  await sidebar.settle();
  gateway.refuse('POST searches', 'name_taken');
  await sidebar.button('Save as new').click();
  await counts().toEqual([0, 1]);
  await savedSearches(sidebar).selectOption('New search');
  await counts().toEqual([0, 0]);
  await eventually(() => sidebar.field('Industry').inputValue()).toBe('');
});

it('a saved search is left when something else is to be found, and stays open when the sidebar is closed', async () => {
  const sidebar = await open();
  await saveMining(sidebar);
  await sidebar.field('Employees from').fill('50');
  await sidebar.field('Industry').fill('International Trade and Development');
  await sidebar.button('Save changes').click();
  // A long name keeps its numbers.
  await chosen(sidebar).toBe('Companies: 50+ employees, International Trade and …');
  await sidebar.button('Save changes').waitFor({ state: 'detached' });
  const [saved] = gateway.lists.searches.items;
  await eventually(() => sidebar.sent('saveDraft').at(-1)?.lastSearch).toMatch(`"saved":"${saved?.id}"`);
  await sidebar.settle();
  const again = await open({ server: sidebar.server });
  await chosen(again).toMatch(/^Companies: 50\+ employees/);
  await sidebar.page.getByLabel('Find', { exact: true }).selectOption('Jobs');
  await chosen(sidebar).toBe('New search');
  await sidebar.button('Save search').waitFor();
});
