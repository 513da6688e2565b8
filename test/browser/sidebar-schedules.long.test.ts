// Schedules of tables and of kept columns: prices, times, stops, and who takes them over.
import { describe, expect, it } from 'vitest';
import type { AutoRefresh } from '../../addon/server/api/index.ts';
import { createProblemSummary } from '../../shared/problems.ts';
import {
  createEnrichOrder,
  createList,
  runEnrichment,
  runSearch,
  searchColumns,
} from '../addon/server/orders.ts';
import { gateway, type Sidebar as Server } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'tables' });

const ACCOUNT = 'sheets@gateway.example';
const YESTERDAY = '2026-11-21T15:30:00.000Z';

/** Returns weekday, hour and minute in the time zone of the page. */
const readTime = (text = ''): number[] => {
  const time = new Date(text);
  return [time.getDay(), time.getHours(), time.getMinutes()];
};

/** Writes a search that has a daily schedule. */
async function schedule(server: Server, push = false): Promise<AutoRefresh> {
  const { tableId } = await runSearch(server);
  const daily = { every: 'day', max_credits: 30, paused: false, at: YESTERDAY } as const;
  return server.callOk('setAutoRefresh', { tableId, schedule: daily, push });
}

it('a kept column refreshes old values at a weekday and hour; the highest price is shown before', async () => {
  gateway.lists.pushAccount = ACCOUNT;
  const settings = { every: 'day', max_credits: 100, month_credits: 1000, paused: false } as const;
  const sidebar = await open({
    workbook: createList(Array.from({ length: 120 }, (_, at) => `company-${at}.example`)),
    before: async (server) => {
      const { tableId } = await runEnrichment(server, createEnrichOrder());
      const kept = { ...settings, push: true, refresh_days: 30 };
      await server.callOk('setEnrichment', { tableId, settings: kept });
      gateway.lists.enrichments.change({ last: { at: YESTERDAY, rows: 2, changes: 5, credits: 80 } });
    },
  });
  await sidebar.button(/^Keep filled Company data/).click();
  await sidebar.shows('2 rows filled, 5 values changed · 80 credits');
  const { page } = sidebar;
  await eventually(() => page.getByLabel('Also refresh values').inputValue()).toBe('30');
  await page.getByLabel('Also refresh values').selectOption('Older than 90 days');
  await sidebar.shows(
    '120 records in this table: at most 1,200 credits every 90 days, and never more than 1,000 credits a month.',
  );
  await page.getByLabel('Check the closed sheet').selectOption('week');
  await page.getByLabel('Weekday').selectOption('Friday');
  await page.getByLabel('Hour (your time)').selectOption('9:00');
  await sidebar.button('Save').click();
  await sidebar.shows('Saved. New rows are filled within half a minute.');
  const [kept] = gateway.lists.enrichments.items;
  expect(kept).toMatchObject({ ...settings, push: true, every: 'week', refresh_days: 90 });
  expect(readTime(kept?.next_at ?? '')).toEqual([5, 9, 0]);
  await page.getByLabel('Update the sheet while it is closed').uncheck();
  await sidebar.shows('To refresh old values on a schedule, turn on “Update the sheet while it is closed”.');
});

it('a table that the gateway writes to is opened for assistants without a schedule', async () => {
  gateway.lists.pushAccount = ACCOUNT;
  const sidebar = await open({
    before: async (server) => {
      const { tableId } = await runSearch(server);
      await server.callOk('setAutoRefresh', { tableId, schedule: null, push: true });
    },
  });
  await sidebar.button('Schedule Companies').click();
  await sidebar.page.getByLabel('Let assistants append rows').check();
  await sidebar.button('Save without schedule').click();
  await eventually(() => [...gateway.lists.reports.values()]).toEqual([
    { changes: false, snapshots: 0, assistants: true },
  ]);
  expect(gateway.lists.schedules.items).toEqual([]);
});

describe('a schedule', () => {
  it('shows before it is turned on what it costs, leaves out and buys at which time', async () => {
    const sidebar = await open({
      before: (server) => runSearch(server, { columns: [...searchColumns, 'founded'] }),
    });
    const { page } = sidebar;
    await sidebar.button('Schedule Companies').click();
    await sidebar.shows(
      'A run now costs at most 20 credits, if all 40 rows have changed. No run costs more than this limit, and no month more than 3,100 credits (31 runs). Columns of full records keep their values.',
    );
    await eventually(() => page.getByText(/^Refresh: at most/).count()).toBe(0);
    await eventually(() => page.getByLabel('Hour (your time)').inputValue()).toBe('7');
    await page.getByLabel('Automatic refresh (new and changed rows)').selectOption('hour');
    await sidebar.field('Maximum credits per run').fill('19');
    await sidebar.shows(
      /^If all 40 rows have changed, a run would cost 20 credits: more than this limit, so it buys nothing\./,
    );
    await sidebar.shows('no month more than 14,136 credits (744 runs).');
    await sidebar.button('Turn on schedule').click();
    await sidebar.shows('The schedule is on. Next run in 1 hour.');
    expect(gateway.lists.schedules.items).toMatchObject([{ every: 'hour', max_credits: 19, state: 'on' }]);
    await page.getByLabel('Automatic refresh (new and changed rows)').selectOption('week');
    await page.getByLabel('Weekday').selectOption('Friday');
    await page.getByLabel('Hour (your time)').selectOption('9:00');
    await sidebar.button('Save').click();
    await eventually(() => readTime(gateway.lists.schedules.items[0]?.next_at ?? '')).toEqual([5, 9, 0]);
  });

  it('shows its last run and spending; it can be paused, resumed and turned off', async () => {
    const sidebar = await open({
      before: async (server) => {
        await schedule(server);
        const last = { id: 'run', at: YESTERDAY, state: 'done', rows: 12, credits: 20 } as const;
        gateway.lists.schedules.change({ last, month: { max_credits: 930, spent: 120 } });
      },
    });
    await sidebar.button('Schedule Companies').click();
    await sidebar.shows(/^Last run .*: 12 rows · 20 credits$/);
    await sidebar.shows('120 of 930 credits spent this month');
    await sidebar.button('Pause').click();
    await sidebar.shows('The schedule is paused.');
    await sidebar.button('Resume').click();
    await sidebar.shows(/^The schedule is on\. Next run in/);
    await sidebar.button('Turn off').click();
    await sidebar.button('Turn on schedule').waitFor();
    expect(gateway.lists.schedules.items).toEqual([]);
  });

  it('that has stopped says why, and is restarted or, after its token was revoked, taken over', async () => {
    gateway.lists.pushAccount = ACCOUNT;
    const sidebar = await open({ before: (server) => schedule(server, true) });
    const { lists } = gateway;
    const section = sidebar.button('Schedule Companies');
    const stopped = { state: 'stopped', next_at: null } as const;
    await sidebar.settle();
    const expensive = 'A run would have cost 80 credits, and may cost 30.';
    const exceeded = createProblemSummary('max_credits_reached', expensive, 'Allow more credits a run.');
    lists.schedules.change({ ...stopped, problem: exceeded });
    const unshared = 'The spreadsheet is not shared with the service account.';
    const problem = createProblemSummary('sheet_not_shared', unshared);
    lists.tables.change({ last_push: { state: 'failed', at: YESTERDAY, rows: 0, problem } });
    await section.click();
    await sidebar.shows('The schedule has stopped.');
    await sidebar.shows(`${expensive} Allow more credits a run.`);
    await sidebar.shows(unshared);
    const account = sidebar.field('Share the spreadsheet with this editor');
    await eventually(() => account.inputValue()).toBe(ACCOUNT);
    await sidebar.field('Maximum credits per run').fill('100');
    await sidebar.button('Restart schedule').click();
    await sidebar.shows(/^The schedule is on\. Next run in/);
    expect(lists.schedules.items).toMatchObject([{ every: 'day', max_credits: 100, state: 'on' }]);

    await section.click();
    await sidebar.settle();
    const ended = 'The connection that pays for it has ended.';
    const push_problem = createProblemSummary('unauthorised', 'The connection that updates it has ended.');
    lists.tables.change({ push_problem });
    lists.schedules.change({ ...stopped, problem: createProblemSummary('unauthorised', ended) });
    await section.click();
    await sidebar.shows(ended);
    await sidebar.button('Take over schedule').click();
    await sidebar.shows(/^The schedule is on\. Next run in/);
    expect(sidebar.sent('setAutoRefresh').at(-1)).toMatchObject({
      push: true,
      schedule: { every: 'day', max_credits: 100, paused: false },
    });

    await sidebar.button('Turn off').click();
    await sidebar.button('Turn on schedule').waitFor();
    await sidebar.settle();
    lists.tables.change({ push_problem });
    const again = await open({ server: sidebar.server });
    await again.shows('Updates stopped');
    await again.button('Schedule Companies').click();
    await again.shows('The connection that updates it has ended.');
    await again.button('Take over updates').click();
    await eventually(() => again.page.getByText('Updates stopped').count()).toBe(0);
    expect(lists.tables.items).toMatchObject([{ push: true }]);
    expect(lists.schedules.items).toEqual([]);
  });
});
