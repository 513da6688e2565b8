// Prepares the lookup of a column: finds its rows in scope, and the columns for the values.
import { type Family, getSubject } from '../../../shared/families/index.ts';
import { maxTableTitleLength } from '../../../shared/limits.ts';
import { AddonError } from '../../lib/addon-error.ts';
import type { EnrichOrder, Provenance } from '../../server/api/index.ts';
import { getRange, groupConsecutive, type Sheet, toArea } from '../../sheet/area.ts';
import { type BodyCells, listPresentColumns, locateTables, type TableLocation } from '../locate.ts';
import { isKeptFilled, listTables, type TableColumn, type TableRecord } from '../registry.ts';
import { toValueColumns } from '../rows/layout.ts';
import { listOriginColumns } from '../rows/provenance.ts';
import type { RowScope } from '../runs/run-store.ts';
import { findKeyHeading } from './candidate-columns.ts';
import { readNameKey } from './keys.ts';
import { foldName, type KnownNames, type NameChoice, readKnownNames } from './name-choices.ts';
import { listOwnColumns, withoutOwnColumns } from './own-columns.ts';
import { listRowsInScope, listWrittenColumns, readLookupBody } from './rows.ts';

const DAY_S = 86_400;

/** A column to look up: an order from the sidebar, or the refresh of a table. */
export interface LookupOrder extends Omit<EnrichOrder, 'maxAgeDays' | 'scope'> {
  kind: 'enrich' | 'records' | 'refresh';
  /** `filled`: rows that were looked up before. */
  scope: EnrichOrder['scope'] | 'filled';
  /** Maximum age of records in seconds. */
  maxAgeS?: number;
  /** Only rows with these names, which are now decided. */
  decided?: readonly NameChoice[];
}

/** Converts an order from the sidebar. */
export function toLookupOrder({ maxAgeDays, ...order }: EnrichOrder): LookupOrder {
  return { ...order, kind: 'enrich', ...(maxAgeDays === undefined ? {} : { maxAgeS: maxAgeDays * DAY_S }) };
}

/** The common basis of planning and starting a lookup. */
export interface PreparedLookup {
  table: TableRecord;
  /** New columns are undefined. */
  location: TableLocation;
  body: BodyCells;
  /** The first column for new columns, and their indexes in the table. */
  firstFreeColumn: number;
  addedIndexes: number[];
  /** Where a known table was, with the columns that it had before, except for own ones. */
  previousLocation?: TableLocation;
  /** Its rows in the columns that it had before, which its fingerprints are of. */
  previousValues?: unknown[][];
  /** Indexes of key columns whose headings are written. */
  headless: number[];
  /** Recent comparisons, and decisions, including those of the order. */
  knownNames: KnownNames;
  /** The column has no heading; a heading row is inserted above it. */
  needsHeading: boolean;
  rows: number[];
  /** Number of rows in scope that are skipped: the cells of their keys are still loading or show an error. */
  unfinished: number;
  scope: RowScope;
  writtenIndexes: number[];
}

const DEFAULT_HEADINGS = {
  website: 'Website',
  url: 'Profile URL',
  id: 'Id',
  name: 'Company',
  country: 'Country',
  city: 'City',
} as const;

function requireSheet(name: string): Sheet {
  const sheet: Sheet | null = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(name);
  if (sheet === null) throw new AddonError('gone', `There is no sheet “${name}” any more.`);
  return sheet;
}

function formatTitle(family: Family, heading: string): string {
  return `${getSubject(family).label} data for “${heading}”`;
}

function listWantedColumns(order: LookupOrder, provenance: Provenance): TableColumn[] {
  return [
    ...toValueColumns(order.fields),
    ...(order.statusColumn === true ? [{ role: 'status' as const, path: '', heading: 'Status' }] : []),
    ...listOriginColumns(provenance),
  ];
}

/** Lists the key columns of an order after the first, with their places. */
function listMoreKeys(sheet: Sheet, row: number, { moreKeys = [] }: LookupOrder) {
  return moreKeys.map(({ column: place, holds }) => {
    const heading = readText(sheet, row, place) || DEFAULT_HEADINGS[holds];
    return { column: { role: 'key', path: '', heading, holds } satisfies TableColumn, place };
  });
}

/** Lists the key columns of a table after the first, as an order has them. */
export function toMoreKeys({ columns }: TableRecord, location: TableLocation): Pick<LookupOrder, 'moreKeys'> {
  const moreKeys = columns.flatMap(({ holds }, at) => {
    const column = location.columns[at];
    return holds === undefined || column === undefined ? [] : [{ column, holds }];
  });
  return moreKeys.length === 0 ? {} : { moreKeys };
}

/** Narrows a scope down to the rows with decided names. */
function limitToNames(
  { decided }: LookupOrder,
  table: TableRecord,
  body: BodyCells,
  scope: RowScope,
): RowScope {
  if (decided === undefined) return scope;
  const names = new Set(decided.map(({ key }) => foldName(key)));
  const rows = body.values.flatMap((line, at) =>
    names.has(foldName(readNameKey(table, line) ?? '')) ? [at] : [],
  );
  return { ...scope, only: groupConsecutive(rows) };
}

/** Chooses a heading that is unique in the row. */
function chooseHeading(heading: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? heading : `${heading} ${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** Finds the first free columns to the right of the keys; otherwise those after all used columns. */
function findFreeColumn(
  sheet: Sheet,
  { row, columns: [key = 1] }: TableLocation,
  body: BodyCells,
  count: number,
): number {
  const end = sheet.getLastColumn() + 1;
  const first = Math.max(1, row);
  const rows = Math.max(1, Math.min(body.area.row + body.area.rows, sheet.getMaxRows() + 1) - first);
  if (end <= key + 1) return end;
  const range = getRange(sheet, { row: first, column: key + 1, rows, columns: end - key - 1 });
  const layers: unknown[][][] = [range.getValues(), range.getFormulas()];
  const isFree = (at: number): boolean =>
    layers.every((cells) => cells.every((line) => line[at] === undefined || line[at] === ''));
  for (let at = 0; key + 1 + at < end; at += 1) {
    if (Array.from({ length: count }, (_, next) => at + next).every(isFree)) return key + 1 + at;
  }
  return end;
}

/** Converts the selection to rows, counted from the first row below the heading. */
function toRowScope({ scope, sheet: name }: LookupOrder, location: TableLocation): RowScope {
  if (scope !== 'selection' && scope !== 'fromHere') return { rows: scope };
  const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
  const ranges = spreadsheet.getActiveRangeList()?.getRanges() ?? [];
  const areas = ranges.map((range) => ({ ...toArea(range), sheet: range.getSheet().getName() }));
  if (!areas.some(({ sheet }) => sheet === name)) {
    throw new AddonError('bad_call', `Select rows in “${name}” first.`);
  }
  const top = location.row + 1;
  const only = areas.map(({ row, rows }) => {
    const from = Math.max(0, row - top);
    const to = scope === 'fromHere' ? location.sheet.getMaxRows() : row - top + rows;
    return { from, count: Math.max(0, to - from) };
  });
  return { rows: 'all', only: scope === 'fromHere' ? only.slice(-1) : only };
}

/**
 * Finds the table of an order: its first key is also one of the order, preferably the first. The cells of its first column may
 * be read in another way, such as names, unless new rows are filled by the gateway.
 */
function findKnownTable(
  order: LookupOrder,
  tables: readonly TableRecord[],
  places: readonly (readonly [string, TableLocation])[],
): { table: TableRecord; location: TableLocation } | undefined {
  const looked = places.flatMap(([id, location]) => {
    const table = tables.find((each) => each.id === id);
    const isLooked = table?.columns[0]?.role === 'key' && !table.frozen && table.family === order.family;
    return isLooked ? [{ table, location }] : [];
  });
  const keys = [{ column: order.column, holds: order.by }, ...(order.moreKeys ?? [])];
  for (const { column, holds } of keys) {
    const known = looked.find(({ table, location }) => location.columns[0] === column && table.by === holds);
    if (known !== undefined) return known;
  }
  return looked.find(({ table, location }) => location.columns[0] === order.column && !isKeptFilled(table));
}

/**
 * Finds the column, its rows, and the columns for the values. It changes nothing.
 * @throws AddonError
 */
export function prepareLookup(order: LookupOrder): PreparedLookup {
  if (order.fields.length === 0) throw new AddonError('bad_call', 'Choose at least one column to add.');
  const sheet = requireSheet(order.sheet);
  const tables = listTables();
  const places = locateTables(tables);
  const tablesOnSheet = [...places].filter(
    ([, location]) => location.sheet.getSheetId() === sheet.getSheetId(),
  );
  const known = findKnownTable(order, tables, tablesOnSheet);
  const [enclosingId, enclosing] =
    tablesOnSheet.find(([, location]) =>
      listPresentColumns(location).some(({ column }) => column === order.column),
    ) ?? [];
  const top = known?.location.row ?? enclosing?.row;
  const heading =
    top === undefined ? findKeyHeading(sheet, order.column) : { row: top, text: '', first: top + 1 };
  const row = heading.first - 1;
  const headings = new Set(
    row < 1 || heading.row === 0
      ? []
      : getRange(sheet, { row, column: 1, rows: 1, columns: Math.max(1, sheet.getLastColumn()) })
          .getValues()[0]
          ?.map((cell) => String(cell).trim()),
  );
  const keyText = readText(sheet, row, order.column) || DEFAULT_HEADINGS[order.by];
  const extended = order.kind === 'records' ? tables.find(({ id }) => id === enclosingId) : undefined;
  const provenance = order.provenance ?? known?.table.provenance ?? 'none';
  const previous: TableRecord = known?.table ?? {
    id: Utilities.getUuid(),
    title:
      extended === undefined
        ? formatTitle(order.family, keyText)
        : `Full records of “${extended.title}”`.slice(0, maxTableTitleLength),
    kind: order.kind === 'records' ? 'records' : 'enrich',
    family: order.family,
    by: order.by,
    columns: [{ role: 'key', path: '', heading: keyText }],
    mode: 'update',
    provenance,
    place: { sheetId: sheet.getSheetId(), sheet: sheet.getName(), row, columns: [order.column] },
    lastRun: { at: new Date().toISOString(), rows: 0, credits: 0, saved: 0 },
    credits: 0,
    frozen: false,
  };
  const own = listOwnColumns(sheet, heading.row === 0 ? 0 : row, order);
  // An order from the form names every own column. A refresh or a decided name keeps those of the table.
  const isForm = order.kind === 'enrich' && order.decided === undefined;
  const isReplaced = ({ role, path, isOwn }: TableColumn): boolean =>
    role === 'value' &&
    (own.some(({ column }) => column.path === path) ||
      (isForm && isOwn === true && order.fields.includes(path)));
  const kept = [
    { column: { role: 'key', path: '', heading: keyText } satisfies TableColumn, place: order.column },
    ...listMoreKeys(sheet, row, order),
    ...previous.columns
      .map((column, at) => ({ column, place: known?.location.columns[at], last: previous.place.columns[at] }))
      .filter(({ column }) => column.role !== 'key' && !isReplaced(column)),
    ...own,
  ].map((each) => ({ last: each.place, ...each }));
  const base: TableRecord = {
    ...previous,
    by: order.by,
    columns: kept.map(({ column }) => column),
    place: { ...previous.place, columns: kept.map(({ last = 1 }) => last) },
  };
  const has = ({ role, path }: TableColumn): boolean =>
    base.columns.some((column) => column.role === role && column.path === path);
  const newColumns = listWantedColumns(order, provenance)
    .filter((column) => !has(column))
    .map((column) => {
      const heading = chooseHeading(column.heading, headings);
      headings.add(heading);
      return { ...column, heading };
    });
  const table = { ...base, provenance, columns: [...base.columns, ...newColumns] };
  const added = newColumns.map((_, at) => base.columns.length + at);
  const columns = [...kept.map(({ place }) => place), ...newColumns.map(() => undefined)];
  const location: TableLocation = { sheet, row, columns };
  const otherTables = [...places].flatMap(([id, place]) => (id === base.id ? [] : place));
  const body = readLookupBody(table, location, otherTables);
  const scope = limitToNames(order, table, body, toRowScope(order, location));
  const { choices, comparisons } = readKnownNames(order.family, Date.now(), order.maxAgeS);
  const decisions = (order.decided ?? []).map(({ key, companyId }) => [foldName(key), companyId] as const);
  const { rows, unfinished } = listRowsInScope(table, location, body, scope, order.fields);
  return {
    table,
    location,
    body,
    firstFreeColumn: findFreeColumn(sheet, location, body, added.length),
    addedIndexes: added,
    ...(known === undefined
      ? {}
      : {
          previousLocation: withoutOwnColumns(known.table, known.location),
          previousValues: readLookupBody(known.table, known.location, otherTables).values,
        }),
    headless: table.columns.flatMap(({ role }, at) =>
      role === 'key' && (heading.row === 0 || readText(sheet, row, columns[at] ?? 0) === '') ? [at] : [],
    ),
    knownNames: { choices: new Map([...choices, ...decisions]), comparisons },
    needsHeading: heading.row === 0,
    rows,
    unfinished: unfinished.length,
    scope,
    writtenIndexes: listWrittenColumns(table, order.fields),
  };
}

function readText(sheet: Sheet, row: number, column: number): string {
  return row < 1 || column < 1
    ? ''
    : String(getRange(sheet, { row, column, rows: 1, columns: 1 }).getValue()).trim();
}

/** Returns the location including the new columns. */
export function withNewColumns({ location, addedIndexes, firstFreeColumn }: PreparedLookup): TableLocation {
  const columns = location.columns.map((column, at) => {
    const nth = addedIndexes.indexOf(at);
    return nth < 0 ? column : firstFreeColumn + nth;
  });
  return { ...location, columns };
}
