// Page limits and fields of previews.
import { type Family, previewFields } from './registry.ts';

/** Rows on a preview page. */
export const previewPageSize = 20;

/** Number of the last preview page. */
export const previewMaxPage = 50;

/**
 * Checks whether previews of a family contain a field.
 * @param path - such as `name` or `experience[0].title`
 */
export function hasPreviewField(family: Family, path: string): boolean {
  const [field = ''] = path.split(/[.[]/, 1);
  return previewFields[family].includes(field);
}
