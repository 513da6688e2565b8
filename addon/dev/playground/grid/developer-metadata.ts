// Developer metadata as custom data of columns, rows, sheets and the workbook: the grid moves it with them, deletes it
// with them, and brings it back when a deletion is undone.
import type { CustomData, Nullable, Workbook } from '@univerjs/core';
import { SetColDataMutation, SetRowDataMutation } from '@univerjs/preset-sheets-core';
import { isObject } from '../../../../shared/lib/is-object.ts';
import { createMetadataId, isSameLocation } from '../../host/sheets/developer-metadata.ts';
import type { MetadataEntry, MetadataLocation } from '../../host/types.ts';
import { findSheetId, getSheetNumber } from './cells.ts';
import { runCommand } from './commands.ts';
import type { GridCore } from './grid.ts';

/**
 * Sets custom data of rows or columns, without an entry in the user's undo history.
 * @param sheetId - Univer's id of the sheet
 * @param lines - the whole custom data by number, from 0
 */
export function setLineData(
  grid: GridCore,
  sheetId: string,
  axis: 'row' | 'column',
  lines: Readonly<Record<number, CustomData>>,
): void {
  const data = Object.fromEntries(Object.entries(lines).map(([at, custom]) => [at, { custom }]));
  if (axis === 'row') runCommand(grid, SetRowDataMutation, sheetId, { rowData: data });
  else runCommand(grid, SetColDataMutation, sheetId, { columnData: data });
}

/** An entry as custom data; its place is its location. */
type StoredEntry = Omit<MetadataEntry, 'id' | 'location'> & { id: number };

interface Place {
  readonly location: MetadataLocation;
  readonly custom: CustomData;
}

function readEntries(custom: CustomData): StoredEntry[] {
  const entries: unknown = custom?.metadata;
  return Array.isArray(entries) ? entries.filter(isStoredEntry) : [];
}

function isStoredEntry(entry: unknown): entry is StoredEntry {
  return isObject(entry) && typeof entry.id === 'number' && typeof entry.key === 'string';
}

function listPlaces(workbook: Workbook): Place[] {
  const sheets = workbook.getSheets().map((sheet) => ({ sheet, number: getSheetNumber(sheet.getSheetId()) }));
  // A copied sheet has a higher number than its original, which keeps its ids.
  sheets.sort((a, b) => a.number - b.number);
  return [
    { location: { type: 'SPREADSHEET' }, custom: workbook.getSnapshot().custom ?? null },
    ...sheets.flatMap(({ sheet, number }): Place[] => {
      const { custom = null, rowData, columnData } = sheet.getConfig();
      const listLines = (
        type: 'ROW' | 'COLUMN',
        lines: { readonly [index: number]: Nullable<{ custom?: CustomData }> },
      ): Place[] =>
        Object.entries(lines).flatMap(([index, line]): Place[] =>
          line?.custom
            ? [{ location: { type, sheet: number, at: Number(index) + 1 }, custom: line.custom }]
            : [],
        );
      return [
        { location: { type: 'SHEET', sheet: number }, custom },
        ...listLines('ROW', rowData),
        ...listLines('COLUMN', columnData),
      ];
    }),
  ];
}

/** Reads the developer metadata of a workbook. Entries of a copied sheet get new ids. */
export function readMetadata(workbook: Workbook): MetadataEntry[] {
  const places = listPlaces(workbook);
  const ids = new Set<number>();
  let count = 0;
  const createId = (): number => {
    const taken = new Set(places.flatMap(({ custom }) => readEntries(custom).map(({ id }) => id)));
    let id: number;
    do {
      count += 1;
      id = createMetadataId(count);
    } while (taken.has(id));
    return id;
  };
  return places.flatMap(({ location, custom }) =>
    readEntries(custom).map((entry) => {
      if (ids.has(entry.id)) entry.id = createId();
      ids.add(entry.id);
      return { ...entry, location };
    }),
  );
}

/** Adds an entry, or replaces the one with its id. */
export function putMetadata(grid: GridCore, { location, ...entry }: MetadataEntry): void {
  removeMetadata(grid, entry.id);
  const place = listPlaces(grid.workbook).find((other) => isSameLocation(other.location, location));
  setEntries(grid, { location, custom: place?.custom ?? null }, [
    ...readEntries(place?.custom ?? null),
    entry,
  ]);
}

export function removeMetadata(grid: GridCore, id: number): void {
  for (const place of listPlaces(grid.workbook)) {
    const entries = readEntries(place.custom);
    const others = entries.filter((entry) => entry.id !== id);
    if (others.length < entries.length) setEntries(grid, place, others);
  }
}

/** Removes what a copied sheet has from its original. */
export function dropSheetMetadata(grid: GridCore, sheet: number): void {
  for (const place of listPlaces(grid.workbook)) {
    if (place.location.type !== 'SPREADSHEET' && place.location.sheet === sheet) setEntries(grid, place, []);
  }
}

function setEntries(
  grid: GridCore,
  { location, custom: previous }: Place,
  metadata: readonly StoredEntry[],
): void {
  const { workbook } = grid;
  const custom = { ...previous, metadata };
  const isLine = location.type === 'ROW' || location.type === 'COLUMN';
  const sheetId =
    location.type === 'SPREADSHEET'
      ? workbook.getActiveSheet().getSheetId()
      : findSheetId(workbook, location.sheet);
  if (sheetId === undefined) return;
  if (location.type === 'SPREADSHEET') workbook.getSnapshot().custom = custom;
  if (location.type === 'SHEET') {
    const config = workbook.getSheetBySheetId(sheetId)?.getConfig();
    if (config) config.custom = custom;
  }
  const axis = location.type === 'ROW' ? 'row' : 'column';
  // A mutation without lines lets the workbook be saved.
  setLineData(grid, sheetId, axis, isLine ? { [location.at - 1]: custom } : {});
}
