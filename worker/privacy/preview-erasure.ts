// Counts what an erasure would find, without changing anything.
import { families } from '../../shared/families/index.ts';
import type { RowErasure } from '../data-requests/erasure.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { toRecordKeys } from '../gateway/refusal-list/named-subjects.ts';
import { KeyFinder, type KeySources } from './key-finder.ts';

/** Each key is looked up in several families, in KV and in an object. An invocation may make a thousand calls. */
const MAX_KEYS = 50;

/** What an erasure would find. */
export interface ErasureFindings {
  /** Keys that would be refused: those that lead to each other now. */
  keys: number;
  /** Cached answers for these keys, in any family. */
  cached: number;
  /** Rows of data requests. */
  rows: number;
  /** Whether there may be more of each. */
  more: boolean;
}

/**
 * Counts what an erasure of a key would find.
 * @throws if a store can't be reached
 */
export async function previewErasure(
  key: RecordKey,
  sources: KeySources & { rows: Pick<RowErasure, 'findKeys' | 'count'> },
): Promise<ErasureFindings> {
  const { family, kind, value } = key;
  if (kind === 'verbatim') return { keys: 1, cached: 0, rows: 0, more: false };
  const finder = new KeyFinder(sources);
  const keys = await finder.follow([{ subject: families[family].subject, kind, value }], MAX_KEYS);
  const ids = keys.slice(0, MAX_KEYS).filter((found) => found.kind === 'id');
  const rows = await sources.rows.count(toRecordKeys(ids));
  return { keys: keys.length, cached: finder.cached, rows, more: keys.length >= MAX_KEYS };
}
