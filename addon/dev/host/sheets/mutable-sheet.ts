// A sheet of an in-memory workbook.
import { copyLayers, copyRows, type Layer, type Layers } from './layers.ts';
import type { Area, ProtectionData, SheetData, ValidationData } from './workbook.ts';

/** Size of a new sheet in Google Sheets. */
const ROWS = 1000;
const COLUMNS = 26;

export interface Sheet extends Layers {
  readonly id: number;
  name: string;
  readonly styles: Map<string, Layer<string>>;
  maxRows: number;
  maxColumns: number;
  frozenRows: number;
  readonly hidden: boolean;
  filter: Area | null;
  filteredColumns: readonly number[];
  columnWidths: Readonly<Record<number, number>>;
  merges: readonly Area[];
  protections: readonly ProtectionData[];
  validations: readonly ValidationData[];
}

export function createSheet(sheet: SheetData): Sheet {
  const { id, name } = sheet;
  return {
    id,
    name,
    ...copyLayers(sheet),
    styles: new Map(Object.entries(sheet.styles ?? {}).map(([style, rows]) => [style, copyRows(rows)])),
    maxRows: sheet.maxRows ?? ROWS,
    maxColumns: sheet.maxColumns ?? COLUMNS,
    frozenRows: sheet.frozenRows ?? 0,
    hidden: sheet.hidden ?? false,
    filter: sheet.filter ?? null,
    filteredColumns: sheet.filteredColumns ?? [],
    columnWidths: sheet.columnWidths ?? {},
    merges: sheet.merges ?? [],
    protections: sheet.protections ?? [],
    validations: sheet.validations ?? [],
  };
}

export function toSheetData(sheet: Sheet): SheetData {
  const { styles, ...rest } = sheet;
  const styleLayers = [...styles].map(([style, rows]): [string, string[][]] => [style, copyRows(rows)]);
  return { ...rest, ...copyLayers(rest), styles: Object.fromEntries(styleLayers) };
}
