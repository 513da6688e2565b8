// What the sidebar does when something has changed: a run is in front or has ended, spending was switched, a table was renamed.
import { describe, expect, it } from 'vitest';
import { eventually, Refused } from './sidebar.ts';
import { progress, status, table } from './sidebar-answers.ts';
import { button, price, says, sidebars, tab } from './sidebar-desk.ts';

const open = sidebars();
const at = (name: 'search' | 'enrich' | 'tables') => ({ status: () => ({ ...status, tab: name }) });

/** A step that comes back when it is told to. */
function slowStep() {
  let back = (): void => undefined;
  const step = () =>
    new Promise<ReturnType<typeof progress>>((resolve) => {
      back = () => resolve(progress(40, 'running'));
    });
  return { step, back: () => back() };
}

describe('stopping', () => {
  it('waits for the step that is on its way: it holds the spreadsheet', async () => {
    const slow = slowStep();
    const sidebar = await open({ step: slow.step });
    await button(sidebar, 'Write 20 rows').click();
    await button(sidebar, /^Stop/).click();
    await says(sidebar, /^Stopping …/);
    expect(sidebar.sent('stop')).toEqual([]);
    slow.back();
    await says(sidebar, 'Stopped');
    expect(sidebar.sent('stop')).toEqual([{ runId: 'run' }]);
    expect(sidebar.sent('step')).toHaveLength(1);
  });

  it('is Done where that step was the last', async () => {
    let back = (): void => undefined;
    const sidebar = await open({
      step: () =>
        new Promise((resolve) => {
          back = () => resolve(progress(100, 'done'));
        }),
    });
    await button(sidebar, 'Write 20 rows').click();
    await button(sidebar, /^Stop/).click();
    back();
    await says(sidebar, 'Done');
    expect(sidebar.sent('stop')).toEqual([]);
  });

  it('that is refused says why, and the run can go on', async () => {
    const slow = slowStep();
    const sidebar = await open({
      step: slow.step,
      stop: () => new Refused('Somebody else is at it.', 'running'),
    });
    await button(sidebar, 'Write 20 rows').click();
    await button(sidebar, /^Stop/).click();
    slow.back();
    await says(sidebar, 'Somebody else is at it.');
    expect(await button(sidebar, /^Resume( ·|$)/).isEnabled()).toBe(true);
  });
});

describe('a price', () => {
  it.each([
    ['search', 'planSearch', 'Write 20 rows'],
    ['enrich', 'planEnrich', 'Enrich 14 rows'],
  ] as const)(
    'of %s is asked for before a run and after it, not while one is under way',
    async (name, method, go) => {
      const slow = slowStep();
      const sidebar = await open({ ...at(name), step: slow.step });
      await button(sidebar, go).click();
      await says(sidebar, '0 of 100');
      const asked = sidebar.sent(method).length;
      await tab(sidebar, 'Activity').click();
      await tab(sidebar, name === 'search' ? 'Search' : 'Enrich').click();
      await button(sidebar, /^Stop/).click();
      expect(sidebar.sent(method)).toHaveLength(asked);
      slow.back();
      await says(sidebar, 'Stopped');
      await eventually(() => sidebar.sent(method).length).toBe(asked + 1);
    },
  );

  it('is none where spending was switched off, and says where it is switched on', async () => {
    const sidebar = await open();
    await eventually(() => price(sidebar).textContent()).toMatch(/20 rows cost/);
    const asked = sidebar.sent('planSearch').length;
    await tab(sidebar, 'Activity').click();
    await sidebar.page.getByLabel(/Spend credits in this sheet/).click();
    await eventually(() => sidebar.sent('setSpending').length).toBe(1);
    await tab(sidebar, 'Search').click();
    await eventually(() => price(sidebar).textContent()).toBe(
      'Spending is off: switch it on under Activity.',
    );
    await eventually(() => sidebar.sent('planSearch').length).toBe(asked + 1);
    expect(await button(sidebar, /^Write/).isDisabled()).toBe(true);
  });

  it('says that a table is to be chosen', async () => {
    const sidebar = await open({ tables: () => [{ ...table, family: 'company_clean' }] });
    await sidebar.page.getByLabel('A table that is here').check();
    await says(sidebar, 'Choose a table.');
    expect(await button(sidebar, 'Write rows').isDisabled()).toBe(true);
    await sidebar.page.getByLabel('Table', { exact: true }).selectOption('one');
    await eventually(() => price(sidebar).textContent()).toMatch(/20 rows cost/);
    expect(await sidebar.page.getByText('Choose a table.').count()).toBe(0);
  });
});

describe('a table’s card', () => {
  it.each([
    ['Refresh Companies: software', 'Refresh'],
    ['Full records for Companies: software', 'Add full records'],
  ])('closes “%s” when that is done, and keeps it while it is not', async (unfold, go) => {
    let fails = true;
    const sidebar = await open({
      ...at('tables'),
      tables: () => [table],
      step: () => {
        if (fails) return progress(40, 'paused', { trouble: { message: 'Wait a minute.' } });
        return progress(
          100,
          'done',
          go === 'Refresh' ? { kind: 'refresh' } : { kind: 'records', tableId: 'new' },
        );
      },
    });
    await button(sidebar, unfold).click();
    await button(sidebar, go).and(sidebar.page.locator('.primary')).click();
    await says(sidebar, 'Wait a minute.');
    expect(await button(sidebar, unfold).getAttribute('aria-expanded')).toBe('true');
    fails = false;
    await button(sidebar, /^Resume( ·|$)/).click();
    await says(sidebar, '100 of 100');
    await eventually(() => button(sidebar, unfold).getAttribute('aria-expanded')).toBe('false');
  });

  it('stays unfolded for full records where a search ended in front', async () => {
    const sidebar = await open({ tables: () => [table] });
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, '100 of 100');
    await button(sidebar, 'Full records').click();
    await says(sidebar, 'Columns to add');
    expect(await button(sidebar, /^Full records for/).getAttribute('aria-expanded')).toBe('true');
  });

  it('is read again when somebody comes back from the sheet', async () => {
    const sidebar = await open({ ...at('tables'), tables: () => [{ ...table, range: 'B1:G1' }] });
    await says(sidebar, /B1:G1/);
    sidebar.answers.tables = () => [table];
    await sidebar.page.evaluate("dispatchEvent(new Event('focus'))");
    await says(sidebar, /A1:G1/);
  });

  it.each([
    [{ es_dsl: { query: { match_all: {} } } }, 'Everything'],
    [{ filters: {} }, 'Everything'],
    [{ text: '*' }, 'Everything'],
    [{ text: 'law' }, 'law'],
    [{ es_dsl: { query: { match: { industry: 'law' } } } }, '{"query":{"match":{"industry":"law"}}}'],
    [{ filters: { industry: 'law' } }, 'Industry: law'],
  ])('says what was searched: %j', async (query, words) => {
    const sidebar = await open({ ...at('tables'), tables: () => [{ ...table, query }] });
    await sidebar.page.getByText('Details').click();
    await sidebar.page.getByText(words, { exact: true }).waitFor();
  });
});
