// SpreadsheetApp on the host: each execution works on a snapshot and emits its writes as a journal.

import { type Context, Exception, type Handler, type Handlers } from '../calls.ts';
import type { HostOptions } from '../types.ts';
import { CELL_WRITES } from './cell-writes.ts';
import { createMetadataId } from './developer-metadata.ts';
import { METADATA_CALLS } from './metadata-calls.ts';
import { MutableWorkbook } from './mutable-workbook.ts';
import { OBSTACLES } from './obstacles.ts';
import { READS } from './reads.ts';
import { SHEET_MOVES } from './sheet-moves.ts';
import { SHEET_WRITES } from './sheet-writes.ts';
import type { SheetHandler, View } from './view.ts';
import type { Journal, Workbook } from './workbook.ts';

export interface SpreadsheetServiceOptions {
  readonly workbook: HostOptions['workbook'];
  readonly timeZone: string;
  readonly owner: () => string | null;
  readonly onWrites: (journal: Journal) => void | Promise<void>;
}

export class SpreadsheetService {
  readonly #options: SpreadsheetServiceOptions;
  readonly #ownWorkbook: MutableWorkbook | null;
  readonly #views = new WeakMap<Context, View>();
  /** The highest sheet id so far, shared by concurrent executions. */
  #lastSheet = 0;
  /** The number of metadata ids so far, shared likewise. */
  #metadataCount = 0;

  constructor(options: SpreadsheetServiceOptions) {
    this.#options = options;
    const { workbook, timeZone } = options;
    this.#ownWorkbook = typeof workbook === 'function' ? null : new MutableWorkbook(workbook, timeZone);
  }

  /** The host's workbook; throws if the caller provides it. */
  get workbook(): Workbook {
    if (!this.#ownWorkbook) throw new Error('the workbook was passed as a function: the caller keeps it');
    return this.#ownWorkbook.data;
  }

  async documentId(): Promise<string> {
    const { workbook, owner } = this.#options;
    return (typeof workbook === 'function' ? await workbook(owner() ?? '') : workbook).id;
  }

  /** Emits an execution's writes. Its next read sees the current workbook. */
  async commit(context: Context): Promise<void> {
    const view = this.#views.get(context);
    this.#views.delete(context);
    if (!view || view.journal.length === 0) return;
    this.#ownWorkbook?.apply(view.journal);
    await this.#options.onWrites(view.journal);
  }

  async #getView(context: Context): Promise<View> {
    const existing = this.#views.get(context);
    if (existing) return existing;
    const { workbook, timeZone, owner } = this.#options;
    const data = typeof workbook === 'function' ? await workbook(context.viewer) : this.workbook;
    const book = new MutableWorkbook(data, timeZone);
    const newSheetId = (): number => {
      this.#lastSheet = Math.max(this.#lastSheet, ...book.sheets.map(({ id }) => id)) + 1;
      return this.#lastSheet;
    };
    const newMetadataId = (): number => {
      this.#metadataCount++;
      const id = createMetadataId(this.#metadataCount);
      return book.metadata.some((entry) => entry.id === id) ? newMetadataId() : id;
    };
    const view: View = { book, journal: [], user: context.user, owner: owner(), newSheetId, newMetadataId };
    this.#views.set(context, view);
    return view;
  }

  get handlers(): Handlers {
    const handlers = Object.entries({
      ...READS,
      ...CELL_WRITES,
      ...SHEET_WRITES,
      ...SHEET_MOVES,
      ...METADATA_CALLS,
      ...OBSTACLES,
    });
    return {
      ...Object.fromEntries(handlers.map(([name, handler]) => [name, this.#createHandler(handler)])),
      // Reference "Spreadsheet.getOwner": null for a document in a shared drive.
      'SpreadsheetApp.Spreadsheet.getOwner': ({ settings, kind }) => {
        const { ownerFails, ownerHiddenInFormulas, people } = settings;
        if (ownerFails) throw new Exception('You do not have permission to perform that action.');
        return people.owner !== null && ownerHiddenInFormulas && kind === 'formula' ? '' : people.owner;
      },
      'SpreadsheetApp.flush': async (context) => {
        await this.commit(context);
        return null;
      },
    };
  }

  #createHandler(handler: SheetHandler): Handler {
    return async (context, args) => {
      return handler(await this.#getView(context), args, context) ?? null;
    };
  }
}
