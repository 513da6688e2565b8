// The operation that fills a table. Its schedule pays for it, and its rows are for tokens that permit it.
import type { TableRow } from '../db/schema.ts';

export type FillOperation = 'preview' | 'bulk';

/** Returns the operation that fills a table: previews of a search, or data requests. */
export function getFillOperation({ source }: Pick<TableRow, 'source'>): FillOperation {
  return source.kind === 'search' ? 'preview' : 'bulk';
}
