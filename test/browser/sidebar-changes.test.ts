// How the sidebar reacts to changes: running and finished runs, spending switched off and on, delivered orders.
import { describe, expect, it } from 'vitest';
import { eventually } from './browser.ts';
import { answers, progress, refreshPlan, status } from './sidebar-answers.ts';
import { request } from './sidebar-bulk-answers.ts';
import { type CannedSidebar, Refused, setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);
const at = (tab: typeof status.tab) => ({ status: () => ({ ...status, tab }) });

const SPENDING_OFF = 'Spending is off for this spreadsheet. Switch it on under Activity.';
const spendingOff = () => new Refused(SPENDING_OFF, 'spending_off');

async function toggleSpending({ page }: CannedSidebar): Promise<void> {
  await page.getByLabel(/Spend credits in this spreadsheet/).click();
}

async function reconnect(sidebar: CannedSidebar): Promise<void> {
  await sidebar.page.getByText('Use another connection link').click();
  await sidebar.page.getByLabel('Connection link').fill('https://gateway.example/connect#token');
  await sidebar.button(/^Connect$/).click();
}

describe('the price', () => {
  it.each([
    ['search', 'Search', 'planSearch', 'Write 20 rows'],
    ['enrich', 'Enrich', 'planEnrich', 'Enrich 14 rows'],
  ] as const)('of %s is requested before and after a run, not during one', async (tab, name, method, go) => {
    let finishStep = (): void => undefined;
    const step = () =>
      new Promise<ReturnType<typeof progress>>((resolve) => {
        finishStep = () => resolve(progress(40, 'running'));
      });
    const sidebar = await open({ ...at(tab), step });
    await sidebar.button(go).click();
    await sidebar.shows('0 of 100');
    const before = sidebar.sent(method).length;
    await sidebar.tab('Activity').click();
    await sidebar.tab(name).click();
    await sidebar.button(/^Stop/).click();
    expect(sidebar.sent(method)).toHaveLength(before);
    finishStep();
    await sidebar.shows('Stopped');
    await eventually(() => sidebar.sent(method).length).toBe(before + 1);
  });

  it('disappears when spending is switched off', async () => {
    const sidebar = await open();
    await sidebar.price().toMatch(/20 rows cost/);
    await sidebar.tab('Activity').click();
    await toggleSpending(sidebar);
    await eventually(() => sidebar.sent('setSpending')).toEqual([{ on: false }]);
    await sidebar.tab('Search').click();
    await sidebar.price().toBe('Spending is off. Turn it on in Activity.');
    await eventually(() => sidebar.button(/^Write/).isDisabled()).toBe(true);
  });
});

describe('a finished run', () => {
  it.each(['done', 'stopped', 'paused'] as const)('that is %s does not block the next one', async (state) => {
    const failure = state === 'done' ? {} : { failure: { message: 'Wait.' } };
    const sidebar = await open({ step: () => progress(40, state, failure) });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('40 of 100');
    await sidebar.price().toMatch(/10 credits/);
    await sidebar.button('Write 20 rows').click();
    await eventually(() => sidebar.sent('startSearch').length).toBe(2);
  });
});

describe('on another tab that the person opens', () => {
  const isShown = async (text: string, sidebar: CannedSidebar): Promise<boolean> =>
    (await sidebar.page.getByText(text).filter({ visible: true }).count()) > 0;

  it('the report of a finished run and success messages are gone, and stay on a tab that an action opens', async () => {
    const sidebar = await open({ step: () => progress(100, 'done') });
    await sidebar.button('Write 20 rows').click();
    await sidebar.button('Add full records …').click();
    await eventually(() => sidebar.tab('Tables').getAttribute('aria-selected')).toBe('true');
    await sidebar.shows('Done');
    await sidebar.tab('Enrich').click();
    await sidebar.price().toMatch(/70 credits/);
    expect(await isShown('Done', sidebar)).toBe(false);
    await sidebar.button('Enrich 14 rows').click();
    await sidebar.button('Undo').click();
    await sidebar.shows('Undone (300 cells restored).');
    await sidebar.tab('Bulk').click();
    await eventually(() => isShown('Undone', sidebar)).toBe(false);
  });

  it('a stopped run stays', async () => {
    const sidebar = await open({ step: () => progress(40, 'stopped') });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('40 of 100');
    await sidebar.tab('Activity').click();
    await sidebar.shows('40 of 100');
  });
});

describe('the error "Spending is off"', () => {
  it.each([
    ['a refused run', 'a change of the switch', 'search', toggleSpending],
    ['a refused price', 'reconnecting', 'tables', reconnect],
  ] as const)('of %s disappears after %s', async (_, __, tab, repair) => {
    const sidebar = await open({ ...at(tab), startSearch: spendingOff, planRefresh: spendingOff });
    await sidebar.button(tab === 'search' ? 'Write 20 rows' : 'Refresh Companies: software').click();
    await sidebar.shows(SPENDING_OFF);
    sidebar.answers.planRefresh = () => refreshPlan;
    await sidebar.tab('Activity').click();
    await repair(sidebar);
    await sidebar.tab(tab === 'search' ? 'Search' : 'Tables').click();
    await sidebar.price().toMatch(tab === 'search' ? /^Spending is off/ : /50 credits/);
    await eventually(() => sidebar.page.getByText(SPENDING_OFF).count()).toBe(0);
  });
});

it('withdraws the question "Stop waiting?" when the order is delivered', async () => {
  const sidebar = await open(at('bulk'));
  const list = (more: Partial<typeof request>) => ({
    requests: [{ ...request, ...more }],
    pushAccount: null,
  });
  sidebar.answers.bulkRequests = () => list({});
  await sidebar.button(/^Orders/).click();
  await sidebar.button(/^Stop waiting/).click();
  await sidebar.shows('so you’ll still be charged up to 12,400 credits');
  const credits = { ...request.credits, reserved: 0, charged: 12_400 };
  sidebar.answers.bulkRequests = () => list({ state: 'ready', ended_at: '2026-11-22T12:00:00Z', credits });
  await sidebar.tab('Search').click();
  await sidebar.tab('Bulk').click();
  await sidebar.shows('12,400 credits');
  await eventually(() => sidebar.page.getByText('still be charged').count()).toBe(0);
});
