// Comparable descriptions and manual edits of sheets.
import type { CellValue, SheetData, Workbook } from '../../../addon/dev/host/types.ts';

/** Formats of a cell without a chosen format. */
const NO_FORMAT = ['', '0.###############', 'General'];
const NO_COLOUR = ['', '#ffffff'];

type Layer = readonly (readonly unknown[])[] | undefined;

function trimLayer(layer: Layer, isNothing: (item: unknown) => boolean): unknown[][] {
  const rows = (layer ?? []).map((row) => {
    const items = [...row].map((item) => (isNothing(item) ? '' : item));
    while (items.length > 0 && items.at(-1) === '') items.pop();
    return items;
  });
  while (rows.length > 0 && rows.at(-1)?.length === 0) rows.pop();
  return rows;
}

const isEmpty = (item: unknown): boolean => item === '' || item === undefined || item === null;

/** Describes everything that a sheet shows. */
export function describeSheet(sheet: SheetData): unknown {
  return {
    name: sheet.name,
    size: [sheet.maxRows ?? 1000, sheet.maxColumns ?? 26],
    frozen: sheet.frozenRows ?? 0,
    widths: Object.entries(sheet.columnWidths ?? {}).filter(([, width]) => width !== 100),
    filter: sheet.filter ?? null,
    values: trimLayer(sheet.values, isEmpty),
    formulas: trimLayer(sheet.formulas, isEmpty),
    formats: trimLayer(sheet.formats, (item) => isEmpty(item) || NO_FORMAT.includes(String(item))),
    notes: trimLayer(sheet.notes, isEmpty),
    links: trimLayer(sheet.links, (item) => isEmpty(item) || (Array.isArray(item) && item.length === 0)),
    weights: trimLayer(sheet.styles?.fontWeight, (item) => isEmpty(item) || item === 'normal'),
    backgrounds: trimLayer(
      sheet.styles?.background,
      (item) => isEmpty(item) || NO_COLOUR.includes(String(item)),
    ),
  };
}

/** Describes everything that a workbook shows. */
export function describeWorkbook(workbook: Workbook): unknown {
  return workbook.sheets.map(describeSheet);
}

/** Changes one sheet of a workbook. */
export function editSheet(
  workbook: Workbook,
  name: string,
  change: (sheet: SheetData) => Partial<SheetData>,
): Workbook {
  return {
    ...workbook,
    sheets: workbook.sheets.map((sheet) => {
      if (sheet.name !== name) return sheet;
      const changed = { ...sheet, ...change(sheet) };
      return { ...changed, maxRows: Math.max(sheet.maxRows ?? 1000, changed.values.length) };
    }),
  };
}

/** Pads rows to the length of the longest. */
export function padRows(values: readonly (readonly CellValue[])[]): CellValue[][] {
  const width = Math.max(0, ...values.map((row) => row.length));
  return values.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''));
}
