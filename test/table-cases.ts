// Tables that both writers write, the add-on in an open sheet and the gateway in a closed one. Both must make the same sheet.
import { formatHeadings } from '../shared/table/columns.ts';

type Rows = readonly (readonly (string | number | boolean)[])[];

/** Inserted or, with a negative count, deleted rows or columns. */
export interface GridChange {
  axis: 'row' | 'column';
  at: number;
  count: number;
}

export interface TableCase {
  name: string;
  /** What a person does after the first rows were written. */
  changes: GridChange[];
  /** Cells that a person types then; row and column from 1. */
  typed?: readonly { row: number; column: number; value: string }[];
  mode: 'append' | 'update' | 'replace';
  /** Cells that were changed by hand stay. */
  keepsChanges?: true;
  /** Rows that are written then. */
  rows: Rows;
  /** The sheet, from {@link describeRow}; a sentence if the second write is refused. */
  expected: string[] | RegExp;
}

/** 2026-03-01, 12:00 UTC. */
export const caseTime = Date.UTC(2026, 2, 1, 12);

export const casePaths = ['id', 'name', 'created', 'last_updated', 'followers'];

/** The columns as the gateway knows them. */
export const caseColumns = formatHeadings(casePaths).map((heading, at) => ({
  id: `c${at + 1}`,
  path: casePaths[at] ?? '',
  heading,
}));

export const firstRows: Rows = [
  [1, 'Acme', '2025-07-15', '2025-01-02 03:04:05', 1234],
  ['7123456789012345678', '=HYPERLINK("x")', '9999-12-31', '10000-01-01', 1e15],
  [3, "'quoted", '1899-12-31', '2025-02-30', 2 ** 60],
  [4, 'a\u0000b\u001bc\ud800', '0012', '1/2', -0.5],
  [5, 'https://www.acme.example/about/', 'TRUE', '$5', true],
  [6, 'x'.repeat(60_000), '', '2025-03-30 02:30:00', 0.1],
];

/** A cell as both writers leave it. Dates are serial numbers. */
export interface DescribedCell {
  value?: string | number | boolean;
  format?: string;
  note?: string;
  link?: string | undefined;
}

/** The zone of both spreadsheets. Its clocks skip the hour from 2025-03-30 02:00. */
export const caseZone = 'Europe/Berlin';

const DEFAULT_FORMATS = ['', 'General', '0.###############'];

/** Describes a row without trailing blank cells. Notes count only if they mark a change. */
export function describeRow(cells: readonly DescribedCell[]): string {
  const texts = cells.map(({ value = '', format = '', note = '', link }) => {
    const text = typeof value === 'string' ? value : `${typeof value === 'number' ? '#' : '?'}${value}`;
    const shown = (text.length > 50 ? `${text.length} characters` : text) + (link ? ` <${link}>` : '');
    const pattern = value === '' || DEFAULT_FORMATS.includes(format) ? '' : ` {${format}}`;
    return shown + pattern + (note.startsWith('Was ') ? ` (${note})` : '');
  });
  return texts.join(' | ').replace(/[ |]+$/, '');
}

const DAY = '{yyyy-mm-dd}';
const TIME = '{yyyy-mm-dd hh:mm:ss}';
const HEAD = 'ID | Name | Created | Last updated | Followers';
const ACME = `#1 | Acme | #45853 ${DAY} | #45659.12783564815 ${TIME} | #1234 {#,##0}`;
const LONG = `7123456789012345678 | =HYPERLINK("x") | #2958465 ${DAY} | 10000-01-01 | 1000000000000000`;
const QUOTED = "#3 | 'quoted | 1899-12-31 | 2025-02-30 | 1152921504606846976";
const CONTROL = '#4 | abc | 0012 | 1/2 | #-0.5 {#,##0}';
const LINK = '#5 | acme.example/about <https://www.acme.example/about/> | TRUE | $5 | ?true';
const LAST = `#6 | 49999 characters |  | #45746.145833333336 ${TIME} | #0.1 {#,##0}`;
const was = (value: string): string => `(Was “${value}” until 2026-03-01)`;

/** Changes the description of a row as the person does its sheet. */
const insertColumn = (row: string, cell = ''): string => row.replace(' | ', ` | ${cell} | `);
const deleteColumn = (row: string): string =>
  row
    .split(' | ')
    .filter((_, at) => at !== 2)
    .join(' | ');

export const tableCases: TableCase[] = [
  {
    name: 'values of every type, which are not written twice',
    changes: [],
    mode: 'update',
    rows: firstRows,
    expected: [HEAD, ACME, LONG, QUOTED, CONTROL, LINK, LAST],
  },
  {
    name: 'new rows',
    changes: [],
    mode: 'append',
    rows: [
      [1, 'Other', 'x', 'y', 2],
      [7, 'Seven', '', '', 7],
      ['8', 'Eight', '', '', 8],
    ],
    expected: [
      HEAD,
      ACME,
      LONG,
      QUOTED,
      CONTROL,
      LINK,
      LAST,
      '#7 | Seven |  |  | #7 {#,##0}',
      '#8 | Eight |  |  | #8 {#,##0}',
    ],
  },
  {
    name: 'changed rows, with the previous values in notes',
    changes: [],
    mode: 'update',
    rows: [
      [1, 'Other', '2026-01-01', 'y', 2],
      [3, "'quoted", '1899-12-31', '', 0],
    ],
    expected: [
      HEAD,
      `#1 | Other ${was('Acme')} | #46023 ${DAY} ${was('2025-07-15')} | y ${TIME} ${was('2025-01-02')} | #2 {#,##0} ${was('1234')}`,
      LONG,
      `#3 | 'quoted | 1899-12-31 |  ${was('2025-02-30')} | #0 {#,##0} ${was('1152921504606846976')}`,
      CONTROL,
      LINK,
      LAST,
    ],
  },
  {
    name: 'rows and columns that people insert',
    changes: [
      { axis: 'row', at: 1, count: 2 },
      { axis: 'column', at: 2, count: 1 },
      { axis: 'row', at: 5, count: 1 },
    ],
    mode: 'update',
    rows: [
      [1, 'Other', '2025-07-15', '2025-01-02 03:04:05', 1234],
      [9, 'Nine', '2025-07-15', '', 9],
    ],
    expected: [
      '',
      '',
      insertColumn(HEAD),
      insertColumn(ACME.replace('Acme', `Other ${was('Acme')}`)),
      '',
      ...[LONG, QUOTED, CONTROL, LINK, LAST].map((row) => insertColumn(row)),
      `#9 |  | Nine | #45853 ${DAY} |  | #9 {#,##0}`,
    ],
  },
  {
    name: 'rows beside a column of a person’s own, which come in another order',
    changes: [{ axis: 'column', at: 2, count: 1 }],
    typed: [1, 2, 3, 4, 5, 6, 7].map((row) => ({
      row,
      column: 2,
      value: row === 1 ? 'Call' : `note ${row}`,
    })),
    mode: 'update',
    rows: [
      [9, 'Nine', '', '', 9],
      ...firstRows.slice(3).toReversed(),
      [1, 'Other', ...(firstRows[0] ?? []).slice(2)],
    ],
    expected: [
      insertColumn(HEAD, 'Call'),
      insertColumn(ACME.replace('Acme', `Other ${was('Acme')}`), 'note 2'),
      ...[LONG, QUOTED, CONTROL, LINK, LAST].map((row, at) => insertColumn(row, `note ${at + 3}`)),
      '#9 |  | Nine |  |  | #9 {#,##0}',
    ],
  },
  {
    name: 'changed rows without the cells that a person has changed',
    changes: [],
    typed: [
      { row: 2, column: 2, value: 'Mine' },
      { row: 6, column: 2, value: '' },
    ],
    mode: 'update',
    keepsChanges: true,
    rows: [
      [1, 'Other', '2025-07-15', '2025-01-02 03:04:05', 7],
      [5, 'https://acme.example/new', 'TRUE', '$5', true],
    ],
    expected: [
      HEAD,
      ACME.replace('Acme', 'Mine').replace('#1234 {#,##0}', `#7 {#,##0} ${was('1234')}`),
      LONG,
      QUOTED,
      CONTROL,
      `#5 | acme.example/new <https://acme.example/new> ${was('')} | TRUE | $5 | ?true`,
      LAST,
    ],
  },
  {
    name: 'other rows in place of all, with fewer of them',
    changes: [{ axis: 'column', at: 2, count: 1 }],
    typed: [{ row: 3, column: 2, value: 'stays' }],
    mode: 'replace',
    rows: [
      [9, 'Nine', '2025-07-15', '', 9],
      ['8', 'https://nine.example', '', '', 8],
    ],
    expected: [
      insertColumn(HEAD),
      `#9 |  | Nine | #45853 ${DAY} |  | #9 {#,##0}`,
      '#8 | stays | nine.example <https://nine.example> |  |  | #8 {#,##0}',
    ],
  },
  {
    name: 'a deleted column, which is no longer written',
    changes: [{ axis: 'column', at: 3, count: -1 }],
    mode: 'update',
    rows: [
      [4, 'Four', 'x', '1/2', -0.5],
      [9, 'Nine', 'x', 'y', 9],
    ],
    expected: [
      ...[HEAD, ACME, LONG, QUOTED].map(deleteColumn),
      `#4 | Four ${was('abc')} | 1/2 | #-0.5 {#,##0}`,
      ...[LINK, LAST].map(deleteColumn),
      '#9 | Nine | y | #9 {#,##0}',
    ],
  },
  {
    name: 'deleted rows, which come back as new ones',
    changes: [{ axis: 'row', at: 3, count: -2 }],
    mode: 'update',
    rows: [[3, 'Three', '', '', 3]],
    expected: [HEAD, ACME, CONTROL, LINK, LAST, '#3 | Three |  |  | #3 {#,##0}'],
  },
  {
    name: 'a deleted column of ids',
    changes: [{ axis: 'column', at: 1, count: -1 }],
    mode: 'update',
    rows: [[4, 'Four', 'x', 'y', 4]],
    expected: /column “ID” was deleted/,
  },
  {
    name: 'a deleted heading row',
    changes: [{ axis: 'row', at: 1, count: -1 }],
    mode: 'append',
    rows: [[9, 'Nine', 'x', 'y', 9]],
    expected: /heading row was deleted/,
  },
];
