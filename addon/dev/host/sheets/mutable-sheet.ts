// A sheet of an in-memory workbook.
import { copyLayers, copyRows, type Layer, type Layers } from './layers.ts';
import type { SheetData } from './workbook.ts';

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

export type Sheet = Mutable<Required<Omit<SheetData, keyof Layers | 'styles'>>> &
  Layers & { readonly styles: Map<string, Layer<string>> };

/** A new sheet in Google Sheets. */
const DEFAULTS = {
  maxRows: 1000,
  maxColumns: 26,
  frozenRows: 0,
  hidden: false,
  filter: null,
  filteredColumns: [],
  columnWidths: {},
  merges: [],
  protections: [],
  validations: [],
};

export function createSheet(sheet: SheetData): Sheet {
  const styles = Object.entries(sheet.styles ?? {}).map(([style, rows]) => [style, copyRows(rows)] as const);
  return { ...DEFAULTS, ...sheet, ...copyLayers(sheet), styles: new Map(styles) };
}

export function toSheetData(sheet: Sheet): SheetData {
  const { styles, ...rest } = sheet;
  const styleLayers = [...styles].map(([style, rows]): [string, string[][]] => [style, copyRows(rows)]);
  return { ...rest, ...copyLayers(rest), styles: Object.fromEntries(styleLayers) };
}
