// Looked-up columns that are kept filled while the spreadsheet is open. Counts calls and bought keys.
import { describe, expect, it } from 'vitest';
import type {
  CellValue,
  EditedRange,
  HostRequest,
  HostResponse,
  TriggerData,
} from '../../../../addon/dev/host/types.ts';
import { getRecordPrice } from '../../../../shared/operations.ts';
import { explainProblem } from '../../../../shared/problems.ts';
import { createProblemResponse } from '../../gateway-lists.ts';
import { createEnrichOrder, createList, runEnrichment } from '../orders.ts';
import { gateway, openSidebar, type Sidebar, type SidebarOptions } from '../sidebar.ts';

const SETTINGS = {
  closed: false,
  every: 'day',
  max_credits: 100,
  month_credits: 1000,
  paused: false,
  refresh_days: null,
} as const;

/** Opens a spreadsheet with two rows that are kept filled. The answers of fills can be lost. */
async function openKept(options: SidebarOptions = {}) {
  const answers = { areLost: false };
  const workbook = createList(['a.example', 'b.example']);
  const fetch = async (request: HostRequest): Promise<HostResponse> => {
    const answer = await gateway.fetch(request);
    const isLost = answers.areLost && request.url.endsWith('/fill');
    return isLost ? createProblemResponse('gateway_unavailable') : answer;
  };
  const sidebar = await openSidebar({ workbook, fetch, ...options });
  const { runId } = await runEnrichment(sidebar, createEnrichOrder());
  const [table] = await sidebar.callOk('tables', {});
  const tableId = table?.id ?? '';
  const saved = await sidebar.callOk('setAutoEnrich', { tableId, settings: SETTINGS });
  expect(saved.enrichment).toMatchObject({
    state: 'on',
    key: { heading: 'Website' },
    by: 'website',
    ...SETTINGS,
  });
  return { sidebar, answers, tableId, runId };
}

const listKept = () => gateway.lists.enrichments.items;
const listKnown = (id: string): string[] => [...(gateway.lists.known.get(id) ?? [])];

/** Lists the bought keys of rows that were added. */
const listBought = (): string[] =>
  [...gateway.bought].flatMap(([id, times]) => Array(times).fill(id.replace('company_clean ', ''))).slice(2);

const addRows = (sidebar: Sidebar, ...keys: string[]): void =>
  sidebar.editSheet('Sheet1', (sheet) => ({
    ...sheet,
    values: [...sheet.values, ...keys.map((key) => [key])],
  }));

/** Polls. @returns the calls about columns that are kept filled */
async function pollEnrichments(sidebar: Sidebar): Promise<string[]> {
  const before = sidebar.listCalls().length;
  await sidebar.callOk('deliveries', {});
  return sidebar
    .listCalls()
    .slice(before)
    .filter((call) => call.includes('enrichments'));
}

it('new rows are filled at the next poll, and present ones are never bought', async () => {
  const { sidebar, tableId } = await openKept();
  expect(listKnown(tableId)).toEqual(['a.example', 'b.example']);
  expect(await pollEnrichments(sidebar)).toEqual([]);
  addRows(sidebar, 'https://www.c.example/', 'c.example', 'not a website');
  await sidebar.callOk('deliveries', {});
  expect(sidebar.getValues('Sheet1').slice(3)).toMatchObject([
    ['https://www.c.example/', 'Name of c.example', 1999],
    ['c.example', 'Name of c.example', 1999],
    ['not a website'],
  ]);
  await sidebar.callOk('deliveries', {});
  expect(listBought()).toEqual(['c.example']);
  // They do not count as changed by hand.
  const plan = await sidebar.callOk('planEnrich', createEnrichOrder());
  expect(plan).toMatchObject({ rows: 5 });
  expect(plan).not.toHaveProperty('willOverwrite');
});

it.each([
  ['the first heading is renamed', (row: CellValue[]) => ['Webseite', ...row.slice(1)]],
  ['another heading is renamed', ([key = '', , ...rest]: CellValue[]) => [key, 'Firma', ...rest]],
])('nothing is bought in a sheet with the same headings that nobody chose if %s', async (_, rename) => {
  const { sidebar } = await openKept();
  sidebar.edit((workbook) => ({
    ...workbook,
    sheets: [
      ...workbook.sheets,
      {
        id: 2,
        name: 'Q4 leads',
        values: [sidebar.getValues('Sheet1')[0] ?? [], ['x.example'], ['y.example']],
        formulas: [[], ['', '=UPPER(A2)']],
      },
    ],
  }));
  const before = sidebar.getSheet('Q4 leads');
  sidebar.editSheet('Sheet1', ({ values: [head = [], ...rows] }) => ({
    values: [rename([...head]), ...rows],
  }));
  await sidebar.callOk('deliveries', {});
  await sidebar.callOk('tables', {});
  sidebar.edit((workbook) => ({ ...workbook, sheets: workbook.sheets.slice(1) }));
  await sidebar.callOk('deliveries', {});
  expect(await sidebar.callOk('tables', {})).toMatchObject([{ sheet: 'Sheet1', sheetDeleted: true }]);
  expect(sidebar.getSheet('Q4 leads')).toEqual(before);
  expect(listBought()).toEqual([]);
});

it('a new row without a record says why in its note, and notes of people stay', async () => {
  const { sidebar } = await openKept();
  addRows(sidebar, 'nobody.example', 'nobody2.example');
  sidebar.editSheet('Sheet1', (sheet) => ({ ...sheet, notes: [[], [], [], [], ['', 'mine']] }));
  await sidebar.callOk('deliveries', {});
  expect(sidebar.getValues('Sheet1').slice(3)).toMatchObject([
    ['nobody.example', '#NOT_FOUND', ''],
    ['nobody2.example', '#NOT_FOUND', ''],
  ]);
  const notes = sidebar.getSheet('Sheet1').notes ?? [];
  expect([notes[3]?.[1], notes[4]?.[1]]).toEqual([explainProblem('not_found'), 'mine']);
});

it('old values are refreshed at the chosen time, for a price that is known before', async () => {
  const { sidebar, tableId } = await openKept();
  addRows(sidebar, 'https://www.b.example/', 'c.example', 'not a website');
  const { keys, unfilled } = await sidebar.callOk('autoEnrich', { tableId });
  const price = getRecordPrice('company_clean');
  expect(keys).toEqual({ count: 3, credits: 3 * price });
  // One of the two waiting rows has the website of another row.
  expect(unfilled).toEqual({ blank: 0, notKeys: { name: 1 }, waiting: 2, credits: price });
  const changed = { ...SETTINGS, closed: true, refresh_days: 30 };
  const settings = { ...changed, at: '2026-01-05T08:00:00Z' };
  const { enrichment } = await sidebar.callOk('setAutoEnrich', { tableId, settings });
  expect(enrichment).toMatchObject({ ...changed, next_at: expect.stringContaining('T08:00:00') });
  expect(listBought()).toEqual([]);
});

it('a lost answer buys nothing twice', async () => {
  const { sidebar, answers } = await openKept();
  addRows(sidebar, 'c.example');
  answers.areLost = true;
  await sidebar.callOk('deliveries', {});
  answers.areLost = false;
  await sidebar.callOk('deliveries', {});
  expect(sidebar.getValues('Sheet1')[3]).toEqual(['c.example', 'Name of c.example', 1999]);
  expect(listBought()).toEqual(['c.example']);
});

it('a gateway that no longer has it gets the present keys again before it buys any', async () => {
  const { sidebar, tableId } = await openKept();
  addRows(sidebar, 'c.example');
  gateway.lists.enrichments.items = [];
  gateway.lists.known.clear();
  await sidebar.callOk('setAutoEnrich', { tableId, settings: SETTINGS });
  expect(listKnown(tableId)).toEqual(['a.example', 'b.example', 'c.example']);
  await sidebar.callOk('deliveries', {});
  expect(listBought()).toEqual([]);
});

it('it can be turned off, and ends with the tracking of the table', async () => {
  const { sidebar, tableId } = await openKept();
  await sidebar.callOk('setAutoEnrich', { tableId, settings: null });
  expect(listKept()).toEqual([]);
  addRows(sidebar, 'c.example');
  await sidebar.callOk('deliveries', {});
  expect(listBought()).toEqual([]);
  await sidebar.callOk('setAutoEnrich', { tableId, settings: SETTINGS });
  await sidebar.callOk('forgetTable', { id: tableId });
  expect(listKept()).toEqual([]);
});

it('undoing the run that made the table ends it at the gateway too', async () => {
  const { sidebar, runId } = await openKept();
  await sidebar.callOk('undo', { runId });
  expect(listKept()).toEqual([]);
  expect(await sidebar.callOk('tables', {})).toEqual([]);
});

it('a fill can be undone until its cells change, and undone rows are not filled again', async () => {
  const { sidebar, tableId } = await openKept();
  expect(await sidebar.callOk('autoEnrich', { tableId })).not.toHaveProperty('undo');
  addRows(sidebar, 'c.example', 'not a website', 'd.example');
  const { filled } = await sidebar.callOk('deliveries', {});
  expect(filled).toMatchObject({ rows: 2, credits: 20, tables: [{ id: tableId }] });
  const { undo } = await sidebar.callOk('autoEnrich', { tableId });
  expect(undo).toEqual(filled);
  const runId = filled?.runId ?? '';
  const written = sidebar.getSheet('Sheet1').values;
  const setFilled = (name: unknown) =>
    sidebar.editSheet('Sheet1', (sheet) => ({
      ...sheet,
      values: written.map((row, at) => (at === 3 ? [row[0] ?? '', String(name), row[2] ?? ''] : row)),
    }));
  setFilled('Changed by hand');
  expect(await sidebar.call('undo', { runId })).toMatchObject({ ok: false, code: 'gone' });
  setFilled('Name of c.example');
  expect(await sidebar.callOk('undo', { runId })).toMatchObject({ cells: 4 });
  await sidebar.callOk('deliveries', {});
  const isBlank = (row: readonly unknown[]) => row.slice(1).every((cell) => cell === '');
  expect(sidebar.getValues('Sheet1').slice(3).map(isBlank)).toEqual([true, true, true]);
  expect(listBought()).toEqual(['c.example', 'd.example']);
  expect(await sidebar.callOk('autoEnrich', { tableId })).not.toHaveProperty('undo');
});

it('a new row with a website of another row gets its values for free, and stays blank once that is undone', async () => {
  const { sidebar, tableId } = await openKept();
  addRows(sidebar, 'www.b.example', 'c.example');
  const { filled } = await sidebar.callOk('deliveries', {});
  const [, , second = []] = sidebar.getValues('Sheet1');
  expect(filled).toMatchObject({ rows: 2, credits: 10 });
  expect(sidebar.getValues('Sheet1').slice(3)).toEqual([
    ['www.b.example', ...second.slice(1)],
    ['c.example', 'Name of c.example', 1999],
  ]);
  expect(listBought()).toEqual(['c.example']);
  await sidebar.callOk('undo', { runId: filled?.runId ?? '' });
  const before = sidebar.listCalls().length;
  await sidebar.callOk('deliveries', {});
  const isBuying = (call: string) => /fill|lookup/.test(call);
  expect(sidebar.listCalls().slice(before).filter(isBuying)).toEqual([]);
  expect(sidebar.getValues('Sheet1').slice(3)).toEqual([
    ['www.b.example', '', ''],
    ['c.example', '', ''],
  ]);
  const { unfilled } = await sidebar.callOk('autoEnrich', { tableId });
  expect(unfilled.blank).toBe(2);
  expect((await sidebar.callOk('tables', {}))[0]?.filling).toEqual({
    state: 'on',
    trigger: 'off',
    month_spent: 10,
    last: expect.objectContaining({ rows: 2, credits: 10, isUndone: true }),
  });
});

it('a row whose values a person clears stays blank, is counted, and is not looked up at each poll', async () => {
  const { sidebar, tableId } = await openKept();
  sidebar.editSheet('Sheet1', (sheet) => ({
    ...sheet,
    values: sheet.values.map((row, at) => (at === 1 ? [row[0] ?? '', '', ''] : row)),
  }));
  await sidebar.callOk('deliveries', {});
  expect(await pollEnrichments(sidebar)).toEqual([]);
  expect(sidebar.getValues('Sheet1')[1]).toEqual(['a.example', '', '']);
  expect((await sidebar.callOk('autoEnrich', { tableId })).unfilled).toMatchObject({ blank: 1 });
});

it('a poll without new rows leaves the undo of the last run alone', async () => {
  const { sidebar } = await openKept();
  const before = sidebar.getValues('Sheet1');
  addRows(sidebar, 'c.example');
  await sidebar.callOk('deliveries', {});
  const { filled } = await sidebar.callOk('deliveries', {});
  await sidebar.callOk('undo', { runId: filled?.runId ?? '' });
  expect(sidebar.getValues('Sheet1').slice(0, 3)).toEqual(before);
});

/** Its user gets the triggers for edits and changes, too. */
const openTrigger: TriggerData = {
  uid: 'opening',
  functionName: 'cdapiOnOpen',
  user: 'viewer@team.example',
  document: 'workbook',
  event: 'ON_OPEN',
};
const FOURTH_ROW: EditedRange = { sheet: 1, row: 4, column: 1, rows: 1, columns: 1 };

it('an edit of the keys fills new rows, other edits call nothing', async () => {
  const { sidebar, answers } = await openKept({ triggers: [openTrigger] });
  const before = sidebar.listCalls().length;
  const edit = (range: Partial<EditedRange>) => sidebar.runEditTriggers({ ...FOURTH_ROW, ...range });
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
    await sidebar.callOk('setAutoEnrich', { tableId, settings: null });
    expect(listEvents(sidebar)).toEqual(['ON_OPEN']);
    await sidebar.callOk('setAutoEnrich', { tableId, settings: SETTINGS });
    expect(listEvents(sidebar)).toEqual(ALL);
    await sidebar.callOk('forgetTable', { id: tableId });
    expect(listEvents(sidebar)).toEqual(['ON_OPEN']);
  });

  it('of a colleague are added at the next opening, and deleted at the next edit', async () => {
    const { sidebar, tableId } = await openKept({
      triggers: [{ ...openTrigger, user: 'colleague@team.example' }],
    });
    expect(await sidebar.reopen()).toEqual([null]);
    expect(listEvents(sidebar)).toEqual(ALL);
    await sidebar.callOk('setAutoEnrich', { tableId, settings: null });
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
      const readTrigger = async () => (await sidebar.callOk('autoEnrich', { tableId })).trigger;
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

    it('are noticed and repaired if Google stopped them for a missing permission', async () => {
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

    it('are noticed if Google removed them, and not if a person switched them off', async () => {
      const { sidebar, readTrigger } = await openWithTriggers();
      await sidebar.choose('completeOnOpening');
      expect(await readTrigger()).toEqual({ state: 'off' });
      const { CDAPI_CONNECTION = '' } = sidebar.getProperties();
      const user = { 'viewer@team.example': { 'CDAPI_TRIGGER:workbook': '{"startedAt":"","endedAt":""}' } };
      const removed = await openKept({ properties: { document: { CDAPI_CONNECTION }, user } });
      const view = await removed.sidebar.callOk('autoEnrich', { tableId: removed.tableId });
      expect(view.trigger).toEqual({ state: 'removed' });
    });
  });
});
