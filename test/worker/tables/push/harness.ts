// Test environment for pushes: a fake Google, a clock that only waits move, and a table.
import type { PushColumn } from '../../../../worker/tables/push/find-table.ts';
import { type PushOptions, type PushReport, pushTable } from '../../../../worker/tables/push/push-table.ts';
import {
  createPushCache,
  createPusher,
  type PushCache,
  type Pusher,
} from '../../../../worker/tables/push/pusher.ts';
import { FakeGoogle, FakeSpreadsheet, keyFile, SHEETS_URL, TOKEN_URL } from './fake-google.ts';
import { FakeSheet, markTable } from './fake-sheet.ts';

const SPREADSHEET_ID = 'book-of-the-seller_0123456789';
export const START = Date.UTC(2026, 2, 1, 12, 0, 0);

export class PushHarness {
  /** Milliseconds since 1970; waits move it. */
  now = START;
  readonly waits: number[] = [];
  readonly timeouts: number[] = [];
  readonly sheet = new FakeSheet(7, "Seller's companies");
  readonly spreadsheet = new FakeSpreadsheet(SPREADSHEET_ID, new FakeSheet(0, 'Notes'), this.sheet);
  readonly google = new FakeGoogle(() => this.now, this.spreadsheet);
  readonly cache: PushCache = createPushCache();
  readonly pusher: Pusher;
  columns: PushColumn[] = toColumns('id', 'name', 'founded', 'seen');
  target = { spreadsheetId: SPREADSHEET_ID, sheetId: 7, tableId: 'table', keyId: 'id', create: true };

  constructor(account: string = JSON.stringify(keyFile)) {
    this.pusher = this.createPusher(account);
  }

  /** Creates a pusher with the cache of the same isolate. */
  createPusher(account: string = JSON.stringify(keyFile)): Pusher {
    const settings = {
      ENVIRONMENT: 'development',
      GOOGLE_SERVICE_ACCOUNT: account,
      GOOGLE_TOKEN_URL: TOKEN_URL,
      GOOGLE_SHEETS_URL: SHEETS_URL,
    };
    const google = {
      now: () => this.now,
      sleep: async (ms: number) => {
        this.waits.push(ms);
        this.now += ms;
      },
      random: () => 0.5,
      fetch: this.google.fetch,
      timeout: (ms: number) => {
        this.timeouts.push(ms);
        return new AbortController().signal;
      },
    };
    return createPusher({ settings, google, cache: this.cache });
  }

  /** Pushes rows. `outcome` tells whether all of them are in the sheet. */
  async push(
    rows: readonly (readonly unknown[])[],
    options: PushOptions = {},
  ): Promise<PushReport & { outcome: 'done' | 'failed' }> {
    const report = await pushTable(this.pusher, { ...this.target, columns: this.columns }, rows, options);
    return { ...report, outcome: report.problem === undefined ? 'done' : 'failed' };
  }

  /** Marks the table in a row with its headings. */
  mark(row = 1): void {
    markTable(this.sheet, this.target.tableId, this.columns, row);
  }
}

/** Creates columns whose ids are their headings. */
export const toColumns = (...headings: string[]): PushColumn[] =>
  headings.map((heading) => ({ id: heading, heading }));

/** Creates rows of companies with ids of 19 digits. */
export function companies(count: number, from = 1): unknown[][] {
  return Array.from({ length: count }, (_, at) => {
    const nth = String(from + at).padStart(6, '0');
    return [`1234567890123${nth}`, `Company ${nth}`, 1990 + at, '2025-12-31'];
  });
}
