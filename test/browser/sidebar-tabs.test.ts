// The tabs Enrich, Tables and Activity: plans, tables, formulas, alerts, connection, credits.
import { describe, expect, it } from 'vitest';
import type { Table } from '../../addon/server/api/index.ts';
import { eventually } from './browser.ts';
import { setUpSidebars } from './sidebar.ts';
import {
  activity,
  answers,
  disconnected,
  enrichPlan,
  lookedUp,
  NOW,
  progress,
  refreshPlan,
  status,
  table,
  websites,
  withRecords,
} from './sidebar-answers.ts';

const open = setUpSidebars(answers);

const at = (tab: typeof status.tab) => ({ status: () => ({ ...status, tab }) });

describe('enrich', () => {
  it('shows rows, unique keys, bought records and credits before it buys', async () => {
    const sidebar = await open(at('enrich'));
    await sidebar.price().toBe('14 rows · 70 credits');
    const readFacts = () => sidebar.page.locator('.facts dd').allTextContents();
    await eventually(readFacts).toEqual(['14', '12', '5', '7']);
    await sidebar.page.getByLabel('Selected rows', { exact: true }).check();
    await sidebar.button('Enrich 14 rows').click();
    await sidebar.shows('100 of 100');
    await eventually(() => sidebar.sent('startEnrich')).toEqual([
      {
        sheet: 'Companies',
        column: 1,
        by: 'website',
        family: 'company_clean',
        scope: 'selection',
        fields: ['name', 'industry'],
        approval: enrichPlan.approval,
      },
    ]);
  });

  it('leads from a run with uncertain names to their list, and its report leaves room for the form', async () => {
    const candidates = [{ id: '1', name: 'Acme Inc.', confidence: 0.8 }];
    const undecided = ['Acme', 'Globex'].map((name) => ({
      ...{ tableId: 'two', key: name, name, candidates },
      credits: 10,
    }));
    const sidebar = await open({
      ...at('enrich'),
      uncertainNames: () => ({ undecided, decided: [] }),
      planEnrich: () => ({ ...enrichPlan, warnings: ['One.', 'Two.', 'Three.'] }),
      step: () => progress(100, 'done', { kind: 'enrich', failed: { '#AMBIGUOUS': 2 } }),
    });
    await sidebar.button('Enrich 14 rows').click();
    await sidebar.shows('100 of 100');
    await sidebar.button('Decide names').click();
    await sidebar.page.locator('summary:focus').getByText('Acme').waitFor();
    const dock = sidebar.page.locator('.panel:not([hidden]) .dock');
    expect((await dock.boundingBox())?.height).toBeLessThanOrEqual(340);
    // What follows the report scrolls; price and button stay visible.
    await dock.getByText('Three.').scrollIntoViewIfNeeded();
    await sidebar.button('Enrich 14 rows').click({ trial: true });
  });

  it('writes to columns of the person, for rows with any empty cell', async () => {
    const sidebar = await open(at('enrich'));
    await sidebar.page.getByText('Write to my columns').click();
    const column = sidebar.page.getByRole('combobox', { name: 'Industry', exact: true });
    await column.selectOption({ label: 'E · Sector' });
    await sidebar.shows('Only empty cells of your columns are filled.');
    await sidebar.page.getByLabel('Rows with any empty cell', { exact: true }).check();
    const order = { scope: 'gaps', fields: ['name', 'industry'], into: [{ path: 'industry', column: 5 }] };
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject(order);
    await eventually(() => sidebar.overflow()).toBe(0);
    await column.selectOption({ label: 'New column' });
    await eventually(() => sidebar.sent('planEnrich').at(-1)).not.toHaveProperty('into');
  });

  it('proposes columns of the person with the heading of a field, and none that formulas or tables fill', async () => {
    const field = { family: 'company_clean', isOwn: false } as const;
    const name = { column: 2, letter: 'B', heading: 'NAME' };
    const beside = [
      name,
      { column: 3, letter: 'C', heading: 'Founded', hasFormulas: true as const },
      { column: 4, letter: 'D', heading: 'Industry 2', field: { ...field, path: 'industry' } },
      { column: 5, letter: 'E', heading: 'industry' },
      // Another list: no heading in between.
      { column: 7, letter: 'G', heading: 'Size range' },
    ];
    const fields = ['name', 'industry', 'founded', 'size_range'];
    const sidebar = await open({
      ...at('enrich'),
      columns: () => [{ ...websites, beside }],
      fields: () => ({
        columns: fields.map((path) => ({ name: path, type: 'text' })),
        preview: [],
        defaults: fields,
      }),
    });
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject({
      scope: 'all',
      into: [{ path: 'name', column: 2 }],
    });
    await sidebar.shows('to B, only empty cells');
    await sidebar.shows('Formulas fill C · Founded: new columns are added.');
    for (const label of ['Industry', 'Founded', 'Size']) await sidebar.button(`Remove ${label}`).click();
    // Rows without an empty cell would be bought for nothing.
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject({
      fields: ['name'],
      scope: 'gaps',
    });
    await eventually(() => sidebar.overflow()).toBe(0);
    await sidebar.page.getByText('Write to my columns').click();
    const choice = sidebar.page.getByRole('combobox', { name: 'Name', exact: true });
    await eventually(() => choice.locator('option').allTextContents()).not.toContain('C · Founded');
    await choice.selectOption({ label: 'New column' });
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject({
      fields: ['name'],
      scope: 'all',
    });
    await eventually(() => sidebar.sent('planEnrich').at(-1)).not.toHaveProperty('into');
  });
});

describe('tables', () => {
  it('lists tables with their age and deleted sheets', async () => {
    const sidebar = await open(at('tables'), { now: NOW });
    await sidebar.shows('Refreshed 2 days ago');
    await sidebar.shows('Its sheet was deleted.');
    await eventually(() => sidebar.page.getByRole('article').count()).toBe(3);
    await eventually(() => sidebar.button('Refresh Old list').count()).toBe(0);
  });

  it('says how many rows the last run found, missed and changed, and what it cost', async () => {
    const { lastRun } = table;
    const list = [{ found: 1238, notFound: 2, failed: 0, changed: 12 }, { updated: 0 }].map(
      (counts, at): Table => ({ ...table, id: `${at}`, title: `T${at}`, lastRun: { ...lastRun, counts } }),
    );
    const sidebar = await open({ ...at('tables'), tables: () => list }, { now: NOW });
    await sidebar.shows(
      'Last run 2 days ago: 1,238 found, 2 not found, 12 changed · 50 credits · 10 credits saved',
    );
    await sidebar.shows('Last run 2 days ago: nothing new · 50 credits');
  });

  it('says in words what a table contains, and offers only what is possible', async () => {
    const query = { es_dsl: { query: { range: { 'stats.size': { gte: 5 } } } } };
    const ordered = { ...table, id: 'bulk', title: 'Order', kind: 'bulk', query } as const;
    const lookups = ['Companies', 'Leads'].map(
      (sheet): Table => ({ ...lookedUp, id: sheet, sheet, rows: 15, frozen: false }),
    );
    const sidebar = await open({ ...at('tables'), tables: () => [table, ordered, withRecords, ...lookups] });
    await sidebar.shows('100 companies from a search');
    await sidebar.shows('Industry: software · Country: Germany');
    await sidebar.shows('Refreshing all 100 rows costs at most 50 credits');
    await sidebar.shows('100 companies from a bulk order');
    await sidebar.shows('a custom query');
    await sidebar.shows('Columns for 15 rows of Companies');
    await sidebar.shows('Website (Companies)');
    await eventually(() => sidebar.button('Refresh Website (Leads)').count()).toBe(1);
    await sidebar.shows('Refreshing all 16 rows costs at most 170 credits');
    await eventually(() => sidebar.button('Refresh Order').count()).toBe(0);
    await eventually(() => sidebar.button('Schedule Order').count()).toBe(1);
  });

  it('goes to the cells, renames a table, undoes its last run and opens its search again', async () => {
    const scheduled: Table = {
      ...table,
      undo: 'last',
      pages: 2,
      autoRefresh: { every: 'week', state: 'on', nextAt: '2026-11-23T07:00:00Z', maxCredits: 100, spent: 0 },
    };
    const sidebar = await open(
      {
        ...at('tables'),
        tables: () => [scheduled],
        renameTable: ({ title }) => [{ ...scheduled, title }],
      },
      { now: NOW },
    );
    await sidebar.shows(/^Next refresh \w+day \d\d:00, up to 100 credits$/);
    await sidebar.button('Go to Software · A1:G1').click();
    await eventually(() => sidebar.sent('showTable')).toEqual([{ id: 'one' }]);
    await sidebar.page.locator('summary', { hasText: 'More' }).click();
    await sidebar.button('Rename Companies: software').click();
    await sidebar.field('Name').fill('Accounts');
    await sidebar.button('Save name').click();
    await sidebar.page.getByRole('article', { name: 'Accounts' }).waitFor();
    expect(sidebar.sent('renameTable')).toEqual([{ id: 'one', title: 'Accounts' }]);
    await eventually(() => sidebar.overflow()).toBe(0);
    const loads = sidebar.sent('tables').length;
    await sidebar.button('Undo last run Accounts').click();
    await sidebar.shows('Undone (300 cells restored). Credits aren’t refunded');
    expect(sidebar.sent('undo')).toEqual([{ runId: 'last' }]);
    await eventually(() => sidebar.sent('tables').length).toBe(loads + 1);
    await sidebar.button('Edit search').click();
    await eventually(() => sidebar.field('Industry').inputValue()).toBe('software');
    await eventually(() => sidebar.sent('planSearch').at(-1)).toMatchObject({
      ...{ family: 'company_base', query: table.query, columns: table.columns, pages: 2 },
      ...{ where: { kind: 'table', tableId: 'one' }, mode: 'replace', title: table.title },
    });
    expect(sidebar.sent('startSearch')).toEqual([]);
  });

  it('shows the price of a refresh before it starts', async () => {
    const sidebar = await open(at('tables'));
    await sidebar.button('Refresh Companies: software').click();
    await sidebar.shows('100 rows · up to 50 credits');
    expect(sidebar.sent('refreshTable')).toEqual([]);
    await sidebar
      .button(/^Refresh/)
      .and(sidebar.page.locator('.primary'))
      .click();
    await sidebar.shows('100 of 100');
    const { approval } = refreshPlan;
    await eventually(() => sidebar.sent('refreshTable')).toEqual([{ id: 'one', only: 'all', approval }]);
  });

  it('removes the schedule of a table with a deleted sheet and moves the table', async () => {
    const autoRefresh = { every: 'day', state: 'stopped', nextAt: null, maxCredits: 30, spent: 20 } as const;
    const gone = 'Its sheet was deleted. Its schedule has stopped and buys nothing.';
    const lost = { ...table, range: '', rows: 0, gone, sheetDeleted: true };
    let tables: Table[] = [{ ...lost, autoRefresh }];
    const sidebar = await open({
      ...at('tables'),
      tables: () => tables,
      setAutoRefresh: () => {
        tables = [lost];
        return { schedule: null, push: false, pushed: null, pushAccount: null };
      },
      moveTable: () => [table],
    });
    await sidebar.shows(gone);
    await sidebar.shows('Sheet deleted');
    await sidebar.shows('Stopped');
    await sidebar.button('Remove schedule: Companies: software').click();
    await eventually(() => sidebar.page.getByText('Stopped', { exact: true }).count()).toBe(0);
    await eventually(() => sidebar.sent('setAutoRefresh')).toEqual([
      { tableId: 'one', schedule: null, push: false },
    ]);
    await sidebar.button('Move to a new sheet: Companies: software').click();
    await sidebar.button('Refresh Companies: software').waitFor();
    await eventually(() => sidebar.sent('moveTable')).toEqual([{ id: 'one' }]);
  });
});

describe('formulas', () => {
  const rerun = { sheetId: 1, name: 'CDAPI_ENRICH', column: 2 };

  it('are listed by sheet and column, and rerun for the price that was shown', async () => {
    const sidebar = await open({ ...at('tables') }, { now: NOW });
    await sidebar.button('Formulas').click();
    await sidebar.shows('1,000 formulas · 12 loading · 3 waiting for rows · 3 not found · 5 over budget');
    await sidebar.shows('985 of 990 records bought · oldest 12 days ago');
    await sidebar.shows('Running all again costs 50 credits now');
    await sidebar.button('Rerun failed CDAPI_ENRICH B2:B1001').click();
    await sidebar.price().toBe('Costs up to 50 credits');
    expect(sidebar.sent('rerunFormulas')).toEqual([]);
    await sidebar.button('Rerun 5 formulas').click();
    await sidebar.shows('5 formulas run again.');
    await eventually(() => sidebar.sent('rerunFormulas')).toEqual([
      { ...rerun, approval: { credits: 50, digest: 'rerun' } },
    ]);
    await eventually(() => sidebar.sent('formulas')).toHaveLength(2);
  });

  it('whose price isn’t known say so; they are frozen after a question, and their sheet stops spending', async () => {
    const approval = { credits: 0, digest: 'rerun' };
    const sidebar = await open({
      ...at('tables'),
      planRerun: () => ({ formulas: 1, credits: null, approval }),
    });
    await sidebar.button('Formulas').click();
    await sidebar.button('Rerun failed CDAPI_PREVIEW A1').click();
    await sidebar.price().toBe('Price not known');
    await sidebar.button('Freeze CDAPI_ENRICH B2:B1001').click();
    await sidebar.confirm('Freeze formulas');
    await sidebar.shows('992 formulas became values, 8 stayed');
    await eventually(() => sidebar.sent('freezeFormulas')).toEqual([rerun]);
    await sidebar.page.getByLabel('Formulas here spend credits').first().click();
    await eventually(() => sidebar.sent('setFormulaSpending')).toEqual([{ sheetId: 1, on: false }]);
  });

  it('of single cells are merged for the price that was shown', async () => {
    const offer = {
      ...{ sheetId: 1, formulas: 12, ranges: 1, columns: ['B'], example: '=CDAPI_ENRICH(A2:A13; "name")' },
      ...{ credits: 20, approval: { credits: 20, digest: 'merge' } },
    };
    const sidebar = await open({
      ...at('tables'),
      planMerge: ({ sheetId }) => ({ offer: sheetId === 1 ? offer : null }),
      mergeFormulas: () => ({ formulas: 12, ranges: 1, runId: 'merge' }),
    });
    await sidebar.button('Formulas').click();
    await sidebar.button('Merge formulas of Companies').click();
    await sidebar.price().toBe('Costs 20 credits for missing or outdated records');
    await sidebar.button('Merge 12 formulas').click();
    await sidebar.shows('12 formulas became 1.');
    await eventually(() => sidebar.button('Undo').count()).toBe(1);
  });
});

it('a template states its price, is built for nothing, and can be undone', async () => {
  const sidebar = await open(at('tables'));
  await sidebar.button('Templates').click();
  await sidebar.shows('Building a sheet is free.');
  await sidebar.shows('Running the examples costs up to 30 credits.');
  await sidebar.button('Build sheet: Data hygiene').click();
  await sidebar.shows('“Prospect list” is built. Nothing was bought');
  await eventually(() => sidebar.sent('buildTemplate')).toEqual([{ id: 'hygiene' }]);
  await sidebar.button('Undo').click();
  await eventually(() => sidebar.sent('undo')).toEqual([{ runId: 'template' }]);
  await sidebar.shows('Undone (300 cells restored).');
  await eventually(() => sidebar.page.getByText('Credits aren’t refunded').count()).toBe(0);
});

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
    ['me', true, 'To use your company’s instead, disconnect.'],
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
        name: 'Last 30 days: 1,840 credits spent, 2,210 saved. Most on 20 Nov: 460 credits.',
      })
      .waitFor();
    await eventually(() => sidebar.page.locator('.chart g').count()).toBe(activity.usage?.days.length);
    await sidebar.page.getByText('By source, connection and kind').click();
    const items = sidebar.page.getByRole('listitem');
    expect((await items.allTextContents()).slice(0, 6)).toEqual([
      'Runs900 credits spent, 1,400 saved',
      'Formulas400 credits spent, 800 saved',
      'Bulk orders300 credits spent, 0 saved',
      'Schedules70 credits spent, 10 saved',
      'Other10 credits spent, 0 saved',
      'Latest calls160 credits spent, 0 saved',
    ]);
    await items
      .filter({ hasText: 'ana@example.com' })
      .getByText('1,180 credits spent, 1,210 saved')
      .waitFor();
    await items.filter({ hasText: 'People, standard' }).getByText('280 credits spent').waitFor();
  });

  it('of today are the same in the meter, the chart and the sum of their shares; formulas have a line', async () => {
    const sidebar = await open(at('activity'), { now: NOW });
    await sidebar.shows('460 of 500 credits');
    await eventually(() => sidebar.page.locator('.chart g:last-child title').textContent()).toBe(
      '22 Nov: 460 credits spent, 30 saved',
    );
    await sidebar.shows('460 credits spent today (UTC): Runs 200, Formulas 100, Latest calls 160.');
    const lines = sidebar.page.getByRole('region', { name: 'Your team’s recent runs' }).getByRole('listitem');
    expect(await lines.allTextContents()).toEqual([
      'Formulas100 credits spent, 30 saved · today',
      expect.stringMatching(/^Companies: software100 rows · 50 credits spent, 10 saved · 3 rows without/),
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

  it('of an older gateway have no chart', async () => {
    const { usage: _, ...older } = activity;
    const sidebar = await open(
      { ...at('activity'), activity: () => ({ ...older, today: [] }) },
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
    await sidebar.page.mouse.move(10, 10);
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
