// Runs in the sidebar: progress, stop, resume, undo and their report.
import { describe, expect, it } from 'vitest';
import { createList } from '../addon/server/orders.ts';
import { gateway } from '../addon/server/sidebar.ts';
import { eventually } from './browser.ts';
import { type Changes, type ServedSidebar, setUpSidebars } from './sidebar.ts';

const open = setUpSidebars({ tab: 'search' });

/** Holds the second step until its release, and counts steps. */
function holdSecondStep() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  let steps = 0;
  const step: Changes['step'] = async (progress) => {
    steps += 1;
    if (steps === 2) await promise;
    return progress;
  };
  return { changes: { step }, release };
}

/** Writes 100 rows, and stops while the second 20 are written. */
async function stopAfterSecondStep(sidebar: ServedSidebar, release: () => void): Promise<void> {
  await sidebar.page.getByLabel('Rows', { exact: true }).selectOption('5');
  await sidebar.button('100 rows').click();
  await sidebar.shows('20 of 100');
  await sidebar.button(/^Stop/).click();
  await sidebar.shows(/^Stopping …/);
  expect(sidebar.sent('stop')).toEqual([]);
  release();
  await sidebar.shows('40 of 100');
}

const countRows = ({ server }: ServedSidebar, sheet: string): number => server.getValues(sheet).length - 1;
const sheets = ({ server }: ServedSidebar): string[] => server.getWorkbook().sheets.map(({ name }) => name);

describe('a run', () => {
  it('stops after the current step, resumes, counts its charges at once, and can be undone', async () => {
    const { changes, release } = holdSecondStep();
    const sidebar = await open({ changes });
    await sidebar.shows(/^460 credits left/);
    // From now on, only the run tells what it has charged.
    gateway.refuse('GET me', 'internal');
    await stopAfterSecondStep(sidebar, release);
    await sidebar.shows('Stopped');
    await eventually(() => sidebar.sent('cancelStep')).toHaveLength(1);
    await eventually(() => sidebar.sent('stop')).toHaveLength(1);
    await sidebar.shows(/^440 credits left/);
    const [, , written = ''] = sheets(sidebar);
    expect(countRows(sidebar, written)).toBe(40);
    await sidebar.button('Resume · up to 30 credits').click();
    await sidebar.shows('100 of 100 rows · 50 credits');
    await sidebar.shows(/^410 credits left/);
    expect(countRows(sidebar, written)).toBe(100);
    await sidebar.button('Undo').click();
    await sidebar.shows(/^Undone/);
    expect(sheets(sidebar)).toEqual(['Companies', 'People']);
  });

  it('that is undone is reported over the full width, with Close in the corner, at every size', async () => {
    const sidebar = await open();
    await sidebar.page.getByText('Name and source').click();
    await sidebar.field('Name').fill('Development managers at software companies of Germany');
    await sidebar.button('Write 20 rows').click();
    await sidebar.page.getByLabel('Rows', { exact: true }).selectOption('2');
    await sidebar.button('Update with 40 rows').click();
    await sidebar.shows(/^Done/);
    await sidebar.button('Undo').click();
    const sentence = sidebar.page.getByText(/^Undone in “Development.+\(140 cells restored\)/);
    await sidebar.price().toMatch(/40 rows are free/);
    await sentence.waitFor();
    const undo = sidebar.button('Undo the run before');
    await undo.waitFor();
    for (const [width, height] of [
      [300, 800],
      [300, 640],
      [200, 640],
    ] as const) {
      await sidebar.page.setViewportSize({ width, height });
      // The notice scrolls in the narrowest window alone.
      const isUndoVisible = `(() => {
        const button = document.querySelector('.dock .notice .quiet');
        const { left, top, bottom } = button.getBoundingClientRect();
        return [top + 2, bottom - 4].every((y) => button.contains(document.elementFromPoint(left + 4, y)));
      })()`;
      if (width < 300) await undo.click({ trial: true });
      else await eventually(() => sidebar.page.evaluate(isUndoVisible)).toBe(true);
      await sentence.scrollIntoViewIfNeeded();
      const boxes = [sidebar.page.locator('.panel:not([hidden]) .dock'), sentence, sidebar.button('Close')];
      const isInPlace = async (): Promise<boolean> => {
        const [dock, text, close] = await Promise.all(boxes.map((box) => box.boundingBox()));
        if (!dock || !text || !close) return false;
        const isWide = text.width > width - 100 && close.x > width - 60;
        return isWide && close.y - text.y < 8 && dock.height <= height * 0.7;
      };
      await eventually(isInPlace).toBe(true);
    }
    await sidebar.page.setViewportSize({ width: 300, height: 640 });
  });

  it('that stopped shows all its buttons, and the form keeps its place in a low window', async () => {
    const { changes, release } = holdSecondStep();
    const sidebar = await open({ changes });
    const dock = sidebar.page.locator('.panel:not([hidden]) .dock');
    await stopAfterSecondStep(sidebar, release);
    for (const tab of ['Search', 'Enrich', 'Tables']) {
      await sidebar.tab(tab).click();
      for (const height of [800, 640]) {
        await sidebar.page.setViewportSize({ width: 300, height });
        const scrolled = () => dock.evaluate((box) => box.scrollHeight - box.clientHeight);
        await eventually(scrolled).toBeLessThanOrEqual(0);
        const names = tab === 'Search' ? ['Undo', 'Add full records …'] : ['Undo'];
        for (const name of names) await sidebar.button(name).click({ trial: true });
        // The dock moves when the price of the tab arrives.
        const getDistance = async (): Promise<number> => {
          const line = await sidebar.page.getByText('40 of 100').filter({ visible: true }).boundingBox();
          const close = await sidebar.button('Close').boundingBox();
          return Math.abs((close?.y ?? 0) - (line?.y ?? 0));
        };
        await eventually(getDistance).toBeLessThan(8);
        expect((await sidebar.button('Close').boundingBox())?.x).toBeGreaterThan(240);
      }
    }
    await sidebar.tab('Search').click();
    await sidebar.button('Close').click();
    await sidebar.button('Update with 100 rows').waitFor();
    await sidebar.page.setViewportSize({ width: 300, height: 520 });
    await eventually(async () => (await dock.boundingBox())?.height).toBeLessThanOrEqual(200);
    await sidebar.page.setViewportSize({ width: 300, height: 640 });
  });

  it('stays with Undo while the pointer is over the sidebar, also when the search is saved, until it changes', async () => {
    const sidebar = await open({ stopped: true });
    const pass = (ms: number) => sidebar.page.clock.runFor(ms);
    const undo = sidebar.button('Undo');
    const write = sidebar.button('Write 20 rows · 10 credits');
    const becomes = (state: () => Promise<boolean>) => sidebar.whileTimePasses(state).toBe(true);
    await becomes(() => write.isVisible());
    await write.click();
    await becomes(() => undo.isVisible());
    await sidebar.page.getByText('Save this search').click();
    await sidebar.button('Save search').click();
    await becomes(() => sidebar.page.getByText('Search saved.').isVisible());
    await pass(65_000);
    expect(await undo.isVisible()).toBe(true);
    await sidebar.field('Industry').fill('mining');
    await becomes(() => undo.isHidden());
  });

  it('names failed rows and links to what to do about them', async () => {
    const keys = [
      'a.example',
      'one',
      'b.example',
      'nobody.example',
      ...['two', 'three', 'four', 'five', 'six'],
    ];
    const sidebar = await open({ tab: 'enrich', workbook: createList(keys) });
    await sidebar.button('Enrich').click();
    await sidebar.page.locator('.run summary').click();
    await sidebar.shows('9 rows: 2 found, 6 invalid (rows 3, 6, 7, 8, 9 …; 6 names), 1 not found (row 5)');
    const help = sidebar.page.getByRole('link', { name: 'Troubleshooting' });
    expect(await help.getAttribute('href')).toBe('https://gateway.example/help#invalid-key');
  });

  it('at companies tells rows from companies without rows, with and without a limit', async () => {
    const outcome = '6 rows · 2 companies without rows · 3 credits charged';
    const failed = { '#NOT_FOUND': 2 };
    const atCompanies = { done: 6, rows: 6, failed, credits: 3, maxCredits: 0, perCompany: 0 };
    const sidebar = await open({ changes: { step: (progress) => ({ ...progress, ...atCompanies }) } });
    await sidebar.button('Write 20 rows').click();
    await sidebar.page.locator('.run summary').getByText('Done 6 rows · 3 credits').click();
    await sidebar.shows(`Companies. ${outcome}.`);
    await eventually(() => sidebar.page.locator('.run [role=status]').textContent()).toBe(outcome);
    sidebar.changes.step = (progress) => ({ ...progress, ...atCompanies, perCompany: 5 });
    await sidebar.button('Update with 20 rows').click();
    await sidebar.shows('6 rows · 2 companies without rows · at most 5 for each company · 3 credits charged');
  });

  it('explains a pause, resumes, and is offered again if it was left unfinished', async () => {
    const sidebar = await open();
    gateway.refuse('POST preview', 'over_budget', 'The budget is used up.');
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('Paused');
    await sidebar.shows(/^The budget is used up\. Allow more credits/);
    expect(sidebar.sent('step')).toHaveLength(1);
    gateway.allow('POST preview');
    await sidebar.button('Resume · up to 10 credits').click();
    await sidebar.shows('20 of 20 rows · 10 credits');
    gateway.refuse('POST preview', 'over_budget');
    await sidebar.page.getByLabel('Rows', { exact: true }).selectOption('2');
    await sidebar.button('Update with 40 rows').click();
    await sidebar.shows('Paused');
    const again = await open({ server: sidebar.server, tab: 'enrich' });
    await again.shows('“Companies” stopped at 0 of 40 rows.');
    gateway.allow('POST preview');
    await again.button('Resume · up to 10 credits: Companies').click();
    await again.shows(/^Done/);
    // A run that updates a table belongs to the tables.
    await eventually(() => again.tab('Tables').getAttribute('aria-selected')).toBe('true');
  });
});
