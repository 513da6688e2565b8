// The entries of the ledger: append-only, read in pages.
import type { Family } from '../../../shared/families/index.ts';
import type { RecordedSource } from '../../../shared/sources.ts';
import type { OperationName } from '../provider-call.ts';
import type { Entry, EntryFilter, EntryKind } from './types.ts';

/** Maximum number of entries for one record. */
const MAX_ENTRIES_PER_SUBJECT = 1000;
/** Maximum number of listed top-ups. A repeated top-up is searched for among them. */
const MAX_TOP_UPS = 1000;

type EntryRow = {
  number: number;
  at: number;
  day: string;
  kind: EntryKind;
  token: string | null;
  operation: OperationName | null;
  family: Family | null;
  subject: string | null;
  reference: string | null;
  credits: number;
  saved: number;
  calls: number;
  note: string | null;
  source: RecordedSource | null;
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

function bindFilter(
  { token, family, operation, kind, day }: EntryFilter,
  { after, before }: NumberRange,
): (string | number | null)[] {
  return [after, before, token ?? null, family ?? null, operation ?? null, kind ?? null, day ?? null];
}

/** The entries of one ledger. */
export class Entries {
  readonly #sql: SqlStorage;

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
    const written = this.#sql.exec(
      `INSERT OR IGNORE INTO entries
         (at, day, kind, token, operation, family, subject, reference, credits, saved, calls, note, source)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
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
    return written.toArray().length > 0;
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

  /** Lists the entries of a range that match a filter, newest first. */
  listMatching(filter: EntryFilter, range: NumberRange, limit: number): Entry[] {
    return this.#sql
      .exec<EntryRow>(
        `SELECT * FROM entries WHERE ${MATCHES} ORDER BY number DESC LIMIT ?8`,
        ...bindFilter(filter, range),
        limit,
      )
      .toArray()
      .map(toEntry);
  }

  /** Sums up the credits of the entries of a range that match a filter. */
  sumMatching(filter: EntryFilter, range: NumberRange): number {
    return this.#sql
      .exec<{ credits: number }>(
        `SELECT coalesce(sum(credits), 0) AS credits FROM entries WHERE ${MATCHES}`,
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
}

function toEntry({
  token,
  operation,
  family,
  subject,
  reference,
  note,
  source,
  ...required
}: EntryRow): Entry {
  return {
    ...required,
    ...(token === null ? {} : { token }),
    ...(operation === null ? {} : { operation }),
    ...(family === null ? {} : { family }),
    ...(subject === null ? {} : { subject }),
    ...(reference === null ? {} : { reference }),
    ...(note === null ? {} : { note }),
    ...(source === null ? {} : { source }),
  };
}
