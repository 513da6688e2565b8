// Builds the sheet of a template. It buys nothing: the limit of its formulas is 0 until a person raises it.
import type { Connection } from '../../../shared/connection.ts';
import { AddonError } from '../../lib/addon-error.ts';
import type { Payload, TemplateView } from '../../server/api/index.ts';
import { type CellPosition, getRange, type Sheet, setColumnWidths } from '../../sheet/area.ts';
import { textEntry } from '../../sheet/entries.ts';
import { toBlocks } from '../../sheet/formula-cells.ts';
import { withSheetErrors } from '../../sheet/guard.ts';
import { locateTables } from '../locate.ts';
import { listCandidateColumns } from '../lookup/candidate-columns.ts';
import { listTables } from '../registry.ts';
import { writeBlocks } from '../rows/write-blocks.ts';
import { recordStep, startUndoLog } from '../runs/undo-log.ts';
import { createSheet } from '../target.ts';
import { priceExamples } from './prices.ts';
import { FIRST_ROW, type Template, templates } from './templates.ts';

/** Websites for spreadsheets without a column of websites. */
const WEBSITES = ['shopify.com', 'spotify.com', 'stripe.com'];

const LIMIT_HINT =
  'Nothing is bought while B3 is 0. Type the price below into B3 to run the formulas. What your team has is free.';

/** Returns three websites, if possible from this spreadsheet. */
function findWebsites(): string[] {
  const tables = listTables();
  const column = listCandidateColumns(tables, locateTables(tables).places).find(
    ({ kind }) => kind === 'website',
  );
  return column?.examples.length === WEBSITES.length ? column.examples : WEBSITES;
}

/**
 * Lists the templates, and what their examples cost now.
 * @param payer - what formulas spend from; undefined if they are not connected
 */
export function listTemplates(payer: Connection | undefined): TemplateView[] {
  const prices = payer && priceExamples(templates, findWebsites(), payer);
  return templates.map(({ id, title, summary, credits, examples }) => {
    const now = prices?.get(examples);
    return { id, title, summary, credits, ...(now === undefined ? {} : { now }) };
  });
}

/** Returns the cells of a template, row by row from A1. */
function fillIn({ title, cost, isMaximum, rows }: Template, websites: readonly string[]): string[][] {
  const price = isMaximum ? 'Price at most' : 'Price now';
  const above = [`#${title}`, LIMIT_HINT, 'Credit limit|0|="max_credits="&B3', `${price}|${cost}`, ''];
  return [...above, ...rows].map((line, at) =>
    line
      .replace(/\{(\w)\}/g, (_, name: string) => websites[Number(name) - 1] ?? String(at + 1))
      .replace(/^#/, '')
      .split('|'),
  );
}

/** Writes texts and numbers, each block with its own fingerprint for undo. */
function writeTexts(runId: string, sheet: Sheet, cells: string[][], places: CellPosition[]): void {
  for (const area of toBlocks(places)) {
    const rows = cells.slice(area.row - 1, area.row - 1 + area.rows).map((line, down) => ({
      row: area.row + down,
      entries: line.slice(area.column - 1, area.column - 1 + area.columns).map((text) =>
        // The limit must be a number, so that the sheet shows it like one that a person types.
        text === '0' ? { cell: 0, format: '' as const } : textEntry(text),
      ),
    }));
    writeBlocks(runId, sheet, area, rows);
  }
}

/**
 * Builds the sheet of a template, which one click undoes.
 * @throws AddonError if Sheets refuses it
 */
export function buildTemplate({ id }: Payload<'buildTemplate'>): { sheet: string; runId: string } {
  const template = templates.find((each) => each.id === id);
  if (template === undefined) throw new AddonError('bad_call', 'This sidebar is outdated. Open it again.');
  const cells = fillIn(template, findWebsites());
  const headings = new Set([
    1,
    ...template.rows.flatMap((row, at) => (row.startsWith('#') ? at + FIRST_ROW : [])),
  ]);
  const places = cells.flatMap((row, r) =>
    row.flatMap((text, c) => (text === '' ? [] : { row: r + 1, column: c + 1, text })),
  );
  const runId = Utilities.getUuid();
  startUndoLog(runId, '', undefined);
  const sheet = createSheet(template.title, runId);
  const texts = places.filter(({ text }) => !text.startsWith('='));
  writeTexts(runId, sheet, cells, texts);
  withSheetErrors(sheet, () => {
    for (const { row, column, text } of places) {
      if (!text.startsWith('=')) continue;
      recordStep(runId, {
        do: 'formulas',
        sheet: sheet.getSheetId(),
        row,
        column,
        formulas: [''],
        merged: text,
      });
      getRange(sheet, { row, column, rows: 1, columns: 1 }).setFormula(text);
    }
    // Undo deletes the sheet, so these need no records.
    for (const row of headings) {
      getRange(sheet, { row, column: 1, rows: 1, columns: template.widths.length }).setFontWeight('bold');
    }
    setColumnWidths(sheet, 1, template.widths);
    sheet.activate();
    SpreadsheetApp.flush();
  });
  return { sheet: sheet.getName(), runId };
}
