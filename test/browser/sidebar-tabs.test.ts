// The sidebar's other tabs: enrich, tables, activity and settings.
import { describe, expect, it } from 'vitest';
import type { Table } from '../../addon/server/api.ts';
import { eventually, Refused } from './sidebar.ts';
import { answers, disconnected, enrichPlan, refreshPlan, status, table } from './sidebar-answers.ts';
import { button, field, price, says, sidebars } from './sidebar-desk.ts';

const open = sidebars();

describe('enrich', () => {
  const enrich = { status: () => ({ ...status, tab: 'enrich' as const }) };

  it('finds the column, says rows, distinct, remembered and credits, and then buys', async () => {
    const sidebar = await open(enrich);
    await eventually(() => price(sidebar).textContent()).toBe('14 rows: 70 credits');
    await eventually(() => sidebar.page.locator('.facts dd').allTextContents()).toEqual([
      '14',
      '12',
      '5',
      '7',
    ]);
    await sidebar.page.getByLabel('Selected', { exact: true }).check();
    await button(sidebar, 'Enrich 14 rows').click();
    await says(sidebar, '100 of 100');
    expect(sidebar.sent('startEnrich')).toEqual([
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

  it('follows the column that is chosen', async () => {
    const sidebar = await open(enrich);
    await sidebar.page.getByLabel(/C · Profile/).check();
    await eventually(() => sidebar.sent('planEnrich').at(-1)).toMatchObject({
      sheet: 'People',
      column: 3,
      by: 'url',
      family: 'employee_clean',
    });
  });

  it('teaches where there is nothing to look up', async () => {
    const sidebar = await open({ ...enrich, columns: () => [] });
    await says(sidebar, 'No column to look up yet');
    sidebar.answers.columns = answers.columns ?? (() => []);
    await button(sidebar, 'Look again').click();
    await says(sidebar, 'A · Website');
  });

  it('has nothing to press while no column is to be added', async () => {
    const sidebar = await open({ ...enrich, planEnrich: () => enrichPlan });
    await button(sidebar, 'Remove Name').click();
    await button(sidebar, 'Remove Industry').click();
    await says(sidebar, 'Choose a column.');
    expect(await button(sidebar, /^Enrich/).isDisabled()).toBe(true);
  });
});

describe('tables', () => {
  const atTables = { status: () => ({ ...status, tab: 'tables' as const }) };

  it('lists what was written, how old it is, and what is gone', async () => {
    const sidebar = await open(atTables, { now: new Date('2026-11-22T12:00:00Z') });
    await says(sidebar, 'Refreshed 2 days ago');
    await says(sidebar, 'Its sheet was deleted.');
    expect(await sidebar.page.getByRole('article').count()).toBe(3);
    expect(await button(sidebar, 'Refresh Old list').count()).toBe(0);
  });

  it('says what a table has cost: what people ordered, and what its schedule spent this month', async () => {
    const upkeep = { every: 'day', state: 'on', spent: 20 } as const;
    const sidebar = await open({ ...atTables, tables: () => [{ ...table, upkeep }] });
    await sidebar.page.getByText('Details').click();
    await says(sidebar, '150 credits for all that was ordered here, 20 by its schedule this month');
    sidebar.answers.tables = () => [table];
    await sidebar.page.evaluate(`dispatchEvent(new Event('focus'))`);
    await says(sidebar, '150 credits for all that was ordered here');
  });

  it('says what a refresh costs before it is begun', async () => {
    const sidebar = await open(atTables);
    await button(sidebar, 'Refresh Companies: software').click();
    await says(sidebar, '100 rows: at most 50 credits');
    expect(sidebar.sent('refreshTable')).toEqual([]);
    await button(sidebar, 'Refresh').and(sidebar.page.locator('.primary')).click();
    await says(sidebar, '100 of 100');
    expect(sidebar.sent('refreshTable')).toEqual([
      { id: 'one', only: 'all', approval: refreshPlan.approval },
    ]);
  });

  it('refreshes only what is old where that is chosen, also of a search', async () => {
    const warnings = ['Pages that your team bought less than a day ago are free.'];
    const sidebar = await open({
      ...atTables,
      planRefresh: ({ only }) => ({ ...refreshPlan, warnings: only === 'stale' ? warnings : [] }),
    });
    await button(sidebar, 'Refresh Companies: software').click();
    await sidebar.page.getByLabel('Only what is old').check();
    await says(sidebar, 'Pages that your team bought less than a day ago are free.');
    await button(sidebar, 'Refresh').and(sidebar.page.locator('.primary')).click();
    await says(sidebar, '100 of 100');
    expect(sidebar.sent('refreshTable')).toEqual([
      { id: 'one', only: 'stale', approval: refreshPlan.approval },
    ]);
  });

  it('adds full records to the selected rows', async () => {
    const sidebar = await open(atTables);
    await button(sidebar, 'Full records for Companies: software').click();
    await says(sidebar, '14 rows: 70 credits');
    await button(sidebar, 'Add full records').click();
    await says(sidebar, '100 of 100');
    expect(sidebar.sent('fullRecords')).toEqual([
      { tableId: 'one', fields: ['industry'], rows: 'selection', approval: enrichPlan.approval },
    ]);
  });

  it('“the card offers to stop or move, not only Forget”: a table whose sheet was deleted', async () => {
    const upkeep = { every: 'day', state: 'stopped', spent: 20 } as const;
    const gone = 'Its sheet was deleted. Its schedule has stopped and buys nothing.';
    const lost = { ...table, range: '', rows: 0, gone, sheetDeleted: true };
    let now: Table[] = [{ ...lost, upkeep }];
    const sidebar = await open({
      ...atTables,
      tables: () => now,
      setUpkeep: () => {
        now = [lost];
        return { schedule: null, push: false, pushed: null, pushAccount: null };
      },
      moveTable: () => [table],
    });
    await says(sidebar, gone);
    await says(sidebar, 'Sheet deleted');
    await says(sidebar, 'Stopped');
    await button(sidebar, 'Remove schedule: Companies: software').click();
    await eventually(() => sidebar.page.getByText('Stopped', { exact: true }).count()).toBe(0);
    expect(sidebar.sent('setUpkeep')).toEqual([{ tableId: 'one', schedule: null, push: false }]);
    await button(sidebar, 'Move to a new sheet: Companies: software').click();
    await button(sidebar, 'Refresh Companies: software').waitFor();
    expect(sidebar.sent('moveTable')).toEqual([{ id: 'one' }]);
  });

  it('stops tracking a table only after asking', async () => {
    const sidebar = await open({ ...atTables, tables: () => [table] });
    await sidebar.page.getByText('Details').click();
    await button(sidebar, 'Stop tracking Companies: software').click();
    await says(sidebar, 'What is in the sheet stays.');
    expect(sidebar.sent('forgetTable')).toEqual([]);
    sidebar.answers.forgetTable = () => [];
    await sidebar.page.getByRole('alertdialog').getByRole('button', { name: 'Stop tracking' }).click();
    await says(sidebar, 'No tables yet');
  });
});

describe('activity and settings', () => {
  const atActivity = { status: () => ({ ...status, tab: 'activity' as const }) };

  it('shows credits against the budget, what memory saved, and errors with what to do', async () => {
    const sidebar = await open(atActivity);
    await says(sidebar, '460 of 500');
    await says(sidebar, '64 %');
    await says(sidebar, 'Try again in a few minutes.');
    expect(
      await sidebar.page.getByRole('meter', { name: 'Credits, today' }).getAttribute('aria-valuenow'),
    ).toBe('460');
  });

  it('switches spending off for this sheet', async () => {
    const sidebar = await open(atActivity);
    await sidebar.page.getByLabel(/Spend credits in this sheet/).click();
    await eventually(() => sidebar.sent('setSpending')).toEqual([{ on: false }]);
    await eventually(() => sidebar.page.getByLabel(/Spend credits in this sheet/).isChecked()).toBe(false);
  });

  it('shows spending as it is, where switching it is refused', async () => {
    const sidebar = await open({ ...atActivity, setSpending: () => new Refused('The sheet is protected.') });
    await sidebar.page.getByLabel(/Spend credits in this sheet/).click();
    await says(sidebar, 'The sheet is protected.');
    expect(await sidebar.page.getByLabel(/Spend credits in this sheet/).isChecked()).toBe(true);
  });

  it('connects with one link, after it was told what that means', async () => {
    const sidebar = await open({ status: () => disconnected });
    await says(sidebar, 'Connect first');
    await says(sidebar, 'do not sell it, publish it or pass copies on');
    await field(sidebar, 'Connection link').fill(' https://gateway.example/connect#token ');
    await button(sidebar, 'Connect').click();
    await says(sidebar, '20 rows cost');
    expect(sidebar.sent('connect')).toEqual([
      { link: 'https://gateway.example/connect#token', for: 'sheet' },
    ]);
  });

  it('says what is wrong with a link, and keeps it to be corrected', async () => {
    const sidebar = await open({
      status: () => ({ ...disconnected, canConnectSheet: false }),
      connect: () => new Refused('This is not a connection link.'),
    });
    await field(sidebar, 'Connection link').fill('nonsense');
    expect(await sidebar.page.getByLabel(/This sheet/).isDisabled()).toBe(true);
    await button(sidebar, 'Connect').click();
    await says(sidebar, 'This is not a connection link.');
    expect(await field(sidebar, 'Connection link').inputValue()).toBe('nonsense');
    expect(sidebar.sent('connect')).toEqual([{ link: 'nonsense', for: 'me' }]);
  });

  it('disconnects only after asking', async () => {
    const sidebar = await open(atActivity);
    await button(sidebar, 'Disconnect').click();
    expect(sidebar.sent('disconnect')).toEqual([]);
    await sidebar.page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
    await eventually(() => sidebar.sent('disconnect')).toEqual([{ for: 'sheet' }]);
    await field(sidebar, 'Connection link').waitFor();
  });
});
