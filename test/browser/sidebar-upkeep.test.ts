// The sidebar's tables that refresh by themselves, and whom the gateway tells.
import { describe, expect, it } from 'vitest';
import type { Sidebar } from './sidebar.ts';
import { status, table } from './sidebar-answers.ts';
import { ACCOUNT, autoRefresh, stoppedAutoRefresh } from './sidebar-bulk-answers.ts';
import { button, field, says, sidebars } from './sidebar-desk.ts';

const open = sidebars();

describe('a table that refreshes by itself', () => {
  const opened = async (changed: Parameters<typeof open>[0] = {}): Promise<Sidebar> => {
    const sidebar = await open({
      status: () => ({ ...status, tab: 'tables' }),
      tables: () => [table],
      ...changed,
    });
    await button(sidebar, 'Schedule Companies: software').click();
    return sidebar;
  };

  it('says what a month can cost while someone types, and is switched on with that', async () => {
    const sidebar = await opened({ autoRefresh: () => ({ ...autoRefresh, schedule: null }) });
    await says(sidebar, 'Up to 3,100 credits per month.');
    await field(sidebar, 'Maximum credits per run').fill('20');
    await sidebar.page.getByLabel('Automatic refresh (new and changed rows)').selectOption('hour');
    await says(sidebar, 'Up to 14,880 credits per month.');
    await button(sidebar, 'Turn on schedule').click();
    await says(sidebar, /^The schedule is on\. Next run in/);
    expect(sidebar.sent('setAutoRefresh')).toEqual([
      { tableId: 'one', schedule: { every: 'hour', max_credits: 20, paused: false }, push: false },
    ]);
  });

  it('says when it runs next, what the last run brought, and what the month has cost', async () => {
    const sidebar = await opened();
    await says(sidebar, /^Last run .*: 12 rows · 20 credits$/);
    await says(sidebar, '120 of 930 credits spent this month');
  });

  it('is paused, goes on, and is switched off', async () => {
    const sidebar = await opened();
    await button(sidebar, 'Pause schedule').click();
    await says(sidebar, 'The schedule is paused.');
    await button(sidebar, 'Resume schedule').click();
    await says(sidebar, /^The schedule is on\. Next run in/);
    await button(sidebar, 'Turn off schedule').click();
    await button(sidebar, 'Turn on schedule').waitFor();
    expect(sidebar.sent('setAutoRefresh').map((sent) => sent.schedule?.paused)).toEqual([
      true,
      false,
      undefined,
    ]);
  });

  it('that has stopped says why and what to do, and starts again', async () => {
    const sidebar = await opened({ autoRefresh: () => stoppedAutoRefresh });
    await says(sidebar, 'The schedule has stopped.');
    await says(sidebar, 'A run would have cost 80 credits, and may cost 30. Allow more credits a run');
    await says(sidebar, 'The spreadsheet is not shared with the service account.');
    expect(await field(sidebar, 'Share the spreadsheet with this editor').inputValue()).toBe(ACCOUNT);
    await field(sidebar, 'Maximum credits per run').fill('100');
    await button(sidebar, 'Restart schedule').click();
    await says(sidebar, /^The schedule is on\. Next run in/);
    expect(sidebar.sent('setAutoRefresh')).toEqual([
      { tableId: 'one', schedule: { every: 'day', max_credits: 100, paused: false }, push: true },
    ]);
  });
});

describe('alerts', () => {
  const atActivity = { status: () => ({ ...status, tab: 'activity' as const }) };

  it('say whom they reach, of what, and whether they did', async () => {
    const sidebar = await open(atActivity, { now: new Date('2026-11-22T12:00:00Z') });
    await says(sidebar, 'hooks.chat.example');
    await says(sidebar, 'Failures · Budget limits (80% and 100%)');
    await says(sidebar, 'Last alert sent 2 days ago');
  });

  it('are added with what they hear of, and the address is seen no more', async () => {
    const sidebar = await open(atActivity);
    await sidebar.page.getByText('Add a webhook').click();
    await field(sidebar, 'Webhook link').fill(' https://chat.example/secret ');
    await sidebar.page.getByLabel('New rows').click();
    await button(sidebar, 'Add webhook').click();
    await says(sidebar, 'chat.example');
    expect(await field(sidebar, 'Webhook link').inputValue()).toBe('');
    expect(sidebar.sent('addAlert')).toEqual([
      { url: 'https://chat.example/secret', on: ['failure', 'budget'] },
    ]);
  });

  it('are removed only after asking', async () => {
    const sidebar = await open(atActivity);
    await button(sidebar, 'Remove hooks.chat.example').click();
    expect(sidebar.sent('removeAlert')).toEqual([]);
    await sidebar.page.getByRole('alertdialog').getByRole('button', { name: 'Stop alerts' }).click();
    await says(sidebar, /^No alerts yet/);
    expect(sidebar.sent('removeAlert')).toEqual([{ id: 'alert' }]);
  });
});
