// Waits until the grid has calculated what a script wrote: in Sheets a script goes on after flush() only then.
import { FormulaCalculationSessionService } from '@univerjs/preset-sheets-core';
import type { Journal, Write } from '../../host/types.ts';
import type { Grid } from './grid.ts';

/** The grid gathers changes for 100 ms and then starts to calculate; a little later it has started. */
const STARTED_MS = 120;
/** Who waits sees a calculation that starts within this time. */
const WATCH_MS = 20;

/** Changes of looks alone: no formula depends on them, and none goes by them. */
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
 * Resolves when cells show what they show after these changes. Formulas that ask the add-on show "Loading…" until it answers.
 * @param journal - was applied in this same turn
 */
export async function calculated({ injector }: Grid, journal: Journal): Promise<void> {
  if (journal.every(({ kind }) => LOOKS.has(kind))) return;
  await new Promise((resolve) => setTimeout(resolve, STARTED_MS));
  await injector.get(FormulaCalculationSessionService).waitForLatestApplied(undefined, WATCH_MS);
}
