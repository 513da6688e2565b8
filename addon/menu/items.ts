// Handlers of the add-on's menu items.
import { getHelpAnchor, HELP_PATH } from '../../shared/help-path.ts';
import { type CellError, problemCodes, problems } from '../../shared/problems.ts';
import { findConnection } from '../client/connection.ts';
import { isCellError } from '../lib/cell-errors.ts';
import { findPrice } from '../server/formula-prices.ts';
import { getOpenTriggerState, type OpenTriggerState, switchOpenTrigger } from '../server/triggers.ts';
import { type Area, type Sheet, toArea } from '../sheet/area.ts';
import { findAddonFormulas, readSheet } from '../sheet/formula-cells.ts';
import { type FreezeResult, freezeFormulas } from '../sheet/freeze-formulas.ts';
import { refreshFormulas } from '../sheet/refresh-formulas.ts';
import { translateProblem } from '../texts/problems.ts';
import { formatCount, type Text, t, translate } from '../texts/texts.ts';
import { FORMULAS_TITLE, FREEZE_TITLE, OPENING_TITLE, REFRESH_TITLE, runMenuItem } from './menu.ts';

const TOAST_TITLE = 'CDAPI';

const HELP = [
  '=CDAPI_ENRICH(A2:A100; "name, industry") gives company data for a column of websites, in one call. Type =CDAPI in a cell to see the other formulas; each says what it needs. In another spreadsheet, formulas show #NAME? until you open Extensions → CDAPI → Open sidebar there once.',
  'Records your team already bought are free, however often the sheet recalculates. =CDAPI_COST(A2:A100) shows the price of a column before you buy it.',
  '#PENDING rows are still being fetched: Refresh selection completes them without paying twice. Freeze to values turns formulas into their values.',
  'To connect, paste the link of your admin: Extensions → CDAPI → Connect.',
] as const satisfies readonly Text[];

const countFormulas = (count: number): string => formatCount(count, 'formula');

const FORMULAS_READY =
  'Formulas such as =CDAPI_ENRICH(A2) now work in this spreadsheet, for everybody who edits it. If cells still show #NAME?, reload the spreadsheet.';

/** Menu item: does nothing but being used, which makes Google register the formulas in this spreadsheet. */
export function useFormulas(): void {
  runMenuItem(FORMULAS_TITLE, (ui) => {
    ui.alert(t(FORMULAS_TITLE), t(FORMULAS_READY), ui.ButtonSet.OK);
  });
}

export function openSidebar(): void {
  runMenuItem(TOAST_TITLE, (ui) => {
    ui.showSidebar(HtmlService.createHtmlOutputFromFile('Sidebar').setTitle('CDAPI'));
  });
}

function toast(text: string): void {
  SpreadsheetApp.getActiveSpreadsheet().toast(text, TOAST_TITLE);
}

/** Returns the selected areas; none if a drawing or chart is selected. */
function getSelectedAreas(): Area[] {
  const list: GoogleAppsScript.Spreadsheet.RangeList | null = SpreadsheetApp.getActiveRangeList();
  return (list?.getRanges() ?? []).map(toArea);
}

const NONE_SELECTED =
  'There is no CDAPI formula in the selection. Select the cell with the formula itself, not the cells that it fills.';

function describeFreeze({ frozen, skipped }: FreezeResult): string {
  const became = t('{formulas} became values.', { formulas: countFormulas(frozen) });
  const undo = frozen === 0 ? '' : ` ${t('Undo brings formulas back.')}`;
  const stayed = ` ${t('{formulas} stayed: they are still loading or show an error.', { formulas: countFormulas(skipped) })}`;
  return `${became}${skipped === 0 ? '' : stayed}${undo}`;
}

const NONE_IN_SHEET = 'There is no CDAPI formula in this sheet.';

function confirmFreeze(place: 'selection' | 'sheet', areas?: readonly Area[]): void {
  runMenuItem(FREEZE_TITLE, (ui) => {
    const sheet = SpreadsheetApp.getActiveSheet();
    const count = findAddonFormulas(readSheet(sheet), areas).length;
    if (count === 0) {
      ui.alert(t(FREEZE_TITLE), t(place === 'selection' ? NONE_SELECTED : NONE_IN_SHEET), ui.ButtonSet.OK);
      return;
    }
    const question = t(
      place === 'selection'
        ? 'Turn {formulas} in the selection into their current values? The cells won’t change or cost credits any more. Other formulas stay.'
        : 'Turn {formulas} in this sheet into their current values? The cells won’t change or cost credits any more. Other formulas stay.',
      { formulas: countFormulas(count) },
    );
    if (ui.alert(t(FREEZE_TITLE), question, ui.ButtonSet.YES_NO) !== ui.Button.YES) return;
    toast(describeFreeze(freezeFormulas(sheet, areas)));
  });
}

/** Menu item: replaces the add-on's formulas in the selection by their values. */
export function freezeSelection(): void {
  confirmFreeze('selection', getSelectedAreas());
}

/** Menu item: replaces the add-on's formulas in the sheet by their values. */
export function freezeSheet(): void {
  confirmFreeze('sheet');
}

/** Returns the question before formulas run again; undefined if they spend nothing. */
function askForRefresh(sheet: Sheet, areas: readonly Area[]): string | undefined {
  const cells = readSheet(sheet);
  const places = findAddonFormulas(cells, areas);
  if (places.length === 0) return undefined;
  let credits: number | null;
  try {
    credits = findPrice({ sheet, name: sheet.getName(), cells }, places);
  } catch {
    // The formulas then show why they can't be priced.
    credits = null;
  }
  if (credits === 0) return undefined;
  const price =
    credits === null
      ? t('The price isn’t known: they buy what your team hasn’t bought, up to their max_credits.')
      : t('It costs up to {credits}.', { credits: formatCount(credits, 'credit') });
  return `${t('Run {formulas} again?', { formulas: countFormulas(places.length) })} ${price}`;
}

export function refreshSelection(): void {
  runMenuItem(REFRESH_TITLE, (ui) => {
    const question = askForRefresh(SpreadsheetApp.getActiveSheet(), getSelectedAreas());
    if (question !== undefined && ui.alert(t(REFRESH_TITLE), question, ui.ButtonSet.YES_NO) !== ui.Button.YES)
      return;
    const count = refreshFormulas(SpreadsheetApp.getActiveSheet(), getSelectedAreas());
    if (count === 0) ui.alert(t(REFRESH_TITLE), t(NONE_SELECTED), ui.ButtonSet.OK);
    else
      toast(
        t('{formulas} run again. Records your team already bought are free.', {
          formulas: countFormulas(count),
        }),
      );
  });
}

const SWITCH_ON =
  'When this spreadsheet opens, complete #PENDING rows and write new rows automatically? Edits and inserted rows also fill tables that are kept filled. It runs in your name and buys nothing twice.';

const OPENING_QUESTIONS = {
  on: [
    'This is on for you in this spreadsheet: when it opens, #PENDING rows are completed and new rows are written, and edits and inserted rows fill tables that are kept filled. Switch it off?',
  ],
  off: [SWITCH_ON],
  denied: [
    SWITCH_ON,
    'Google asks for a permission next. Allow it, then choose Extensions → CDAPI → Complete rows on opening again.',
  ],
} as const satisfies Record<OpenTriggerState, readonly Text[]>;

export function completeOnOpening(): void {
  runMenuItem(OPENING_TITLE, (ui) => {
    const state = getOpenTriggerState();
    const on = state === 'on';
    if (
      ui.alert(
        t(OPENING_TITLE),
        OPENING_QUESTIONS[state].map(translate).join('\n\n'),
        ui.ButtonSet.YES_NO,
      ) !== ui.Button.YES
    )
      return;
    switchOpenTrigger(!on);
    toast(on ? t('Switched off.') : t('Switched on. It runs the next time this spreadsheet opens.'));
  });
}

/** Explains the error word that the active cell shows; undefined if it shows none. */
function explainActiveCell(): { error: CellError; text: string } | undefined {
  const range: GoogleAppsScript.Spreadsheet.Range | null = SpreadsheetApp.getActiveRange();
  const error = range?.getDisplayValue();
  if (range === null || error === undefined || !isCellError(error)) return undefined;
  const reasons = problemCodes
    .filter((code) => problems[code].row?.cell === error)
    .map((code) => `• ${translateProblem({ code })}`);
  return {
    error,
    text: [t('{cell} shows {error}:', { cell: range.getA1Notation(), error }), ...reasons].join('\n'),
  };
}

/** Menu item: explains the error in the active cell, or the add-on. */
export function help(): void {
  runMenuItem(TOAST_TITLE, (ui) => {
    const cell = explainActiveCell();
    const connection = findConnection()?.connection;
    const anchor = cell === undefined ? '' : `#${getHelpAnchor(cell.error)}`;
    const more =
      connection === undefined
        ? ''
        : `\n\n${t('More: {url}', { url: `${connection.url}${HELP_PATH}${anchor}` })}`;
    ui.alert(TOAST_TITLE, `${cell?.text ?? HELP.map(translate).join('\n\n')}${more}`, ui.ButtonSet.OK);
  });
}
