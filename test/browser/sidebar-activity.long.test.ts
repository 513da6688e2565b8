// The tab Activity: connection, alerts, credits and the history of runs.
import { describe, expect, inject, it } from 'vitest';
import type { UsageResponse } from '../../shared/api/usage.ts';
import { companyDomainProperty, companyProperty } from '../../shared/connection.ts';
import { createList, createSearchOrder, runEnrichment } from '../addon/server/orders.ts';
import { gateway, startRun } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { type ServedSidebar, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'activity' });

const session = inject('session');
const link = `${session.url}/connect#${session.team_token}`;
/** The properties of a spreadsheet that only its company connects. */
const ofCompany = { script: { [companyProperty]: link, [companyDomainProperty]: '*' }, document: {} };

const connect = async (sidebar: ServedSidebar, people?: string): Promise<void> => {
  await sidebar.field('Connection link').fill(` ${link} `);
  if (people !== undefined) await sidebar.page.getByLabel(people).click();
  await sidebar.page.getByRole('button', { name: 'Connect', exact: true }).click();
};

describe('connection', () => {
  it('is made with a link after showing the terms, and ended after a question', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sidebar = await open({
      ...{ tab: 'search', properties: { document: {} } },
      changes: { laterTabs: (script) => promise.then(() => script) },
    });
    // A form would be replaced with the typed text.
    await sidebar.page.getByRole('status', { name: 'Loading the tab' }).waitFor();
    expect(await sidebar.field('Connection link').count()).toBe(0);
    resolve();
    await sidebar.shows('Connect to your team');
    await sidebar.shows('don’t sell it, publish it or pass copies on');
    await connect(sidebar);
    await sidebar.shows('20 rows cost');
    expect(sidebar.sent('connect')).toEqual([{ link, for: 'sheet' }]);
    await sidebar.tab('Activity').click();
    await sidebar.page.getByText('You use this spreadsheet’s own connection.', { exact: true }).waitFor();
    await sidebar.button('Disconnect').click();
    expect(sidebar.sent('disconnect')).toEqual([]);
    await sidebar.confirm('Disconnect');
    await eventually(() => sidebar.page.getByText('Your team’s credits').count()).toBe(0);
    await sidebar.field('Connection link').waitFor();
    expect(sidebar.sent('disconnect')).toEqual([{ for: 'sheet' }]);
  });

  it('of the company, a person or the spreadsheet is named, with how to use the company’s', async () => {
    const sidebar = await open({ properties: ofCompany });
    await sidebar.shows('You use your company’s connection.');
    await sidebar.page.getByText('Use another connection link').click();
    await connect(sidebar, 'Only me');
    await sidebar.shows('You use your own connection, in the sidebar only. To use your company’s instead');
    await connect(sidebar, 'Everyone in this spreadsheet');
    await sidebar.shows('You use this spreadsheet’s own connection. To use your company’s instead');
  });

  it('of the company is offered where somebody disconnected the spreadsheet, but not while it fails', async () => {
    const sidebar = await open({
      properties: ofCompany,
      before: (server) => server.callOk('disconnect', { for: 'company' }),
    });
    await sidebar.shows('This spreadsheet was disconnected.');
    await sidebar.button('Use your company’s connection').click();
    await sidebar.shows('Your team’s credits');
    await sidebar.settle();
    gateway.refuse('GET me', 'unauthorised', 'This token was revoked.');
    const failing = await open({ server: sidebar.server });
    await failing.shows(/This token was revoked\./);
    await eventually(() => failing.page.getByText('Use your company’s connection').count()).toBe(0);
    await failing.field('Connection link').waitFor();
  });
});

it('an assistant is connected with a code that is created on demand', async () => {
  const sidebar = await open();
  await sidebar.page.getByText('Connect an assistant').click();
  expect(sidebar.sent('assistantCode')).toEqual([]);
  await sidebar.button('Create a code').click();
  await sidebar.shows('Address: https://gateway.example/mcp');
  await sidebar.shows('a-code');
});

describe('alerts', () => {
  it('are added with their events, tested, and removed after a question; the address is not shown again', async () => {
    const at = '2026-11-20T11:00:00Z';
    gateway.lists.alerts.items = [
      {
        ...{ id: '00000000-0000-4000-8000-000000000001', host: 'hooks.chat.example', created_at: at },
        ...{ on: ['failure', 'budget'], budget_percents: [50, 100] },
        last: { at, delivered: false, error: 'The receiver answered 404.' },
      },
    ];
    const sidebar = await open();
    await sidebar.shows('hooks.chat.example');
    await sidebar.shows('Failures · Budget limits (50% and 100%)');
    await sidebar.shows('Last alert failed 2 days ago: The receiver answered 404.');
    await sidebar.page.getByText('Add a webhook').click();
    await sidebar.field('Webhook link').fill(' https://chat.example/secret ');
    await sidebar.page.getByLabel('New rows').click();
    await sidebar.button('Add webhook').click();
    await sidebar.shows('No alert sent yet');
    expect(sidebar.sent('addAlert')).toEqual([
      { url: 'https://chat.example/secret', on: ['failure', 'budget', 'summary'] },
    ]);
    await eventually(() => sidebar.field('Webhook link').inputValue()).toBe('');
    await sidebar.button('Send test to chat.example').click();
    await sidebar.shows('Last alert sent just now');
    await sidebar.button('Remove hooks.chat.example').click();
    expect(sidebar.sent('removeAlert')).toEqual([]);
    await sidebar.confirm('Stop alerts');
    await eventually(() => sidebar.page.getByText('hooks.chat.example').count()).toBe(0);
    expect(gateway.lists.alerts.items).toMatchObject([{ host: 'chat.example' }]);
    // The gateway reports no usage now.
    await sidebar.shows('No runs yet.');
    expect(await sidebar.page.locator('.chart').count()).toBe(0);
  });

  it('are explained and have no form if the connection may not manage them', async () => {
    gateway.account = { ...gateway.account, scopes: { families: ['job_base'], operations: null } };
    const sidebar = await open();
    await sidebar.shows('Your connection can’t see or change your team’s alerts. Ask your admin');
    await eventually(() => sidebar.page.getByText('Add a webhook').count()).toBe(0);
    expect(sidebar.sent('alerts')).toEqual([]);
  });
});

/** A report that lacks 160 credits of the last minute. */
const usage: UsageResponse = {
  ...{ from: '2026-10-24', to: '2026-11-22', total: { spent: 1680, saved: 2210 } },
  days: [
    { day: '2026-11-03', spent: 920, saved: 2060 },
    { day: '2026-11-20', spent: 460, saved: 120 },
    { day: '2026-11-22', spent: 300, saved: 30 },
  ],
  families: [
    { family: 'company_clean', spent: 1400, saved: 2000 },
    { family: 'employee_clean', spent: 280, saved: 210 },
  ],
  sources: [
    { source: 'table', spent: 900, saved: 1400 },
    { source: 'formula', spent: 400, saved: 800 },
    { source: 'bulk', spent: 300, saved: 0 },
    { source: 'schedule', spent: 70, saved: 10 },
    { source: 'other', spent: 10, saved: 0 },
  ],
  today: [
    { source: 'table', spent: 200, saved: 0 },
    { source: 'formula', spent: 100, saved: 30 },
  ],
  people: [
    { name: 'ana@example.com', spent: 1180, saved: 1210 },
    { name: 'Sheet of the sales team', spent: 500, saved: 1000 },
  ],
};

it('credits add up in the meter, the chart and their shares; those of late calls are read again', async () => {
  gateway.account = {
    ...{ ...gateway.account, remaining: 20, reserved: 20 },
    ...{ spent: { day: 460, month: 1200 }, saved: { day: 30, month: 2200 } },
  };
  gateway.answer('GET usage', () => usage);
  const sidebar = await open({ stopped: true });
  const { page } = sidebar;
  await sidebar.shows('460 of 500 credits');
  await sidebar.shows('Reserved for open orders and calls');
  const facts = await page.locator('.facts').first().textContent();
  expect(facts).toBe('Left20Reserved20Reused this month2,200');
  await sidebar.shows('counted at each use: about 65% of the price of all data used this month.');
  await page
    .getByRole('img', {
      name: 'Last 30 days: 1,840 credits spent, 2,210 reused. Most on 3 Nov: 920 credits.',
    })
    .waitFor();
  await eventually(() => page.locator('.chart g title').allTextContents()).toEqual([
    '3 Nov: 920 credits spent, 2,060 reused',
    '20 Nov: 460 credits spent, 120 reused',
    '22 Nov: 460 credits spent, 30 reused',
  ]);
  await sidebar.shows('460 credits spent today (UTC): Runs 200, Formulas 100, Calls in the last minute 160.');
  const runs = page.getByRole('region', { name: 'Your team’s recent runs' }).getByRole('listitem');
  await eventually(() => runs.allTextContents()).toEqual([
    'Other runs200 credits spent, 0 reused · today',
    'Formulas100 credits spent, 30 reused · today',
    'Calls in the last minute160 credits spent, 0 reused · today',
  ]);
  await page.getByText('By source, connection and kind').click();
  const shares = page.locator('details[open]').getByRole('listitem');
  await eventually(() => shares.allTextContents()).toEqual([
    'Runs900 credits spent, 1,400 reused',
    'Formulas400 credits spent, 800 reused',
    'Bulk orders300 credits spent, 0 reused',
    'Schedules and filling70 credits spent, 10 reused',
    'Other10 credits spent, 0 reused',
    'Calls in the last minute160 credits spent, 0 reused',
    'ana@example.com1,180 credits spent, 1,210 reused',
    'Sheet of the sales team500 credits spent, 1,000 reused',
    'Others and calls in the last minute160 credits spent, 0 reused',
    'Companies, standard1,400 credits spent, 2,000 reused',
    'People, standard280 credits spent, 210 reused',
    'Others and calls in the last minute160 credits spent, 0 reused',
  ]);
  await sidebar.settle();
  const today = [
    { source: 'table' as const, spent: 200, saved: 0 },
    { source: 'formula' as const, spent: 260, saved: 30 },
  ];
  gateway.answer('GET usage', () => ({ ...usage, today }));
  await page.clock.runFor(20_000);
  await sidebar.shows('460 credits spent today (UTC): Runs 200, Formulas 260.');
  await page.clock.runFor(60_000);
  await sidebar.settle();
  expect(sidebar.sent('activity')).toHaveLength(2);
});

it('the history has runs with their rows and state; Undo stays in it when the report of a run goes away', async () => {
  const sidebar = await open({
    tab: 'search',
    workbook: createList(['a.example', 'nobody.example']),
    before: async (server) => {
      await runEnrichment(server);
      const { runId } = await startRun(server, 'startSearch', createSearchOrder({ title: 'Stopped' }));
      await server.callOk('step', { runId });
      await server.callOk('stop', { runId });
      await server.callOk('discardRun', { runId });
    },
    stopped: true,
  });
  await eventually(async () => {
    await sidebar.page.clock.runFor(100);
    return sidebar.button(/^Write 20 rows · 10 credits/).isVisible();
  }).toBe(true);
  await sidebar.button(/^Write 20 rows/).click();
  await sidebar.shows('20 of 20 rows');
  await sidebar.page.clock.runFor(31_000);
  await sidebar.shows('20 of 20 rows');
  await sidebar.page.mouse.move(-1, -1);
  await sidebar.page.clock.runFor(31_000);
  await sidebar.page.getByText('20 of 20 rows').waitFor({ state: 'detached' });
  await sidebar.tab('Activity').click();
  const runs = sidebar.page.getByRole('region', { name: 'Your team’s recent runs' }).getByRole('listitem');
  await eventually(() => runs.allTextContents()).toEqual([
    'Companies20 rows · 10 credits spent, 0 reused · 1 minute agoUndo',
    'Stopped20 rows · 10 credits spent, 0 reused · stopped · 1 minute agoUndo',
    'Company data for “Website”2 rows: 1 found, 1 without a result · 10 credits spent, 0 reused · 1 minute agoUndo',
  ]);
  await sidebar.button('Undo Companies').click();
  await sidebar.shows(/^Undone/);
  expect(sidebar.server.getWorkbook().sheets.map(({ name }) => name)).not.toContain('Companies');
});
