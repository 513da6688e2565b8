// Waits for the grid to calculate a script's writes: in Sheets, flush() returns after that.
import { FormulaCalculationSessionService } from '@univerjs/preset-sheets-core';
import type { Journal, Write } from '../../host/types.ts';
import type { Grid } from './grid.ts';

/** The grid collects changes for 100 ms before it calculates. */
const STARTED_MS = 120;
/** How long to watch for the start of a calculation. */
const WATCH_MS = 20;

/** Writes that no formula depends on. */
export const LOOKS: ReadonlySet<Write['kind']> = new Set([
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
export async function calculated({ injector }: Grid, journal: Journal): Promise<void> {
  if (journal.every(({ kind }) => LOOKS.has(kind))) return;
  await new Promise((resolve) => setTimeout(resolve, STARTED_MS));
  await injector.get(FormulaCalculationSessionService).waitForLatestApplied(undefined, WATCH_MS);
}
