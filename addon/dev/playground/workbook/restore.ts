// Converts between the open workbook and the stored one.
import type { ICellData, IWorkbookData, IWorksheetData } from '@univerjs/core';
import { connectionProperty } from '../../../../shared/connection.ts';
import { containsToken } from '../../../../shared/tokens.ts';
import type { Host } from '../../host/host.ts';
import type { CacheStores, PropertyStores } from '../../host/types.ts';
import type { CachedResult } from '../formulas/custom-functions.ts';
import { listSheetNumbers, setSheetNumber } from '../grid/cells.ts';
import type { SavedWorkbook } from './workbook-store.ts';

type Properties = Readonly<Record<string, string>>;

/** What the host keeps for the add-on. */
export type HostState = Pick<Host, 'properties' | 'caches'>;

/**
 * Returns a workbook's content for the grid, and restores the sheets' numeric ids, by which the add-on finds its tables.
 * The grid computes formulas without a value only, and stores no spilled cells: all formulas lose their value.
 */
export function restoreContent({ content, sheetNumbers }: SavedWorkbook): IWorkbookData {
  for (const [sheetId, number] of sheetNumbers) setSheetNumber(sheetId, number);
  const sheets = Object.entries(content.sheets).map(([id, sheet]) => [id, removeFormulaValues(sheet)]);
  return { ...content, sheets: Object.fromEntries(sheets) };
}

function removeFormulaValues(sheet: Partial<IWorksheetData>): Partial<IWorksheetData> {
  const cellData: IWorksheetData['cellData'] = {};
  for (const [row, cells] of Object.entries(sheet.cellData ?? {})) {
    const entries = Object.entries<ICellData>(cells ?? {});
    cellData[Number(row)] = Object.fromEntries(entries.map(([column, cell]) => [column, removeValue(cell)]));
  }
  return { ...sheet, cellData };
}

function removeValue(cell: ICellData): ICellData {
  if (!cell?.f && !cell?.si) return cell;
  const { v: _value, t: _type, p: _text, ...formula } = cell;
  return formula;
}

/**
 * Returns the results that formulas show at once. With other records there are none: formulas are evaluated again, which
 * is free, because only the sandbox's records can change.
 * @param records - identifies the current records
 */
export function selectResults(saved: SavedWorkbook | undefined, records: string): readonly CachedResult[] {
  return saved?.records === records ? saved.results : [];
}

/** Adds stored properties to those of a new session, which has its own connection. */
export function mergeProperties(session: PropertyStores, saved: PropertyStores = {}): PropertyStores {
  return { ...session, document: { ...saved.document, ...session.document }, user: saved.user ?? {} };
}

/** Selects the properties to store: none that holds a token, and no script properties, which the page sets. */
export function selectProperties({ document, user }: PropertyStores): PropertyStores {
  // Reading creates an empty store, which is no change.
  const users = Object.entries(user ?? {}).flatMap(([name, store]) => {
    const kept = removeSecrets(store);
    return Object.keys(kept).length === 0 ? [] : [[name, kept]];
  });
  return { document: removeSecrets(document ?? {}), user: Object.fromEntries(users) };
}

function removeSecrets(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(
      ([name, value]) => !name.startsWith(connectionProperty) && !containsToken(value),
    ),
  );
}

/** Selects the cached items to store: none that holds a token. */
function selectCaches(caches: CacheStores): CacheStores {
  const kept = Object.entries(caches).map(([name, items]) => [
    name,
    items.filter(([, { value }]) => !containsToken(value)),
  ]);
  return Object.fromEntries(kept);
}

export function describeWorkbook(
  content: IWorkbookData,
  { properties, caches }: HostState,
  results: readonly CachedResult[],
  records: string,
): SavedWorkbook {
  return {
    content,
    sheetNumbers: listSheetNumbers(),
    properties: selectProperties(properties),
    caches: selectCaches(caches),
    results,
    records,
  };
}
