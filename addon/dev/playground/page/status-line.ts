// Explains errors, notes and links of cells in the status line and in a note over the cell.

import type { ICellData, Nullable, Worksheet } from '@univerjs/core';
import {
  CellAlertManagerService,
  CellAlertType,
  FormulaDataModel,
  HoverManagerService,
  SetFormulaCalculationResultMutation,
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
} from '@univerjs/preset-sheets-core';
import { debounceTime } from 'rxjs';
import { problems } from '../../../../shared/problems.ts';
import { troubleshooting } from '../../../../shared/troubleshooting.ts';
import { toAddress } from '../grid/cells.ts';
import { refreshAfter } from '../grid/commands.ts';
import { getErrorSentence } from '../grid/engine-values.ts';
import type { Grid } from '../grid/grid.ts';
import { getLinks, getNote } from '../grid/notes-and-links.ts';

const NO_ROOM = 'The results don’t fit here. Clear the cells below and beside this one, or move the formula.';

/**
 * Explains a `#SPILL!` error.
 * @param row - 0-based, as `column`: the formula's cell
 */
function explainSpill({ injector }: Grid, sheet: Worksheet, row: number, column: number): string {
  const ranges = injector.get(FormulaDataModel).getArrayFormulaRange();
  const range = ranges[sheet.getUnitId()]?.[sheet.getSheetId()]?.[row]?.[column];
  if (!range) return NO_ROOM;
  for (let r = range.startRow; r <= range.endRow; r += 1) {
    for (let c = range.startColumn; c <= range.endColumn; c += 1) {
      const value = sheet.getCell(r, c)?.v ?? '';
      if ((r === row && c === column) || value === '') continue;
      return `${toAddress(r, c)} is in the way. Clear it to show the results.`;
    }
  }
  return NO_ROOM;
}

/** The key of Univer's own alert over a failed formula, which ours replaces. */
const ALERT_KEY = 'SHEET_FORMULA_ALERT';
/** Univer shows its alert 100 ms after the pointer stops. */
const AFTER_UNIVER_MS = 120;

/** Commands after which the sentence may have changed. */
const REFRESH_COMMANDS = [
  SetFormulaCalculationResultMutation,
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
];

/**
 * Updates the status line and the notes.
 * @param grid - the spreadsheet
 * @param line - the element of the status line
 */
export function explainErrors(grid: Grid, line: HTMLElement): void {
  refreshAfter(grid, REFRESH_COMMANDS, () => {
    const sentence = getSentence(grid);
    if (line.textContent !== sentence) line.textContent = sentence;
  });
  showNotes(grid);
}

/** Returns the sentence for the selected cell, or for the first failed formula of the sheet. */
function getSentence(grid: Grid): string {
  const { api, workbook } = grid;
  const sheet = workbook.getActiveSheet();
  const selected = api.getActiveWorkbook()?.getActiveCell()?.getRange();
  if (selected !== undefined) {
    const { startRow, startColumn } = selected;
    const sentence =
      explainError(grid, sheet, startRow, startColumn) ??
      getNoteOrHint(sheet.getCellRaw(startRow, startColumn));
    if (sentence !== '') return `${toAddress(startRow, startColumn)}: ${sentence}`;
  }
  let first = '';
  sheet.getCellMatrix().forValue((row, column, cell) => {
    const sentence = cell?.f || cell?.si ? explainError(grid, sheet, row, column) : undefined;
    if (sentence === undefined) return;
    first = `${toAddress(row, column)}: ${sentence}`;
    return false;
  });
  return first;
}

/** Returns a cell's note or a hint to its link; '' if it has neither. */
function getNoteOrHint(cell: Nullable<ICellData>): string {
  const note = getNote(cell?.custom);
  return note === '' && getLinks(cell?.custom, cell?.v) !== null ? 'Press Alt+Enter to open the link.' : note;
}

function showNotes(grid: Grid): void {
  const { injector, workbook } = grid;
  const notes = injector.get(CellAlertManagerService);
  injector
    .get(HoverManagerService)
    .currentCell$.pipe(debounceTime(AFTER_UNIVER_MS))
    .subscribe((hovered) => {
      if (!hovered) return;
      const { location } = hovered;
      const sheet = workbook.getSheetBySheetId(location.subUnitId);
      if (!sheet) return;
      const cell = sheet.getCell(location.row, location.col);
      const error = explainError(grid, sheet, location.row, location.col);
      const message = error ?? getNote(cell?.custom);
      if (message === '') return;
      notes.showAlert({
        type: error === undefined ? CellAlertType.INFO : CellAlertType.ERROR,
        title: error === undefined ? 'Note' : String(cell?.v ?? ''),
        message,
        location,
        width: 260,
        height: 80,
        key: ALERT_KEY,
      });
    });
}

/** Explains a cell's error; undefined if it shows none. */
function explainError(grid: Grid, sheet: Worksheet, row: number, column: number): string | undefined {
  const cell = sheet.getCell(row, column);
  const value = cell?.v;
  if (typeof value !== 'string' || !value.startsWith('#')) return undefined;
  if (value === '#ERROR!') return getErrorSentence(cell?.custom);
  if (value === '#SPILL!') return explainSpill(grid, sheet, row, column);
  return errorSentences.get(value);
}

/** Sentences for errors: the problem and its fix, or the most likely advice if there are several causes. */
const errorSentences = new Map<string, string>();
{
  for (const { symptom, steps } of troubleshooting) {
    const [, error] = /^`(#[^`]+)`/.exec(symptom) ?? [];
    if (error !== undefined) errorSentences.set(error, (steps[0] ?? '').replaceAll('`', ''));
  }
  const all = Object.values(problems).flatMap((problem) =>
    problem.row === undefined ? [] : { ...problem, ...problem.row },
  );
  for (const { cell, title, fix } of all) {
    if (all.filter((other) => other.cell === cell).length === 1) errorSentences.set(cell, `${title} ${fix}`);
  }
}
