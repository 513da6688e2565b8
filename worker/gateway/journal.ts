// The journal in R2: what a restore of D1 to an earlier time must not undo. Entries are written before D1, and kept as long as
// D1 can be restored to a time before them.

import * as z from 'zod';
import { DAY_MS } from '../../shared/lib/durations.ts';
import type { Env } from '../env.ts';

/** D1 can be restored to any time of the last 30 days. */
export const JOURNAL_DAYS = 31;
/** R2 lists and deletes a thousand objects in one call. */
const PAGE_SIZE = 1000;
/** Pages of a kind that one sweep deletes. All sweeps of a minute share the calls of an invocation. */
const PAGES_PER_SWEEP = 5;

/** `sent`: data requests at the moment of their sending. */
const journalKinds = ['sent', 'erasures', 'revocations'] as const;
export type JournalKind = (typeof journalKinds)[number];

const PREFIX = 'journal/';

/** Keys sort by time. */
const toKey = (kind: JournalKind, at: number, id = ''): string =>
  `${PREFIX}${kind}/${new Date(at).toISOString()}${id === '' ? '' : `-${id}`}`;

/**
 * Writes an entry.
 * @param id - distinguishes entries of the same time
 * @throws if R2 can't be reached: then the change that it announces must not happen
 */
export async function writeJournal(
  { ROWS }: Pick<Env, 'ROWS'>,
  kind: JournalKind,
  entry: { id: string; at: number; body: unknown },
): Promise<void> {
  await ROWS.put(toKey(kind, entry.at, entry.id), JSON.stringify(entry.body));
}

/** Returns the last moment of the UTC day of a time, in milliseconds since 1970. */
const endOfDay = (at: number): number => at - (at % DAY_MS) + DAY_MS - 1;

/** R2 accepts one write of a key per second. The time of a daily entry may be too early by as much. */
export const WRITE_INTERVAL_MS = 1000;

const timedBody = z.object({ at: z.int() });

/**
 * Writes an entry that replaces the earlier ones of the same subject and UTC day. It is listed from the begin of the day on.
 * @param group - whose entries are limited
 * @param limit - entries of the group per day, at most a thousand
 * @returns false if the limit is reached; then the change that it announces must not happen
 */
export async function writeDailyJournal(
  env: Pick<Env, 'ROWS'>,
  kind: JournalKind,
  entry: { group: string; id: string; at: number; body: z.infer<typeof timedBody> },
  limit: number,
): Promise<boolean> {
  const at = endOfDay(entry.at);
  const prefix = toKey(kind, at, entry.group);
  const key = `${prefix}-${entry.id}`;
  const { objects } = await env.ROWS.list({ prefix, limit });
  const isKnown = objects.some((object) => object.key === key);
  if (objects.length >= limit && !isKnown) return false;
  const before = isKnown ? await readJournalEntry(env, key) : undefined;
  if (before !== undefined && entry.at - timedBody.parse(before).at < WRITE_INTERVAL_MS) return true;
  await writeJournal(env, kind, { id: `${entry.group}-${entry.id}`, at, body: entry.body });
  return true;
}

/** A page of entries, oldest first. */
export interface JournalPage {
  keys: string[];
  /** Cursor of the next page; null if there are no more. */
  after: string | null;
}

/**
 * Lists entries since a time, in the order in which they were written.
 * @param since - milliseconds since 1970
 * @param after - `after` of the previous page; null for the first
 */
export async function listJournal(
  { ROWS }: Pick<Env, 'ROWS'>,
  kind: JournalKind,
  { since, after, limit }: { since: number; after: string | null; limit: number },
): Promise<JournalPage> {
  const { objects, truncated } = await ROWS.list({
    prefix: `${PREFIX}${kind}/`,
    startAfter: after ?? toKey(kind, since),
    limit,
  });
  const keys = objects.map(({ key }) => key);
  return { keys, after: truncated ? (keys.at(-1) ?? null) : null };
}

/** Tells whether the journal has an entry of any kind. */
export async function hasJournalEntry({ ROWS }: Pick<Env, 'ROWS'>): Promise<boolean> {
  const { objects } = await ROWS.list({ prefix: PREFIX, limit: 1 });
  return objects.length > 0;
}

/** Reads an entry; undefined if it was deleted meanwhile. An entry has up to a megabyte. */
export async function readJournalEntry({ ROWS }: Pick<Env, 'ROWS'>, key: string): Promise<unknown> {
  return (await ROWS.get(key))?.json();
}

/**
 * Deletes entries that no restore can need any more.
 * @param pageSize - entries that one call deletes
 */
export async function deleteOldJournal(
  env: Pick<Env, 'ROWS'>,
  now: number,
  pageSize = PAGE_SIZE,
): Promise<void> {
  for (const kind of journalKinds) {
    const oldest = toKey(kind, now - JOURNAL_DAYS * DAY_MS);
    for (let left = PAGES_PER_SWEEP; left > 0; left -= 1)
      if (!(await deletePage(env, kind, oldest, pageSize))) break;
  }
}

/** @returns whether there may be more */
async function deletePage(
  { ROWS }: Pick<Env, 'ROWS'>,
  kind: JournalKind,
  oldest: string,
  limit: number,
): Promise<boolean> {
  const { objects } = await ROWS.list({ prefix: `${PREFIX}${kind}/`, limit });
  const old = objects.filter(({ key }) => key < oldest).map(({ key }) => key);
  if (old.length > 0) await ROWS.delete(old);
  return old.length > 0 && old.length === objects.length;
}
