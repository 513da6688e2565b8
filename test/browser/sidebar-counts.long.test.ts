// Counts beside companies in the sidebar, and orders that they limit.
import { describe, expect, it } from 'vitest';
import { createEnrichOrder, runEnrichment } from '../addon/server/orders.ts';
import { gateway } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { type ServedSidebar, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'search' });

const checkLooks = async (sidebar: ServedSidebar): Promise<void> => {
  expect(await sidebar.findings()).toEqual([]);
  expect(await sidebar.overflow()).toBe(0);
  expect(await sidebar.clipped()).toEqual([]);
};

describe('counts at companies', () => {
  it('are written for free with spending off, counted again, and limit what is bought', async () => {
    // Company 1 has one open job, company 12 has twelve.
    gateway.answer('POST accounts/jobs/counts', ({ companies }) => ({
      accounts: companies.map((company) => ({ company, total: Number(/\d+/.exec(company)?.[0] ?? 0) })),
      stamp: 'x',
    }));
    const sidebar = await open({ before: (server) => server.callOk('setSpending', { on: false }) });
    const { page, server } = sidebar;
    const { spent } = gateway;
    const limit = page.locator('.panel:not([hidden])').getByLabel('Only rows with enough');
    await page.getByLabel('Find', { exact: true }).selectOption('Jobs');
    await page.getByLabel('At companies in a column').check();
    await sidebar.field('Title').fill('sales');
    await page.getByLabel('Only the number').check();
    await sidebar.price().toBe('12 companies · free');
    await checkLooks(sidebar);
    await sidebar.button('Count at 12 companies · free').click();
    await sidebar.shows('14 of 14 rows · free');
    expect(server.getValues('Companies').slice(0, 3)).toEqual([
      ['Website', 'Sector', 'Open jobs: sales'],
      ['company-1.example', 'Tools', 1],
      ['company-2.example', 'Tools', 2],
    ]);
    await sidebar.shows('Only rows with enough');
    await sidebar.button('Close').click();
    await checkLooks(sidebar);

    await sidebar.tab('Tables').click();
    await sidebar.shows('Number of jobs for 14 rows of Companies');
    await sidebar.button('Refresh Open jobs: sales').click();
    await sidebar.button('Count 14 rows · free').click();
    await sidebar.shows('14 of 14 rows · free');
    await sidebar.button('Close').click();
    await checkLooks(sidebar);
    expect(gateway.spent).toBe(spent);
    await page.getByText('More', { exact: true }).click();
    await sidebar.button('Edit search').click();
    await sidebar.price().toBe('12 companies · free');
    await eventually(() => sidebar.field('Title').inputValue()).toBe('sales');

    await server.callOk('setSpending', { on: true });
    await sidebar.tab('Enrich').click();
    await sidebar.price().toMatch(/^14 rows · 120 credits/);
    await limit.selectOption('Open jobs: sales');
    await page.locator('.panel:not([hidden])').getByLabel('At least', { exact: true }).selectOption('10');
    await sidebar.price().toMatch(/^3 rows · 30 credits/);
    await checkLooks(sidebar);
    await sidebar.button('Enrich 3 rows · 30 credits').click();
    await sidebar.shows('3 of 3 rows · 30 credits');
    await eventually(() => gateway.spent - spent).toBe(30);
    expect(gateway.lookups.flatMap(({ keys }) => keys)).toEqual(
      [10, 11, 12].map((at) => `company-${at}.example`),
    );
  });

  it('are kept filled and counted again on a schedule, with an alert, for free', async () => {
    gateway.lists.pushAccount = 'cdapi@project.iam.gserviceaccount.com';
    gateway.answer('POST accounts/jobs/counts', ({ companies }) => ({
      accounts: companies.map((company) => ({ company, total: 1 })),
      stamp: 'x',
    }));
    const sidebar = await open({
      before: async (server) => {
        const count = { query: { text: 'title:sales' }, heading: 'Open jobs' };
        const order = { sheet: 'Companies', fields: ['count'], count };
        await runEnrichment(server, createEnrichOrder({ ...order, family: 'job_base' }));
      },
    });
    const { page } = sidebar;
    await sidebar.tab('Tables').click();
    await sidebar.button('Keep filled Open jobs').click();
    await sidebar.shows('To count again on a schedule and get alerts, turn on');
    expect(await page.getByLabel('Maximum credits per month').count()).toBe(0);
    await page.getByLabel('Update the sheet while it is closed').check();
    await page.getByLabel('Check the closed sheet').selectOption('week');
    const reach = page.getByLabel('Alert me when a company reaches');
    await reach.fill('ten');
    await sidebar.shows('Enter a whole number, such as 100.');
    await reach.fill('10');
    await checkLooks(sidebar);
    await page.getByRole('button', { name: 'Keep filled', exact: true }).click();
    await sidebar.shows('Saved. New rows are filled within half a minute.');
    const [kept] = gateway.lists.enrichments.items;
    expect(kept).toMatchObject({
      ...{ count: { text: 'title:sales' }, alert_at: 10, refresh_days: 1, push: true, every: 'week' },
      ...{ max_credits: 0, month_credits: 0 },
    });
    await reach.fill('');
    await sidebar.button('Save').click();
    await eventually(() => gateway.lists.enrichments.items[0]?.alert_at).toBe(null);
  });
});
