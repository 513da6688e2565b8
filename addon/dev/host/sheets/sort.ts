// Range.sort, the host's side.

import { Exception } from '../calls.ts';
import { isDate } from '../threads/serializer.ts';
import type { Book } from './mutable-workbook.ts';
import type { Area, CellValue, Journal } from './workbook.ts';

const MS_PER_DAY = 86_400_000;
/** A date is a number of days since 30 December 1899. */
const DAYS_TO_1970 = 25_569;

export interface SortKey {
  /** The column's number in the sheet. */
  readonly column: number;
  readonly ascending: boolean;
}

/**
 * The writes that sort a block's rows. Numbers and dates come before texts, texts before booleans; blanks come last either
 * way; equal rows keep their order. Rows take number formats, notes and links along.
 */
export function sorted(book: Book, sheet: number, area: Area, keys: readonly SortKey[]): Journal {
  if (book.read('formulas', sheet, area, '').flat().some(Boolean)) {
    throw new Exception('not emulated: SpreadsheetApp.Range.sort of cells with formulas');
  }
  for (const { column } of keys) {
    if (column < area.column || column >= area.column + area.columns) {
      throw new Exception(`Sort column is outside the range: ${column}`);
    }
  }
  const values = book.read('values', sheet, area, '');
  const order = values
    .map((_, index) => index)
    .sort((one, other) => {
      for (const { column, ascending } of keys) {
        const at = column - area.column;
        const by = compared(values[one]?.[at] ?? '', values[other]?.[at] ?? '', ascending);
        if (by !== 0) return by;
      }
      return one - other;
    });
  const place = { sheet, row: area.row, column: area.column };
  const formats = book.read('formats', sheet, area, '');
  const notes = book.read('notes', sheet, area, '');
  const links = book.read('links', sheet, area, null);
  const moved = <Item>(rows: readonly (readonly Item[])[]) => order.map((index) => rows[index] ?? []);
  const linked = moved(links).flatMap(
    (row, r): Journal =>
      row.flatMap((runs, c): Journal => {
        const text = moved(values)[r]?.[c];
        if (!runs || typeof text !== 'string') return [];
        return [
          {
            kind: 'richText',
            sheet,
            row: area.row + r,
            column: area.column + c,
            texts: [[{ text, runs }]],
          },
        ];
      }),
  );
  return [
    { kind: 'values', ...place, values: moved(values) },
    ...(formats.flat().some(Boolean)
      ? ([{ kind: 'formats', ...place, formats: moved(formats) }] satisfies Journal)
      : []),
    ...(notes.flat().some(Boolean)
      ? ([{ kind: 'notes', ...place, notes: moved(notes) }] satisfies Journal)
      : []),
    ...linked,
  ];
}

function rank(value: CellValue): number {
  if (value === '') return 3;
  if (typeof value === 'string') return 1;
  return typeof value === 'boolean' ? 2 : 0;
}

function compared(one: CellValue, other: CellValue, ascending: boolean): number {
  const ranks = rank(one) - rank(other);
  // Blanks stay last.
  if (one === '' || other === '') return ranks;
  const direction = ascending ? 1 : -1;
  if (ranks !== 0) return ranks * direction;
  if (typeof one === 'string' && typeof other === 'string') {
    return one.localeCompare(other, 'en', { sensitivity: 'accent' }) * direction;
  }
  return (numberOf(one) - numberOf(other)) * direction;
}

function numberOf(value: CellValue): number {
  return isDate(value) ? value.getTime() / MS_PER_DAY + DAYS_TO_1970 : Number(value);
}
