// The sidebar's page as a whole: one file, tabs, keys, lost answers, and nothing that runs.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildSidebarPage } from '../../worker/commands/build/sidebar.ts';
import { addonDist } from '../../worker/commands/paths.ts';
import { type Answers, eventually, Refused, type Sidebar } from './sidebar.ts';
import { progress, status, table } from './sidebar-answers.ts';
import { alert, request } from './sidebar-bulk-answers.ts';
import { button, field, says, sidebars, tab } from './sidebar-desk.ts';

const open = sidebars();

describe('the page', () => {
  it('is one file that loads nothing, and is not built where it would be too large', async () => {
    const html = await readFile(join(addonDist, 'Sidebar.html'), 'utf8');
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(120_000);
    expect(html.match(/<(?:link|img|iframe|script)\s|@import|url\(/g)).toBeNull();
    await expect(buildSidebarPage(50_000)).rejects.toThrow(
      /^Sidebar.html has \d+ bytes; it may have 50000\.$/,
    );
  });

  it('opens the tab of this sheet, keeps what was filled in, and remembers the tab', async () => {
    const sidebar = await open({ status: () => ({ ...status, tab: 'tables' }) });
    await says(sidebar, 'Its sheet was deleted.');
    await tab(sidebar, 'Search').click();
    await field(sidebar, 'Industry').fill('software');
    await tab(sidebar, 'Activity').click();
    await tab(sidebar, 'Search').click();
    expect(await field(sidebar, 'Industry').inputValue()).toBe('software');
    expect(sidebar.sent('setTab').map((payload) => payload.tab)).toEqual(['search', 'activity', 'search']);
  });

  it('moves between tabs with the arrow keys', async () => {
    const sidebar = await open();
    await tab(sidebar, 'Search').focus();
    await sidebar.page.keyboard.press('ArrowLeft');
    expect(await tab(sidebar, 'Activity').getAttribute('aria-selected')).toBe('true');
    await sidebar.page.keyboard.press('Home');
    await sidebar.page.keyboard.press('ArrowRight');
    expect(await tab(sidebar, 'Enrich').getAttribute('aria-selected')).toBe('true');
  });

  it('shows where the focus is', async () => {
    const sidebar = await open();
    await says(sidebar, '20 rows cost');
    for (let times = 0; times < 12; times += 1) {
      await sidebar.page.keyboard.press('Tab');
      expect(
        await sidebar.page.evaluate<string>(`getComputedStyle(document.activeElement).outlineStyle`),
      ).toBe('solid');
    }
  });

  it('says so where Google fails, where the answer is lost, and asks again', async () => {
    const lost = await open({}, { raw: ({ method }) => (method === 'status' ? null : undefined) });
    await says(lost, 'The sidebar couldn’t read the answer.');
    const broken = await open({
      status: () => {
        throw new Error('ScriptError: Authorisation is required.');
      },
    });
    await says(broken, 'Authorisation is required.');
    broken.answers.status = () => status;
    await button(broken, 'Try again').click();
    await says(broken, '20 rows cost');
  });

  it('runs nothing that a record, a name or a message holds', async () => {
    const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    const sidebar = await open({
      status: () => ({ ...status, unfinished: 1 }),
      unfinished: () => [progress(1, 'paused', { title: evil })],
      tables: () => [
        { ...table, title: evil, sheet: evil, query: { filters: { industry: evil } }, gone: evil },
      ],
      planSearch: () => new Refused(evil),
      bulkRequests: () => ({
        requests: [
          {
            ...request,
            title: evil,
            sheet: evil,
            problem: { code: 'provider_refused', detail: evil, fix: evil },
          },
        ],
        pushAccount: evil,
      }),
      deliveries: () => ({ deliveries: [{ tableId: evil, title: evil, rowsId: evil, kind: 'request' }] }),
      writeDelivery: () => new Refused(evil),
      alerts: () => ({ alerts: [{ ...alert, host: evil }] }),
      columns: () => [
        {
          sheet: evil,
          column: 1,
          letter: 'A',
          heading: evil,
          headingRow: 1,
          kind: 'website',
          families: ['company_clean'],
          keys: 1,
          distinct: 1,
          examples: [evil],
        },
      ],
      activity: () => ({
        team: evil,
        budget: { day: null, month: null },
        spent: { day: 0, month: 0 },
        saved: { day: 0, month: 0 },
        remaining: null,
        hitRate: null,
        runs: [],
        errors: [{ at: '2026-11-22T11:00:00Z', message: evil }],
      }),
    });
    for (const name of ['Search', 'Enrich', 'Tables', 'Activity']) {
      await tab(sidebar, name).click();
      await sidebar.page.locator('.panel:not([hidden])').getByText(evil).first().waitFor();
    }
    await tab(sidebar, 'Bulk').click();
    await button(sidebar, /^Orders/).click();
    await sidebar.page.getByRole('article', { name: evil }).waitFor();
    expect(await sidebar.page.locator('img, #app script').count()).toBe(0);
  });

  it('completes formulas that wait, and leaves the sheet alone where none does', async () => {
    const opened = async (changed?: Answers): Promise<Sidebar> => {
      const sidebar = await open(changed, { stopped: true });
      await says(sidebar, '20 rows cost');
      await sidebar.page.clock.runFor(5000);
      return sidebar;
    };
    const waiting = await opened({
      pending: () => ({ formulas: 3 }),
      completePending: () => ({ again: 3, left: 0 }),
    });
    await eventually(() => waiting.sent('completePending').length).toBe(1);
    const quiet = await opened();
    await eventually(() => quiet.sent('pending').length).toBe(1);
    expect(quiet.sent('completePending')).toEqual([]);
  });
});
