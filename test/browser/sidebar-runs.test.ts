// Runs in the sidebar: progress, stop, resume, undo and their report.
import { describe, expect, it } from 'vitest';
import { eventually } from './browser.ts';
import { Refused, setUpSidebars } from './sidebar.ts';
import { answers, existing, NOW, plan, progress, status } from './sidebar-answers.ts';

const open = setUpSidebars(answers);

describe('a run', () => {
  it('stops after the current step, resumes and can be undone', async () => {
    let steps = 0;
    const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
    const sidebar = await open({
      step: async () => {
        steps += 1;
        if (steps === 2) await blocked;
        return progress(steps * 20, steps > 2 ? 'done' : 'running');
      },
    });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('20 of 100');
    await sidebar.button(/^Stop/).click();
    await sidebar.shows(/^Stopping …/);
    expect(sidebar.sent('stop')).toEqual([]);
    release();
    await sidebar.shows('40 of 100');
    await sidebar.shows('Stopped');
    await eventually(() => sidebar.sent('cancelStep')).toEqual([{ runId: 'run' }]);
    await eventually(() => sidebar.sent('stop')).toEqual([{ runId: 'run' }]);
    await sidebar.button(/^Resume( ·|$)/).click();
    await sidebar.shows('60 of 100');
    await sidebar.button('Undo').click();
    await sidebar.shows('Undone (300 cells restored).');
    await eventually(() => sidebar.sent('undo')).toEqual([{ runId: 'run' }]);
  });

  it('that is undone is reported over the full width, with Close in the corner, at every size', async () => {
    const sheet = 'Development managers at software companies of Germany';
    const sidebar = await open({ undo: () => ({ cells: 1284, sheet, before: 'before' }) });
    await sidebar.button('Write 20 rows').click();
    await sidebar.button('Undo').click();
    const sentence = sidebar.page.getByText(/^Undone in “Development/);
    await sidebar.price().toMatch(/10 credits/);
    await sentence.waitFor();
    for (const [width, height] of [
      [300, 800],
      [300, 640],
      [200, 640],
    ] as const) {
      await sidebar.page.setViewportSize({ width, height });
      // Nothing of the notice scrolls.
      const isUndoVisible = `(() => {
        const button = document.querySelector('.dock .notice .quiet');
        const { left, top, bottom } = button.getBoundingClientRect();
        return [top + 2, bottom - 4].every((y) => button.contains(document.elementFromPoint(left + 4, y)));
      })()`;
      await eventually(() => sidebar.page.evaluate(isUndoVisible)).toBe(true);
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
    const sidebar = await open({
      planSearch: () => ({ ...plan, existing }),
      step: () => progress(40, 'stopped'),
    });
    const dock = sidebar.page.locator('.panel:not([hidden]) .dock');
    await sidebar.price().toMatch(/10 credits/);
    await sidebar.page.setViewportSize({ width: 300, height: 520 });
    await eventually(async () => (await dock.boundingBox())?.height).toBeLessThanOrEqual(200);
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('40 of 100');
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
  });

  it('stays with Undo while the pointer is over the sidebar, also when the search is saved', async () => {
    const sidebar = await open({}, { now: NOW, stopped: true });
    const pass = (ms: number) => sidebar.page.clock.runFor(ms);
    const undo = sidebar.button('Undo');
    const write = sidebar.button('Write 20 rows · 10 credits');
    const becomes = (state: () => Promise<boolean>) =>
      eventually(async () => {
        await pass(100);
        return state();
      }).toBe(true);
    await becomes(() => write.isVisible());
    await write.click();
    await becomes(() => undo.isVisible());
    await sidebar.page.getByText('Save this search').click();
    await sidebar.button('Save search').click();
    await becomes(() => sidebar.page.getByText('Search saved.').isVisible());
    await pass(65_000);
    expect(await undo.isVisible()).toBe(true);
  });

  it.each([
    [0, '6 rows · 2 companies without rows · 3 credits charged'],
    [5, '6 rows · 2 companies without rows · at most 5 for each company · 3 credits charged'],
  ])(
    'at companies tells rows from companies without rows, with a limit of %i',
    async (perCompany, outcome) => {
      const run = { total: 8, failed: { '#NOT_FOUND': 2 }, perCompany, maxCredits: 0, title: 'Jobs' };
      const sidebar = await open({ step: () => progress(6, 'done', run) });
      await sidebar.button('Write 20 rows').click();
      await sidebar.page.locator('.run summary').getByText('Done 6 rows · 3 credits').click();
      await sidebar.shows(`Jobs. ${outcome}.`);
      await eventually(() => sidebar.page.locator('.run [role=status]').textContent()).toBe(outcome);
    },
  );

  it('names failed rows and links to what to do about them', async () => {
    const failed = { failed: { '#NOT_FOUND': 1, '#INVALID_KEY': 7 } };
    const failedRows = { '#NOT_FOUND': [14], '#INVALID_KEY': [2, 4, 5, 9, 12] };
    const helpUrl = 'https://gateway.example/help';
    const sidebar = await open({
      status: () => ({ ...status, helpUrl }),
      step: () => progress(92, 'done', { ...failed, failedRows }),
    });
    await sidebar.button('Write 20 rows').click();
    await sidebar.page.locator('.run summary').click();
    await sidebar.shows('100 rows: 92 found, 1 not found (row 14), 7 invalid (rows 2, 4, 5, 9, 12 …)');
    const help = sidebar.page.getByRole('link', { name: 'Troubleshooting' });
    expect(await help.getAttribute('href')).toBe(`${helpUrl}#not-found`);
  });

  it('counts its charges at once, and is closed when the search changes', async () => {
    const sidebar = await open({ step: () => progress(100, 'done') });
    await sidebar.shows(/^460 credits left/);
    sidebar.answers.status = () => new Refused('Google is busy.');
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows(/^410 credits left/);
    await sidebar.button('Undo').waitFor();
    await sidebar.field('Industry').fill('mining');
    await sidebar.button('Undo').waitFor({ state: 'detached' });
  });

  it('explains a pause and resumes', async () => {
    const failure = { message: 'The budget is used up. Ask your admin.' };
    const sidebar = await open({ step: () => progress(40, 'paused', { failure }) });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('The budget is used up.');
    await eventually(() => sidebar.sent('step')).toHaveLength(1);
    sidebar.answers.step = () => progress(100, 'done');
    await sidebar.button(/^Resume( ·|$)/).click();
    await sidebar.shows('100 of 100');
  });

  it('is offered again if it was left unfinished', async () => {
    const sidebar = await open({ status: () => ({ ...status, unfinished: 1 }) });
    await sidebar.shows('“Website” stopped at 40 of 100 rows.');
    await sidebar.button('Resume: Website').click();
    await sidebar.shows('100 of 100');
    await eventually(() => sidebar.sent('step')).toEqual([{ runId: 'left' }]);
    await eventually(() => sidebar.tab('Enrich').getAttribute('aria-selected')).toBe('true');
  });
});
