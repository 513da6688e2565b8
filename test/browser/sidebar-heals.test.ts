// What was refused is taken off the screen once it may go: “errors that stay”.
import { describe, expect, it } from 'vitest';
import { eventually, Refused } from './sidebar.ts';
import { refreshPlan, status } from './sidebar-answers.ts';
import { request } from './sidebar-bulk-answers.ts';
import { button, price, says, sidebars, tab } from './sidebar-desk.ts';

const open = sidebars();

const SPENDING_OFF = 'Spending is off for this sheet. Switch it on under Activity.';
const off = () => new Refused(SPENDING_OFF, 'spending_off');

describe('“‘Spending is off’ stays red after switching it on and after reconnecting”: it goes', () => {
  const acts = {
    switching: async (sidebar: Awaited<ReturnType<typeof open>>) =>
      sidebar.page.getByLabel(/Spend credits in this spreadsheet/).click(),
    reconnecting: async (sidebar: Awaited<ReturnType<typeof open>>) => {
      await sidebar.page.getByText('Use another connection link').click();
      await sidebar.page.getByLabel('Connection link').fill('https://gateway.example/connect#token');
      await button(sidebar, /^Connect$/).click();
    },
  };

  it.each(['switching', 'reconnecting'] as const)('from a refused click, by %s', async (how) => {
    const sidebar = await open({ startSearch: off });
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, SPENDING_OFF);
    await tab(sidebar, 'Activity').click();
    await acts[how](sidebar);
    await eventually(() => sidebar.page.getByText(SPENDING_OFF).count()).toBe(0);
  });

  it.each(['switching', 'reconnecting'] as const)('from a price, by %s', async (how) => {
    const sidebar = await open({ status: () => ({ ...status, tab: 'tables' }), planRefresh: off });
    await button(sidebar, 'Refresh Companies: software').click();
    await says(sidebar, SPENDING_OFF);
    sidebar.answers.planRefresh = () => refreshPlan;
    await tab(sidebar, 'Activity').click();
    await acts[how](sidebar);
    await tab(sidebar, 'Tables').click();
    await eventually(() => price(sidebar).textContent()).toMatch(/50 credits/);
    expect(await sidebar.page.getByText(SPENDING_OFF).count()).toBe(0);
  });
});

describe('“Stop watching … up to 0 credits” after delivery', () => {
  it('the question goes when the rows are delivered', async () => {
    const ended_at = '2026-11-22T12:00:00Z';
    const sidebar = await open({ status: () => ({ ...status, tab: 'bulk' }) });
    const list = (more: Partial<typeof request>) => ({
      requests: [{ ...request, ...more }],
      pushAccount: null,
    });
    sidebar.answers.bulkRequests = () => list({});
    await button(sidebar, /^Orders/).click();
    await button(sidebar, /^Stop waiting/).click();
    await says(sidebar, 'so you’ll still be charged up to 12,400 credits');
    sidebar.answers.bulkRequests = () =>
      list({ state: 'ready', ended_at, credits: { ...request.credits, reserved: 0, charged: 12_400 } });
    await tab(sidebar, 'Search').click();
    await tab(sidebar, 'Bulk').click();
    await says(sidebar, '12,400 credits');
    await eventually(() => sidebar.page.getByText('still be charged').count()).toBe(0);
  });
});
