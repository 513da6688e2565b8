// SpreadsheetApp on the host: each execution works on a snapshot and emits its writes as a journal.

import type { Context, Handler, Handlers } from '../calls.ts';
import type { HostOptions } from '../types.ts';
import { EDITS } from './cell-writes.ts';
import { Book } from './mutable-workbook.ts';
import { LOOKS } from './reads.ts';
import { LAYOUT } from './sheet-writes.ts';
import type { Look, View } from './view.ts';
import type { Journal, Workbook } from './workbook.ts';

export interface SpreadsheetsOptions {
  readonly workbook: HostOptions['workbook'];
  readonly timeZone: string;
  readonly owner: () => string;
  readonly onWrites: (journal: Journal) => void | Promise<void>;
}

/** The spreadsheet of one host. */
export class Spreadsheets {
  readonly #options: SpreadsheetsOptions;
  readonly #kept: Book | null;
  readonly #views = new WeakMap<Context, View>();
  /** The highest sheet id so far, shared by concurrent executions. */
  #lastSheet = 0;

  constructor(options: SpreadsheetsOptions) {
    this.#options = options;
    const { workbook, timeZone } = options;
    this.#kept = typeof workbook === 'function' ? null : new Book(workbook, timeZone);
  }

  /** The host's workbook; throws if the caller provides it. */
  get workbook(): Workbook {
    if (!this.#kept) throw new Error('the workbook is kept by who passed it as a function');
    return this.#kept.data;
  }

  /** Returns the id of the spreadsheet. */
  async documentId(): Promise<string> {
    const { workbook, owner } = this.#options;
    return (typeof workbook === 'function' ? await workbook(owner()) : workbook).id;
  }

  /** Emits an execution's writes. Its next read sees the current workbook. */
  async commit(context: Context): Promise<void> {
    const view = this.#views.get(context);
    this.#views.delete(context);
    if (!view || view.journal.length === 0) return;
    this.#kept?.apply(view.journal);
    await this.#options.onWrites(view.journal);
  }

  async #view(context: Context): Promise<View> {
    const known = this.#views.get(context);
    if (known) return known;
    const { workbook, timeZone, owner } = this.#options;
    const data = typeof workbook === 'function' ? await workbook(context.viewer) : this.workbook;
    const book = new Book(data, timeZone);
    const newSheetId = (): number => {
      this.#lastSheet = Math.max(this.#lastSheet, ...book.sheets.map(({ id }) => id)) + 1;
      return this.#lastSheet;
    };
    const view: View = { book, journal: [], user: context.user, owner: owner(), newSheetId };
    this.#views.set(context, view);
    return view;
  }

  /** Handlers of SpreadsheetApp. */
  get handlers(): Handlers {
    const looks = Object.entries({ ...LOOKS, ...EDITS, ...LAYOUT });
    return {
      ...Object.fromEntries(looks.map(([name, look]) => [name, this.#handler(look)])),
      'SpreadsheetApp.flush': async (context) => {
        await this.commit(context);
        return null;
      },
    };
  }

  #handler(look: Look): Handler {
    return async (context, args) => {
      return look(await this.#view(context), args, context) ?? null;
    };
  }
}
