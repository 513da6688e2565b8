// What the sidebar does when something has changed: a run is in front or has ended, spending was switched, a table was renamed.
import { describe, expect, it } from 'vitest';
import { eventually, Refused } from './sidebar.ts';
import { progress, status } from './sidebar-answers.ts';
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
    await sidebar.page.getByLabel(/Spend credits in this spreadsheet/).click();
    await eventually(() => sidebar.sent('setSpending').length).toBe(1);
    await tab(sidebar, 'Search').click();
    await eventually(() => price(sidebar).textContent()).toBe('Spending is off. Turn it on in Activity.');
    await eventually(() => sidebar.sent('planSearch').length).toBe(asked + 1);
    expect(await button(sidebar, /^Write/).isDisabled()).toBe(true);
  });
});

// “A finished run must block nothing.”
describe('while a finished run is shown', () => {
  it('Search shows price and button, and starts the next run', async () => {
    const sidebar = await open();
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, '100 of 100');
    await eventually(() => price(sidebar).textContent()).toMatch(/10 credits/);
    await button(sidebar, 'Write 20 rows').click();
    await eventually(() => sidebar.sent('startSearch').length).toBe(2);
  });

  it.each(['stopped', 'paused'] as const)('one that is %s blocks nothing either', async (state) => {
    const sidebar = await open({ step: () => progress(40, state, { failure: { message: 'Wait.' } }) });
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, '40 of 100');
    await eventually(() => price(sidebar).textContent()).toMatch(/10 credits/);
  });

  it('a new question and a refusal take its place', async () => {
    const sidebar = await open();
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, '100 of 100');
    sidebar.answers.startSearch = ({ confirmed }) =>
      confirmed ? new Refused('Protected.') : new Refused('Replace B3?', 'confirm_first');
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, 'Replace B3?');
    expect(await sidebar.page.getByText('100 of 100').count()).toBe(0);
    await button(sidebar, 'Replace cells').click();
    await says(sidebar, 'Protected.');
  });
});
