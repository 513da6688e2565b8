// Sheet with every formula: purpose, price and a live result.
import {
  BooleanNumber,
  BorderStyleTypes,
  CellValueType,
  HorizontalAlign,
  type ICellData,
  type IRange,
  type IStyleData,
  type IWorksheetData,
  VerticalAlign,
  WrapStrategy,
} from '@univerjs/core';
import { accountFamilies } from '../../../../shared/accounts.ts';
import { getRecordColumns } from '../../../../shared/families/columns.ts';
import { previewPageSize } from '../../../../shared/families/previews.ts';
import { argumentSeparator, type Formula } from '../../../../shared/formula-parts.ts';
import { formulas } from '../../../../shared/formulas.ts';
import { getPreviewPrice, getRecordPrice } from '../../../../shared/operations.ts';
import { toAddress } from '../grid/cells.ts';
import { hasFreeExamples, type Session } from '../session.ts';
import { buildSheet, type Rows, SHEET_DEFAULTS } from './sheet.ts';

export const FORMULA_SHEET = { id: 'formulas', name: 'Formulas' } as const;

/** A formula and its 0-based rows. */
interface Block {
  formula: Formula;
  start: number;
  end: number;
}

const COLUMNS = [
  { heading: 'Formula', width: 224 },
  { heading: 'Purpose', width: 150 },
  { heading: 'Price', width: 184 },
  { heading: 'Spent', width: 76 },
  { heading: 'Result', width: 168 },
  { heading: '', width: 190 },
  { heading: '', width: 150 },
  { heading: '', width: 190 },
] as const;
/** Columns of the results and of the spent credits. */
const RESULT_COLUMN = 4;
export const SPENT_COLUMN = 3;

const LINE_HEIGHT = 14;
/** Slightly wider than the average character, so that no text is cut. */
const CHARACTER_WIDTH = 6.4;
const PADDING = 9;

const EXAMPLE_KEYS = 3;
/** Number of people or jobs at each company. */
const EXAMPLE_LIMIT = 2;
const ALL_RECORDS = '"*"';
/** The family with the fewest fields. */
const SHORT_FAMILY = 'employee_post';

/** Searches side by side; other formulas use their ids. */
const SEARCHES = [
  { family: 'company_base', label: 'Companies' },
  { family: 'employee_clean', label: 'People' },
  { family: 'job_base', label: 'Jobs' },
] as const;
const POSTS = { label: 'Posts (search not available)', column: RESULT_COLUMN + SEARCHES.length } as const;

/** Rows of results of more than one, and the most that an example costs; the others are free. */
const EXAMPLES: Readonly<Record<string, { rows: number; credits?: number }>> = {
  CDAPI_ENRICH: { rows: EXAMPLE_KEYS, credits: EXAMPLE_KEYS * getRecordPrice('company_clean') },
  CDAPI_COMPANY: { rows: EXAMPLE_KEYS, credits: EXAMPLE_KEYS * getRecordPrice('company_base') },
  CDAPI_EMPLOYEE: { rows: EXAMPLE_KEYS, credits: EXAMPLE_KEYS * getRecordPrice('employee_clean') },
  CDAPI_JOB: { rows: EXAMPLE_KEYS, credits: EXAMPLE_KEYS * getRecordPrice('job_base') },
  CDAPI_POST: { rows: EXAMPLE_KEYS, credits: EXAMPLE_KEYS * getRecordPrice('employee_post') },
  CDAPI_SEARCH: { rows: 1 + EXAMPLE_KEYS },
  CDAPI_PREVIEW: { rows: 1 + previewPageSize, credits: getPreviewPrice('company_base') },
  // The candidates of all names fit on one page.
  CDAPI_MATCH: { rows: EXAMPLE_KEYS, credits: getPreviewPrice('company_clean') },
  CDAPI_PEOPLE: {
    rows: 1 + EXAMPLE_KEYS * EXAMPLE_LIMIT,
    credits: EXAMPLE_KEYS * getPreviewPrice(accountFamilies.people),
  },
  CDAPI_JOBS: {
    rows: 1 + EXAMPLE_KEYS * EXAMPLE_LIMIT,
    credits: EXAMPLE_KEYS * getPreviewPrice(accountFamilies.jobs),
  },
  CDAPI_PEOPLE_COUNT: { rows: EXAMPLE_KEYS },
  CDAPI_JOBS_COUNT: { rows: EXAMPLE_KEYS },
  CDAPI_FIELDS: { rows: 1 + getRecordColumns(SHORT_FAMILY).length },
  CDAPI_STATUS: { rows: 10 },
};

const border = { s: BorderStyleTypes.THIN, cl: { rgb: '#dadce0' } };
/** Padding that aligns the text with single-row cells. */
const wrapped: IStyleData = {
  fs: 9,
  vt: VerticalAlign.TOP,
  tb: WrapStrategy.WRAP,
  pd: { t: 5, r: 4, b: 4, l: 3 },
};

/** Styles of this sheet by name. */
export const formulaStyles: Record<string, IStyleData> = {
  left: { ht: HorizontalAlign.LEFT },
  lastRow: { bd: { b: border }, ht: HorizontalAlign.LEFT },
  wrapped,
  code: { ...wrapped, ff: 'monospace' },
};

/** Returns the rows that a text needs in a column when wrapped at words. */
function countTextRows(text: string, column: number): number {
  const lineLength = ((COLUMNS[column]?.width ?? 0) - PADDING) / CHARACTER_WIDTH;
  let lines = 1;
  let filled = 0;
  for (const { length } of text.split(' ')) {
    if (filled > 0 && filled + 1 + length > lineLength) {
      lines += 1;
      filled = length;
    } else {
      filled += (filled > 0 ? 1 : 0) + length;
    }
  }
  return Math.ceil((lines * LINE_HEIGHT + PADDING) / SHEET_DEFAULTS.defaultRowHeight);
}

function arrangeBlocks(shown: readonly Formula[]): Block[] {
  const blocks: Block[] = [];
  let start = 1;
  for (const formula of shown) {
    const textRows = Math.max(countTextRows(formula.help, 1), countTextRows(formula.cost, 2), 3);
    const end = start + Math.max(textRows, (EXAMPLES[formula.name]?.rows ?? 1) + 1) - 1;
    blocks.push({ formula, start, end });
    start = end + 1;
  }
  return blocks;
}

/** Arguments that differ from the formula's help. Other optional arguments are omitted. */
type ExampleArguments = Readonly<Record<string, Readonly<Record<string, string>>>>;

function buildArguments(blocks: readonly Block[]): ExampleArguments {
  const findRow = (name: string): number => blocks.find(({ formula }) => formula.name === name)?.start ?? 0;
  const toRange = (row: number, column: number): string =>
    `${toAddress(row, column)}:${toAddress(row + EXAMPLE_KEYS - 1, column)}`;
  const toIdRange = (column: number): string => toRange(findRow('CDAPI_SEARCH') + 1, column);
  const websites = `Companies!A2:A${1 + EXAMPLE_KEYS}`;
  const atCompanies = { query: ALL_RECORDS, limit: String(EXAMPLE_LIMIT) };
  return {
    CDAPI_ENRICH: { website: websites },
    CDAPI_COMPANY: { key: toIdRange(RESULT_COLUMN) },
    CDAPI_EMPLOYEE: { key: toIdRange(RESULT_COLUMN + 1) },
    CDAPI_JOB: { job_id: toIdRange(RESULT_COLUMN + 2) },
    CDAPI_POST: { post_id: toIdRange(POSTS.column) },
    CDAPI_SEARCH: { query: ALL_RECORDS, limit: String(EXAMPLE_KEYS) },
    CDAPI_PREVIEW: { query: ALL_RECORDS },
    CDAPI_MATCH: { names: toRange(findRow('CDAPI_ENRICH'), RESULT_COLUMN) },
    CDAPI_PEOPLE: { companies: websites, ...atCompanies },
    CDAPI_JOBS: { companies: websites, ...atCompanies },
    CDAPI_PEOPLE_COUNT: { companies: websites, query: ALL_RECORDS },
    CDAPI_JOBS_COUNT: { companies: websites, query: ALL_RECORDS },
    CDAPI_COUNT: { query: ALL_RECORDS },
    CDAPI_COST: { keys: websites },
    CDAPI_FIELDS: { family: `"${SHORT_FAMILY}"` },
  };
}

/** Writes a formula with required arguments, fields and given arguments. */
function formatFormula({ name, parameters }: Formula, exampleArguments: ExampleArguments): string {
  const args: string[] = [];
  for (const parameter of parameters) {
    const argument = exampleArguments[name]?.[parameter.name];
    if (argument === undefined && parameter.optional && parameter.name !== 'fields') break;
    args.push(argument ?? parameter.example);
  }
  return `=${name}(${args.join(argumentSeparator)})`;
}

/** Creates the searches with labels, and the ids of posts beside them. */
function buildSearchCells(start: number, formula: string, posts: readonly string[]): Rows {
  const rows: Rows = {};
  const put = (row: number, column: number, cell: ICellData): void => {
    rows[row] = { ...rows[row], [column]: cell };
  };
  SEARCHES.forEach(({ family, label }, at) => {
    put(start, RESULT_COLUMN + at, { v: label, s: 'hint' });
    put(start + 1, RESULT_COLUMN + at, { f: formula.replace(/"\w+"/, `"${family}"`) });
  });
  put(start, POSTS.column, { v: POSTS.label, s: 'hint' });
  posts.slice(0, EXAMPLE_KEYS).forEach((v, at) => {
    put(start + 1 + at, POSTS.column, { v, t: TEXT });
  });
  return rows;
}

const TEXT = CellValueType.STRING;

export interface FormulaSheet {
  content: Partial<IWorksheetData>;
  /** Cells to set when the formulas run; empty if results would cost money. */
  liveCells: Rows;
  /** The most that the formulas cost. */
  credits: number;
  /** Returns the row that shows the credits of a row's block; undefined outside the blocks. */
  getSpendingRow: (row: number) => number | undefined;
}

/**
 * Builds the sheet.
 * @param session - undefined without an instance
 */
export function buildFormulaSheet(session: Session | undefined): FormulaSheet {
  const blocks = arrangeBlocks(formulas);
  const exampleArguments = buildArguments(blocks);
  const cellData: Rows = {};
  const mergeData: IRange[] = [];
  const liveCells: Rows = {};
  for (const { formula, start, end } of blocks) {
    const text = formatFormula(formula, exampleArguments);
    cellData[start] = {
      0: { v: text, t: TEXT, s: 'code' },
      1: { v: formula.help, s: 'wrapped' },
      2: { v: formula.cost, s: 'wrapped' },
      [SPENT_COLUMN]: { s: 'wrapped' },
    };
    cellData[end] = Object.fromEntries(COLUMNS.map((_, at) => [at, { s: 'lastRow' }]));
    for (let column = 0; column < RESULT_COLUMN; column += 1) {
      mergeData.push({ startRow: start, endRow: end, startColumn: column, endColumn: column });
    }
    if (formula.name === 'CDAPI_SEARCH')
      Object.assign(liveCells, buildSearchCells(start, text, session?.posts ?? []));
    else liveCells[start] = { [RESULT_COLUMN]: { f: text } };
  }
  const isFree = session !== undefined && hasFreeExamples(session);
  return {
    content: {
      ...buildSheet(FORMULA_SHEET, COLUMNS, 0, cellData),
      rowCount: (blocks.at(-1)?.end ?? 0) + 100,
      columnData: Object.fromEntries(COLUMNS.map(({ width }, at) => [at, { w: width, s: 'left' }])),
      showGridlines: BooleanNumber.FALSE,
      mergeData,
    },
    liveCells: isFree ? liveCells : {},
    credits: blocks.reduce((sum, { formula }) => sum + (EXAMPLES[formula.name]?.credits ?? 0), 0),
    getSpendingRow: (row) => blocks.find(({ start, end }) => row >= start && row <= end)?.start,
  };
}
