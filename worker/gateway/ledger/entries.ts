// The entries of the ledger: append-only, read in pages.
import { toDay, toMonth } from './periods.ts';
import type { Entry, EntryFilter, EntryPage, EntryPageQuery } from './types.ts';

const MAX_ENTRIES_PER_SUBJECT = 1000;
/** Maximum number of listed top-ups. A repeated top-up is searched for among them. */
const MAX_TOP_UPS = 1000;

type EntryRow = {
  [K in keyof Entry]-?: Record<never, never> extends Pick<Entry, K> ? NonNullable<Entry[K]> | null : Entry[K];
};

/** Entries with larger numbers than `after` and smaller ones than `before`. */
interface NumberRange {
  after: number;
  before: number;
}

/**
 * Condition of the entries that match a filter; see {@link bindFilter}. Only the number has an index: others would be written
 * with every purchase, and people rarely read the ledger.
 */
const MATCHES = `number > ?1 AND number < ?2 AND (?3 IS NULL OR token = ?3) AND (?4 IS NULL OR family = ?4)
  AND (?5 IS NULL OR operation = ?5) AND (?6 IS NULL OR kind = ?6) AND (?7 IS NULL OR day = ?7)`;

/** Condition of the entries whose credits are summed up: top-ups are no spending, so only if they alone are chosen. */
const IS_SUMMED = `(?6 IS NOT NULL OR kind <> 'top_up')`;

function bindFilter(
  { token, family, operation, kind, day }: EntryFilter,
  { after, before }: NumberRange,
): (string | number | null)[] {
  return [after, before, token ?? null, family ?? null, operation ?? null, kind ?? null, day ?? null];
}

export class Entries {
  readonly #sql: SqlStorage;
  /** Number of the latest entry. Numbers of archived entries are not used again. */
  #latest: number | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Appends an entry.
   * @returns false if it is a top-up or a saving whose reference already exists
   */
  append(entry: Omit<Entry, 'number'>): boolean {
    const { at, day, kind, token, operation, family, subject, reference, credits, saved, calls, note } =
      entry;
    const number = (this.#latest ?? this.#readLatest()) + 1;
    const { rowsWritten } = this.#sql.exec(
      `INSERT INTO entries
         (number, at, day, kind, token, operation, family, subject, reference, credits, saved, calls, note, source)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (reference) WHERE kind = 'top_up' DO NOTHING
       ON CONFLICT (reference) WHERE kind = 'saved' AND reference IS NOT NULL DO NOTHING`,
      number,
      at,
      day,
      kind,
      token ?? null,
      operation ?? null,
      family ?? null,
      subject ?? null,
      reference ?? null,
      credits,
      saved,
      calls,
      note ?? null,
      entry.source ?? null,
    );
    if (rowsWritten === 0) return false;
    this.#latest = number;
    return true;
  }

  #readLatest(): number {
    const { latest } = this.#sql
      .exec<{ latest: number }>(
        'SELECT max(archived_through, coalesce((SELECT max(number) FROM entries), 0)) AS latest FROM team',
      )
      .one();
    return latest;
  }

  appendNow(now: number, entry: Pick<Entry, 'kind'> & Partial<Entry>): boolean {
    return this.append({ at: now, day: toDay(now), credits: 0, saved: 0, calls: 0, ...entry });
  }

  /**
   * Lists entries, oldest first.
   * @param after - number of the last known entry, or 0
   */
  list(after: number, limit: number): Entry[] {
    return this.#sql
      .exec<EntryRow>('SELECT * FROM entries WHERE number > ? ORDER BY number LIMIT ?', after, limit)
      .toArray()
      .map(toEntry);
  }

  #listMatching(filter: EntryFilter, range: NumberRange, limit: number): Entry[] {
    return this.#sql
      .exec<EntryRow>(
        `SELECT * FROM entries WHERE ${MATCHES} ORDER BY number DESC LIMIT ?8`,
        ...bindFilter(filter, range),
        limit,
      )
      .toArray()
      .map(toEntry);
  }

  #sumMatching(filter: EntryFilter, range: NumberRange): number {
    return this.#sql
      .exec<{ credits: number }>(
        `SELECT coalesce(sum(credits), 0) AS credits FROM entries WHERE ${MATCHES} AND ${IS_SUMMED}`,
        ...bindFilter(filter, range),
      )
      .one().credits;
  }

  /** Lists the latest top-ups, newest first. */
  listTopUps(): Entry[] {
    return this.#sql
      .exec<EntryRow>(
        `SELECT * FROM entries INDEXED BY top_ups WHERE kind = 'top_up' ORDER BY number DESC LIMIT ?`,
        MAX_TOP_UPS,
      )
      .toArray()
      .map(toEntry);
  }

  /** Lists the latest entries for a requested key or query, newest first. */
  listBySubject(subject: string): Entry[] {
    return this.#sql
      .exec<EntryRow>(
        'SELECT * FROM entries WHERE subject = ? ORDER BY number DESC LIMIT ?',
        subject,
        MAX_ENTRIES_PER_SUBJECT,
      )
      .toArray()
      .map(toEntry);
  }

  /**
   * Reads a page, newest first, without archived entries. The balance of each entry includes them, unless the filter has a day:
   * the archive is summed up by month.
   */
  readPage({ filter, before = Number.MAX_SAFE_INTEGER, limit }: EntryPageQuery): EntryPage {
    const after = this.#getArchivedThrough();
    const found = this.#listMatching(filter, { after, before }, limit + 1);
    const shown = found.slice(0, limit);
    const archived = this.#sumArchived(filter);
    const oldest = shown.at(-1)?.number ?? after;
    let balance = this.#sumMatching(filter, { after, before: oldest });
    if (filter.day === undefined) balance += archived.credits;
    const entries = shown.toReversed().map((entry) => {
      if (filter.kind !== undefined || entry.kind !== 'top_up') balance += entry.credits;
      return { ...entry, balance };
    });
    return {
      entries: entries.toReversed(),
      next: found.length > limit ? oldest : null,
      hasArchived: archived.lines > 0,
    };
  }

  /** Archived top-ups stay in the table of entries, so their number tells them apart. */
  #getArchivedThrough(): number {
    return this.#sql.exec<{ through: number }>('SELECT archived_through AS through FROM team').one().through;
  }

  /** Sums up archived entries: with a day, those of its month. */
  #sumArchived({ token, family, operation, kind, day }: EntryFilter): { credits: number; lines: number } {
    return this.#sql
      .exec<{ credits: number; lines: number }>(
        `SELECT coalesce(sum(CASE WHEN ?4 IS NULL AND kind = 'top_up' THEN 0 ELSE credits END), 0) AS credits,
             coalesce(sum(lines), 0) AS lines FROM archived_sums
           WHERE (?1 IS NULL OR token = ?1) AND (?2 IS NULL OR family = ?2)
             AND (?3 IS NULL OR operation = ?3) AND (?4 IS NULL OR kind = ?4) AND (?5 IS NULL OR month = ?5)`,
        token ?? null,
        family ?? null,
        operation ?? null,
        kind ?? null,
        day === undefined ? null : toMonth(day),
      )
      .one();
  }
}

function toEntry({ token, operation, family, subject, reference, note, source, ...rest }: EntryRow): Entry {
  return {
    ...rest,
    ...(token === null ? {} : { token }),
    ...(operation === null ? {} : { operation }),
    ...(family === null ? {} : { family }),
    ...(subject === null ? {} : { subject }),
    ...(reference === null ? {} : { reference }),
    ...(note === null ? {} : { note }),
    ...(source === null ? {} : { source }),
  };
}
