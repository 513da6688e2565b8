// Waits for the grid to calculate a script's writes: in Sheets, flush() returns after that.
import { FormulaCalculationSessionService } from '@univerjs/preset-sheets-core';
import type { Journal, Write } from '../../host/types.ts';
import type { Grid } from './grid.ts';

/** The grid collects changes for 100 ms before it calculates. */
const START_DELAY_MS = 120;
/** How long to watch for the start of a calculation. */
const START_TIMEOUT_MS = 20;

/** Writes that no formula depends on. */
export const STYLE_WRITES: ReadonlySet<Write['kind']> = new Set([
  'formats',
  'notes',
  'styles',
  'style',
  'clearFormats',
  'clearNotes',
  'select',
  'freeze',
  'freezeColumns',
]);

/**
 * Resolves when cells show the results of these changes. Add-on formulas may still show "Loading…".
 * @param journal - changes applied in the same turn
 */
export async function waitForCalculation({ injector }: Grid, journal: Journal): Promise<void> {
  if (journal.every(({ kind }) => STYLE_WRITES.has(kind))) return;
  await new Promise((resolve) => setTimeout(resolve, START_DELAY_MS));
  await injector.get(FormulaCalculationSessionService).waitForLatestApplied(undefined, START_TIMEOUT_MS);
}
