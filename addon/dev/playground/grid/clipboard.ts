// Copying and pasting as in Sheets, where Univer does something else.

import { type ICellData, type IRange, ObjectMatrix } from '@univerjs/core';
import { FormulaDataModel, ISheetClipboardService } from '@univerjs/preset-sheets-core';
import { DAY_MS } from '../../../../shared/lib/durations.ts';
import { formatDate } from '../../host/dates.ts';
import { parseEntry } from '../../host/sheets/cell-input.ts';
import { hasDecimalComma } from '../../host/sheets/locales.ts';
import { locale } from '../locale.ts';
import { getNumberFormat } from './engine-values.ts';
import type { Grid } from './grid.ts';

/** Makes cells of a formula's results copy as values, and pasted texts keep their angle brackets. */
export function adaptClipboard({ injector }: Grid): void {
  const clipboard = injector.get(ISheetClipboardService);
  const model = injector.get(FormulaDataModel);
  let readResult: (row: number, column: number) => ICellData | undefined = () => undefined;
  clipboard.addClipboardHook({
    id: 'cdapi-copy-results',
    onBeforeCopy: (unitId, sheetId, copied) => {
      const results = model.getArrayFormulaCellData()[unitId]?.[sheetId] ?? {};
      const ranges: IRange[] = [];
      const origins = model.getArrayFormulaRange()[unitId]?.[sheetId] ?? {};
      new ObjectMatrix<IRange>(origins).forValue((_row, _column, range) => void ranges.push(range));
      const isInside = (row: number, column: number, range: IRange): boolean =>
        row >= range.startRow &&
        row <= range.endRow &&
        column >= range.startColumn &&
        column <= range.endColumn;
      // A copied formula brings its own results.
      const comesAlong = (row: number, column: number): boolean =>
        ranges.some(
          (range) => isInside(row, column, range) && isInside(range.startRow, range.startColumn, copied),
        );
      readResult = (row, column) => {
        const result = results[row]?.[column];
        if (!result || comesAlong(row, column)) return undefined;
        const { v = null, t = null } = result;
        const pattern = getNumberFormat(result.custom, v);
        return { v, t, ...(pattern === undefined ? {} : { s: { n: { pattern } } }) };
      };
    },
    getCellValueBySpecialMatrix: (row, column) => readResult(row, column),
  });
  const paste = clipboard.legacyPaste.bind(clipboard);
  clipboard.legacyPaste = (html, text, files) => paste(html, html || !text ? text : adaptText(text), files);
}

/** Returns pasted lines and cells as Univer reads them: with decimal points, and for a table of several, as HTML. */
function adaptText(text: string): string {
  const adapted = hasDecimalComma(locale) ? text.replace(/[^\t\r\n]+/g, toGridText) : text;
  return /[\n\t]/.test(adapted) ? escapeTags(adapted) : adapted;
}

/** Returns a number or date as Univer parses it. */
function toGridText(text: string): string {
  const entry = parseEntry(text, '', { timeZone: 'UTC', locale });
  if ('formula' in entry) return text;
  const { value } = entry;
  if (typeof value === 'number') return String(value);
  if (!(value instanceof Date)) return text;
  return formatDate(value, 'UTC', value.getTime() % DAY_MS === 0 ? 'yyyy-MM-dd' : 'yyyy-MM-dd HH:mm:ss');
}

const escapeTags = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
