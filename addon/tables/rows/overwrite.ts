// Finds contents and manual changes that a run would replace, so that people can confirm.

import { toA1 } from '../../../shared/table/columns.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError, createError } from '../../lib/addon-error.ts';
import type { Overwrite, Start } from '../../server/api/index.ts';
import { type Area, getRange, type Sheet } from '../../sheet/area.ts';
import { fingerprint } from '../../sheet/entries.ts';
import { formatCount, t } from '../../texts/texts.ts';
import { type BodyCells, listPresentColumns, type TableLocation } from '../locate.ts';
import type { TableRecord } from '../registry.ts';
import { formatCellText, openWrittenRows } from './write-rows.ts';

const SAMPLE_SIZE = 5;
const MAX_SHOWN = 80;

function formatValue(value: unknown): string {
  const text = formatCellText(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 2).trimEnd()} …`;
}

function formatCellName(sheet: Sheet, row: number, column: number): string {
  return `${sheet.getName()}!${toA1({ row, column, rows: 1, columns: 1 })}`;
}

/**
 * Finds contents in an area for a new table.
 * @param area - may exceed the grid
 * @returns undefined if it is empty
 */
export function findContent(sheet: Sheet, area: Area): Overwrite | undefined {
  const rows = Math.min(area.rows, sheet.getMaxRows() - area.row + 1);
  const columns = Math.min(area.columns, sheet.getMaxColumns() - area.column + 1);
  if (rows < 1 || columns < 1) return undefined;
  const range = getRange(sheet, { ...area, rows, columns });
  const values: unknown[][] = range.getValues();
  const formulas = range.getFormulas();
  const taken = values.flatMap((line, r) =>
    line.flatMap((value, c) => {
      const formula = formulas[r]?.[c] ?? '';
      const holds = formula === '' ? value : formula;
      return holds === '' ? [] : [{ row: area.row + r, column: area.column + c, value: formatValue(holds) }];
    }),
  );
  if (taken.length === 0) return undefined;
  const place = `${sheet.getName()}!${toA1(area)}`;
  return {
    cells: taken.length,
    digest: digestPlan(taken.flatMap(({ row, column, value }) => [row, column, value])),
    sample: taken
      .slice(0, SAMPLE_SIZE)
      .map(({ row, column, value }) => ({ cell: formatCellName(sheet, row, column), value })),
    question:
      taken.length === 1
        ? t('One cell is not empty in {place}. Replace the contents?', { place })
        : t('{cells} cells are not empty in {place}. Replace the contents?', { cells: taken.length, place }),
  };
}

/**
 * Lists manually changed rows of a table: cells in the columns to write differ from the written values. Blank rows don't
 * count.
 * @param rows - indexes in the body
 * @param at - indexes of the columns to write
 */
export function listManualChanges(
  table: TableRecord,
  location: TableLocation,
  body: BodyCells,
  rows: readonly number[],
  at: readonly number[],
): number[] {
  const written = openWrittenRows(table, location);
  const counted = at.filter((column) => table.columns[column]?.isOwn !== true);
  return rows.filter((row) => {
    const line = body.values[row] ?? [];
    return counted.some((column) => (line[column] ?? '') !== '') && !written.matches(line, counted);
  });
}

/**
 * Describes manually changed rows of a table.
 * @param changed - indexes in the body, from {@link listManualChanges}
 * @param at - indexes of the columns to write
 * @returns undefined if there are none
 */
export function describeChanges(
  location: TableLocation,
  body: BodyCells,
  changed: readonly number[],
  at: readonly number[],
): Overwrite | undefined {
  if (changed.length === 0) return undefined;
  return {
    cells: changed.length,
    digest: digestPlan(changed.flatMap((row) => [row, ...(body.values[row] ?? [])])),
    sample: changed.slice(0, SAMPLE_SIZE).map((row) => {
      const line = body.values[row] ?? [];
      const holds = at.flatMap((column) => ((line[column] ?? '') === '' ? [] : formatValue(line[column])));
      return {
        cell: t('{sheet}, row {row}', { sheet: location.sheet.getName(), row: String(body.area.row + row) }),
        value: formatValue(holds.join(' · ')),
      };
    }),
    question: formatQuestion(changed.length),
  };
}

/** Finds manually changed rows of a table as {@link listManualChanges}, and describes them. @param at - default: all columns */
export function findManualChanges(
  table: TableRecord,
  location: TableLocation,
  body: BodyCells,
  at = table.columns.map((_, column) => column),
): Overwrite | undefined {
  const rows = body.values.map((_, row) => row);
  return describeChanges(location, body, listManualChanges(table, location, body, rows, at), at);
}

const formatQuestion = (rows: number): string =>
  rows === 1
    ? t('One row of the table was changed by hand. Replace the changes?')
    : t('{rows} rows of the table were changed by hand. Replace the changes?', { rows });

/** Merges manual changes of adjacent columns; undefined if there are none. */
export function mergeOverwrites(parts: readonly Overwrite[]): Overwrite | undefined {
  if (parts.length < 2) return parts[0];
  const cells = parts.reduce((sum, part) => sum + part.cells, 0);
  const sample = parts.flatMap((part) => part.sample).slice(0, SAMPLE_SIZE);
  const digest = digestPlan(parts.map((part) => part.digest));
  return { cells, sample, digest, question: formatQuestion(cells) };
}

/**
 * Requires a confirmation of the changes that a run would replace, as they are now, unless it keeps them.
 * @throws AddonError `confirm_first`
 */
export function requireConfirmation(
  overwrite: Overwrite | undefined,
  { confirmed = false, keepChanges = false, changes = overwrite?.digest }: Partial<Start>,
): void {
  if (overwrite === undefined || (keepChanges && overwrite.canKeep === true)) return;
  if (!(confirmed && changes === overwrite.digest))
    throw new AddonError('confirm_first', overwrite.question, overwrite);
}

/**
 * Warns that foreign columns beside a table may no longer match its rows.
 * @param emptied - columns that are cleared with the rows
 */
export function warnAboutNeighbours(location: TableLocation, emptied: readonly number[]): string | undefined {
  const present = [...listPresentColumns(location).map(({ column }) => column), ...emptied];
  const [heads = []] = getRange(location.sheet, {
    row: location.row,
    column: 1,
    rows: 1,
    columns: Math.max(1, location.sheet.getLastColumn()),
  }).getValues();
  const first = Math.min(...present);
  const last = Math.max(...present);
  const names = heads.flatMap((head, at) => {
    const column = at + 1;
    const beside = column >= first - 1 && column <= last + 1 && !present.includes(column);
    return beside && String(head) !== '' ? [`“${formatValue(head)}”`] : [];
  });
  return names.length === 0
    ? undefined
    : t(
        '{names} is beside the table and stays in place, so it may no longer match its rows. Update by id keeps them together.',
        { names: names.join(t(' and ')) },
      );
}

/** Four fingerprints of four letters make collisions of two plans practically impossible. */
const PARTS = 4;

/**
 * Digests a plan.
 * @param parts - the rows, keys and columns that its price is for
 */
export function digestPlan(parts: readonly unknown[]): string {
  const all = [isSpendingOn(), ...parts];
  return Array.from({ length: PARTS }, (_, part) => fingerprint([part, ...all])).join('');
}

/** Creates the error for a click whose plan is outdated. */
export function createPriceChangedError({ rows, credits }: { rows: number; credits: number }): AddonError {
  return createError(
    'price_changed',
    'The sheet or the price has changed: it is now {rows} for {price}. Check and confirm again.',
    {
      rows: formatCount(rows, 'row'),
      price: formatCount(credits, 'credit'),
    },
  );
}
