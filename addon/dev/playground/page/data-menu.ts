// The Data menu: sorts rows and filters them by the values of a column.
import { filterColumn, listColumnValues, readFilterData, setFilter } from '../grid/filter.ts';
import type { Grid } from '../grid/grid.ts';
import { readWorkbook } from '../grid/snapshot.ts';
import { sortBySelection } from '../grid/sort.ts';
import { showQuestion } from './dialogs.ts';
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
  const { sheets, active } = readWorkbook(grid);
  const data = sheets.find(({ name }) => name === sheet.getName());
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
function chooseValues({ heading, values }: NonNullable<ReturnType<typeof listColumnValues>>) {
  const dialog = document.createElement('dialog');
  dialog.className = 'ask';
  dialog.setAttribute('aria-labelledby', 'filter-title');
  const title = document.createElement('h2');
  title.id = 'filter-title';
  title.textContent = `Show rows with these values of “${heading}”`;
  const group = document.createElement('div');
  group.className = 'filter-values';
  const boxes = values.map(({ text, isShown }) => {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = isShown;
    const label = document.createElement('label');
    label.append(box, text === '' ? '(Blanks)' : text);
    group.append(label);
    return box;
  });
  const createButton = (caption: string, onClick: () => void): HTMLButtonElement => {
    const element = document.createElement('button');
    element.type = 'button';
    element.textContent = caption;
    element.addEventListener('click', onClick);
    return element;
  };
  const checkAll = (checked: boolean) => () => {
    for (const box of boxes) box.checked = checked;
  };
  const all = document.createElement('div');
  all.className = 'filter-all';
  all.append(createButton('Select all', checkAll(true)), createButton('Clear', checkAll(false)));
  const buttons = document.createElement('div');
  buttons.className = 'ask-buttons';
  const show = document.createElement('button');
  show.value = SHOW;
  show.type = 'submit';
  show.textContent = 'Show rows';
  buttons.append(
    show,
    createButton('Cancel', () => dialog.close()),
  );
  const form = document.createElement('form');
  form.method = 'dialog';
  form.append(title, all, group, buttons);
  dialog.append(form);
  document.body.append(dialog);
  return new Promise<string[] | undefined>((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      const hidden = values.flatMap(({ text }, at) => (boxes[at]?.checked ? [] : [text]));
      resolve(dialog.returnValue === SHOW ? hidden : undefined);
    });
    dialog.showModal();
    (boxes[0] ?? show).focus();
  });
}
