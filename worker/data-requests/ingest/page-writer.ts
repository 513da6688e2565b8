// Puts pages in, one after the other: the object first, then its part of the index, so that every row stands somewhere.
import { Erased } from './erased-records.ts';
import { Page, type PageBounds, pageKey, pagesPrefix } from './page.ts';
import type { LineRecord } from './parse-line.ts';
import { type PageId, RowIndex } from './row-index.ts';
import type { ResultFile, RowStore } from './types.ts';

/** What came of the lines that were added. */
export interface Written {
  rows: number;
  duplicates: number;
  /** Records of somebody who has been erased. */
  erased: number;
  /** Objects that were written. */
  pages: number;
}

/** The pages of one file. One of them is filled while the one before is being written. */
export class PageWriter {
  readonly written: Written = { rows: 0, duplicates: 0, erased: 0, pages: 0 };
  readonly #store: RowStore;
  readonly #index: RowIndex;
  readonly #erased: Erased;
  readonly #file: Omit<PageId, 'page'>;
  #filling: Page;
  #spare: Page;
  #writing: Promise<void> = Promise.resolve();
  #next = 0;

  constructor(store: RowStore, { requestId, family, fileIndex }: ResultFile, bounds: PageBounds) {
    this.#store = store;
    this.#index = new RowIndex(store.db);
    this.#erased = new Erased(store.db, family);
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
      this.written.duplicates += 1;
      return undefined;
    }
    if (this.#filling.hasRoomFor(line, record)) {
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

  async #write(id: PageId, page: Page): Promise<void> {
    const before = await this.#index.before(id, [...page.entries.keys()]);
    for (const taken of before.taken) this.#drop(page, taken, 'duplicates');
    if (before.erasedKeys > 0) await this.#dropErased(page);
    await this.#put(id, page);

    const rows = [...page.entries.values()];
    const { ids, erasedKeys } = await this.#index.write(id, rows, before);
    for (const row of rows) if (!ids.has(row.id)) this.#drop(page, row.id, 'duplicates');
    // Whoever was erased meanwhile was erased from what stood there then.
    const gone = erasedKeys > before.erasedKeys ? await this.#dropErased(page) : new Set<string>();
    if (page.entries.size < rows.length) await this.#put(id, page);
    if (gone.size > 0) await this.#index.forget(id.requestId, gone);
    this.written.rows += page.entries.size;
    if (!page.isEmpty) this.written.pages += 1;
  }

  /** Writes a page as it is; one without rows is no page. */
  async #put({ requestId, file, page: number }: PageId, page: Page): Promise<void> {
    const key = pageKey(requestId, file, number);
    if (page.isEmpty) await this.#store.bucket.delete(key);
    else await this.#store.bucket.put(key, page.bytes);
  }

  #drop(page: Page, id: string, why: 'duplicates' | 'erased'): void {
    page.drop(id);
    this.written[why] += 1;
  }

  async #dropErased(page: Page): Promise<Set<string>> {
    const erased = await this.#erased.among(page.entries.values());
    for (const id of erased) this.#drop(page, id, 'erased');
    return erased;
  }

  /** Removes what an earlier attempt, which had more pages, has left behind them. */
  async #removeFrom(page: number): Promise<void> {
    const { requestId, file } = this.#file;
    const prefix = `${pagesPrefix(requestId)}${file}-`;
    let cursor: string | undefined;
    do {
      const listed = await this.#store.bucket.list({ prefix, ...(cursor !== undefined && { cursor }) });
      const left = listed.objects
        .map(({ key }) => key)
        .filter((key) => Number(key.slice(prefix.length)) >= page);
      if (left.length > 0) await this.#store.bucket.delete(left);
      cursor = listed.truncated ? listed.cursor : undefined;
    } while (cursor !== undefined);
    await this.#index.forgetFrom({ ...this.#file, page }, page);
  }
}
