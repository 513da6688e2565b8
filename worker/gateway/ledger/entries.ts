// The lines of the ledger: written once, never changed, read in pages.
import type { Family } from '../../../shared/families/index.ts';
import type { OperationName } from '../provider-call.ts';
import type { Entry, EntryKind } from './types.ts';

/** A record's page shows so many lines. */
const MAX_OF_SUBJECT = 1000;
/** So many top-ups are shown, and looked through before another one is made. */
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
};

/** The entries of one ledger. */
export class Entries {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Writes the next line.
   * @returns whether it was written; only a top-up whose reference is there already is not
   */
  append(entry: Omit<Entry, 'number'>): boolean {
    const { at, day, kind, token, operation, family, subject, reference, credits, saved, calls, note } =
      entry;
    const written = this.#sql.exec(
      `INSERT OR IGNORE INTO entries
         (at, day, kind, token, operation, family, subject, reference, credits, saved, calls, note)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
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
    );
    return written.toArray().length > 0;
  }

  /**
   * Reads a page, oldest first.
   * @param after - the number of the last line that is known; 0 for none
   */
  list(after: number, limit: number): Entry[] {
    return this.#sql
      .exec<EntryRow>('SELECT * FROM entries WHERE number > ? ORDER BY number LIMIT ?', after, limit)
      .toArray()
      .map(toEntry);
  }

  /** The latest top-ups, newest first. */
  listTopUps(): Entry[] {
    return this.#sql
      .exec<EntryRow>(
        `SELECT * FROM entries INDEXED BY top_ups WHERE kind = 'top_up' ORDER BY number DESC LIMIT ?`,
        MAX_TOP_UPS,
      )
      .toArray()
      .map(toEntry);
  }

  /** The latest lines on what was asked, newest first. */
  listBySubject(subject: string): Entry[] {
    return this.#sql
      .exec<EntryRow>(
        'SELECT * FROM entries WHERE subject = ? ORDER BY number DESC LIMIT ?',
        subject,
        MAX_OF_SUBJECT,
      )
      .toArray()
      .map(toEntry);
  }
}

function toEntry({ token, operation, family, subject, reference, note, ...always }: EntryRow): Entry {
  return {
    ...always,
    ...(token === null ? {} : { token }),
    ...(operation === null ? {} : { operation }),
    ...(family === null ? {} : { family }),
    ...(subject === null ? {} : { subject }),
    ...(reference === null ? {} : { reference }),
    ...(note === null ? {} : { note }),
  };
}
