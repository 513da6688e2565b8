// Explains errors, notes and links of cells in the status line and in a note over the cell.
import { type ICellData, ICommandService, type Nullable } from '@univerjs/core';
import {
  CellAlertManagerService,
  CellAlertType,
  HoverManagerService,
  SetFormulaCalculationResultMutation,
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
} from '@univerjs/preset-sheets-core';
import { debounceTime } from 'rxjs';
import { problems } from '../../../../shared/problems.ts';
import { address } from '../grid/cells.ts';
import { sentenceOf } from '../grid/engine-values.ts';
import type { Grid } from '../grid/grid.ts';
import { linksOf, noteOf } from '../grid/notes-and-links.ts';

/** The key of Univer's own alert over a failed formula, which ours replaces. */
const NOTE = 'SHEET_FORMULA_ALERT';
/** Univer shows its alert 100 ms after the pointer stops. */
const AFTER_UNIVER_MS = 120;

/** Commands after which the sentence may have changed. */
const MOMENTS = new Set([
  SetFormulaCalculationResultMutation.id,
  SetSelectionsOperation.id,
  SetWorksheetActiveOperation.id,
]);

/**
 * Updates the status line and the notes.
 * @param grid - the spreadsheet
 * @param line - the element of the status line
 */
export function explainErrors(grid: Grid, line: HTMLElement): void {
  const { injector } = grid;
  let due = 0;
  const refresh = () => {
    cancelAnimationFrame(due);
    due = requestAnimationFrame(() => {
      const sentence = currentSentence(grid);
      if (line.textContent !== sentence) line.textContent = sentence;
    });
  };
  injector.get(ICommandService).onCommandExecuted(({ id }) => {
    if (MOMENTS.has(id)) refresh();
  });
  showNotes(grid);
}

/** Returns the sentence for the selected cell, or for the first failed formula of the sheet. */
function currentSentence({ api, workbook }: Grid): string {
  const sheet = workbook.getActiveSheet();
  const selected = api.getActiveWorkbook()?.getActiveCell()?.getRange();
  if (selected !== undefined) {
    const { startRow, startColumn } = selected;
    const sentence =
      meaning(sheet.getCell(startRow, startColumn)) ?? extra(sheet.getCellRaw(startRow, startColumn));
    if (sentence !== '') return `${address(startRow, startColumn)}: ${sentence}`;
  }
  let first = '';
  sheet.getCellMatrix().forValue((row, column, cell) => {
    const sentence = cell?.f || cell?.si ? meaning(cell) : undefined;
    if (sentence === undefined) return;
    first = `${address(row, column)}: ${sentence}`;
    return false;
  });
  return first;
}

/** Returns a cell's note or a hint to its link; '' if it has neither. */
function extra(cell: Nullable<ICellData>): string {
  const note = noteOf(cell?.custom);
  return note === '' && linksOf(cell?.custom, cell?.v) !== null ? 'Press Alt+Enter to open the link.' : note;
}

function showNotes({ injector, workbook }: Grid): void {
  const notes = injector.get(CellAlertManagerService);
  injector
    .get(HoverManagerService)
    .currentCell$.pipe(debounceTime(AFTER_UNIVER_MS))
    .subscribe((hovered) => {
      if (!hovered) return;
      const { location } = hovered;
      const cell = workbook.getSheetBySheetId(location.subUnitId)?.getCell(location.row, location.col);
      const wrong = meaning(cell);
      const message = wrong ?? noteOf(cell?.custom);
      if (message === '') return;
      notes.showAlert({
        type: wrong === undefined ? CellAlertType.INFO : CellAlertType.ERROR,
        title: wrong === undefined ? 'Note' : String(cell?.v ?? ''),
        message,
        location,
        width: 260,
        height: 80,
        key: NOTE,
      });
    });
}

/** Explains a cell's error; undefined if it shows none. */
function meaning(cell: Nullable<ICellData>): string | undefined {
  const shown = cell?.v;
  if (typeof shown !== 'string' || !shown.startsWith('#')) return undefined;
  if (shown === '#ERROR!') return sentenceOf(cell?.custom);
  if (shown === '#SPILL!') return 'The answer has no room. Empty the cells below and beside this one.';
  return rowMeanings.get(shown);
}

/** Sentences for row errors with a single cause. */
const rowMeanings = new Map<string, string>();
{
  const all = Object.values(problems).flatMap((one) => ('cell' in one ? [one] : []));
  for (const { cell, title, fix } of all) {
    if (all.filter((other) => other.cell === cell).length === 1) rowMeanings.set(cell, `${title} ${fix}`);
  }
}
