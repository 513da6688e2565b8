// The locale in the grid: how numbers are shown and typed, and the separators of formulas.
import {
  CellValueType,
  type ICellData,
  InterceptorEffectEnum,
  type IWorkbookData,
  type IWorksheetData,
  type Nullable,
} from '@univerjs/core';
import {
  AFTER_CELL_EDIT,
  BEFORE_CELL_EDIT,
  INTERCEPTOR_POINT,
  SetRangeValuesMutation,
  SheetInterceptorService,
  SheetsNumfmtCellContentController,
} from '@univerjs/preset-sheets-core';
import { parseEntry } from '../../host/sheets/cell-input.ts';
import { hasDecimalComma, isKnownLocale, translateFormula } from '../../host/sheets/locales.ts';
import { locale, setLocale } from '../locale.ts';
import { isAutomatic } from './cell-styles.ts';
import { runCommand } from './commands.ts';
import type { Grid } from './grid.ts';
import { toSerial } from './serial-dates.ts';

const TYPED_DATE = 'dd.mm.yyyy';

/** Languages with a decimal comma that the grid knows by name. */
const LANGUAGES = [
  'cs',
  'da',
  'de',
  'el',
  'es',
  'fi',
  'fr',
  'hu',
  'is',
  'it',
  'nb',
  'nl',
  'pl',
  'pt',
  'ru',
  'sk',
  'sv',
  'tr',
] as const;

/** Uses the locale that a stored workbook was left with. */
export function restoreLocale({ custom }: Partial<Pick<IWorkbookData, 'custom'>>): void {
  const stored: unknown = custom?.locale;
  if (typeof stored === 'string' && isKnownLocale(stored)) setLocale(stored);
}

/** Translates the formulas of the workbook and stores the locale in it. The page must load again. */
export function translateWorkbook(grid: Grid, to: string): void {
  const { workbook } = grid;
  for (const sheet of workbook.getSheets()) {
    const cellValue: IWorksheetData['cellData'] = {};
    sheet.getCellMatrix().forValue((row, column, cell) => {
      if (!cell?.f) return;
      cellValue[row] = { ...cellValue[row], [column]: { ...cell, f: translateFormula(cell.f, locale, to) } };
    });
    runCommand(grid, SetRangeValuesMutation, sheet.getSheetId(), { cellValue });
  }
  const content = workbook.getSnapshot();
  content.custom = { ...content.custom, locale: to };
}

/** Shows and reads numbers and dates with decimal commas. */
export function acceptDecimalCommas({ injector }: Pick<Grid, 'injector'>): void {
  if (!hasDecimalComma(locale)) return;
  const language = LANGUAGES.find((name) => locale.startsWith(name)) ?? 'de';
  injector.get(SheetsNumfmtCellContentController).setNumfmtLocal(language);
  const interceptors = injector.get(SheetInterceptorService);
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const hasFraction = (cell: Nullable<ICellData>): cell is ICellData & { v: number } =>
    typeof cell?.v === 'number' && cell.t !== CellValueType.BOOLEAN && !Number.isInteger(cell.v);
  const toCommas = (value: number): string => String(value).replace('.', ',');
  interceptors.intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    // After number formats (10), which replace the numbers of formatted cells by texts.
    priority: 8,
    effect: InterceptorEffectEnum.Value,
    handler: (cell, _location, next) => next(hasFraction(cell) ? { ...cell, v: toCommas(cell.v) } : cell),
  });
  interceptors.writeCellInterceptor.intercept(BEFORE_CELL_EDIT, {
    priority: 1,
    handler: (cell, { worksheet, row, col }, next) => {
      const raw = worksheet.getCellRaw(row, col);
      return hasFraction(raw) && !raw.f ? { ...raw, v: toCommas(raw.v) } : next(cell);
    },
  });
  interceptors.writeCellInterceptor.intercept(AFTER_CELL_EDIT, {
    // Before Univer parses it with a decimal point.
    priority: 1,
    handler: (cell, { worksheet, row, col }, next) => {
      const typed = cell?.p?.body?.dataStream.replace(/\r\n$/, '') ?? String(cell?.v ?? '');
      const pattern = worksheet.getCellStyle(row, col)?.n?.pattern ?? '';
      if (cell?.f || typed === '') return next(cell);
      const entry = parseEntry(typed, pattern, { timeZone, locale });
      if ('formula' in entry) return next(cell);
      const { value } = entry;
      const plain = { ...cell, p: null, t: CellValueType.NUMBER };
      if (typeof value === 'number') return { ...plain, v: value };
      if (!(value instanceof Date)) return { ...plain, v: typed, t: CellValueType.STRING };
      return {
        ...plain,
        v: toSerial(value),
        ...(isAutomatic(pattern) ? { s: { n: { pattern: TYPED_DATE } } } : {}),
      };
    },
  });
}
