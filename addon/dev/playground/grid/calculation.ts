// Waits for the grid to calculate a script's writes: in Sheets, flush() returns after that.
import { FormulaCalculationSessionService } from '@univerjs/preset-sheets-core';
import type { Journal, Write } from '../../host/types.ts';
import type { Grid } from './grid.ts';

/** The grid collects changes for 100 ms before it calculates. */
const START_DELAY_MS = 120;
/** How long to watch for the start of the next calculation: after one has started, or while a busy page is late. */
const START_TIMEOUT_MS = { started: 20, late: 1000 } as const;

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
  'putMetadata',
  'removeMetadata',
]);

/** Resolves when no calculation is running: its results would replace values that are written meanwhile. */
export async function waitForIdle({ injector }: Grid): Promise<void> {
  const calculations = injector.get(FormulaCalculationSessionService);
  const { started, completed, resultApplied } = calculations.state;
  if (started && !(completed && resultApplied)) await calculations.waitForLatestApplied();
}

/**
 * Resolves when cells show the results of these changes. Add-on formulas may still show "Loading…".
 * @param journal - changes applied in the same turn
 */
export async function waitForCalculation({ injector }: Grid, journal: Journal): Promise<void> {
  if (journal.every(({ kind }) => STYLE_WRITES.has(kind))) return;
  const calculations = injector.get(FormulaCalculationSessionService);
  const { id } = calculations.state;
  await new Promise((resolve) => setTimeout(resolve, START_DELAY_MS));
  const watch = calculations.state.id === id ? START_TIMEOUT_MS.late : START_TIMEOUT_MS.started;
  await calculations.waitForLatestApplied(undefined, watch);
}
