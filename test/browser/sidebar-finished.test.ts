// A run that is over is shown in the foot of the sidebar, and blocks nothing: “A finished run must block nothing.”
import { describe, expect, it } from 'vitest';
import { eventually, Refused } from './sidebar.ts';
import { progress, status, table } from './sidebar-answers.ts';
import { button, price, says, sidebars } from './sidebar-desk.ts';

const open = sidebars();

const at = (tab: 'enrich' | 'tables') => ({ status: () => ({ ...status, tab }) });

describe('while a finished run is shown', () => {
  it('Search shows price and button, and starts the next run', async () => {
    const sidebar = await open();
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, '100 of 100');
    await eventually(() => price(sidebar).textContent()).toMatch(/10 credits/);
    await button(sidebar, 'Write 20 rows').click();
    await eventually(() => sidebar.sent('startSearch').length).toBe(2);
  });

  it('Enrich shows price and button, priced after the run', async () => {
    const sidebar = await open(at('enrich'));
    await button(sidebar, 'Enrich 14 rows').click();
    await says(sidebar, '100 of 100');
    await eventually(() => sidebar.sent('planEnrich').length).toBe(2);
    await eventually(() => price(sidebar).textContent()).toBe('14 rows: 70 credits');
    await button(sidebar, 'Enrich 14 rows').waitFor();
  });

  it.each([
    ['Refresh', 'Refresh Companies: software', /50 credits/],
    ['Full records', 'Full records for Companies: software', /70 credits/],
  ])('%s says what it costs', async (_, name, cost) => {
    const sidebar = await open({ ...at('tables'), tables: () => [table] });
    await button(sidebar, 'Refresh Companies: software').click();
    await sidebar.page.locator('.button.primary').click();
    await says(sidebar, '100 of 100');
    await button(sidebar, name).click();
    await eventually(() => price(sidebar).textContent()).toMatch(cost);
  });

  it.each(['stopped', 'paused'] as const)('one that is %s blocks nothing either', async (state) => {
    const sidebar = await open({ step: () => progress(40, state, { trouble: { message: 'Wait.' } }) });
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
    await button(sidebar, 'Replace').click();
    await says(sidebar, 'Protected.');
  });
});
