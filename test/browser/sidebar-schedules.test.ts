// Schedules of tables and of kept columns: prices, times, stops, and who takes them over.
import { describe, expect, it } from 'vitest';
import type { Table } from '../../addon/server/api/index.ts';
import { eventually } from './browser.ts';
import { answers, lookedUp, status, table, withRecords } from './sidebar-answers.ts';
import { ACCOUNT, autoRefresh, orphanedAutoRefresh, stoppedAutoRefresh } from './sidebar-bulk-answers.ts';
import { type CannedSidebar, setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);

const at = (tab: typeof status.tab) => ({ status: () => ({ ...status, tab }) });

it('a kept column refreshes old values at a weekday and hour; the highest price is shown before', async () => {
  const last = { at: '2026-11-21T15:30:00Z', rows: 2, changes: 5, credits: 80 };
  const filling = { state: 'on', month_spent: 120, last } as const;
  const sidebar = await open({ ...at('tables'), tables: () => [{ ...lookedUp, frozen: false, filling }] });
  await sidebar.button('Keep filled Website').click();
  await sidebar.shows('2 rows filled, 5 values changed · 80 credits');
  const { page } = sidebar;
  await eventually(() => page.getByLabel('Also refresh values').inputValue()).toBe('30');
  await page.getByLabel('Also refresh values').selectOption('Older than 90 days');
  await sidebar.shows(
    '1,200 records in this table: at most 12,000 credits every 90 days, and never more than 1,000 credits a month.',
  );
  await page.getByLabel('Check the closed sheet').selectOption('week');
  await page.getByLabel('Weekday').selectOption('Friday');
  await page.getByLabel('Hour (your time)').selectOption('9:00');
  await sidebar.button('Save').click();
  await eventually(() => sidebar.sent('setAutoEnrich')).toMatchObject([
    { settings: { closed: true, every: 'week', refresh_days: 90, month_credits: 1000 } },
  ]);
  const time = new Date(sidebar.sent('setAutoEnrich')[0]?.settings?.at ?? '');
  expect([time.getDay(), time.getHours(), time.getMinutes()]).toEqual([5, 9, 0]);
  await page.getByLabel('Update the sheet while it is closed').uncheck();
  await sidebar.shows('To refresh old values on a schedule, turn on “Update the sheet while it is closed”.');
});

describe('a schedule', () => {
  const openSchedule = async (changed: Parameters<typeof open>[0] = {}): Promise<CannedSidebar> => {
    const sidebar = await open({ ...at('tables'), tables: () => [table], ...changed });
    await sidebar.button('Schedule Companies: software').click();
    return sidebar;
  };

  it('shows the maximum monthly cost before it is turned on', async () => {
    const sidebar = await openSchedule({ autoRefresh: () => ({ ...autoRefresh, schedule: null }) });
    await sidebar.shows('No run costs more than this limit, and no month more than 3,100 credits (31 runs).');
    await sidebar.field('Maximum credits per run').fill('20');
    await sidebar.page.getByLabel('Automatic refresh (new and changed rows)').selectOption('hour');
    await sidebar.shows('no month more than 14,880 credits (744 runs).');
    await eventually(() => sidebar.page.getByText(/^Refresh: at most/).count()).toBe(0);
    await sidebar.button('Turn on schedule').click();
    await sidebar.shows(/^The schedule is on\. Next run in/);
    await eventually(() => sidebar.sent('setAutoRefresh')).toEqual([
      { tableId: 'one', schedule: { every: 'hour', max_credits: 20, paused: false }, push: false },
    ]);
  });

  it('says beside the maximum which rows and columns a run leaves out', async () => {
    const sidebar = await openSchedule({
      tables: () => [{ ...withRecords, title: table.title, rows: 100 }],
      autoRefresh: () => ({ ...autoRefresh, schedule: null }),
    });
    await sidebar.shows(
      /^A run now costs at most 50 credits, if all 100 rows have changed\..+ Columns of full records keep their values\.$/,
    );
    await sidebar.field('Maximum credits per run').fill('20');
    await sidebar.shows(
      /^If all 100 rows have changed, a run would cost 50 credits: more than this limit, so it buys nothing\./,
    );
  });

  it('runs at the chosen weekday and hour', async () => {
    const sidebar = await openSchedule({ autoRefresh: () => ({ ...autoRefresh, schedule: null }) });
    const hour = sidebar.page.getByLabel('Hour (your time)');
    await eventually(() => hour.inputValue()).toBe('7');
    await sidebar.page.getByLabel('Automatic refresh (new and changed rows)').selectOption('week');
    await sidebar.page.getByLabel('Weekday').selectOption('Friday');
    await hour.selectOption('9:00');
    await sidebar.button('Turn on schedule').click();
    await sidebar.shows(/^The schedule is on\. Next run in/);
    const [sent] = sidebar.sent('setAutoRefresh');
    const at = new Date(sent?.schedule?.at ?? '');
    expect([at.getDay(), at.getHours(), at.getMinutes()]).toEqual([5, 9, 0]);
  });

  it('shows its last run and spending; it can be paused, resumed and turned off', async () => {
    const sidebar = await openSchedule();
    await sidebar.shows(/^Last run .*: 12 rows · 20 credits$/);
    await sidebar.shows('120 of 930 credits spent this month');
    await sidebar.button('Pause schedule').click();
    await sidebar.shows('The schedule is paused.');
    await sidebar.button('Resume schedule').click();
    await sidebar.shows(/^The schedule is on\. Next run in/);
    await sidebar.button('Turn off schedule').click();
    await sidebar.button('Turn on schedule').waitFor();
    const paused = sidebar.sent('setAutoRefresh').map(({ schedule }) => schedule?.paused);
    expect(paused).toEqual([true, false, undefined]);
  });

  it('explains why it has stopped and can be restarted', async () => {
    const sidebar = await openSchedule({ autoRefresh: () => stoppedAutoRefresh });
    await sidebar.shows('The schedule has stopped.');
    await sidebar.shows('A run would have cost 80 credits, and may cost 30. Allow more credits a run');
    await sidebar.shows('The spreadsheet is not shared with the service account.');
    await eventually(() => sidebar.field('Share the spreadsheet with this editor').inputValue()).toBe(
      ACCOUNT,
    );
    await sidebar.field('Maximum credits per run').fill('100');
    await sidebar.button('Restart schedule').click();
    await sidebar.shows(/^The schedule is on\. Next run in/);
    await eventually(() => sidebar.sent('setAutoRefresh')).toEqual([
      {
        tableId: 'one',
        schedule: { every: 'day', max_credits: 100, paused: false, at: expect.any(String) },
        push: true,
      },
    ]);
  });

  it('whose token was revoked says so and can be taken over', async () => {
    const sidebar = await openSchedule({ autoRefresh: () => orphanedAutoRefresh });
    await sidebar.shows('The schedule has stopped.');
    await sidebar.shows('The connection that pays for this schedule has ended');
    await sidebar.button('Take over schedule').click();
    await sidebar.shows(/^The schedule is on\. Next run in/);
    await eventually(() => sidebar.sent('setAutoRefresh')).toEqual([
      {
        tableId: 'one',
        schedule: { every: 'day', max_credits: 30, paused: false, at: '2026-11-21T15:30:00.000Z' },
        push: true,
      },
    ]);
  });
});

it('a closed sheet whose updates ended with their token is taken over without a schedule', async () => {
  const tables = (): Table[] => [{ ...table, pushStopped: true }];
  const sidebar = await open({
    ...at('tables'),
    tables,
    autoRefresh: () => ({ ...orphanedAutoRefresh, schedule: null }),
  });
  await sidebar.shows('Updates stopped');
  await sidebar.button('Schedule Companies: software').click();
  await sidebar.shows('The connection that updates this table while its sheet is closed has ended');
  await sidebar.button('Take over updates').click();
  await eventually(() => sidebar.sent('setAutoRefresh')).toEqual([
    { tableId: 'one', schedule: null, push: true },
  ]);
});
