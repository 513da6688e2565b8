// The sidebar in German: nothing is left in English, and everything fits 300 px.
import { expect, it } from 'vitest';
import { texts } from '../../addon/texts/de/index.ts';
import { type ServedSidebar, setUpSidebars } from './sidebar.ts';
import { createFilled } from './sidebar-filled.ts';

const open = setUpSidebars({ language: 'de', events: () => '' });
/** All that has a name has this one, so that every other word comes from the add-on. */
const filled = createFilled('Muster');

const WORD =
  /\b(?:the|of|and|is|are|your|you|from|with|for|not|this|that|to|by|at|it|free|bought|today|ordered|rows|records|undone|stopped|yes)\b/;
const translated = new Set(
  Object.entries(texts).flatMap(([english, german]) => (english === german ? [] : english)),
);

/** Lists visible texts and accessible names. */
const listTexts = ({ page }: ServedSidebar): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')].flatMap((element) => [
    ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()),
    // The title of a column is the path of its field.
    ...['aria-label', 'placeholder', ...(element.matches('.name') ? [] : ['title'])].map((name) => element.getAttribute(name)?.trim() ?? ''),
  ]).filter((text) => text !== '' && !text.includes('function'))`);

/** Opens everything that can be opened in the shown tab. */
async function expand({ page, settle }: ServedSidebar): Promise<void> {
  await page.evaluate(
    `for (const each of document.querySelectorAll('.panel:not([hidden]) details')) each.open = true`,
  );
  const closed = page.locator('.panel:not([hidden]) .content button[aria-expanded="false"]:not(:disabled)');
  for (const button of await closed.all()) await button.click({ timeout: 1000 }).catch(() => {});
  await settle();
  await page.evaluate(
    `for (const each of document.querySelectorAll('.panel:not([hidden]) details')) each.open = true`,
  );
  await settle();
}

async function expectGerman(sidebar: ServedSidebar): Promise<void> {
  const all = await listTexts(sidebar);
  expect(all.filter((text) => translated.has(text) || WORD.test(text))).toEqual([]);
  expect(await sidebar.overflow()).toBeLessThanOrEqual(0);
}

it.each([
  ['enrich', 'Anreichern'],
  ['search', 'Suche'],
  ['bulk', 'Aufträge'],
  ['tables', 'Tabellen'],
  ['activity', 'Aktivität'],
] as const)('the tab %s is German and fits', async (tab, name) => {
  const sidebar = await open({ tab, ...filled });
  await sidebar.tab(name).waitFor();
  await sidebar.settle();
  await expand(sidebar);
  await expectGerman(sidebar);
  for (const segment of await sidebar.page.locator('.panel:not([hidden]) .segments button').all()) {
    await segment.click();
    await sidebar.settle();
    await expand(sidebar);
    await expectGerman(sidebar);
  }
});

it('a run, its report and Undo are German', async () => {
  const sidebar = await open({ tab: 'enrich' });
  await sidebar.button(/^14 Zeilen anreichern · /).click();
  await sidebar.shows(/^Fertig/);
  await expectGerman(sidebar);
  await sidebar.button('Rückgängig').click();
  await sidebar.shows(
    /^Rückgängig gemacht in „Companies“ \(\d+ Zellen wiederhergestellt\)\. Credits werden nicht erstattet/,
  );
  await expectGerman(sidebar);
  await sidebar.tab('Aktivität').click();
  await sidebar.shows(/ · rückgängig gemacht · /);
  await expectGerman(sidebar);
});

it('a spreadsheet without a connection is German', async () => {
  const sidebar = await open({ tab: 'enrich', properties: { document: {} } });
  await sidebar.shows('Mit Ihrem Team verbinden');
  await sidebar.field('Verbindungslink').fill('nonsense');
  await sidebar.button('Verbinden').click();
  await sidebar.shows(/^Das ist kein Verbindungslink\./);
  await expectGerman(sidebar);
});
