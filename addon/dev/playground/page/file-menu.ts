// The File menu: downloads as CSV and Excel, and Start over.
import { csvStart, formatCsvRow } from '../../../../shared/lib/csv.ts';
import { hasDecimalComma } from '../../host/sheets/locales.ts';
import type { Grid } from '../grid/grid.ts';
import { translateWorkbook } from '../grid/locale.ts';
import { readActiveSheet, readWorkbook } from '../grid/snapshot.ts';
import { language, locale } from '../locale.ts';
import { showQuestion } from './dialogs.ts';
import { createElement } from './elements.ts';
import { showMenu } from './menu.ts';

const START_OVER = {
  kind: 'alert',
  title: 'Start over?',
  prompt:
    'The workbook is deleted from this browser, and the initial one opens. Records your team already bought are free.',
  buttons: 'OK_CANCEL',
} as const;

/** Formats the active sheet as CSV: values as shown, numbers without a format as numbers. */
function formatActiveSheet(grid: Grid): string {
  const { data: sheet } = readActiveSheet(grid);
  const display = sheet?.display ?? [];
  const width = Math.max(0, ...display.map((row) => row.length));
  const lines = display.map((row, at) =>
    Array.from({ length: width }, (_, column) => {
      const value = sheet?.values[at]?.[column];
      if (typeof value === 'boolean') return String(value).toUpperCase();
      const text = row[column] ?? '';
      return typeof value === 'number' && String(value) === text ? value : text;
    }),
  );
  return lines.map(formatCsvRow).join('');
}

function download(content: Blob, name: string): void {
  const link = createElement('a', { href: URL.createObjectURL(content), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

function downloadActiveSheet(grid: Grid): void {
  const content = new Blob([csvStart, formatActiveSheet(grid)], { type: 'text/csv' });
  download(content, `${grid.workbook.getActiveSheet().getName()}.csv`);
}

async function downloadWorkbook(grid: Grid): Promise<void> {
  // Few people need it, so the page loads it on demand.
  const { formatExcelFile } = await import('./excel.ts');
  download(await formatExcelFile(readWorkbook(grid).sheets), `${grid.workbook.getName()}.xlsx`);
}

/** What the menu does with the stored workbook. */
interface Storage {
  readonly discard: () => Promise<void>;
  /** Stores the open one; undefined if the browser stores nothing. */
  readonly save: (() => Promise<void>) | undefined;
}

/** Loads the page with another locale, as Sheets does. */
async function changeLocale(grid: Grid, to: string, { save }: Storage): Promise<void> {
  const address = new URL(location.href);
  if (save === undefined) address.searchParams.set('locale', to);
  else {
    translateWorkbook(grid, to);
    await save();
  }
  location.href = address.href;
  location.reload();
}

/** Loads the page for a person whose account has another language. */
function changeLanguage(to: string): void {
  const address = new URL(location.href);
  address.searchParams.set('language', to);
  location.href = address.href;
}

/**
 * Fills the File menu and shows its button.
 * @param button - opens and closes `list`
 * @param list - popover for the items
 */
export function showFileMenu(grid: Grid, button: HTMLElement, list: HTMLElement, storage: Storage): void {
  const otherLocale = hasDecimalComma(locale)
    ? { to: 'en_US', caption: 'Use US numbers and dates: 1,234.5' }
    : { to: 'de_DE', caption: 'Use German numbers and dates: 1.234,5' };
  const otherLanguage =
    language === 'de'
      ? { to: 'en', caption: 'Use the add-on in English' }
      : { to: 'de', caption: 'Use the add-on in German' };
  const startOver = async (): Promise<void> => {
    if ((await showQuestion(START_OVER)).button !== 'OK') return;
    await storage.discard();
    location.reload();
  };
  const actions: Readonly<Record<string, () => void>> = {
    downloadSheet: () => downloadActiveSheet(grid),
    downloadWorkbook: () => void downloadWorkbook(grid),
    changeLocale: () => void changeLocale(grid, otherLocale.to, storage),
    changeLanguage: () => changeLanguage(otherLanguage.to),
    startOver: () => void startOver(),
  };
  const items = [
    { kind: 'item', caption: 'Download sheet as CSV', functionName: 'downloadSheet' },
    { kind: 'item', caption: 'Download workbook as Excel file', functionName: 'downloadWorkbook' },
    { kind: 'item', caption: otherLocale.caption, functionName: 'changeLocale' },
    { kind: 'item', caption: otherLanguage.caption, functionName: 'changeLanguage' },
    { kind: 'item', caption: 'Start over', functionName: 'startOver' },
  ] as const;
  showMenu(button, list, [{ items }], (name) => actions[name]?.());
}
