// Prepares the lookup of a column: finds its rows in scope, and the columns for the values.
import { countField } from '../../../shared/accounts.ts';
import { type Family, getSubject } from '../../../shared/families/index.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { DAY_S } from '../../../shared/lib/durations.ts';
import { addNumber } from '../../../shared/lib/format-count.ts';
import { maxTableTitleLength } from '../../../shared/limits.ts';
import { toColumnLetters } from '../../../shared/table/columns.ts';
import { findTableBelow } from '../../../shared/table/locate.ts';
import { createError } from '../../lib/addon-error.ts';
import type { EnrichOrder, Provenance } from '../../server/api/index.ts';
import { getRange, groupConsecutive, type Sheet, toArea } from '../../sheet/area.ts';
import { requireSheet } from '../../sheet/guard.ts';
import { t, translate } from '../../texts/texts.ts';
import { createCountCheck } from '../accounts/companies.ts';
import { type BodyCells, listTablesIn, locateTables, type TableLocation } from '../locate.ts';
import { createPlace, type LocatedTable } from '../located-table.ts';
import {
  addColumnIds,
  isEnrichmentOn,
  type NewColumn,
  type TableColumn,
  type TableRecord,
} from '../registry.ts';
import { listOriginColumns, toValueColumns } from '../rows/layout.ts';
import type { RowScope } from '../runs/run-store.ts';
import { findKeyHeading } from './candidate-columns.ts';
import { readNameKey } from './keys.ts';
import { foldName, type KnownNames, type NameChoice, readKnownNames } from './name-choices.ts';
import { listRowsInScope, listWrittenColumns, readLookupBody } from './rows.ts';

/** A column to look up: an order from the sidebar, or the refresh of a table. */
export interface LookupOrder extends Omit<EnrichOrder, 'maxAgeDays' | 'scope'> {
  kind: 'enrich' | 'records' | 'refresh' | 'count';
  /** `filled`: rows that were looked up before. */
  scope: EnrichOrder['scope'] | 'filled';
  /** Maximum age of records in seconds. */
  maxAgeS?: number;
  /** Only rows with these names, which are now decided. */
  decided?: readonly NameChoice[];
}

export function toLookupOrder({ maxAgeDays, ...order }: EnrichOrder): LookupOrder {
  const kind = order.count === undefined ? 'enrich' : 'count';
  return { ...order, kind, ...(maxAgeDays === undefined ? {} : { maxAgeS: maxAgeDays * DAY_S }) };
}

/** A column of a prepared table, and its place in the sheet. */
export interface PlacedColumn {
  column: TableColumn;
  /** The place, of an added column that it gets; undefined if it was deleted. */
  at: number | undefined;
  /** `added`: it gets a free column. `unheaded`: a column of keys that gets a heading. */
  state: 'kept' | 'added' | 'unheaded';
}

/** The common basis of planning and starting a lookup. */
export interface PreparedLookup {
  /** With the columns that it will have. */
  table: TableRecord;
  columns: PlacedColumn[];
  /** Includes the added columns. */
  location: TableLocation;
  body: BodyCells;
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

function formatTitle(family: Family, heading: string): string {
  return t('{label} data for “{heading}”', { label: translate(getSubject(family).label), heading });
}

function listWantedColumns(order: LookupOrder, provenance: Provenance): NewColumn[] {
  return [
    ...(order.count === undefined
      ? toValueColumns(order.fields)
      : [{ role: 'value' as const, path: countField, heading: order.count.heading }]),
    ...(order.statusColumn === true ? [{ role: 'status' as const, path: '', heading: 'Status' }] : []),
    ...listOriginColumns(provenance),
  ];
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

/** Finds the first free columns to the right of the keys; otherwise those after all used columns. */
function findFreeColumn(
  { sheet, row, columns: [key = 1] }: TableLocation,
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
    throw createError('bad_call', 'Select rows in “{name}” first.', { name });
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
function findLocatedTable(
  order: LookupOrder,
  tables: readonly TableRecord[],
  places: readonly (readonly [string, TableLocation])[],
): LocatedTable | undefined {
  const looked = places.flatMap(([id, location]) => {
    const table = tables.find((each) => each.id === id);
    const isLooked =
      table?.columns[0]?.role === 'key' &&
      !table.frozen &&
      table.family === order.family &&
      JSON.stringify(table.query) === JSON.stringify(order.count?.query);
    return isLooked ? [{ table, location }] : [];
  });
  const keys = [{ column: order.column, holds: order.by }, ...(order.moreKeys ?? [])];
  for (const { column, holds } of keys) {
    const known = looked.find(({ table, location }) => location.columns[0] === column && table.by === holds);
    if (known !== undefined) return known;
  }
  return looked.find(({ table, location }) => location.columns[0] === order.column && !isEnrichmentOn(table));
}

/** Creates the record of a table for an order. @param extended - the table whose full records it holds */
function createLookupTable(
  order: LookupOrder,
  sheet: Sheet,
  heading: string,
  extended?: TableRecord,
): TableRecord {
  const { kind, family, count } = order;
  const title =
    extended === undefined
      ? (count?.heading ?? formatTitle(family, heading))
      : t('Full records of “{title}”', { title: extended.title });
  return {
    id: Utilities.getUuid(),
    title: title.slice(0, maxTableTitleLength),
    kind: kind === 'refresh' ? 'enrich' : kind,
    family,
    ...defined({ query: count?.query, conditions: count?.conditions }),
    columns: [],
    mode: 'update',
    provenance: 'none',
    place: createPlace(sheet),
    lastRun: { at: new Date().toISOString(), rows: 0, credits: 0, saved: 0 },
    credits: 0,
    frozen: false,
  };
}

type Candidate = { column: NewColumn | TableColumn } & Pick<PlacedColumn, 'at' | 'state'>;

/** Lists the keys of an order, with their places. The ones that the table knows keep their ids. */
function listKeys(
  { column: first, by, moreKeys = [] }: LookupOrder,
  known: LocatedTable | undefined,
  readHeading: (column: number) => string,
): Candidate[] {
  return [{ column: first, holds: by }, ...moreKeys].map(({ column: at, holds }, nth): Candidate => {
    const index = known?.location.columns.indexOf(at) ?? -1;
    const same = known?.table.columns[index];
    const heading = readHeading(at);
    const key: NewColumn = {
      role: 'key',
      path: '',
      heading: heading || DEFAULT_HEADINGS[holds],
      ...(nth === 0 ? {} : { holds }),
    };
    return {
      column: same?.role === 'key' ? { id: same.id, ...key } : key,
      at,
      state: heading === '' ? 'unheaded' : 'kept',
    };
  });
}

/**
 * Lists the own columns of an order with their places.
 * @throws AddonError if a column has no heading, by which it is found again, or holds keys
 */
function listOwnColumns(
  readHeading: (column: number) => string,
  { into = [], column: key, moreKeys = [] }: Pick<EnrichOrder, 'into' | 'column' | 'moreKeys'>,
): { column: NewColumn; place: number }[] {
  return into.map(({ path, column: place }) => {
    const letters = toColumnLetters(place);
    if (place === key || moreKeys.some(({ column }) => column === place))
      throw createError('bad_call', 'Column {letters} is looked up. Choose another column for the values.', {
        letters,
      });
    const heading = readHeading(place);
    if (heading === '')
      throw createError('bad_call', 'Column {letters} has no heading. Type one and try again.', { letters });
    return { column: { role: 'value', path, heading, isOwn: true }, place };
  });
}

/** Lists the columns of the table that stay: all but keys, and those that the order replaces or adds again. */
function listKept(
  { table, location }: LocatedTable,
  { kind, decided, fields }: LookupOrder,
  own: readonly Candidate[],
  wanted: readonly NewColumn[],
): Candidate[] {
  // A refresh or a decided name keeps the columns of the table, also deleted ones.
  const isChosen = kind !== 'refresh' && decided === undefined;
  return table.columns.flatMap((column, index): Candidate[] => {
    const { role, path, isOwn } = column;
    const at = location.columns[index];
    const isWanted = wanted.some((each) => each.role === role && each.path === path);
    const isReplaced =
      role === 'value' &&
      (own.some((each) => each.column.path === path) ||
        (kind === 'enrich' && isChosen && isOwn === true && fields.includes(path)));
    const isBack = at === undefined && isChosen && isWanted;
    return role === 'key' || isReplaced || isBack ? [] : [{ column, at, state: 'kept' }];
  });
}

/** Gives headings to new columns that no other column of the row has. */
function chooseHeadings(columns: readonly NewColumn[], cells: readonly unknown[]): NewColumn[] {
  const taken = new Set(cells.map((cell) => String(cell).trim()));
  return columns.map((column) => {
    const heading = addNumber(column.heading, (text) => taken.has(text));
    taken.add(heading);
    return { ...column, heading };
  });
}

/**
 * Finds the column, its rows, and the columns for the values. It changes nothing.
 * @throws AddonError
 */
export function prepareLookup(order: LookupOrder): PreparedLookup {
  if (order.fields.length === 0) throw createError('bad_call', 'Choose at least one column to add.');
  const sheet = requireSheet(order.sheet);
  const sheetId = sheet.getSheetId();
  const tables = listTablesIn(sheetId);
  const places = [...locateTables(tables, sheetId).places];
  const known = findLocatedTable(order, tables, places);
  const [enclosingId, enclosing] = places.find(([, { columns }]) => columns.includes(order.column)) ?? [];
  const top = known?.location.row ?? enclosing?.row;
  const heading = top === undefined ? findKeyHeading(sheet, order.column) : { row: top, first: top + 1 };
  const needsHeading = heading.row === 0;
  const row = heading.first - 1;
  const width = Math.max(1, sheet.getLastColumn());
  const [cells = []]: unknown[][] = needsHeading
    ? []
    : getRange(sheet, { row, column: 1, rows: 1, columns: width }).getValues();
  const readHeading = (column: number): string => String(cells[column - 1] ?? '').trim();

  const keys = listKeys(order, known, readHeading);
  const extended = order.kind === 'records' ? tables.find(({ id }) => id === enclosingId) : undefined;
  const previous = known?.table ?? createLookupTable(order, sheet, keys[0]?.column.heading ?? '', extended);
  const provenance = order.provenance ?? previous.provenance;
  const wanted = listWantedColumns(order, provenance);
  const own = listOwnColumns(readHeading, order).map(
    ({ column, place }): Candidate => ({ column, at: place, state: 'kept' }),
  );
  const kept = [...keys, ...(known === undefined ? [] : listKept(known, order, own, wanted)), ...own];
  const isMissing = ({ role, path }: NewColumn): boolean =>
    !kept.some(({ column }) => column.role === role && column.path === path);
  const added = chooseHeadings(wanted.filter(isMissing), cells);

  const all = addColumnIds([...kept.map(({ column }) => column), ...added], previous.columns);
  const table: TableRecord = { ...previous, by: order.by, provenance, columns: all };
  const place = { row, columns: all.map((_, at) => kept[at]?.at) };
  const others = places.flatMap(([id, other]) => (id === table.id ? [] : other));
  const present: TableLocation = {
    sheet,
    ...place,
    headings: all.map((column) => column.heading),
    end: findTableBelow(place, others),
  };
  const body = readLookupBody(table, present);
  const free = added.length === 0 ? 0 : findFreeColumn(present, body, added.length);
  const columns = all.map((column, index): PlacedColumn => {
    const { at, state } = kept[index] ?? { at: free + index - kept.length, state: 'added' };
    return { column, at, state };
  });
  const location = { ...present, columns: columns.map(({ at }) => at) };
  const scope = limitToNames(order, table, body, toRowScope(order, location));
  const { choices, comparisons } = readKnownNames(order.family, Date.now(), order.maxAgeS);
  const decisions = (order.decided ?? []).map(({ key, companyId }) => [foldName(key), companyId] as const);
  const inScope = listRowsInScope(table, location, body, scope, order.fields);
  const hasEnough = order.atLeast && createCountCheck(order.atLeast, sheet);
  const rows = inScope.rows.filter((at) => hasEnough?.(body.area.row + at) !== false);
  return {
    table,
    columns,
    location,
    body,
    knownNames: { choices: new Map([...choices, ...decisions]), comparisons },
    needsHeading,
    rows,
    unfinished: inScope.unfinished.length,
    scope: hasEnough === undefined ? scope : { ...scope, only: groupConsecutive(rows) },
    writtenIndexes: listWrittenColumns(table, order.fields),
  };
}
