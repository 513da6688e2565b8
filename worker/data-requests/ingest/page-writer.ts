// Puts pages in, one after the other: the object first, then its part of the index, so that every row stands somewhere.
import { ErasedRecordFilter } from './erased-records.ts';
import { getPageKey, getPagesPrefix, Page, type PageBounds } from './page.ts';
import type { LineRecord } from './parse-line.ts';
import { type PageAddress, RowIndex } from './row-index.ts';
import type { ResultFile, RowStore } from './types.ts';

/** What came of the lines that were added. */
export interface WriteCounts {
  rows: number;
  duplicates: number;
  /** Records of somebody who has been erased. */
  erased: number;
  /** Objects that were written. */
  pages: number;
}

/** The pages of one file. One of them is filled while the one before is being written. */
export class PageWriter {
  readonly counts: WriteCounts = { rows: 0, duplicates: 0, erased: 0, pages: 0 };
  readonly #store: RowStore;
  readonly #index: RowIndex;
  readonly #erased: ErasedRecordFilter;
  readonly #file: Omit<PageAddress, 'page'>;
  #filling: Page;
  #spare: Page;
  #writing: Promise<void> = Promise.resolve();
  #next = 0;

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
   * @returns what has to be waited for before the next one is added, where the page is full
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
    return this.#turn().then(() => this.#filling.add(line, record));
  }

  /** Writes what is left, and waits until everything is written. @param isWhole - whether the file was read to its end */
  async close(isWhole: boolean): Promise<void> {
    if (!this.#filling.isEmpty) await this.#turn();
    await this.#writing;
    if (isWhole) await this.#removeFrom(this.#next);
  }

  /** Has the page written that was filled, once the one before is. */
  async #turn(): Promise<void> {
    await this.#writing;
    const full = this.#filling;
    this.#filling = this.#spare;
    this.#spare = full;
    const page = { ...this.#file, page: this.#next };
    this.#next += 1;
    this.#writing = this.#write(page, full).then(() => full.clear());
    // Whoever waits for it next is told.
    this.#writing.catch(() => {});
  }

  async #write(id: PageAddress, page: Page): Promise<void> {
    const before = await this.#index.getPageState(id, [...page.entries.keys()]);
    for (const taken of before.duplicateIds) this.#drop(page, taken, 'duplicates');
    if (before.erasedKeyCount > 0) await this.#dropErased(page);
    await this.#put(id, page);

    const rows = [...page.entries.values()];
    const { ids, erasedKeys } = await this.#index.write(id, rows, before);
    for (const row of rows) if (!ids.has(row.id)) this.#drop(page, row.id, 'duplicates');
    // Whoever was erased meanwhile was erased from what stood there then.
    const gone = erasedKeys > before.erasedKeyCount ? await this.#dropErased(page) : new Set<string>();
    if (page.entries.size < rows.length) await this.#put(id, page);
    if (gone.size > 0) await this.#index.forget(id.requestId, gone);
    this.counts.rows += page.entries.size;
    if (!page.isEmpty) this.counts.pages += 1;
  }

  /** Writes a page as it is; one without rows is no page. */
  async #put({ requestId, file, page: number }: PageAddress, page: Page): Promise<void> {
    const key = getPageKey(requestId, file, number);
    if (page.isEmpty) await this.#store.bucket.delete(key);
    else await this.#store.bucket.put(key, page.bytes);
  }

  #drop(page: Page, id: string, why: 'duplicates' | 'erased'): void {
    page.drop(id);
    this.counts[why] += 1;
  }

  async #dropErased(page: Page): Promise<Set<string>> {
    const erased = await this.#erased.findErased(page.entries.values());
    for (const id of erased) this.#drop(page, id, 'erased');
    return erased;
  }

  /** Removes what an earlier attempt, which had more pages, has left behind them. */
  async #removeFrom(page: number): Promise<void> {
    const { requestId, file } = this.#file;
    const prefix = `${getPagesPrefix(requestId)}${file}-`;
    let cursor: string | undefined;
    do {
      const listed = await this.#store.bucket.list({ prefix, ...(cursor !== undefined && { cursor }) });
      const left = listed.objects
        .map(({ key }) => key)
        .filter((key) => Number(key.slice(prefix.length)) >= page);
      if (left.length > 0) await this.#store.bucket.delete(left);
      cursor = listed.truncated ? listed.cursor : undefined;
    } while (cursor !== undefined);
    await this.#index.deletePagesFrom({ ...this.#file, page }, page);
  }
}
