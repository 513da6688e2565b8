// What cells show instead of a value: the add-on's error words, and the placeholders of Sheets.
import { type CellError, cellErrors } from '../../shared/problems.ts';

const words: ReadonlySet<string> = new Set(Object.keys(cellErrors));

export const isCellError = (value: unknown): value is CellError =>
  typeof value === 'string' && words.has(value);

/** Tells whether a text is an error word that another attempt may replace. The others stay until the key or the choice changes. */
export const isPassingError = (text: string): boolean => isCellError(text) && cellErrors[text].passes;

// Scripts see the placeholders of Sheets as texts in the spreadsheet's language, and Google documents no list of them.
// Their shape is the same in every language (docs/google-assumptions.md).

/** While a function runs: a few words without digits and an ellipsis, such as "Loading..." */
const LOADING = /^[^\d\n]{1,40}(?:\.\.\.|…)$/;
/** After an error: # and capitals, such as #N/A, #BEZUG!, #¿NOMBRE? */
const SHEETS_ERROR = /^#(?=.*\p{L})[^\s\p{Ll}]{2,30}$/u;
/** A key that is still loading. No key ends like this. */
const LOADING_KEY = /^[^/]*(?:\.\.\.|…)\s*$/;

/** Tells whether a value is the placeholder of a function that runs. */
export const isLoading = (value: unknown): boolean => typeof value === 'string' && LOADING.test(value);

/** Tells whether a value is an error of Sheets in any language, as of a formula that threw. */
export function isSheetsError(value: unknown): boolean {
  return typeof value === 'string' && SHEETS_ERROR.test(value) && !isCellError(value);
}

export const isLoadingKey = (text: string): boolean => LOADING_KEY.test(text);

function isUnfinished(cell: unknown, isLoadingText: (text: string) => boolean): boolean {
  if (typeof cell !== 'string') return false;
  const text = cell.trim();
  return isLoadingText(text) || isCellError(text) || isSheetsError(text);
}

/** Tells whether the cell of a key is still loading or shows an error, so that it must not be looked up. */
export const isUnfinishedKey = (cell: unknown): boolean => isUnfinished(cell, isLoadingKey);

/** Tells whether a cell is still loading or shows an error, so that nothing must be bought for its text. */
export const isUnfinishedValue = (cell: unknown): boolean => isUnfinished(cell, isLoading);
