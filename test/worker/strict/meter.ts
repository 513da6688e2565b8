// Counts what the platform bills, over all invocations and objects of a test.

/** Units that the platform bills or limits. Calls of objects also have the name of the binding: `object_requests.LEDGER`. */
export type Unit =
  | 'requests'
  | 'subrequests'
  | 'kv_reads'
  | 'kv_writes'
  | 'kv_deletes'
  | 'd1_statements'
  | 'd1_rows_read'
  | 'd1_rows_written'
  | `object_requests.${string}`
  | 'object_rows_read'
  | 'object_rows_written'
  | 'r2_reads'
  | 'r2_writes'
  | 'queue_messages';

/** Counts units. */
export class Meter {
  readonly #counts = new Map<Unit, number>();
  /** A cursor knows its rows only when it has been read. */
  #cursors: Pick<SqlStorageCursor<never>, 'rowsRead' | 'rowsWritten'>[] = [];

  add(unit: Unit, amount = 1): void {
    this.#counts.set(unit, (this.#counts.get(unit) ?? 0) + amount);
  }

  /** Adds the rows of a statement of a database. */
  addRows({ meta }: Pick<D1Result, 'meta'>): void {
    this.add('d1_rows_read', meta.rows_read);
    this.add('d1_rows_written', meta.rows_written);
  }

  watch(cursor: Pick<SqlStorageCursor<never>, 'rowsRead' | 'rowsWritten'>): void {
    this.#cursors.push(cursor);
  }

  /** Returns the counts by unit, sorted and without zeros. */
  read(): Record<string, number> {
    for (const { rowsRead, rowsWritten } of this.#cursors) {
      this.add('object_rows_read', rowsRead);
      this.add('object_rows_written', rowsWritten);
    }
    this.#cursors = [];
    const counts = [...this.#counts].filter(([, count]) => count > 0);
    return Object.fromEntries(counts.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }
}
