// How the sidebar reacts to changes: running and ended runs, spending switched off and on, reconnecting, delivered orders.
import { describe, expect, inject, it } from 'vitest';
import { createBulkOrder, startBulk } from '../addon/server/bulk/bulk-orders.ts';
import { runSearch } from '../addon/server/orders.ts';
import { gateway } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { holdResults, type ServedSidebar, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'search', events: () => '' });

/** Counts visible elements with a text. */
const countShown = ({ page }: ServedSidebar, text: string) =>
  eventually(() => page.getByText(text).filter({ visible: true }).count());

describe('the price', () => {
  it.each([
    ['search', 'Search', 'planSearch', 'Write 20 rows'],
    ['enrich', 'Enrich', 'planEnrich', 'Enrich 14 rows'],
  ] as const)('of %s is requested before and after a run, not during one', async (tab, name, method, go) => {
    const { hold, release } = holdResults();
    const sidebar = await open({ tab, changes: { step: hold } });
    const countPlans = () => sidebar.sent(method).length;
    await sidebar.button(go).click();
    await sidebar.shows(/^0 of /);
    await sidebar.settle();
    const before = countPlans();
    await sidebar.tab('Activity').click();
    await sidebar.tab(name).click();
    await sidebar.settle();
    expect(countPlans()).toBe(before);
    release();
    await sidebar.shows('Done');
    await eventually(countPlans).toBeGreaterThan(before);
  });
});

describe('a run', () => {
  it('that paused or stopped stays on other tabs, and does not block the next one', async () => {
    const { hold, release } = holdResults();
    gateway.refuse('POST preview', 'over_budget');
    const sidebar = await open();
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('Paused');
    gateway.allow('POST preview');
    await sidebar.page.getByLabel('Rows', { exact: true }).selectOption('5');
    sidebar.changes.step = hold;
    await sidebar.button('Update with 100 rows').click();
    await sidebar.button(/^Stop/).click();
    await eventually(() => sidebar.sent('cancelStep')).toHaveLength(1);
    await sidebar.settle();
    delete sidebar.changes.step;
    release();
    await sidebar.shows('Stopped');
    await sidebar.tab('Activity').click();
    await sidebar.shows('20 of 100');
    await sidebar.tab('Search').click();
    await sidebar.button('Update with 100 rows').click();
    await sidebar.shows('80 of 100 rows new or changed · 40 credits');
    expect(sidebar.sent('startSearch')).toHaveLength(3);
  });

  it('that is done, and success messages, are gone on another tab, but not on one that an action opens', async () => {
    const sidebar = await open();
    await sidebar.button('Write 20 rows').click();
    await sidebar.button('Add full records …').click();
    await eventually(() => sidebar.tab('Tables').getAttribute('aria-selected')).toBe('true');
    await sidebar.shows('Done');
    await sidebar.tab('Enrich').click();
    await sidebar.price().toMatch(/^20 rows/);
    await countShown(sidebar, 'Done').toBe(0);
    await sidebar.button('Enrich 20 rows').click();
    await sidebar.button('Undo').click();
    await sidebar.shows(/^Undone in “Companies/);
    await sidebar.tab('Bulk').click();
    await countShown(sidebar, 'Undone').toBe(0);
  });
});

describe('errors disappear', () => {
  it('of a run that was refused without spending, when the switch is changed, and with it the price', async () => {
    const sidebar = await open();
    const { page } = sidebar;
    const refusal = 'Spending is off for this spreadsheet. Switch it on under Activity';
    await sidebar.price().toMatch(/20 rows cost/);
    await sidebar.settle();
    // A colleague switches it off.
    await sidebar.server.callOk('setSpending', { on: false });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows(new RegExp(`^${refusal}`));
    const toggle = async (): Promise<void> => {
      await sidebar.tab('Activity').click();
      await page.getByLabel('Spend credits in this spreadsheet').click();
      await sidebar.tab('Search').click();
    };
    await toggle();
    await sidebar
      .price()
      .toBe('Spending is off for this spreadsheet. Anyone who can edit it can turn it on in Activity.');
    await eventually(() => sidebar.button(/^Write/).isDisabled()).toBe(true);
    await eventually(() => page.locator('#panel-search').getByText(refusal).count()).toBe(0);
    await toggle();
    await sidebar.price().toMatch(/20 rows cost/);
    expect(sidebar.sent('setSpending')).toEqual([{ on: false }, { on: true }]);
  });

  it('of a price, when the person connects again', async () => {
    const sidebar = await open({ tab: 'tables', before: (server) => runSearch(server) });
    gateway.refuse('POST preview/estimate', 'forbidden_scope');
    await sidebar.button('Refresh Companies').click();
    const error = sidebar.page.locator('#panel-tables').getByText(/token may not/);
    await error.waitFor();
    await sidebar.settle();
    gateway.allow('POST preview/estimate');
    const { url, team_token: token } = inject('session');
    await sidebar.tab('Activity').click();
    await sidebar.page.getByText('Use another connection link').click();
    await sidebar.field('Connection link').fill(`${url}/connect#${token}`);
    await sidebar.button(/^Connect$/).click();
    await eventually(() => sidebar.field('Connection link').inputValue()).toBe('');
    await sidebar.tab('Tables').click();
    await sidebar.price().toBe('Nothing is out of date');
    await eventually(() => error.count()).toBe(0);
  });
});

it('withdraws the question "Stop waiting?" when the order is delivered', async () => {
  gateway.requests.isHeld = true;
  const sidebar = await open({ tab: 'bulk', before: (server) => startBulk(server, createBulkOrder()) });
  await sidebar.button(/^Orders/).click();
  await sidebar.button(/^Stop waiting/).click();
  await sidebar.shows('so you’ll still be charged up to 200 credits');
  await sidebar.settle();
  gateway.requests.isHeld = false;
  await sidebar.server.callOk('deliveries', {});
  await sidebar.tab('Search').click();
  await sidebar.tab('Bulk').click();
  await sidebar.shows(/^20 of 20 records · 200 credits/);
  await eventually(() => sidebar.page.getByText('still be charged').count()).toBe(0);
});
