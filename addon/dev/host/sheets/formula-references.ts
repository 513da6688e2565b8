// Updates references in formulas after rows or columns shift and sheets are renamed or deleted.
import { toColumnLetters, toColumnNumber } from '../../../../shared/table/columns.ts';
import { unquoteSheetName } from './a1.ts';
import { type Shift, shiftSpan } from './layers.ts';

/** A quoted text, or a reference with an optional sheet name: A1, $A$1:B2, A:C, 2:5. */
const TEXT_OR_REFERENCE =
  /"(?:[^"]|"")*"|(?<![\w.$!':])((?:'(?:[^']|'')*'|[A-Za-z_]\w*)!)?(\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}(?:\$?\d{1,7})?)?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?\d{1,7}:\$?\d{1,7})(?![\w.(!])/g;
/** More than the rows of any sheet. */
const ENDLESS = 100_000_000;
const CORNER = /^(\$?)([A-Za-z]{0,3})(\$?)(\d{0,7})$/;

/**
 * Updates a formula after a shift. References follow their cells, as in Sheets; deleted ones become #REF!.
 * @param onShiftedSheet - whether the formula is on the shifted sheet
 * @param name - the name of the shifted sheet
 */
export function shiftFormula(formula: string, onShiftedSheet: boolean, name: string, shift: Shift): string {
  return formula.replace(
    TEXT_OR_REFERENCE,
    (match: string, sheet: string | undefined, reference: string | undefined) => {
      if (reference === undefined) return match;
      const isAffected = sheet === undefined ? onShiftedSheet : unquoteSheetName(sheet.slice(0, -1)) === name;
      return isAffected ? `${sheet ?? ''}${shiftReference(reference, shift)}` : match;
    },
  );
}

/** Updates a formula after a sheet is renamed. `to` is null if it was deleted: its references become #REF!. */
export function renameInFormula(formula: string, from: string, to: string | null): string {
  return formula.replace(
    TEXT_OR_REFERENCE,
    (match: string, sheet: string | undefined, reference: string | undefined) => {
      if (sheet === undefined || reference === undefined) return match;
      if (unquoteSheetName(sheet.slice(0, -1)) !== from) return match;
      return to === null ? '#REF!' : `${quoteSheetName(to)}!${reference}`;
    },
  );
}

function quoteSheetName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name.replace(/'/g, "''")}'`;
}

/** Updates a formula that moves by some rows: relative references move with it, to #REF! above the first row. */
export function offsetFormula(formula: string, rows: number): string {
  return formula.replace(TEXT_OR_REFERENCE, (match: string, sheet = '', reference: string | undefined) => {
    if (reference === undefined) return match;
    const corners = reference.split(':').map((text) => {
      const { letters, digits, dollars } = parseCorner(text);
      const row = digits === '' || dollars[1] === '$' ? digits : Number(digits) + rows;
      return Number(row) < 1 && digits !== '' ? null : `${dollars[0]}${letters}${dollars[1]}${row}`;
    });
    return corners.includes(null) ? '#REF!' : `${sheet}${corners.join(':')}`;
  });
}

interface Corner {
  readonly letters: string;
  readonly digits: string;
  /** The dollar signs before letters and digits. */
  readonly dollars: readonly [string, string];
}

function parseCorner(text: string): Corner {
  const [, firstDollar = '', letters = '', secondDollar = '', digits = ''] = CORNER.exec(text) ?? [];
  // A row such as $5 has its dollar sign before the digits.
  return letters === ''
    ? { letters, digits, dollars: ['', `${firstDollar}${secondDollar}`] }
    : { letters, digits, dollars: [firstDollar, secondDollar] };
}

function shiftReference(reference: string, shift: Shift): string {
  const [first = '', last] = reference.split(':');
  const from = parseCorner(first);
  const to = last === undefined ? from : parseCorner(last);
  const numbers = [from, to].map((corner) =>
    shift.axis === 'row' ? Number(corner.digits) : toColumnNumber(corner.letters),
  );
  const [start = 0, end = 0] = numbers;
  // References without rows, such as A:C, do not change when rows shift, and vice versa.
  if (start === 0 && end === 0) return reference;
  // An open end extends to the end of the sheet, an open start from its beginning.
  const opening = start || 1;
  const span = shiftSpan(opening, (end || ENDLESS) - opening + 1, shift);
  if (span.length <= 0) return '#REF!';
  const moved = [
    start === 0 ? from : setNumber(from, shift, span.start),
    end === 0 ? to : setNumber(to, shift, span.start + span.length - 1),
  ];
  const [newStart = '', newEnd = ''] = moved.map(
    ({ letters, digits, dollars: marks }) => `${marks[0]}${letters}${marks[1]}${digits}`,
  );
  return last === undefined ? newStart : `${newStart}:${newEnd}`;
}

function setNumber(corner: Corner, { axis }: Shift, number: number): Corner {
  return axis === 'row'
    ? { ...corner, digits: String(number) }
    : { ...corner, letters: toColumnLetters(number) };
}
