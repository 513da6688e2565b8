// The sidebar's page: file sizes, its second script, tabs, keyboard, lost replies, escaping and the budget.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildSidebarFiles } from '../../worker/commands/build/sidebar.ts';
import { addonDist } from '../../worker/commands/paths.ts';
import { createWorkbook, gateway } from '../addon/server/sidebar.ts';
import { longIt } from '../pick-cases.ts';
import { eventually, matchSpaces } from './browser.ts';
import { holdResults, Refused, type ServedSidebar, setUpSidebars } from './sidebar.ts';
import { createFilled } from './sidebar-filled.ts';

const open = setUpSidebars({ tab: 'search' });

describe('the page', () => {
  it('loads nothing from hosts, and a page that is too large stops the build', async () => {
    const page = await readFile(join(addonDist, 'Sidebar.html'), 'utf8');
    expect(page.match(/<(?:link|img|iframe|script)\s|@import|url\(/g)).toBeNull();
    await expect(buildSidebarFiles(50_000)).rejects.toThrow(
      /^Sidebar.html has \d+ bytes; it may have 50000\.$/,
    );
  });

  it('works in its first tab before the other tabs are loaded, and loads them again after a failure', async () => {
    const { promise, resolve } = Promise.withResolvers<Refused>();
    const sidebar = await open({ tab: 'enrich', changes: { laterTabs: () => promise } });
    await sidebar.price().toBe('14 rows · 120 credits');
    await sidebar.tab('Tables').click();
    await sidebar.page.getByLabel('Loading the tab').filter({ visible: true }).waitFor();
    resolve(new Refused('Google is busy.'));
    await sidebar.shows('Google is busy.');
    sidebar.changes.laterTabs = () => '/* not the script */';
    await sidebar.button('Try again').click();
    await sidebar.shows('The sidebar couldn’t load this tab.');
    delete sidebar.changes.laterTabs;
    await sidebar.button('Try again').click();
    await sidebar.shows('No tables yet');
  });

  longIt('opens the tab of this sheet, keeps its inputs and saves the tab', async () => {
    const sidebar = await open({ tab: 'tables' });
    await sidebar.shows('No tables yet');
    await sidebar.tab('Search').click();
    await sidebar.field('Industry').fill('software');
    await sidebar.tab('Activity').click();
    await sidebar.tab('Search').click();
    await eventually(() => sidebar.field('Industry').inputValue()).toBe('software');
    await eventually(() => sidebar.sent('setTab').map((payload) => payload.tab)).toEqual([
      'search',
      'activity',
      'search',
    ]);
  });

  longIt(
    'stays light where the system is dark, as Google Sheets does, unless the page has a dark theme',
    async () => {
      const sidebar = await open();
      await sidebar.page.emulateMedia({ colorScheme: 'dark' });
      const background = () =>
        sidebar.page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(await background()).toBe('rgb(255, 255, 255)');
      await sidebar.setTheme('dark');
      expect(await background()).toBe('rgb(27, 31, 35)');
    },
  );

  longIt(
    'fits into 200 pixels, the width at a zoom of 150 %: every tab, without scrolling sideways',
    async () => {
      const sidebar = await open(createFilled());
      await sidebar.page.setViewportSize({ width: 200, height: 640 });
      const views: readonly [tab: string, view: string | undefined, text: RegExp][] = [
        ['Search', undefined, /20 rows cost/],
        ['Enrich', undefined, /4 rows · /],
        ['Bulk', undefined, /100 records/],
        ['Bulk', 'Orders', /Stop waiting/],
        ['Tables', undefined, /Its sheet was deleted/],
        ['Tables', 'Formulas', /1 record found/],
        ['Tables', 'Templates', /Building a sheet/],
        ['Activity', undefined, /Send test/],
      ];
      for (const [tab, view, text] of views) {
        await sidebar.tab(tab).click();
        if (view !== undefined) await sidebar.button(view).click();
        await sidebar.shows(text);
        await sidebar.page.evaluate(
          "document.querySelectorAll('details').forEach((box) => { box.open = true; })",
        );
        expect([tab, view, await sidebar.overflow(), await sidebar.clipped()]).toEqual([tab, view, 0, []]);
      }
      await sidebar.page.setViewportSize({ width: 300, height: 640 });
    },
  );

  it('switches tabs with the arrow keys, and outlines the focused element', async () => {
    const sidebar = await open();
    await sidebar.price().toMatch(/20 rows cost/);
    await sidebar.tab('Enrich').focus();
    await sidebar.page.keyboard.press('ArrowLeft');
    await eventually(() => sidebar.tab('Activity').getAttribute('aria-selected')).toBe('true');
    await sidebar.page.keyboard.press('Home');
    await sidebar.page.keyboard.press('ArrowRight');
    await eventually(() => sidebar.tab('Search').getAttribute('aria-selected')).toBe('true');
    const readOutline = (): Promise<string> =>
      sidebar.page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    for (let times = 0; times < 12; times += 1) {
      await sidebar.page.keyboard.press('Tab');
      expect(await readOutline()).toBe('solid');
    }
  });

  longIt('reports unreadable replies and failures of Google, and retries', async () => {
    const sidebar = await open({ changes: { status: () => null } });
    await sidebar.shows('The sidebar couldn’t read the answer.');
    sidebar.changes.status = () => {
      throw new Error('ScriptError: Authorisation is required.');
    };
    await sidebar.button('Try again').click();
    await sidebar.shows('Authorisation is required.');
    delete sidebar.changes.status;
    await sidebar.button('Try again').click();
    await sidebar.price().toMatch(/20 rows cost/);
  });

  it('escapes markup in records, names and messages', async () => {
    const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    gateway.account = { ...gateway.account, team: evil };
    const filled = createFilled(evil);
    const sidebar = await open({
      ...filled,
      before: async (server) => {
        await filled.before?.(server);
        gateway.refuse('POST preview/estimate', 'internal', evil);
      },
      changes: { sampleRows: () => ({ rows: [[evil, evil]] }) },
    });
    const { page } = sidebar;
    const shows = (box: string) =>
      page.locator(box).getByText(evil).filter({ visible: true }).first().waitFor();
    await shows('[aria-label="Unfinished runs"]');
    await shows('#panel-search [role=alert]');
    await page.getByText('Sample rows').click();
    await shows('#panel-search .sample');
    await sidebar.tab('Enrich').click();
    await shows('#panel-enrich .content');
    await sidebar.tab('Tables').click();
    await shows('#panel-tables article h3');
    await page.locator('#panel-tables article').getByText(`Name: ${evil}`).waitFor();
    await sidebar.button('Formulas').click();
    await shows('#panel-tables h2');
    await sidebar.tab('Activity').click();
    for (const title of ['Your team’s recent runs', 'Recent errors', 'Alerts', 'Connection'])
      await page.getByRole('region', { name: title }).getByText(evil).first().waitFor();
    await sidebar.tab('Bulk').click();
    await page.getByLabel('Update the sheet while it is closed').click();
    await eventually(() => page.getByLabel('Share the spreadsheet with').inputValue()).toBe(evil);
    await sidebar.button('Orders').click();
    await shows('#panel-bulk article h3');
    await shows('#panel-bulk article .notice');
    await sidebar.settle();
    gateway.requests.isHeld = false;
    gateway.refuse('GET requests/00000000-0000-4000-8000-000000000002', 'internal', evil);
    const again = await open({ server: sidebar.server, tab: 'search' });
    await again.shows(`The rows of “${evil}” are ready, but the sidebar couldn’t write them. ${evil}`);
    for (const each of [sidebar, again])
      await eventually(() => each.page.locator('img, #app script').count()).toBe(0);
  });
});

/** Waits for a budget while time passes. */
const waitForBudget = (sidebar: ServedSidebar, credits: number) =>
  sidebar
    .whileTimePasses(() =>
      sidebar.page.getByText(matchSpaces(new RegExp(`^${credits} credits left`))).count(),
    )
    .toBe(1);

it('completes waiting formulas, and reads the budget again then and when the pointer comes back, but not each time', async () => {
  const waiting = ['a.example', 'b.example', 'c.example'].map((key) => [key, '#PENDING']);
  const formulas = waiting.map((_, at) => ['', `=CDAPI_ENRICH(A${at + 1}; "name")`]);
  const { hold, release } = holdResults();
  const workbook = createWorkbook(waiting, { formulas });
  const sidebar = await open({ stopped: true, workbook, changes: { completePending: hold } });
  const { clock } = sidebar.page;
  /** Changes the budget, while no call is in flight. */
  const setBudget = async (credits: number) => {
    await sidebar.settle();
    gateway.budget = credits;
  };
  await waitForBudget(sidebar, 460);
  await setBudget(400);
  await clock.runFor(5000);
  await waitForBudget(sidebar, 400);
  await eventually(() => sidebar.sent('completePending')).toHaveLength(1);
  await setBudget(390);
  release();
  await waitForBudget(sidebar, 390);
  const enter = () =>
    sidebar.page.evaluate("document.documentElement.dispatchEvent(new PointerEvent('pointerenter'))");
  await setBudget(380);
  await enter();
  await waitForBudget(sidebar, 380);
  await clock.runFor(10_000);
  await setBudget(370);
  await enter();
  await waitForBudget(sidebar, 370);
  const reads = sidebar.sent('status').length;
  await enter();
  await enter();
  await sidebar.settle();
  expect(sidebar.sent('status')).toHaveLength(reads);
});

longIt('reads the budget again while the person types in the sheet, less and less often', async () => {
  const sidebar = await open({ stopped: true });
  const { clock } = sidebar.page;
  await waitForBudget(sidebar, 460);
  const countReads = async (minutes: number) => {
    const before = sidebar.sent('status').length;
    for (let minute = 0; minute < minutes; minute += 1) await clock.runFor(60_000);
    return sidebar.sent('status').length - before;
  };
  expect(await countReads(10)).toBe(0);
  // There are no formulas.
  expect(sidebar.sent('pending').length).toBeGreaterThan(0);
  expect(sidebar.sent('completePending')).toEqual([]);
  await sidebar.page.evaluate(
    "document.hasFocus = () => false; window.dispatchEvent(new Event('blur')); undefined",
  );
  await sidebar.settle();
  gateway.budget = 390;
  await clock.runFor(4000);
  await waitForBudget(sidebar, 390);
  expect(await countReads(20)).toBeLessThan(10);
});
