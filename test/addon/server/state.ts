// What the sidebar's suites compare: sheets as people see them.
import type { CellValue, SheetData, Workbook } from '../../../addon/dev/host/types.ts';

/** What Sheets says of a cell that nobody has given a format. */
const NO_FORMAT = ['', '0.###############', 'General'];
const NO_COLOUR = ['', '#ffffff'];

type Layer = readonly (readonly unknown[])[] | undefined;

function trimmed(layer: Layer, isNothing: (item: unknown) => boolean): unknown[][] {
  const rows = (layer ?? []).map((row) => {
    const items = [...row].map((item) => (isNothing(item) ? '' : item));
    while (items.length > 0 && items.at(-1) === '') items.pop();
    return items;
  });
  while (rows.length > 0 && rows.at(-1)?.length === 0) rows.pop();
  return rows;
}

const isEmpty = (item: unknown): boolean => item === '' || item === undefined || item === null;

/** Everything that a sheet shows, however it is stored. */
export function shownOf(sheet: SheetData): unknown {
  return {
    name: sheet.name,
    size: [sheet.maxRows ?? 1000, sheet.maxColumns ?? 26],
    frozen: sheet.frozenRows ?? 0,
    values: trimmed(sheet.values, isEmpty),
    formulas: trimmed(sheet.formulas, isEmpty),
    formats: trimmed(sheet.formats, (item) => isEmpty(item) || NO_FORMAT.includes(String(item))),
    notes: trimmed(sheet.notes, isEmpty),
    links: trimmed(sheet.links, (item) => isEmpty(item) || (Array.isArray(item) && item.length === 0)),
    weights: trimmed(sheet.styles?.fontWeight, (item) => isEmpty(item) || item === 'normal'),
    backgrounds: trimmed(
      sheet.styles?.background,
      (item) => isEmpty(item) || NO_COLOUR.includes(String(item)),
    ),
  };
}

/** Everything that a workbook shows. */
export function allShown(workbook: Workbook): unknown {
  return workbook.sheets.map(shownOf);
}

/** The workbook with one of its sheets changed. */
export function withSheet(
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

/** A layer with every row as long as the longest. */
export function square(values: readonly (readonly CellValue[])[]): CellValue[][] {
  const width = Math.max(0, ...values.map((row) => row.length));
  return values.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''));
}
