// The sheet Changes of a spreadsheet, which all its tables and columns that are kept filled share.
import { type Family, families } from '../../../shared/families/index.ts';
import { type CellValue, numberFormats, toCellText, toTimeCell } from '../../../shared/table/cells.ts';
import { toA1 } from '../push/a1.ts';
import { sendRequests } from '../push/apply-writes.ts';
import type { Pusher } from '../push/pusher.ts';
import type { SheetRequest, Spreadsheet } from '../push/sheets-client.ts';

/** A changed cell, or a new row. */
export interface RowEvent {
  record: string;
  /** Index of the table's column; undefined for a new row. */
  column?: number;
  before: string | number | boolean;
  after: string | number | boolean;
}

const NEW: Readonly<Record<string, string>> = {
  company: 'New company',
  employee: 'New person',
  job: 'New job posting',
};

/** Signals of changed fields of people, by path. */
const PERSON_SIGNALS: readonly [RegExp, string][] = [
  [/title|headline|position/i, 'New title'],
  [/company|experience/i, 'New job'],
];

/**
 * Names a change.
 * @param path - field of the changed column; undefined for a new row
 */
export function nameSignal(family: Family, path: string | undefined): string {
  const { subject } = families[family];
  if (path === undefined) return (family.startsWith('job') ? NEW.job : NEW[subject]) ?? 'New record';
  if (subject !== 'employee') return 'Changed';
  return PERSON_SIGNALS.find(([pattern]) => pattern.test(path))?.[1] ?? 'Changed';
}

/** Formats counts of signals for an alert: `2 × New company, 1 × New title`. */
export function formatSignals(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([signal, count]) => `${count} × ${signal}`).join(', ');
}

const TITLE = 'Changes';
const HEADINGS = ['Date', 'Table', 'Signal', 'Record id', 'Name', 'Column', 'Old value', 'New value'];
/** Last rows that are compared, so that a repeated write adds none twice. */
const COMPARED_ROWS = 5_000;
const MAX_SHEET_ID = 2 ** 31 - 1;

/** Rows whose changes are listed, and where the id of their Changes sheet is stored. */
export interface ChangesSource {
  spreadsheetId: string;
  title: string;
  family: Family;
  /** Lists the ids of the Changes sheets that tables and columns of the spreadsheet have. */
  listSheets: () => Promise<number[]>;
  /** Stores the sheet: before it is made, and whenever it is used. */
  saveSheet: (sheetId: number) => Promise<void>;
}

export function chooseSheetId({ sheets }: Spreadsheet, random: () => number): number {
  const taken = new Set(sheets.map(({ properties }) => properties.sheetId));
  for (;;) {
    const id = 1 + Math.floor(random() * (MAX_SHEET_ID - 1));
    if (!taken.has(id)) return id;
  }
}

/** Chooses a title that no sheet of the spreadsheet has; Sheets compares them without case. */
export function chooseTitle({ sheets }: Spreadsheet, wanted: string): string {
  const taken = new Set(sheets.map(({ properties }) => properties.title.toLowerCase()));
  let title = wanted;
  for (let at = 2; taken.has(title.toLowerCase()); at += 1) title = `${wanted} (${at})`;
  return title;
}

function toCell(value: CellValue, isTime = false): Record<string, unknown> {
  const userEnteredValue =
    typeof value === 'number'
      ? { numberValue: value }
      : typeof value === 'boolean'
        ? { boolValue: value }
        : // A string value is never parsed, so no formula runs.
          { stringValue: toCellText(value) };
  return isTime
    ? { userEnteredValue, userEnteredFormat: { numberFormat: numberFormats.dateTime } }
    : { userEnteredValue };
}

function appendRows(
  sheetId: number,
  rows: readonly (readonly CellValue[])[],
  hasTime: boolean,
): SheetRequest[] {
  return rows.map((row) => ({
    appendCells: {
      sheetId,
      rows: [{ values: row.map((value, at) => toCell(value, hasTime && at === 0)) }],
      fields: 'userEnteredValue,userEnteredFormat.numberFormat',
    },
  }));
}

/** Finds the Changes sheet of the spreadsheet, or makes it. A sheet of that title that we did not make is left alone. */
async function ensureSheet(
  { client }: Pusher,
  { spreadsheetId, listSheets, saveSheet }: ChangesSource,
): Promise<{ sheetId: number; title: string; rows: number }> {
  const spreadsheet = await client.getSpreadsheet(spreadsheetId);
  const known = await listSheets();
  const found = spreadsheet.sheets.find(({ properties }) => known.includes(properties.sheetId))?.properties;
  if (found?.gridProperties !== undefined) {
    // The sheet may be known from another source, which may end before this one.
    await saveSheet(found.sheetId);
    return { sheetId: found.sheetId, title: found.title, rows: found.gridProperties.rowCount };
  }
  const sheetId = chooseSheetId(spreadsheet, Math.random);
  const title = chooseTitle(spreadsheet, TITLE);
  await saveSheet(sheetId);
  const properties = {
    sheetId,
    title,
    gridProperties: { rowCount: 2, columnCount: HEADINGS.length, frozenRowCount: 1 },
  };
  await client.batchUpdate(spreadsheetId, [
    { addSheet: { properties } },
    ...appendRows(sheetId, [HEADINGS], false),
  ]);
  return { sheetId, title, rows: 2 };
}

const toLineKey = (day: number, line: readonly CellValue[]): string =>
  JSON.stringify([day, ...line.slice(1)]);

/**
 * Appends events to the Changes sheet. An event that its last rows have from the same day is not added again.
 * @param describe - the name of a record, the heading of a column, and the signal. Default: by the path of the column
 * @throws ProblemError of the client
 */
export async function appendChanges(
  pusher: Pusher,
  source: ChangesSource,
  events: readonly RowEvent[],
  describe: (event: RowEvent) => { name: CellValue; heading: string; path?: string; signal?: string },
): Promise<void> {
  if (events.length === 0) return;
  const { client, now } = pusher;
  const sheet = await ensureSheet(pusher, source);
  const { properties } = await client.getSpreadsheet(source.spreadsheetId);
  const time = Number(toTimeCell(now(), properties.timeZone).value);
  const from = Math.max(1, sheet.rows - COMPARED_ROWS + 1);
  const range = toA1(sheet.title, { row: from, lastRow: sheet.rows, column: 1, lastColumn: HEADINGS.length });
  const [last = []] = await client.getValues(source.spreadsheetId, [range]);
  const existing = new Set(
    last.map((line) =>
      toLineKey(
        Math.floor(Number(line[0])),
        HEADINGS.map((_, at) => line[at] ?? ''),
      ),
    ),
  );
  const lines = events.map((event): CellValue[] => {
    const { name, heading, path, signal = nameSignal(source.family, path) } = describe(event);
    return [time, source.title, signal, event.record, name, heading, event.before, event.after];
  });
  const added = lines.filter((line) => !existing.has(toLineKey(Math.floor(time), line)));
  await sendRequests(client, source.spreadsheetId, appendRows(sheet.sheetId, added, true));
}
