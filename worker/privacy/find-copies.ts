// Finds the copies of a person's or company's records, for the preview of an erasure and for subject access reports.
import { families } from '../../shared/families/index.ts';
import { findRecordRows } from '../data-requests/erasure.ts';
import type { RecordKey } from '../gateway/cache/cache-keys.ts';
import { createNameMatcher } from '../gateway/refusal-list/name-matcher.ts';
import { type SubjectKey, toRecordKeys } from '../gateway/refusal-list/named-subjects.ts';
import { countInTables } from '../tables/erasure.ts';
import { KeyFinder, type KeySources } from './key-finder.ts';

/** Each key is looked up in several families, in KV and in an object. An invocation may make a thousand calls. */
const MAX_KEYS = 50;
/** Fields with the name of a person, company or job. */
const nameFields = ['name', 'full_name', 'title'];

/**
 * Finds the copies that an erasure of a key would find, without changing anything.
 * @returns keys that lead to each other now, cached answers for them in any family, rows of data requests, texts of teams that
 * name the person or company, and whether there may be more of each
 * @throws if a store can't be reached
 */
export async function findCopies({ family, kind, value }: RecordKey, sources: KeySources) {
  const finder = new KeyFinder(sources);
  const start: SubjectKey[] = kind === 'verbatim' ? [] : [{ subject: families[family].subject, kind, value }];
  const keys = await finder.follow(start, MAX_KEYS);
  const followed = keys.slice(0, MAX_KEYS);
  const ids = followed.filter((found) => found.kind === 'id');
  const rows = await findRecordRows(sources.env, toRecordKeys(ids));
  const texts = await countInTables(sources.env.DB, createNameMatcher(toRecordKeys(followed)));
  return { keys, cached: finder.cached, rows, texts, more: keys.length >= MAX_KEYS };
}
export type FoundCopies = Awaited<ReturnType<typeof findCopies>>;

/** Returns the name in the cached records of a person or company; null if none has one. */
export function findName({ cached }: Pick<FoundCopies, 'cached'>): string | null {
  for (const { envelope } of cached) {
    const record = envelope.content.kind === 'record' ? envelope.content.record.value : {};
    const name = nameFields.map((field) => record[field]).find((text) => typeof text === 'string');
    if (typeof name === 'string') return name;
  }
  return null;
}
