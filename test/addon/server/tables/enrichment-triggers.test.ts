// Looked-up columns that are kept filled by edits and changes of the sheet, and the triggers for them.
import { describe, expect, it } from 'vitest';
import type { Block, TriggerData } from '../../../../addon/dev/host/types.ts';
import { longIt } from '../../../pick-cases.ts';
import type { Sidebar } from '../sidebar.ts';
import { addRows, listBought, openKept, SETTINGS } from './kept-filled.ts';

/** Its user gets the triggers for edits and changes, too. */
const openTrigger: TriggerData = {
  uid: 'opening',
  functionName: 'cdapiOnOpen',
  user: 'viewer@team.example',
  document: 'workbook',
  event: 'ON_OPEN',
};
const FOURTH_ROW: Block = { sheet: 1, row: 4, column: 1, rows: 1, columns: 1 };

it('an edit of the keys fills new rows, other edits call nothing', async () => {
  const { sidebar, answers } = await openKept({ triggers: [openTrigger] });
  const before = sidebar.listCalls().length;
  const edit = (range: Partial<Block>) => sidebar.runEditTriggers({ ...FOURTH_ROW, ...range });
  addRows(sidebar, 'c.example');
  expect(await edit({ column: 2, columns: 3 })).toEqual([null, null]);
  expect(await edit({ row: 1 })).toEqual([null, null]);
  expect(sidebar.listCalls().slice(before)).toEqual([]);
  await sidebar.callOk('setSpending', { on: false });
  const off = sidebar.listCalls().length;
  expect(await edit({})).toEqual([null, null]);
  expect(sidebar.listCalls().slice(off)).toEqual([]);
  await sidebar.callOk('setSpending', { on: true });
  answers.areLost = true;
  expect(await edit({})).toEqual([null, null]);
  answers.areLost = false;
  expect((await sidebar.callOk('activity', {})).errors).toMatchObject([{ code: 'gateway_unavailable' }]);
  expect(await edit({ row: 2, rows: 3, columns: 2 })).toEqual([null, null]);
  expect(sidebar.getValues('Sheet1')[3]).toEqual(['c.example', 'Name of c.example', 1999]);
  expect(listBought()).toEqual(['c.example']);
  const { filled } = await sidebar.callOk('deliveries', {});
  expect(await sidebar.callOk('undo', { runId: filled?.runId ?? '' })).toMatchObject({ cells: 2 });
});

it('an inserted row is filled once, also if edits and changes are reported at the same time', async () => {
  const { sidebar } = await openKept({ triggers: [openTrigger] });
  addRows(sidebar, 'c.example');
  const before = sidebar.listCalls().length;
  for (const type of ['FORMAT', 'REMOVE_ROW', 'INSERT_COLUMN'] as const)
    expect(await sidebar.runChangeTriggers(type)).toEqual([null]);
  expect(sidebar.listCalls().slice(before)).toEqual([]);
  const results = await Promise.all([
    sidebar.runEditTriggers(FOURTH_ROW),
    sidebar.runChangeTriggers('INSERT_ROW'),
    sidebar.runChangeTriggers('OTHER'),
  ]);
  expect(results.flat()).toEqual([null, null, null, null]);
  expect(sidebar.getValues('Sheet1')[3]).toEqual(['c.example', 'Name of c.example', 1999]);
  const isFill = (call: string) => call.endsWith('/fill');
  expect(sidebar.listCalls().slice(before).filter(isFill)).toHaveLength(1);
  expect(listBought()).toEqual(['c.example']);
  addRows(sidebar, 'd.example');
  await sidebar.runChangeTriggers('INSERT_GRID');
  expect(sidebar.getValues('Sheet1')[4]).toEqual(['d.example', 'Name of d.example', 1999]);
});

describe('the triggers for edits and changes', () => {
  const ALL = ['ON_OPEN', 'ON_EDIT', 'ON_CHANGE'];
  const listEvents = (sidebar: Sidebar): string[] => sidebar.listTriggers().map(({ event }) => event);

  it('exist while a table is kept filled and “Complete rows on opening” is on', async () => {
    const { sidebar, tableId } = await openKept({ onUi: () => ({ button: 'YES' }) });
    expect(listEvents(sidebar)).toEqual([]);
    await sidebar.choose('completeOnOpening');
    expect(listEvents(sidebar)).toEqual(ALL);
    await sidebar.callOk('setEnrichment', { tableId, settings: null });
    expect(listEvents(sidebar)).toEqual(['ON_OPEN']);
    await sidebar.callOk('setEnrichment', { tableId, settings: SETTINGS });
    expect(listEvents(sidebar)).toEqual(ALL);
    await sidebar.callOk('untrackTable', { id: tableId });
    expect(listEvents(sidebar)).toEqual(['ON_OPEN']);
  });

  it('of a colleague are added at the next opening, and deleted at the next edit', async () => {
    const { sidebar, tableId } = await openKept({
      triggers: [{ ...openTrigger, user: 'colleague@team.example' }],
    });
    expect(await sidebar.reopen()).toEqual([null]);
    expect(listEvents(sidebar)).toEqual(ALL);
    await sidebar.callOk('setEnrichment', { tableId, settings: null });
    expect(listEvents(sidebar)).toEqual(ALL);
    await sidebar.runEditTriggers(FOURTH_ROW);
    expect(listEvents(sidebar)).toEqual(['ON_OPEN']);
  });

  it('are no condition: without the permission, tables are kept filled by the open sidebar', async () => {
    const scope = 'https://www.googleapis.com/auth/script.scriptapp';
    const { sidebar } = await openKept({ deniedScopes: [scope] });
    expect((await sidebar.callOk('activity', {})).errors).toEqual([]);
  });

  describe('as the card of a table shows them', () => {
    const FETCH = 'https://www.googleapis.com/auth/script.external_request';
    const MINUTE = 60_000;

    /** Opens a spreadsheet that is kept filled by triggers, on a clock that the test moves. */
    async function openWithTriggers() {
      let now = Date.UTC(2026, 0, 1);
      const { sidebar, tableId } = await openKept({ now: () => now, onUi: () => ({ button: 'YES' }) });
      await sidebar.choose('completeOnOpening');
      const pass = (ms: number): void => {
        now += ms;
      };
      const readTrigger = async () => (await sidebar.callOk('enrichment', { tableId })).trigger;
      const readCard = async () => (await sidebar.callOk('tables', {}))[0]?.filling?.trigger;
      return { sidebar, tableId, pass, readTrigger, readCard };
    }

    it('say when they last ran', async () => {
      const { sidebar, pass, readTrigger } = await openWithTriggers();
      expect(await readTrigger()).toEqual({ state: 'on' });
      expect(await sidebar.reopen()).toEqual([null]);
      expect(await readTrigger()).toEqual({
        state: 'on',
        lastRun: expect.stringMatching(/^2026-01-01T00:0/),
      });
      pass(60 * MINUTE);
      addRows(sidebar, 'c.example');
      await sidebar.runEditTriggers(FOURTH_ROW);
      expect(await readTrigger()).toEqual({
        state: 'on',
        lastRun: expect.stringMatching(/^2026-01-01T01:0/),
      });
    });

    longIt('are noticed and repaired if Google stopped them for a missing permission', async () => {
      const { sidebar, tableId, pass, readTrigger, readCard } = await openWithTriggers();
      sidebar.updateSettings({ deniedScopes: [FETCH] });
      const before = sidebar.getValues('Sheet1');
      addRows(sidebar, 'c.example');
      expect(await sidebar.reopen()).toEqual([expect.stringContaining('permission')]);
      expect(sidebar.getValues('Sheet1')).toEqual([...before, ['c.example']]);
      sidebar.updateSettings({ deniedScopes: [] });
      expect(await readTrigger()).toEqual({ state: 'on' });
      pass(7 * MINUTE);
      expect([await readTrigger(), await readCard()]).toEqual([{ state: 'stopped' }, 'stopped']);
      const { trigger } = await sidebar.callOk('repairTriggers', { tableId });
      expect(trigger).toEqual({ state: 'on' });
      expect(listEvents(sidebar)).toEqual(ALL);
      expect(await sidebar.reopen()).toEqual([null]);
      expect(await readTrigger()).toMatchObject({ state: 'on', lastRun: expect.any(String) });
    });

    it('are noticed if the permission for triggers was taken back', async () => {
      const { sidebar, readCard } = await openWithTriggers();
      sidebar.updateSettings({ deniedScopes: ['https://www.googleapis.com/auth/script.scriptapp'] });
      expect(await readCard()).toBe('denied');
    });

    longIt('are noticed if Google removed them, and not if a person switched them off', async () => {
      const { sidebar, readTrigger } = await openWithTriggers();
      await sidebar.choose('completeOnOpening');
      expect(await readTrigger()).toEqual({ state: 'off' });
      const { CDAPI_CONNECTION = '' } = sidebar.getProperties();
      const user = { 'viewer@team.example': { 'CDAPI_TRIGGER:workbook': '{"startedAt":"","endedAt":""}' } };
      const removed = await openKept({ properties: { document: { CDAPI_CONNECTION }, user } });
      const view = await removed.sidebar.callOk('enrichment', { tableId: removed.tableId });
      expect(view.trigger).toEqual({ state: 'removed' });
    });
  });
});
