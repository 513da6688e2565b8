// The initial workbook: websites with a formula, a sheet with all formulas, and a bulk order.
import {
  BooleanNumber,
  HorizontalAlign,
  type ICellData,
  type IStyleData,
  type IWorkbookData,
  type IWorksheetData,
  LocaleType,
  VerticalAlign,
} from '@univerjs/core';
import type { Session } from '../session.ts';
import { BULK_SHEET, bulkSheet } from './bulk-sheet.ts';
import { FORMULA_SHEET, type FormulaSheet, formulaStyles } from './formula-sheet.ts';

const SHEET = 'companies';
const COLUMNS = [
  { heading: 'Website', width: 230, field: undefined },
  { heading: 'Name', width: 190, field: 'name' },
  { heading: 'Industry', width: 230, field: 'industry' },
  { heading: 'Size', width: 160, field: 'size_range' },
  { heading: 'Country', width: 140, field: 'location_hq_country' },
  { heading: 'Founded', width: 90, field: 'founded' },
] as const;
const MAX_EXAMPLES = 12;
/** Keys that show errors: an unknown website, and a text that is not a website. */
const FAILING_KEYS = ['no-such-company.example', 'not a website'] as const;

/** Defaults of a new sheet. */
export const SHEET_DEFAULTS = {
  defaultStyle: { fs: 10, vt: VerticalAlign.MIDDLE },
  defaultRowHeight: 24,
  defaultColumnWidth: 110,
} as const satisfies Partial<IWorksheetData>;

const heading: IStyleData = {
  bl: BooleanNumber.TRUE,
  bg: { rgb: '#f1f3f4' },
  ht: HorizontalAlign.LEFT,
};
const hint: IStyleData = { it: BooleanNumber.TRUE, cl: { rgb: '#5f6368' } };

const FORMULA_HINT = 'type websites here and, beside them, =CDAPI_ENRICH(A2:A6; "name, industry")';

/**
 * Builds the workbook.
 * @param session - undefined without an instance
 * @param formulas - the sheet with all formulas
 */
export function buildWorkbook(session: Session | undefined, formulas: FormulaSheet): Partial<IWorkbookData> {
  return {
    id: 'playground',
    name: 'Playground',
    locale: LocaleType.EN_US,
    styles: { heading, hint, ...formulaStyles },
    sheetOrder: [SHEET, FORMULA_SHEET.id, BULK_SHEET.id],
    sheets: {
      [FORMULA_SHEET.id]: formulas.content,
      [BULK_SHEET.id]: { ...SHEET_DEFAULTS, ...bulkSheet },
      [SHEET]: {
        id: SHEET,
        name: 'Companies',
        rowCount: 1000,
        columnCount: 26,
        ...SHEET_DEFAULTS,
        freeze: { startRow: 1, startColumn: -1, xSplit: 0, ySplit: 1 },
        columnData: Object.fromEntries(COLUMNS.map(({ width }, at) => [at, { w: width }])),
        cellData: {
          0: Object.fromEntries(
            COLUMNS.map(({ heading: v }, at): [number, ICellData] => [at, { v, s: 'heading' }]),
          ),
          ...buildRows(session),
        },
      },
    },
  };
}

type Rows = Record<number, Record<number, ICellData>>;

/** Returns examples only if they are free. */
function buildRows(session: Session | undefined): Rows {
  if (session === undefined) return {};
  if (!session.embedded) {
    return buildHintRows([
      `Start here: ${FORMULA_HINT}`,
      'A company costs credits unless your team already bought it.',
    ]);
  }
  if (session.examples.length > 0) return buildExampleRows(session.examples.slice(0, MAX_EXAMPLES));
  return buildHintRows([
    'Load your own companies with npm run import -- FILE, then reload this page.',
    `Then ${FORMULA_HINT}`,
  ]);
}

function buildExampleRows(examples: readonly string[]): Rows {
  const websites = [...examples, ...FAILING_KEYS];
  const fields = COLUMNS.flatMap(({ field }) => field ?? []).join(', ');
  const rowsByIndex = Object.fromEntries(
    websites.map((v, at): [number, Rows[number]] => [at + 1, { 0: { v } }]),
  );
  const first = rowsByIndex[1];
  if (first !== undefined) first[1] = { f: `=CDAPI_ENRICH(A2:A${websites.length + 1}; "${fields}")` };
  return rowsByIndex;
}

function buildHintRows(lines: readonly string[]): Rows {
  return Object.fromEntries(lines.map((v, at) => [at + 1, { 0: { v, s: 'hint' } }]));
}
