// The tab Activity: connection, alerts, credits; reports of runs and confirmations.
import { describe, expect, it } from 'vitest';
import { eventually } from './browser.ts';
import { activity, answers, disconnected, NOW, status, table } from './sidebar-answers.ts';
import { setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);

const at = (tab: typeof status.tab) => ({ status: () => ({ ...status, tab }) });

describe('connection', () => {
  it('connects with a link after showing the terms', async () => {
    const sidebar = await open({ status: () => disconnected });
    await sidebar.shows('Connect to your team');
    await sidebar.shows('don’t sell it, publish it or pass copies on');
    await sidebar.field('Connection link').fill(' https://gateway.example/connect#token ');
    await sidebar.button('Connect').click();
    await sidebar.shows('20 rows cost');
    await eventually(() => sidebar.sent('connect')).toEqual([
      { link: 'https://gateway.example/connect#token', for: 'sheet' },
    ]);
  });

  it('offers the company’s connection where somebody disconnected the spreadsheet', async () => {
    const sidebar = await open({ status: () => ({ ...disconnected, hasCompanyConnection: true }) });
    await sidebar.shows('This spreadsheet was disconnected.');
    await sidebar.button('Use your company’s connection').click();
    await sidebar.shows('20 rows cost');
    await eventually(() => sidebar.sent('connectCompany')).toEqual([{}]);
  });

  it('offers nothing while the company’s connection fails, and says why', async () => {
    const failure = { message: 'This token was revoked. Ask your admin.' };
    const sidebar = await open({ status: () => ({ ...disconnected, hasCompanyConnection: true, failure }) });
    await sidebar.shows(failure.message);
    await eventually(() => sidebar.page.getByText('Use your company’s connection').count()).toBe(0);
    await sidebar.field('Connection link').waitFor();
  });

  it.each([
    ['company', true, 'You use your company’s connection.'],
    ['me', true, 'To use your company’s instead, disconnect first.'],
    [
      'sheet',
      true,
      'You use this spreadsheet’s own connection. To use your company’s instead, disconnect first.',
    ],
    ['sheet', false, 'You use this spreadsheet’s own connection.'],
  ] as const)(
    'of %s (company: %s) is named under Activity',
    async (source, hasCompanyConnection, sentence) => {
      const connection = status.connection && { ...status.connection, for: source };
      const sidebar = await open({
        status: () => ({ ...status, tab: 'activity', connection, hasCompanyConnection }),
      });
      await sidebar.shows(sentence);
    },
  );
});

describe('alerts', () => {
  it('show the recipient, events and last delivery', async () => {
    const sidebar = await open(at('activity'), { now: NOW });
    await sidebar.shows('hooks.chat.example');
    await sidebar.shows('Failures · Budget limits (80% and 100%)');
    await sidebar.shows('Last alert sent 2 days ago');
  });

  it('are explained and have no form if the connection may not manage them', async () => {
    const connection = status.connection && {
      ...status.connection,
      scopes: { families: ['job_base' as const], operations: null },
    };
    const sidebar = await open({ status: () => ({ ...status, connection, tab: 'activity' }) });
    await sidebar.shows('Your connection can’t see or change your team’s alerts. Ask your admin');
    await eventually(() => sidebar.page.getByText('Add a webhook').count()).toBe(0);
    expect(sidebar.sent('alerts')).toEqual([]);
  });

  it('are added with their events; the address is not shown again', async () => {
    const sidebar = await open(at('activity'));
    await sidebar.page.getByText('Add a webhook').click();
    await sidebar.field('Webhook link').fill(' https://chat.example/secret ');
    await sidebar.page.getByLabel('New rows').click();
    await sidebar.button('Add webhook').click();
    await sidebar.shows('chat.example');
    await eventually(() => sidebar.field('Webhook link').inputValue()).toBe('');
    await eventually(() => sidebar.sent('addAlert')).toEqual([
      { url: 'https://chat.example/secret', on: ['failure', 'budget', 'summary'] },
    ]);
  });
});

describe('credits', () => {
  it('are drawn by day with a description, and listed by source, connection and kind of record', async () => {
    const sidebar = await open(at('activity'), { now: NOW });
    await sidebar.page
      .getByRole('img', {
        name: 'Last 30 days: 1,840 credits spent, 2,210 reused. Most on 20 Nov: 460 credits.',
      })
      .waitFor();
    await eventually(() => sidebar.page.locator('.chart g').count()).toBe(activity.usage?.days.length);
    await sidebar.page.getByText('By source, connection and kind').click();
    const items = sidebar.page.getByRole('listitem');
    expect((await items.allTextContents()).slice(0, 6)).toEqual([
      'Runs900 credits spent, 1,400 reused',
      'Formulas400 credits spent, 800 reused',
      'Bulk orders300 credits spent, 0 reused',
      'Schedules and filling70 credits spent, 10 reused',
      'Other10 credits spent, 0 reused',
      'Calls in the last minute160 credits spent, 0 reused',
    ]);
    await items
      .filter({ hasText: 'ana@example.com' })
      .getByText('1,180 credits spent, 1,210 reused')
      .waitFor();
    await items
      .filter({ hasText: 'Others and calls in the last minute' })
      .first()
      .getByText('160 credits spent, 0 reused')
      .waitFor();
    await sidebar.shows('counted at each use: about 64% of the price of all data used this month.');
    await items.filter({ hasText: 'People, standard' }).getByText('280 credits spent').waitFor();
  });

  it('of today are the same in the meter, the chart and the sum of their shares; formulas have a line', async () => {
    const sidebar = await open(at('activity'), { now: NOW });
    await sidebar.shows('460 of 500 credits');
    await eventually(() => sidebar.page.locator('.chart g:last-child title').textContent()).toBe(
      '22 Nov: 460 credits spent, 30 reused',
    );
    await sidebar.shows(
      '460 credits spent today (UTC): Runs 200, Formulas 100, Calls in the last minute 160.',
    );
    const lines = sidebar.page.getByRole('region', { name: 'Your team’s recent runs' }).getByRole('listitem');
    await eventually(() => lines.allTextContents()).toEqual([
      'Formulas100 credits spent, 30 reused · today',
      'Calls in the last minute160 credits spent, 0 reused · today',
      expect.stringMatching(
        /^Companies: software103 rows: 100 found, 3 without a result · 50 credits spent, 10 reused · stopped/,
      ),
    ]);
    sidebar.answers.activity = () => ({
      ...activity,
      today: [
        { source: 'table', spent: 200, saved: 0 },
        { source: 'formula', spent: 260, saved: 30 },
      ],
    });
    await sidebar.page.clock.runFor(20_000);
    await sidebar.shows('460 credits spent today (UTC): Runs 200, Formulas 260.');
    await sidebar.page.clock.runFor(60_000);
    expect(sidebar.sent('activity')).toHaveLength(2);
  });

  it('show what is reserved, so that the amounts add up to the budget', async () => {
    const sidebar = await open(
      { ...at('activity'), activity: () => ({ ...activity, remaining: 20, reserved: 20 }) },
      { now: NOW },
    );
    await sidebar.shows('460 of 500 credits');
    await sidebar.shows('Reserved for open orders and calls');
    const facts = await sidebar.page.locator('.facts').first().textContent();
    expect(facts).toBe('Left20Reserved20Reused this month2,200');
  });

  it('that the gateway can’t report now have no chart', async () => {
    const { usage: _, ...others } = activity;
    const sidebar = await open(
      { ...at('activity'), activity: () => ({ ...others, today: [] }) },
      { now: NOW },
    );
    await sidebar.shows('Your team’s recent runs');
    await eventually(() => sidebar.page.locator('.chart').count()).toBe(0);
  });
});

describe('the report of a run', () => {
  it('goes away, and Undo stays in the history', async () => {
    const sidebar = await open(undefined, { stopped: true });
    await sidebar.page.clock.runFor(1000);
    await sidebar.button(/^Write 20 rows/).click();
    await sidebar.shows('100 of 100');
    await sidebar.page.clock.runFor(31_000);
    await sidebar.shows('100 of 100');
    await sidebar.page.mouse.move(-1, -1);
    await sidebar.page.clock.runFor(31_000);
    await sidebar.page.getByText('100 of 100').waitFor({ state: 'detached' });
    await sidebar.tab('Activity').click();
    await sidebar.button('Undo Companies: software').click();
    await sidebar.shows(/^Undone/);
    await eventually(() => sidebar.sent('undo')).toEqual([{ runId: '1' }]);
  });
});

describe('a confirmation', () => {
  it.each([
    ['Stop tracking Companies: software', 'tables', 'Stop tracking', 'forgetTable', { id: 'one' }],
    ['Disconnect', 'activity', 'Disconnect', 'disconnect', { for: 'sheet' }],
    ['Remove hooks.chat.example', 'activity', 'Stop alerts', 'removeAlert', { id: 'alert' }],
  ] as const)('precedes %s', async (name, tab, confirmation, method, payload) => {
    const sidebar = await open({ ...at(tab), tables: () => [table] });
    if (tab === 'tables') await sidebar.page.locator('summary', { hasText: 'More' }).click();
    await sidebar.button(name).click();
    expect(sidebar.sent(method)).toEqual([]);
    await sidebar.confirm(confirmation);
    await eventually(() => sidebar.sent(method)).toEqual([payload]);
  });
});
