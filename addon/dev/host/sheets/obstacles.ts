// What is in the way of a write: merged cells, protected ranges and rules for values. Scripts read and set them.

import { toA1 } from '../../../../shared/table/columns.ts';
import { type Args, Exception } from '../calls.ts';
import { isSameArea, mapArea, overlaps } from './layers.ts';
import { readEditableRange, readRange, type SheetHandlers, type View, write } from './view.ts';
import type { Area, CellValue, Write } from './workbook.ts';

const RANGE = 'SpreadsheetApp.Range';

/** Clears every cell of an area but the first. Reference "merge": "the value in the upper-left cell" stays. */
function clearOthers(sheet: number, { row, column, rows, columns }: Area): Write[] {
  const parts = [
    { row, column: column + 1, rows: 1, columns: columns - 1 },
    { row: row + 1, column, rows: rows - 1, columns },
  ];
  return parts
    .filter((part) => part.rows > 0 && part.columns > 0)
    .map((part) => ({ kind: 'clear', sheet, ...part }));
}

/** Throws Google's error if a rule refuses a value. Empty cells always pass. The text of the error is unverified. */
export function checkValidations(view: View, args: Args, cells: readonly (readonly CellValue[])[]): void {
  const { validations } = view.book.sheet(args.number(0));
  const strict = validations.filter(({ allowInvalid }) => !allowInvalid);
  if (strict.length === 0) return;
  for (const [down, line] of cells.entries()) {
    for (const [right, value] of line.entries()) {
      const cell = { row: args.number(1) + down, column: args.number(2) + right, rows: 1, columns: 1 };
      const rule = strict.find(({ area }) => overlaps(area, cell));
      if (rule === undefined || value === '' || rule.values.includes(String(value))) continue;
      throw new Exception(
        `The data you entered in cell ${toA1(cell)} violates the data validation rules set on this cell.`,
      );
    }
  }
}

export const OBSTACLES: SheetHandlers = {
  [`${RANGE}.merge`]: (view, args) => {
    const { sheet, area } = readEditableRange(view, args);
    write(view, ...clearOthers(sheet.id, area), {
      kind: 'obstacles',
      sheet: sheet.id,
      merges: [...sheet.merges.filter((merge) => !overlaps(merge, area)), area],
    });
  },
  [`${RANGE}.breakApart`]: (view, args) => {
    const { sheet, area } = readEditableRange(view, args);
    const merges = sheet.merges.filter((merge) => !overlaps(merge, area));
    write(view, { kind: 'obstacles', sheet: sheet.id, merges });
  },
  // Reference "protect": the user who protects stays an editor.
  [`${RANGE}.protect`]: (view, args) => {
    const { sheet, area } = readEditableRange(view, args);
    const protections = [...sheet.protections, { area, editors: [view.user] }];
    write(view, { kind: 'obstacles', sheet: sheet.id, protections });
  },
  'SpreadsheetApp.Protection.remove': (view, args) => {
    const { sheet, area } = readEditableRange(view, args);
    const protections = sheet.protections.filter((each) => !each.area || !isSameArea(each.area, area));
    write(view, { kind: 'obstacles', sheet: sheet.id, protections });
  },
  [`${RANGE}.setDataValidation`]: (view, args) => {
    const { sheet, area } = readEditableRange(view, args);
    const values = args.at(5) === null ? undefined : args.strings(5);
    const others = sheet.validations.filter((rule) => !overlaps(rule.area, area));
    const added = values === undefined ? [] : [{ area, values, allowInvalid: args.boolean(6) }];
    write(view, { kind: 'obstacles', sheet: sheet.id, validations: [...others, ...added] });
  },
  /** The rule of each cell, or null. */
  [`${RANGE}.getDataValidations`]: (view, args) => {
    const { sheet, area } = readRange(view, args);
    return mapArea(area, (row, column) => {
      const cell = { row: row + 1, column: column + 1, rows: 1, columns: 1 };
      return sheet.validations.find((rule) => overlaps(rule.area, cell)) ?? null;
    });
  },
};
