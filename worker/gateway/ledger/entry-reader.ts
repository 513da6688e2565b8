// Reads the entries of a ledger for people: newest first, with a running balance.
import type { Entries } from './entries.ts';
import { toMonth } from './periods.ts';
import type { EntryFilter, EntryPage, EntryPageQuery } from './types.ts';

/** Reads the entries of one ledger. */
export class EntryReader {
  readonly #sql: SqlStorage;
  readonly #entries: Entries;

  constructor(sql: SqlStorage, entries: Entries) {
    this.#sql = sql;
    this.#entries = entries;
  }

  /**
   * Reads a page, newest first, without archived entries. The balance of each entry includes them, unless the filter has a day:
   * the archive is summed up by month.
   */
  readPage({ filter, before = Number.MAX_SAFE_INTEGER, limit }: EntryPageQuery): EntryPage {
    const after = this.#getArchivedThrough();
    const found = this.#entries.listMatching(filter, { after, before }, limit + 1);
    const shown = found.slice(0, limit);
    const archived = this.#sumArchived(filter);
    const oldest = shown.at(-1)?.number ?? after;
    let balance = this.#entries.sumMatching(filter, { after, before: oldest });
    if (filter.day === undefined) balance += archived.credits;
    const entries = shown.toReversed().map((entry) => {
      balance += entry.credits;
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
        `SELECT coalesce(sum(credits), 0) AS credits, coalesce(sum(lines), 0) AS lines FROM archived_sums
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
