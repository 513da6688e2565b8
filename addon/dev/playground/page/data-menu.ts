// The Data menu: sorts rows and filters them by the values of a column.
import { filterColumn, listColumnValues, readFilterData, setFilter } from '../grid/filter.ts';
import type { Grid } from '../grid/grid.ts';
import { readActiveSheet } from '../grid/snapshot.ts';
import { sortBySelection } from '../grid/sort.ts';
import { showDialog, showQuestion } from './dialogs.ts';
import { createElement } from './elements.ts';
import { showMenu } from './menu.ts';

const ITEMS = [
  { kind: 'item', caption: 'Sort by selected column, A to Z', functionName: 'ascending' },
  { kind: 'item', caption: 'Sort by selected column, Z to A', functionName: 'descending' },
  { kind: 'separator' },
  { kind: 'item', caption: 'Filter by values of selected column', functionName: 'filter' },
  { kind: 'item', caption: 'Remove filter', functionName: 'remove' },
] as const;

const NOTHING_TO_FILTER = {
  kind: 'alert',
  title: 'Nothing to filter',
  prompt: 'Select a cell in a column with values.',
  buttons: 'OK',
} as const;

const SHOW = 'show';

export function showDataMenu(grid: Grid, button: HTMLElement, list: HTMLElement): void {
  const getSheetId = (): string => grid.workbook.getActiveSheet().getSheetId();
  const actions: Readonly<Record<string, () => void>> = {
    ascending: () => sortBySelection(grid, true),
    descending: () => sortBySelection(grid, false),
    filter: () => void askForValues(grid),
    remove: () => setFilter(grid, getSheetId(), null),
  };
  showMenu(button, list, [{ items: ITEMS }], (name) => actions[name]?.());
}

/** Creates the filter of the sheet if it has none, then asks which values of the selected column to show. */
async function askForValues(grid: Grid): Promise<void> {
  const sheet = grid.workbook.getActiveSheet();
  const sheetId = sheet.getSheetId();
  const { data, active } = readActiveSheet(grid);
  if (!active || !data) return;
  if (!readFilterData(sheet).filter) {
    const { values, frozenRows = 0 } = data;
    const columns = Math.max(0, ...values.map((cells) => cells.length));
    const row = Math.max(1, frozenRows);
    if (columns >= active.column && values.length > row)
      setFilter(grid, sheetId, { row, rows: values.length - row + 1, column: 1, columns });
  }
  const column = listColumnValues(sheet, active.column - 1);
  if (column === undefined) {
    await showQuestion(NOTHING_TO_FILTER);
    return;
  }
  const hidden = await chooseValues(column);
  if (hidden !== undefined) filterColumn(grid, sheetId, active.column - 1, hidden);
}

/** Asks which values to show. @returns the others; undefined if the person cancels */
async function chooseValues({ heading, values }: NonNullable<ReturnType<typeof listColumnValues>>) {
  const boxes = values.map(({ isShown }) => createElement('input', { type: 'checkbox', checked: isShown }));
  const labels = values.map(({ text }, at) =>
    createElement('label', {}, boxes[at] ?? '', text === '' ? '(Blanks)' : text),
  );
  const checkAll = (textContent: string, checked: boolean): HTMLElement => {
    const onclick = (): void => {
      for (const box of boxes) box.checked = checked;
    };
    return createElement('button', { type: 'button', textContent, onclick });
  };
  const title = `Show rows with these values of “${heading}”`;
  const pressed = await showDialog(
    [
      createElement('h2', { id: 'filter-title', textContent: title }),
      createElement(
        'div',
        { className: 'filter-all' },
        checkAll('Select all', true),
        checkAll('Clear', false),
      ),
      createElement('div', { className: 'filter-values' }, ...labels),
    ],
    [
      [SHOW, 'Show rows'],
      ['', 'Cancel'],
    ],
    boxes[0],
  );
  if (pressed !== SHOW) return undefined;
  return values.flatMap(({ text }, at) => (boxes[at]?.checked ? [] : [text]));
}
