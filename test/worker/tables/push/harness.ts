// What the push suites are made of: a stand-in of Google, a clock that waits move on, a table.

import { type PushReport, type PushWay, pushTable } from '../../../../worker/tables/push/push-table.ts';
import {
  newPushMemory,
  type Pusher,
  type PushMemory,
  pusherOf,
} from '../../../../worker/tables/push/pusher.ts';
import { Book, Google, keyFile, SHEETS_URL, TOKEN_URL } from './fake-google.ts';
import { Grid } from './fake-sheet.ts';

export const BOOK = 'book-of-the-seller_0123456789';
export const START = Date.UTC(2026, 2, 1, 12, 0, 0);

/** A desk: who pushes, and into what. */
export class Desk {
  /** Milliseconds since 1970; it stands still but for waits. */
  now = START;
  readonly waits: number[] = [];
  readonly timeouts: number[] = [];
  readonly grid = new Grid(7, "Seller's companies");
  readonly book = new Book(BOOK, new Grid(0, 'Notes'), this.grid);
  readonly google = new Google(() => this.now, this.book);
  readonly memory: PushMemory = newPushMemory();
  readonly pusher: Pusher;
  target = { spreadsheetId: BOOK, sheetId: 7, idHeading: 'id' };
  columns = ['id', 'name', 'founded', 'seen'].map((heading) => ({ heading }));

  constructor(account: string = JSON.stringify(keyFile)) {
    this.pusher = this.another(account);
  }

  /** A pusher of the same isolate. */
  another(account: string = JSON.stringify(keyFile)): Pusher {
    const env = {
      ENVIRONMENT: 'development',
      GOOGLE_SERVICE_ACCOUNT: account,
      GOOGLE_TOKEN_URL: TOKEN_URL,
      GOOGLE_SHEETS_URL: SHEETS_URL,
    };
    const platform = {
      now: () => this.now,
      after: async (ms: number) => {
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
    const pusher = pusherOf(env, platform, this.memory);
    if (pusher === undefined) throw new Error('no service account');
    return pusher;
  }

  push(rows: readonly (readonly unknown[])[], way: PushWay = {}): Promise<PushReport> {
    return pushTable(this.pusher, this.target, this.columns, rows, way);
  }
}

/** Rows of companies, each with an id of 19 digits. */
export function companies(count: number, from = 1): unknown[][] {
  return Array.from({ length: count }, (_, at) => {
    const nth = String(from + at).padStart(6, '0');
    return [`1234567890123${nth}`, `Company ${nth}`, 1990 + at, '2025-12-31'];
  });
}
