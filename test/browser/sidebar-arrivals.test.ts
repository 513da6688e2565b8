// Rows that arrive by themselves while the sidebar is open.
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../addon/server/api/index.ts';
import { eventually, never, Refused } from './sidebar.ts';
import { NOW, progress } from './sidebar-answers.ts';
import { button, price, says, sidebars } from './sidebar-desk.ts';

const open = sidebars();

describe('rows that became ready', () => {
  const delivery: Delivery = { tableId: 'bulk', title: 'Companies', rowsId: 'r1', kind: 'request' };
  const arrived = () => progress(238, 'done', { kind: 'bulk', total: 238, rows: 238, title: 'Companies' });

  it('are written by themselves, once, and told; undo takes them back', async () => {
    const sidebar = await open({ deliveries: () => ({ deliveries: [delivery] }), step: arrived });
    await says(sidebar, '238 rows arrived in Companies.');
    await eventually(() => sidebar.sent('deliveries').length).toBe(2);
    expect(sidebar.sent('writeDelivery')).toEqual([{ tableId: 'bulk', rowsId: 'r1', kind: 'request' }]);
    // What a person was about to do is still there.
    await eventually(() => price(sidebar).textContent()).toMatch(/20 rows cost/);
    await button(sidebar, 'Undo').click();
    await says(sidebar, 'Undone (300 cells restored).');
  });

  it('wait for the run that is under way; “a finished run must block nothing”', async () => {
    let found: Delivery[] = [];
    const sidebar = await open(
      { deliveries: () => ({ deliveries: found }), step: never },
      { stopped: true, now: NOW },
    );
    await sidebar.page.clock.runFor(1000);
    let finish = (): void => undefined;
    sidebar.answers.step = () =>
      new Promise((resolve) => {
        finish = () => resolve(progress(100, 'done'));
      });
    await button(sidebar, 'Write 20 rows').click();
    await says(sidebar, '0 of 100');
    found = [delivery];
    await sidebar.page.clock.runFor(60_000);
    expect(sidebar.sent('writeDelivery')).toEqual([]);
    finish();
    await says(sidebar, '100 of 100');
    sidebar.answers.step = arrived;
    // The page looks again a moment after it has heard of the end: that timer may not be set yet.
    await eventually(async () => {
      await sidebar.page.clock.runFor(1000);
      return sidebar.page.getByText('238 rows arrived in Companies.').count();
    }).toBe(1);
    // What the person's own run brought is still told.
    await says(sidebar, '100 of 100');
    await says(sidebar, 'You can’t undo this run any more: other rows have arrived since.');
  });

  it('are told once where they could not be written, with a button to try again', async () => {
    const sidebar = await open(
      {
        deliveries: () => ({ deliveries: [delivery] }),
        writeDelivery: () => new Refused('The sheet is protected.', 'sheet_refused'),
      },
      { stopped: true, now: NOW },
    );
    await says(sidebar, /The sheet is protected\./);
    await sidebar.page.clock.runFor(60_000);
    expect(sidebar.sent('writeDelivery')).toHaveLength(1);
    sidebar.answers.writeDelivery = () => progress(0, 'running', { kind: 'bulk' });
    sidebar.answers.step = arrived;
    await button(sidebar, 'Write rows').click();
    await says(sidebar, '238 rows arrived in Companies.');
    expect(sidebar.sent('writeDelivery')).toHaveLength(2);
  });
});
