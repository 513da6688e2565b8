// Deliveries while the sidebar is open.
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../addon/server/api/index.ts';
import { eventually } from './browser.ts';
import { answers, NOW, progress } from './sidebar-answers.ts';
import { never, Refused, setUpCanned } from './sidebar-canned.ts';

const open = setUpCanned(answers);

describe('a delivery', () => {
  const delivery: Delivery = { tableId: 'bulk', title: 'Companies', rowsId: 'r1', kind: 'request' };
  const written = () => progress(238, 'done', { kind: 'bulk', total: 238, rows: 238, title: 'Companies' });

  it('is written once, announced, and can be undone', async () => {
    const sidebar = await open({ deliveries: () => ({ deliveries: [delivery] }), step: written });
    await sidebar.shows('238 rows arrived in “Companies” on sheet “Companies: software”.');
    await eventually(() => sidebar.sent('deliveries').length).toBe(2);
    await eventually(() => sidebar.sent('writeDelivery')).toEqual([
      { tableId: 'bulk', rowsId: 'r1', kind: 'request' },
    ]);
    await sidebar.price().toMatch(/20 rows cost/);
    await sidebar.button('Undo').click();
    await sidebar.shows('Undone (300 cells restored).');
  });

  it('is announced with the rows that stayed empty if it filled new rows', async () => {
    const fill = { runId: 'fill', at: NOW.toISOString(), rows: 3, notFound: 1, credits: 20 };
    const filled = { ...fill, tables: [{ id: 'two', title: 'Website' }] };
    const sidebar = await open({ deliveries: () => ({ deliveries: [], filled }) });
    await sidebar.shows('3 new rows in Website: 2 filled for 20 credits, 1 not found.');
  });

  it('waits for the current run and keeps its result on the screen', async () => {
    let deliveries: Delivery[] = [];
    const sidebar = await open(
      { deliveries: () => ({ deliveries }), step: never },
      { stopped: true, now: NOW },
    );
    await sidebar.page.clock.runFor(1000);
    let finish = (): void => undefined;
    sidebar.answers.step = () =>
      new Promise((resolve) => {
        finish = () => resolve(progress(100, 'done'));
      });
    await sidebar.button('Write 20 rows').click();
    await sidebar.shows('0 of 100');
    deliveries = [delivery];
    await sidebar.page.clock.runFor(60_000);
    expect(sidebar.sent('writeDelivery')).toEqual([]);
    // The page may write the delivery as soon as the run has ended.
    sidebar.answers.step = written;
    finish();
    await sidebar.shows('100 of 100');
    // The page checks again shortly after the run: its timer may not be set yet.
    await eventually(async () => {
      await sidebar.page.clock.runFor(1000);
      return sidebar.page
        .getByText('238 rows arrived in “Companies” on sheet “Companies: software”.')
        .count();
    }).toBe(1);
    await sidebar.shows('100 of 100');
    expect(await sidebar.button('Undo').count()).toBe(2);
  });

  it('offers a retry if it could not be written', async () => {
    const sidebar = await open(
      {
        deliveries: () => ({ deliveries: [delivery] }),
        writeDelivery: () => new Refused('The sheet is protected.', 'sheet_refused'),
      },
      { stopped: true, now: NOW },
    );
    await sidebar.shows(/The sheet is protected\./);
    await sidebar.page.clock.runFor(60_000);
    await eventually(() => sidebar.sent('writeDelivery')).toHaveLength(1);
    sidebar.answers.writeDelivery = () => progress(0, 'running', { kind: 'bulk' });
    sidebar.answers.step = written;
    await sidebar.button('Write rows').click();
    await sidebar.shows('238 rows arrived in “Companies” on sheet “Companies: software”.');
    await eventually(() => sidebar.sent('writeDelivery')).toHaveLength(2);
  });
});
