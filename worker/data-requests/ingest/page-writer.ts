// Writes the pages of a file one after the other: the object in R2 before its index in D1, so every row has its data.
import { ErasedRecordFilter } from './erased-records.ts';
import { getPageKey, getPagesPrefix, Page, type PageBounds } from './page.ts';
import type { LineRecord } from './parse-line.ts';
import { parseRecord } from './parse-line.ts';
import { type PageAddress, RowIndex } from './row-index.ts';
import type { IngestProgress, IngestSlice, ResultFile, RowStore } from './types.ts';

/** A query, and a call of each single-flight object. */
const CALLS_TO_REFUSE = 65;

/** Counts of the added lines. */
export interface WriteCounts {
  rows: number;
  duplicates: number;
  erased: number;
  /** Records of others from which erased people and companies were removed. */
  stripped: number;
}

/** The provider delivers another file than it did for the pages that are stored already. */
export class FileChangedError extends Error {
  override name = 'FileChangedError';

  constructor() {
    super('The file has changed since its first pages were stored.');
  }
}

/** Writes the pages of one file. One page is filled while the previous one is written. */
export class PageWriter {
  readonly counts: WriteCounts = { rows: 0, duplicates: 0, erased: 0, stripped: 0 };
  /** Where the next invocation continues; null unless this one has made enough calls. */
  next: IngestProgress | null = null;
  readonly #progress: IngestProgress | null;
  readonly #maxCalls: number;
  #calls = 0;
  /** Duplicates within the page that is being filled. */
  #duplicates = 0;
  readonly #store: RowStore;
  readonly #index: RowIndex;
  readonly #erased: ErasedRecordFilter;
  readonly #file: Omit<PageAddress, 'page'>;
  #filling: Page;
  #spare: Page;
  #writing: Promise<void> = Promise.resolve();
  #nextPage = 0;

  constructor(
    store: RowStore,
    { requestId, family, fileIndex }: ResultFile,
    bounds: PageBounds,
    { progress = null, maxCalls = Number.POSITIVE_INFINITY }: IngestSlice = {},
  ) {
    this.#progress = progress;
    this.#maxCalls = maxCalls;
    if (progress !== null) {
      const { rows, duplicates, erased, stripped } = progress;
      this.counts = { rows, duplicates, erased, stripped };
    }
    this.#store = store;
    this.#index = new RowIndex(store.db);
    this.#erased = new ErasedRecordFilter(store, family);
    this.#file = { requestId, family, file: fileIndex };
    this.#filling = new Page(bounds);
    this.#spare = new Page(bounds);
  }

  /**
   * Adds a record.
   * @returns a promise that must be awaited before the next record, if the page is full
   */
  add(line: Uint8Array, record: LineRecord): Promise<void> | undefined {
    if (this.#filling.entries.has(record.id)) {
      this.#duplicates += 1;
      return undefined;
    }
    if (this.#filling.hasSpaceFor(line, record)) {
      this.#filling.add(line, record);
      return undefined;
    }
    return this.#writePage().then(() => {
      if (this.next === null) this.#filling.add(line, record);
    });
  }

  /** Writes the last page and waits for all writes. @param isComplete - the file was read to its end */
  async close(isComplete: boolean): Promise<void> {
    if (!this.#filling.isEmpty) await this.#writePage();
    await this.#writing;
    if (!isComplete || this.next !== null) return;
    if (this.#nextPage <= (this.#progress?.pages ?? -1)) throw new FileChangedError();
    await this.#deletePagesFrom(this.#nextPage);
  }

  /** Whether an earlier invocation has stored the page that is being filled. */
  get #isSkipping(): boolean {
    return this.#nextPage < (this.#progress?.pages ?? 0);
  }

  /** Starts writing the full page when the previous one is written, and swaps the buffers. */
  async #writePage(): Promise<void> {
    await this.#writing;
    if (this.#isSkipping) {
      this.#filling.clear();
      this.#duplicates = 0;
      this.#nextPage += 1;
      return;
    }
    const [firstId = ''] = this.#filling.entries.keys();
    if (this.#nextPage === this.#progress?.pages && firstId !== this.#progress.nextId) {
      throw new FileChangedError();
    }
    if (this.#calls >= this.#maxCalls) {
      this.next = { ...this.counts, pages: this.#nextPage, nextId: firstId };
      return;
    }
    this.counts.duplicates += this.#duplicates;
    this.#duplicates = 0;
    const full = this.#filling;
    this.#filling = this.#spare;
    this.#spare = full;
    const page = { ...this.#file, page: this.#nextPage };
    this.#nextPage += 1;
    this.#writing = this.#write(page, full).then(() => full.clear());
    // The next await of #writing gets the error.
    this.#writing.catch(() => {});
  }

  async #write(id: PageAddress, page: Page): Promise<void> {
    this.#calls += 1;
    const before = await this.#index.getPageState(id, [...page.entries.keys()]);
    for (const duplicate of before.duplicateIds) this.#drop(page, duplicate, 'duplicates');
    const erased = await this.#removeErased(page, before.erasedKeyCount);
    await this.#put(id, page);

    const rows = [...page.entries.values()];
    // An earlier attempt may have stored a record that has been erased since.
    const hasStaleRows = before.hasStaleRows || erased.dropped.length > 0;
    this.#calls += hasStaleRows ? 2 : 1;
    const { ids, erasedKeys } = await this.#index.write(id, rows, hasStaleRows);
    for (const row of rows) if (!ids.has(row.id)) this.#drop(page, row.id, 'duplicates');
    // An erasure during the write may have missed this page.
    const isCurrent = erasedKeys === undefined || erasedKeys === before.erasedKeyCount;
    const removed = isCurrent ? { dropped: [], stripped: 0 } : await this.#removeErased(page, erasedKeys);
    if (page.entries.size < rows.length || removed.stripped > 0) await this.#put(id, page);
    if (removed.dropped.length > 0) {
      this.#calls += 1;
      await this.#index.deleteRows(id.requestId, removed.dropped);
    }
    // Last, because each linked key looks like the start of an erasure.
    if (await this.#erased.refuseLinked()) this.#calls += CALLS_TO_REFUSE;
    this.counts.rows += page.entries.size;
  }

  /** Writes a page, or deletes it if it has no rows. */
  async #put({ requestId, file, page: number }: PageAddress, page: Page): Promise<void> {
    this.#calls += 1;
    const key = getPageKey(requestId, file, number);
    if (page.isEmpty) await this.#store.bucket.delete(key);
    else await this.#store.bucket.put(key, page.bytes);
  }

  #drop(page: Page, id: string, reason: 'duplicates' | 'erased'): void {
    page.drop(id);
    this.counts[reason] += 1;
  }

  /**
   * Drops the records of erased people and companies, and removes these from the records of others.
   * @param erasedKeyCount - size of the erasure list
   */
  async #removeErased(page: Page, erasedKeyCount: number): Promise<{ dropped: string[]; stripped: number }> {
    const removed: { dropped: string[]; stripped: number } = { dropped: [], stripped: 0 };
    if (erasedKeyCount === 0) return removed;
    await this.#erased.update(erasedKeyCount);
    for (const entry of [...page.entries.values()]) {
      const record = parseRecord(page.getLine(entry), entry.id, BigInt);
      const stripped = record && (await this.#erased.strip(record));
      if (record !== undefined && stripped === record) continue;
      if (stripped !== undefined && page.replace(entry, stripped)) removed.stripped += 1;
      else {
        this.#drop(page, entry.id, 'erased');
        removed.dropped.push(entry.id);
      }
    }
    this.counts.stripped += removed.stripped;
    return removed;
  }

  /** Deletes the pages of an earlier attempt that had more of them. */
  async #deletePagesFrom(page: number): Promise<void> {
    const { requestId, file } = this.#file;
    const prefix = `${getPagesPrefix(requestId)}${file}-`;
    let cursor: string | undefined;
    do {
      const listed = await this.#store.bucket.list({ prefix, ...(cursor !== undefined && { cursor }) });
      const staleKeys = listed.objects
        .map(({ key }) => key)
        .filter((key) => Number(key.slice(prefix.length)) >= page);
      if (staleKeys.length > 0) await this.#store.bucket.delete(staleKeys);
      cursor = listed.truncated ? listed.cursor : undefined;
    } while (cursor !== undefined);
    await this.#index.deletePagesFrom({ ...this.#file, page });
  }
}
