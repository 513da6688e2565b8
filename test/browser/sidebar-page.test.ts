// The sidebar's page: file sizes, its second script, tabs, keyboard, lost replies and escaping.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildSidebarFiles } from '../../worker/commands/build/sidebar.ts';
import { addonDist } from '../../worker/commands/paths.ts';
import { eventually } from './browser.ts';
import { type Answers, Refused, readTabs, type Sidebar, setUpSidebars } from './sidebar.ts';
import { answers, status } from './sidebar-answers.ts';

const open = setUpSidebars(answers);

describe('the page', () => {
  it('loads nothing from hosts, and its first tab needs at most 100 KB of 190', async () => {
    const read = (name: string): Promise<string> => readFile(join(addonDist, name), 'utf8');
    const [page, tabs] = [await read('Sidebar.html'), await read('SidebarTabs.html')];
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(100_000);
    expect(Buffer.byteLength(page + tabs)).toBeLessThanOrEqual(190 * 1024);
    expect(page.match(/<(?:link|img|iframe|script)\s|@import|url\(/g)).toBeNull();
    await expect(buildSidebarFiles(50_000)).rejects.toThrow(
      /^Sidebar.html has \d+ bytes; it may have 50000\.$/,
    );
  });

  it('works in its first tab before the other tabs are loaded, and loads them again after a failure', async () => {
    const { promise, resolve } = Promise.withResolvers<Refused>();
    const sidebar = await open({ status: () => ({ ...status, tab: 'enrich' }), laterTabs: () => promise });
    await sidebar.shows(/14 rows · 70/);
    await sidebar.tab('Tables').click();
    await sidebar.page.getByLabel('Loading the tab').filter({ visible: true }).waitFor();
    resolve(new Refused('Google is busy.'));
    await sidebar.shows('Google is busy.');
    sidebar.answers.laterTabs = () => '/* not the script */';
    await sidebar.button('Try again').click();
    await sidebar.shows('The sidebar couldn’t load this tab.');
    sidebar.answers.laterTabs = readTabs;
    await sidebar.button('Try again').click();
    await sidebar.shows('Its sheet was deleted.');
  });

  it('opens the tab of this sheet, keeps its inputs and saves the tab', async () => {
    const sidebar = await open({ status: () => ({ ...status, tab: 'tables' }) });
    await sidebar.shows('Its sheet was deleted.');
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

  it('stays light where the system is dark, as Google Sheets does, unless the page has a dark theme', async () => {
    const sidebar = await open();
    await sidebar.page.emulateMedia({ colorScheme: 'dark' });
    const background = () => sidebar.page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(255, 255, 255)');
    await sidebar.setTheme('dark');
    expect(await background()).toBe('rgb(27, 31, 35)');
  });

  it('fits into 200 pixels, the width at a zoom of 150 %: every tab, without scrolling sideways', async () => {
    const sidebar = await open({ status: () => ({ ...status, unfinished: 1 }) });
    await sidebar.page.setViewportSize({ width: 200, height: 640 });
    const views: readonly [tab: string, view: string | undefined, text: RegExp][] = [
      ['Search', undefined, /20 rows cost/],
      ['Enrich', undefined, /14 rows · 70/],
      ['Bulk', undefined, /100 records/],
      ['Bulk', 'Orders (2)', /Stop waiting/],
      ['Tables', undefined, /Its sheet was deleted/],
      ['Tables', 'Formulas', /982 records found/],
      ['Tables', 'Templates', /Building a sheet/],
      ['Activity', undefined, /hooks.chat.example/],
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
  });

  it('switches tabs with the arrow keys', async () => {
    const sidebar = await open();
    await sidebar.tab('Enrich').focus();
    await sidebar.page.keyboard.press('ArrowLeft');
    await eventually(() => sidebar.tab('Activity').getAttribute('aria-selected')).toBe('true');
    await sidebar.page.keyboard.press('Home');
    await sidebar.page.keyboard.press('ArrowRight');
    await eventually(() => sidebar.tab('Search').getAttribute('aria-selected')).toBe('true');
  });

  it('outlines the focused element', async () => {
    const sidebar = await open();
    await sidebar.shows('20 rows cost');
    for (let times = 0; times < 12; times += 1) {
      await sidebar.page.keyboard.press('Tab');
      expect(
        await sidebar.page.evaluate<string>(`getComputedStyle(document.activeElement).outlineStyle`),
      ).toBe('solid');
    }
  });

  it('reports failures of Google and unreadable replies and retries', async () => {
    const lost = await open({}, { raw: ({ method }) => (method === 'status' ? null : undefined) });
    await lost.shows('The sidebar couldn’t read the answer.');
    const broken = await open({
      status: () => {
        throw new Error('ScriptError: Authorisation is required.');
      },
    });
    await broken.shows('Authorisation is required.');
    broken.answers.status = () => status;
    await broken.button('Try again').click();
    await broken.shows('20 rows cost');
  });

  it('escapes markup in records, names and messages', async () => {
    const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    const isText = (key: string) =>
      /^(title|sheet|industry|gone|detail|fix|pushAccount|host|heading|team|message)$/.test(key);
    const poison = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value), (key, item: unknown) => (isText(key) && item !== null ? evil : item));
    const methods = ['unfinished', 'columns', 'tables', 'activity', 'alerts', 'bulkRequests'] as const;
    const poisoned = methods.map((method) => [method, () => poison(answers[method]?.({}))] as const);
    const sidebar = await open({
      status: () => ({ ...status, unfinished: 1 }),
      ...Object.fromEntries(poisoned),
      planSearch: () => new Refused(evil),
      deliveries: () => ({ deliveries: [{ tableId: evil, title: evil, rowsId: evil, kind: 'request' }] }),
      writeDelivery: () => new Refused(evil),
    });
    for (const name of ['Search', 'Enrich', 'Tables', 'Activity']) {
      await sidebar.tab(name).click();
      await sidebar.page.locator('.panel:not([hidden])').getByText(evil).first().waitFor();
    }
    await sidebar.tab('Bulk').click();
    await sidebar.button(/^Orders/).click();
    await sidebar.page.getByRole('article', { name: evil }).first().waitFor();
    await eventually(() => sidebar.page.locator('img, #app script').count()).toBe(0);
  });

  it('completes waiting formulas only if there are any', async () => {
    const openAndWait = async (changed?: Answers): Promise<Sidebar> => {
      const sidebar = await open(changed, { stopped: true });
      await sidebar.shows('20 rows cost');
      await sidebar.page.clock.runFor(5000);
      return sidebar;
    };
    const waiting = await openAndWait({
      pending: () => ({ formulas: 3 }),
      completePending: () => ({ again: 3, left: 0 }),
    });
    await eventually(() => waiting.sent('completePending').length).toBe(1);
    const quiet = await openAndWait();
    await eventually(() => quiet.sent('pending').length).toBe(1);
    expect(quiet.sent('completePending')).toEqual([]);
  });
});

it('reads the budget again when formulas have completed, and when the pointer comes back, at most every 10 seconds', async () => {
  let remaining = 460;
  let formulas = 3;
  const sidebar = await open(
    {
      status: () => ({ ...status, connection: status.connection && { ...status.connection, remaining } }),
      pending: () => ({ formulas }),
      completePending: () => {
        remaining = 400;
        formulas = 0;
        return { again: 3, left: 0 };
      },
    },
    { stopped: true },
  );
  await sidebar.page.clock.runFor(1000);
  await sidebar.shows(/^460 credits left/);
  await sidebar.page.clock.runFor(5000);
  await sidebar.shows(/^400 credits left/);
  const enter = () =>
    sidebar.page.evaluate("document.documentElement.dispatchEvent(new PointerEvent('pointerenter'))");
  remaining = 390;
  await enter();
  await sidebar.shows(/^390 credits left/);
  const reads = sidebar.sent('status').length;
  remaining = 380;
  await enter();
  await enter();
  expect(sidebar.sent('status')).toHaveLength(reads);
  await sidebar.page.clock.runFor(10_000);
  await enter();
  await sidebar.shows(/^380 credits left/);
});

it('reads the budget again while the person types in the sheet, less and less often', async () => {
  let remaining = 460;
  const sidebar = await open(
    { status: () => ({ ...status, connection: status.connection && { ...status.connection, remaining } }) },
    { stopped: true },
  );
  await sidebar.page.clock.runFor(1000);
  await sidebar.shows(/^460 credits left/);
  const countReads = async (minutes: number) => {
    const before = sidebar.sent('status').length;
    for (let minute = 0; minute < minutes; minute += 1) await sidebar.page.clock.runFor(60_000);
    return sidebar.sent('status').length - before;
  };
  expect(await countReads(10)).toBe(0);
  await sidebar.page.evaluate(
    "document.hasFocus = () => false; window.dispatchEvent(new Event('blur')); undefined",
  );
  remaining = 390;
  await sidebar.page.clock.runFor(4000);
  await sidebar.shows(/^390 credits left/);
  expect(await countReads(20)).toBeLessThan(10);
});
