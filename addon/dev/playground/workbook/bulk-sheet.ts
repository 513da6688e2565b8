// Sheet of the example bulk order: explanation, progress and rows.
import type { IWorksheetData } from '@univerjs/core';
import type { DataRequestState, DataRequestView } from '../../../../shared/api/data-requests.ts';
import { formatCount } from '../../../../shared/lib/format-count.ts';

export const BULK_SHEET = { id: 'bulk', name: 'Bulk order' } as const;

/** 0-based rows of the progress text and of the headings. */
export const PROGRESS_ROW = 1;
export const HEADING_ROW = 2;

/** Ordered columns; the id comes first. */
export const BULK_COLUMNS = [
  { path: 'name', width: 200 },
  { path: 'industry', width: 230 },
  { path: 'size_range', width: 150 },
  { path: 'location_hq_country', width: 160 },
  { path: 'founded', width: 80 },
  { path: 'websites_main', width: 280 },
] as const;
const ID_WIDTH = 90;
const WIDTHS = [ID_WIDTH, ...BULK_COLUMNS.map(({ width }) => width)];

const ABOUT =
  'A bulk order delivers up to 10,000 full records. To place one, use Search and then Bulk in the sidebar. You see the price before you order.';

/** The sheet before the order. */
export const bulkSheet = {
  id: BULK_SHEET.id,
  name: BULK_SHEET.name,
  rowCount: 1000,
  columnCount: 26,
  freeze: { startRow: HEADING_ROW + 1, startColumn: -1, xSplit: 0, ySplit: HEADING_ROW + 1 },
  columnData: Object.fromEntries(WIDTHS.map((w, at) => [at, { w }])),
  cellData: {
    0: { 0: { v: ABOUT, s: 'hint' } },
    [HEADING_ROW]: Object.fromEntries(WIDTHS.map((_, at) => [at, { s: 'heading' }])),
  },
} satisfies Partial<IWorksheetData>;

const formatCompanies = (number: number): string => formatCount(number, 'company', 'companies');

/** Texts for the states before the end. */
const STATES: Readonly<Partial<Record<DataRequestState, string>>> = {
  reserved: 'The gateway sends it in a moment',
  submitted: 'The provider has the order',
  running: 'The provider is collecting the records',
  ingesting: 'The gateway is reading the records',
};

const NO_RECORDS = 'The order delivered no records.';

/** Describes an order's progress in one line. */
export function describeOrder({ state, asked, rows, credits, ended_at, problem }: DataRequestView): string {
  if (ended_at === null) {
    const maxCredits = formatCount(credits.reserved, 'credit');
    return `Order of ${formatCompanies(asked)} for up to ${maxCredits} of the sandbox. ${STATES[state] ?? state} …`;
  }
  if (rows > 0) {
    const charged = formatCount(credits.charged ?? 0, 'credit');
    return `${formatCompanies(rows)} for ${charged} of the sandbox. You placed the playground’s example order. Opening this sheet again is free.`;
  }
  return problem === undefined ? NO_RECORDS : `${NO_RECORDS} ${problem.detail} ${problem.fix}`;
}
