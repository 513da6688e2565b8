// Updates references in formulas after rows or columns shift and sheets are renamed or deleted.
import { columnOf, lettersOf } from './a1.ts';
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
export function shiftFormula(formula: string, own: boolean, name: string, shift: Shift): string {
  return formula.replace(
    TEXT_OR_REFERENCE,
    (whole: string, sheet: string | undefined, reference: string | undefined) => {
      if (reference === undefined) return whole;
      const concerned = sheet === undefined ? own : bare(sheet) === name;
      return concerned ? `${sheet ?? ''}${shiftReference(reference, shift)}` : whole;
    },
  );
}

/** Updates a formula after a sheet is renamed. `to` is null if it was deleted: its references become #REF!. */
export function renameInFormula(formula: string, from: string, to: string | null): string {
  return formula.replace(
    TEXT_OR_REFERENCE,
    (whole: string, sheet: string | undefined, reference: string | undefined) => {
      if (sheet === undefined || reference === undefined || bare(sheet) !== from) return whole;
      return to === null ? '#REF!' : `${quoted(to)}!${reference}`;
    },
  );
}

function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name.replace(/'/g, "''")}'`;
}

function bare(sheet: string): string {
  return sheet
    .slice(0, -1)
    .replace(/^'(.*)'$/, '$1')
    .replace(/''/g, "'");
}

interface Corner {
  readonly letters: string;
  readonly digits: string;
  /** The dollar signs before letters and digits. */
  readonly marks: readonly [string, string];
}

function cornerOf(text: string): Corner {
  const [, one = '', letters = '', two = '', digits = ''] = CORNER.exec(text) ?? [];
  // A row such as $5 has its dollar sign before the digits.
  return letters === ''
    ? { letters, digits, marks: ['', `${one}${two}`] }
    : { letters, digits, marks: [one, two] };
}

function shiftReference(reference: string, shift: Shift): string {
  const [first = '', last] = reference.split(':');
  const from = cornerOf(first);
  const to = last === undefined ? from : cornerOf(last);
  const numbers = [from, to].map((corner) =>
    shift.axis === 'row' ? Number(corner.digits) : columnOf(corner.letters),
  );
  const [start = 0, end = 0] = numbers;
  // References without rows, such as A:C, do not change when rows shift, and vice versa.
  if (start === 0 && end === 0) return reference;
  // An open end extends to the end of the sheet, an open start from its beginning.
  const opening = start || 1;
  const span = shiftSpan(opening, (end || ENDLESS) - opening + 1, shift);
  if (span.length <= 0) return '#REF!';
  const moved = [
    start === 0 ? from : withNumber(from, shift, span.start),
    end === 0 ? to : withNumber(to, shift, span.start + span.length - 1),
  ];
  const [one = '', other = ''] = moved.map(
    ({ letters, digits, marks }) => `${marks[0]}${letters}${marks[1]}${digits}`,
  );
  return last === undefined ? one : `${one}:${other}`;
}

function withNumber(corner: Corner, { axis }: Shift, number: number): Corner {
  return axis === 'row' ? { ...corner, digits: String(number) } : { ...corner, letters: lettersOf(number) };
}
