// The initial workbook: new websites to enrich, websites with a formula, a sheet with all formulas, and a bulk order.
import {
  BooleanNumber,
  HorizontalAlign,
  type IStyleData,
  type IWorkbookData,
  type IWorksheetData,
  LocaleType,
} from '@univerjs/core';
import { normaliseWebsite } from '../../../../shared/keys/index.ts';
import { getRecordPrice } from '../../../../shared/operations.ts';
import { hasFreeExamples, type Session } from '../session.ts';
import { BULK_SHEET, bulkSheet } from './example-order.ts';
import { FORMULA_SHEET, type FormulaSheet, formulaStyles } from './formula-sheet.ts';
import { buildSheet, type Rows } from './sheet.ts';

/** Websites for the first steps. No example buys them, so that Enrich shows their price. */
const NEW_SHEET = { id: 'new', name: 'My companies' } as const;
const MAX_NEW = 5;
/** Websites with the first formula. */
export const COMPANIES_SHEET = { id: 'companies', name: 'Companies' } as const;
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
  const websites = session === undefined ? [] : listNewWebsites(session);
  const newSheet = websites.length === 0 ? {} : { [NEW_SHEET.id]: buildNewSheet(websites) };
  return {
    id: 'playground',
    name: 'Playground',
    locale: LocaleType.EN_US,
    styles: { heading, hint, ...formulaStyles },
    sheetOrder: [...Object.keys(newSheet), COMPANIES_SHEET.id, FORMULA_SHEET.id, BULK_SHEET.id],
    sheets: {
      ...newSheet,
      [FORMULA_SHEET.id]: formulas.content,
      [BULK_SHEET.id]: bulkSheet,
      [COMPANIES_SHEET.id]: buildSheet(COMPANIES_SHEET, COLUMNS, 0, buildRows(session)),
    },
  };
}

/** Lists the last websites: no formula and no bulk order of the other sheets buys them. */
export function listNewWebsites(session: Session): string[] {
  if (!hasFreeExamples(session)) return [];
  const { examples } = session;
  const count = Math.min(MAX_NEW, Math.floor(examples.length / 2));
  return examples.slice(examples.length - count);
}

/** Builds the sheet of the first steps. */
function buildNewSheet(websites: readonly string[]): Partial<IWorksheetData> {
  return buildSheet(NEW_SHEET, COLUMNS.slice(0, 1), 0, buildWebsiteRows(websites));
}

/** Returns examples only if they are free. */
function buildRows(session: Session | undefined): Rows {
  if (session === undefined) return {};
  if (!session.sandbox) {
    return buildHintRows([
      `Start here: ${FORMULA_HINT}`,
      'A company costs credits unless your team already bought it.',
    ]);
  }
  if (session.examples.length > 0) return buildWebsiteRows(listExamples(session));
  return buildHintRows([
    'Load your own companies with npm run import -- FILE, then reload this page.',
    `Then ${FORMULA_HINT}`,
  ]);
}

/** Lists the websites of the first formula, and keys that show errors. */
function listExamples(session: Session): string[] {
  const { examples } = session;
  const known = examples.slice(0, examples.length - listNewWebsites(session).length);
  return [...known.slice(0, MAX_EXAMPLES), ...FAILING_KEYS];
}

/** Lists the websites that the first formula looks up, each once. */
export function listExampleKeys(session: Session): string[] {
  const keys = listExamples(session).map(normaliseWebsite);
  return [...new Set(keys.flatMap((key) => (key.ok ? [key.value] : [])))];
}

/** Computes the most that the first formula costs. */
export const priceExampleFormula = (session: Session | undefined): number =>
  session === undefined ? 0 : listExampleKeys(session).length * getRecordPrice('company_clean');

/** Builds the cells of the first formula, which are entered when it runs. Empty if results would cost money. */
export function buildExampleFormula(session: Session | undefined): Rows {
  if (session === undefined || !hasFreeExamples(session)) return {};
  const fields = COLUMNS.flatMap(({ field }) => field ?? []).join(', ');
  return { 1: { 1: { f: `=CDAPI_ENRICH(A2:A${listExamples(session).length + 1}; "${fields}")` } } };
}

const buildWebsiteRows = (websites: readonly string[]): Rows =>
  Object.fromEntries(websites.map((v, at): [number, Rows[number]] => [at + 1, { 0: { v } }]));

function buildHintRows(lines: readonly string[]): Rows {
  return Object.fromEntries(lines.map((v, at) => [at + 1, { 0: { v, s: 'hint' } }]));
}
