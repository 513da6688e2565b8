// What is in the way of a write: merged cells, protected ranges and rules for values. Scripts read and set them.

import { toA1 } from '../../../../shared/table/columns.ts';
import { type Args, Exception } from '../calls.ts';
import { overlaps } from './layers.ts';
import { readEditableRange, readRange, type SheetHandlers, type View, write } from './view.ts';
import type { Area, CellValue, Write } from './workbook.ts';

const RANGE = 'SpreadsheetApp.Range';

const isSame = (one: Area, other: Area): boolean =>
  one.row === other.row &&
  one.column === other.column &&
  one.rows === other.rows &&
  one.columns === other.columns;

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
    const area = readEditableRange(view, args);
    const sheet = view.book.sheet(args.number(0));
    write(view, ...clearOthers(sheet.id, area), {
      kind: 'obstacles',
      sheet: sheet.id,
      merges: [...sheet.merges.filter((merge) => !overlaps(merge, area)), area],
    });
  },
  [`${RANGE}.breakApart`]: (view, args) => {
    const area = readEditableRange(view, args);
    const sheet = view.book.sheet(args.number(0));
    const merges = sheet.merges.filter((merge) => !overlaps(merge, area));
    write(view, { kind: 'obstacles', sheet: sheet.id, merges });
  },
  // Reference "protect": the user who protects stays an editor.
  [`${RANGE}.protect`]: (view, args) => {
    const area = readEditableRange(view, args);
    const sheet = view.book.sheet(args.number(0));
    const protections = [...sheet.protections, { area, editors: [view.user] }];
    write(view, { kind: 'obstacles', sheet: sheet.id, protections });
  },
  'SpreadsheetApp.Protection.remove': (view, args) => {
    const area = readEditableRange(view, args);
    const sheet = view.book.sheet(args.number(0));
    const protections = sheet.protections.filter((each) => !each.area || !isSame(each.area, area));
    write(view, { kind: 'obstacles', sheet: sheet.id, protections });
  },
  [`${RANGE}.setDataValidation`]: (view, args) => {
    const area = readEditableRange(view, args);
    const sheet = view.book.sheet(args.number(0));
    const values = args.at(5) === null ? undefined : args.strings(5);
    const others = sheet.validations.filter((rule) => !overlaps(rule.area, area));
    const added = values === undefined ? [] : [{ area, values, allowInvalid: args.boolean(6) }];
    write(view, { kind: 'obstacles', sheet: sheet.id, validations: [...others, ...added] });
  },
  /** The rule of each cell, or null. */
  [`${RANGE}.getDataValidations`]: (view, args) => {
    const { row, column, rows, columns } = readRange(view, args);
    const { validations } = view.book.sheet(args.number(0));
    const find = (cell: Area) => validations.find(({ area }) => overlaps(area, cell)) ?? null;
    return Array.from({ length: rows }, (_, down) =>
      Array.from({ length: columns }, (_, right) =>
        find({ row: row + down, column: column + right, rows: 1, columns: 1 }),
      ),
    );
  },
};
