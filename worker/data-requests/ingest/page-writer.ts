// Writes the pages of a file one after the other: the object in R2 before its index in D1, so every row has its data.
import { ErasedRecordFilter } from './erased-records.ts';
import { getPageKey, getPagesPrefix, Page, type PageBounds } from './page.ts';
import type { LineRecord } from './parse-line.ts';
import { type PageAddress, RowIndex } from './row-index.ts';
import type { ResultFile, RowStore } from './types.ts';

/** Counts of the added lines. */
export interface WriteCounts {
  rows: number;
  duplicates: number;
  /** Records of erased people and companies. */
  erased: number;
  /** Written objects. */
  pages: number;
}

/** Writes the pages of one file. One page is filled while the previous one is written. */
export class PageWriter {
  readonly counts: WriteCounts = { rows: 0, duplicates: 0, erased: 0, pages: 0 };
  readonly #store: RowStore;
  readonly #index: RowIndex;
  readonly #erased: ErasedRecordFilter;
  readonly #file: Omit<PageAddress, 'page'>;
  #filling: Page;
  #spare: Page;
  #writing: Promise<void> = Promise.resolve();
  #nextPage = 0;

  constructor(store: RowStore, { requestId, family, fileIndex }: ResultFile, bounds: PageBounds) {
    this.#store = store;
    this.#index = new RowIndex(store.db);
    this.#erased = new ErasedRecordFilter(store.db, family);
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
      this.counts.duplicates += 1;
      return undefined;
    }
    if (this.#filling.hasSpaceFor(line, record)) {
      this.#filling.add(line, record);
      return undefined;
    }
    return this.#writePage().then(() => this.#filling.add(line, record));
  }

  /** Writes the last page and waits for all writes. @param isComplete - the file was read to its end */
  async close(isComplete: boolean): Promise<void> {
    if (!this.#filling.isEmpty) await this.#writePage();
    await this.#writing;
    if (isComplete) await this.#deletePagesFrom(this.#nextPage);
  }

  /** Starts writing the full page when the previous one is written, and swaps the buffers. */
  async #writePage(): Promise<void> {
    await this.#writing;
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
    const before = await this.#index.getPageState(id, [...page.entries.keys()]);
    for (const duplicate of before.duplicateIds) this.#drop(page, duplicate, 'duplicates');
    if (before.erasedKeyCount > 0) await this.#dropErased(page);
    await this.#put(id, page);

    const rows = [...page.entries.values()];
    const { ids, erasedKeys } = await this.#index.write(id, rows, before);
    for (const row of rows) if (!ids.has(row.id)) this.#drop(page, row.id, 'duplicates');
    // An erasure during the write may have missed this page.
    const newlyErased = erasedKeys > before.erasedKeyCount ? await this.#dropErased(page) : new Set<string>();
    if (page.entries.size < rows.length) await this.#put(id, page);
    if (newlyErased.size > 0) await this.#index.deleteRows(id.requestId, newlyErased);
    this.counts.rows += page.entries.size;
    if (!page.isEmpty) this.counts.pages += 1;
  }

  /** Writes a page, or deletes it if it has no rows. */
  async #put({ requestId, file, page: number }: PageAddress, page: Page): Promise<void> {
    const key = getPageKey(requestId, file, number);
    if (page.isEmpty) await this.#store.bucket.delete(key);
    else await this.#store.bucket.put(key, page.bytes);
  }

  #drop(page: Page, id: string, reason: 'duplicates' | 'erased'): void {
    page.drop(id);
    this.counts[reason] += 1;
  }

  async #dropErased(page: Page): Promise<Set<string>> {
    const erased = await this.#erased.findErased(page.entries.values());
    for (const id of erased) this.#drop(page, id, 'erased');
    return erased;
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
    await this.#index.deletePagesFrom({ ...this.#file, page }, page);
  }
}
