// The pages of a preview, and which values its items have.
import { type Family, previewFields } from './registry.ts';

/** Rows on a page of a preview. */
export const previewPageSize = 20;

/** The last page of a preview. */
export const previewMaxPage = 50;

/**
 * Do the previews of a family have the value of a column?
 * @param path - such as `name` or `experience[0].title`
 */
export function hasPreviewField(family: Family, path: string): boolean {
  const [field = ''] = path.split(/[.[]/, 1);
  return previewFields[family].includes(field);
}
