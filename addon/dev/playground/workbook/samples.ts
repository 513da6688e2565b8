// The samples of the initial workbook, which run when a person asks for them.
import type { Grid } from '../grid/grid.ts';
import { readLookupPrice } from '../network.ts';
import { hasFreeExamples, type Session } from '../session.ts';
import { type CallScript, createOrderSample } from './example-order.ts';
import { FORMULA_SHEET, type FormulaSheet } from './formula-sheet.ts';
import { createFormulaSample, type Sample } from './sample.ts';
import { buildExampleFormula, COMPANIES_SHEET, listExampleKeys, priceExampleFormula } from './workbook.ts';

/**
 * Lists the samples; none if results would cost money.
 * @param script - runs as a user whose active cell is the heading cell of the bulk order
 * @param onCredits - called when the bulk order has reserved or spent credits
 */
export function listSamples(
  grid: Grid,
  session: Session | undefined,
  formulas: FormulaSheet,
  script: CallScript,
  onCredits: () => void,
): Sample[] {
  if (session === undefined || !hasFreeExamples(session)) return [];
  const first = buildExampleFormula(session);
  return [
    ...createFormulaSample(grid, COMPANIES_SHEET.id, first, priceExampleFormula(session), () =>
      readLookupPrice(session, listExampleKeys(session)),
    ),
    ...createFormulaSample(grid, FORMULA_SHEET.id, formulas.liveCells, formulas.credits),
    createOrderSample(grid, session, script, onCredits),
  ];
}
