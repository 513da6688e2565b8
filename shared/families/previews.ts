// Page limits and fields of previews.
import { type Family, previewFields } from './registry.ts';

export const previewPageSize = 20;

/** Number of the last preview page. */
export const previewMaxPage = 50;

/** Preview fields that records have under another name. */
export const recordNames: Readonly<Partial<Record<string, string>>> = { website_main: 'websites_main' };

/**
 * Returns the columns that a search can write: those of previews, then those that only records have.
 * @param ofRecords - paths of the columns of full records
 */
export function listSearchColumns(family: Family, ofRecords: readonly string[]): string[] {
  const inPreviews = previewFields[family];
  const sameInRecords = inPreviews.flatMap((name) => recordNames[name] ?? []);
  return [...new Set([...inPreviews, ...ofRecords.filter((name) => !sameInRecords.includes(name))])];
}

/**
 * Checks whether previews of a family contain a field.
 * @param path - such as `name` or `experience[0].title`
 */
export function hasPreviewField(family: Family, path: string): boolean {
  const [field = ''] = path.split(/[.[]/, 1);
  return previewFields[family].includes(field);
}
