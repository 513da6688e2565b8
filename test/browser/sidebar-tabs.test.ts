// The sidebar's other tabs: enrich, tables, activity and settings.
import { describe, expect, it } from 'vitest';
import type { Table } from '../../addon/server/api/index.ts';
import { eventually } from './sidebar.ts';
import { disconnected, enrichPlan, refreshPlan, status, table } from './sidebar-answers.ts';
import { button, field, price, says, sidebars } from './sidebar-desk.ts';

const open = sidebars();

describe('enrich', () => {
  const enrich = { status: () => ({ ...status, tab: 'enrich' as const }) };

  it('finds the column, says rows, distinct, remembered and credits, and then buys', async () => {
    const sidebar = await open(enrich);
    await eventually(() => price(sidebar).textContent()).toBe('14 rows · 70 credits');
    await eventually(() => sidebar.page.locator('.facts dd').allTextContents()).toEqual([
      '14',
      '12',
      '5',
      '7',
    ]);
    await sidebar.page.getByLabel('Selected rows', { exact: true }).check();
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

  it('says what a refresh costs before it is begun', async () => {
    const sidebar = await open(atTables);
    await button(sidebar, 'Refresh Companies: software').click();
    await says(sidebar, '100 rows · up to 50 credits');
    expect(sidebar.sent('refreshTable')).toEqual([]);
    await button(sidebar, /^Refresh/)
      .and(sidebar.page.locator('.primary'))
      .click();
    await says(sidebar, '100 of 100');
    expect(sidebar.sent('refreshTable')).toEqual([
      { id: 'one', only: 'all', approval: refreshPlan.approval },
    ]);
  });

  it('“the card offers to stop or move, not only Forget”: a table whose sheet was deleted', async () => {
    const autoRefresh = { every: 'day', state: 'stopped', spent: 20 } as const;
    const gone = 'Its sheet was deleted. Its schedule has stopped and buys nothing.';
    const lost = { ...table, range: '', rows: 0, gone, sheetDeleted: true };
    let now: Table[] = [{ ...lost, autoRefresh }];
    const sidebar = await open({
      ...atTables,
      tables: () => now,
      setAutoRefresh: () => {
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
    expect(sidebar.sent('setAutoRefresh')).toEqual([{ tableId: 'one', schedule: null, push: false }]);
    await button(sidebar, 'Move to a new sheet: Companies: software').click();
    await button(sidebar, 'Refresh Companies: software').waitFor();
    expect(sidebar.sent('moveTable')).toEqual([{ id: 'one' }]);
  });

  it('stops tracking a table only after asking', async () => {
    const sidebar = await open({ ...atTables, tables: () => [table] });
    await sidebar.page.getByText('Details').click();
    await button(sidebar, 'Stop tracking Companies: software').click();
    await says(sidebar, 'Its cells stay in the sheet.');
    expect(sidebar.sent('forgetTable')).toEqual([]);
    sidebar.answers.forgetTable = () => [];
    await sidebar.page.getByRole('alertdialog').getByRole('button', { name: 'Stop tracking' }).click();
    await says(sidebar, 'No tables yet');
  });
});

describe('activity and settings', () => {
  const atActivity = { status: () => ({ ...status, tab: 'activity' as const }) };

  it('switches spending off for this sheet', async () => {
    const sidebar = await open(atActivity);
    await sidebar.page.getByLabel(/Spend credits in this spreadsheet/).click();
    await eventually(() => sidebar.sent('setSpending')).toEqual([{ on: false }]);
    await eventually(() => sidebar.page.getByLabel(/Spend credits in this spreadsheet/).isChecked()).toBe(
      false,
    );
  });

  it('connects with one link, after it was told what that means', async () => {
    const sidebar = await open({ status: () => disconnected });
    await says(sidebar, 'Connect to your team');
    await says(sidebar, 'don’t sell it, publish it or pass copies on');
    await field(sidebar, 'Connection link').fill(' https://gateway.example/connect#token ');
    await button(sidebar, 'Connect').click();
    await says(sidebar, '20 rows cost');
    expect(sidebar.sent('connect')).toEqual([
      { link: 'https://gateway.example/connect#token', for: 'sheet' },
    ]);
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
