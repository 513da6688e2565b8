// Card with the links of the selected cell, for mouse and keyboard.
import {
  ComponentManager,
  IEditorBridgeService,
  ILayoutService,
  SetCellEditVisibleOperation,
  SetRangeValuesMutation,
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
  SheetCanvasPopManagerService,
} from '@univerjs/preset-sheets-core';
import type { KeyboardEvent } from 'react';
import { toAddress } from '../grid/cells.ts';
import { refreshAfter } from '../grid/commands.ts';
import type { Grid } from '../grid/grid.ts';
import { getLinks, toWebAddress } from '../grid/notes-and-links.ts';

const CARD = 'cdapi-links';
const CARD_ID = 'cell-links';

/** Commands after which the selection or the cell may have changed. */
const REFRESH_COMMANDS = [
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
  SetRangeValuesMutation,
  SetCellEditVisibleOperation,
];

interface LinkedCell {
  row: number;
  column: number;
  /** Unique addresses. */
  urls: readonly string[];
}

function getSelectedLinks({ api, workbook }: Grid): LinkedCell | undefined {
  const cell = api.getActiveWorkbook()?.getActiveCell()?.getRange();
  if (cell === undefined) return undefined;
  const { startRow: row, startColumn: column } = cell;
  const data = workbook.getActiveSheet().getCellRaw(row, column);
  const urls = (getLinks(data?.custom, data?.v) ?? []).flatMap(({ link }) => toWebAddress(link) ?? []);
  return urls.length === 0 ? undefined : { row, column, urls: [...new Set(urls)] };
}

/**
 * Shows the links of the selected cell. Alt+Enter focuses them, Escape returns to the grid.
 * @param grid - the spreadsheet
 */
export function showLinks(grid: Grid): void {
  const { injector } = grid;
  const popups = injector.get(SheetCanvasPopManagerService);
  const editor = injector.get(IEditorBridgeService);
  let shown: LinkedCell | undefined;
  let card: ReturnType<SheetCanvasPopManagerService['attachPopupToCell']>;

  const hide = (): void => {
    card?.dispose();
    card = null;
    shown = undefined;
  };
  const focusGrid = (): void => injector.get(ILayoutService).focus();
  const closeOnEscape = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape') return;
    // `shown` stays set: the card must not reappear while its cell is selected.
    card?.dispose();
    card = null;
    focusGrid();
  };
  const Card = () =>
    shown === undefined ? null : (
      <section
        className="links"
        id={CARD_ID}
        aria-label={`Links in ${toAddress(shown.row, shown.column)}`}
        onKeyDown={closeOnEscape}
      >
        {shown.urls.map((url) => (
          <a key={url} href={url} target="_blank" rel="noopener noreferrer" title={url} onClick={focusGrid}>
            {url}
          </a>
        ))}
        <span>Alt+Enter</span>
      </section>
    );
  injector.get(ComponentManager).register(CARD, Card);

  const update = (): void => {
    const next = editor.isVisible().visible ? undefined : getSelectedLinks(grid);
    if (JSON.stringify(next) === JSON.stringify(shown)) return;
    hide();
    if (next === undefined) return;
    shown = next;
    card = popups.attachPopupToCell(next.row, next.column, {
      componentKey: CARD,
      direction: 'bottom-left',
      offset: [0, 4],
    });
  };

  refreshAfter(grid, REFRESH_COMMANDS, update);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || !event.altKey || !card) return;
      event.preventDefault();
      event.stopPropagation();
      document.querySelector<HTMLAnchorElement>(`#${CARD_ID} a`)?.focus();
    },
    true,
  );
}
