// Removes erased people and companies from the rows of others, page by page: nothing indexes whom a row names.
import { and, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { requestFiles } from '../../db/schema.ts';
import { type SubjectKey, toKeyText } from '../../gateway/refusal-list/named-subjects.ts';
import { stripRecord } from '../../gateway/refusal-list/strip-content.ts';
import { rewritePage } from './delete-rows.ts';
import { blankLine, replaceLine } from './page.ts';
import { parseRecord } from './parse-line.ts';
import { RowIndex, type RowLocation } from './row-index.ts';
import { findNextPage, formatCursor, type PageOfRows } from './scan-rows.ts';
import type { RowStore } from './types.ts';

const decoder = new TextDecoder();

/**
 * Lists the texts of which a row that names a key has one, in lower case.
 * @returns undefined if a row may spell a key in another way: an international domain
 */
function listSpellings(keys: readonly SubjectKey[]): string[] | undefined {
  if (keys.some(({ value }) => value.includes('xn--'))) return undefined;
  const escapeAsJson = (value: string): string =>
    value.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const values = keys.flatMap(({ value }) => [value, encodeURIComponent(value), escapeAsJson(value)]);
  return [...new Set(values.map((value) => value.toLowerCase()))];
}

/** What one call changed. */
interface StrippedRows {
  changed: number;
  deleted: string[];
}

function stripPage(
  page: Uint8Array,
  { family }: PageOfRows,
  locations: readonly RowLocation[],
  keys: readonly SubjectKey[],
): StrippedRows {
  const erased = new Set(keys.map(toKeyText));
  const spellings = listSpellings(keys);
  const result: StrippedRows = { changed: 0, deleted: [] };
  for (const location of locations) {
    const line = page.subarray(location.start, location.start + location.length);
    const text = decoder.decode(line).toLowerCase();
    if (spellings !== undefined && !spellings.some((spelling) => text.includes(spelling))) continue;
    const record = parseRecord(line, location.recordId, BigInt);
    const stripped = record && stripRecord(family, record, (key) => erased.has(toKeyText(key)));
    if (record === undefined || stripped === record) continue;
    if (stripped !== undefined && replaceLine(page, location, stripped)) result.changed += 1;
    else {
      blankLine(page, location);
      result.deleted.push(location.recordId);
    }
  }
  return result;
}

/** Rewrites a page without some people and companies. @returns the number of changed rows */
async function stripAndIndex(
  { bucket, db }: RowStore,
  page: PageOfRows,
  keys: readonly SubjectKey[],
): Promise<number> {
  const rowIndex = new RowIndex(db);
  let stripped: StrippedRows = { changed: 0, deleted: [] };
  const isChanged = await rewritePage(bucket, page, async (bytes) => {
    stripped = stripPage(bytes, page, await rowIndex.listPage(page), keys);
    const count = stripped.changed + stripped.deleted.length;
    if (count === 0) return false;
    // The provider's own file still names them, so it is not passed on any more.
    await drizzle(db)
      .update(requestFiles)
      .set({ withheld: sql`${requestFiles.withheld} + ${count}` })
      .where(and(eq(requestFiles.requestId, page.requestId), eq(requestFiles.fileIndex, page.file)));
    return true;
  });
  if (!isChanged) return 0;
  await rowIndex.deleteRows(page.requestId, stripped.deleted);
  return stripped.changed + stripped.deleted.length;
}

/**
 * Removes people and companies from the rows of others.
 * @param after - cursor of the previous call; '' for the first
 * @param limit - maximum number of pages
 * @returns the number of changed rows, and the cursor of the next call; null at the end
 * @throws if the store can't be reached; a repeated call continues
 */
export async function stripRows(
  store: RowStore,
  keys: readonly SubjectKey[],
  after: string,
  limit: number,
): Promise<{ rows: number; after: string | null }> {
  let rows = 0;
  let cursor = after;
  for (let pagesLeft = limit; pagesLeft > 0; pagesLeft -= 1) {
    const page = await findNextPage(store.db, cursor);
    if (page === undefined) return { rows, after: null };
    rows += await stripAndIndex(store, page, keys);
    cursor = formatCursor(page);
  }
  return { rows, after: cursor };
}
