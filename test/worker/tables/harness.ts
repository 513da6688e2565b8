// What the suites of tables are made of: rows that are kept, tables that are registered, a stand-in of Google with a closed
// spreadsheet, and the work that nobody waits for done by the test.
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { ingestFile } from '../../../worker/data-requests/ingest/index.ts';
import { type PushRow, pushes, type TableRow } from '../../../worker/db/schema.ts';
import type { JobContext } from '../../../worker/gateway/context.ts';
import { ProblemError } from '../../../worker/http/problem-error.ts';
import { recordChange } from '../../../worker/tables/changes.ts';
import type { GooglePlatform } from '../../../worker/tables/push/google-http.ts';
import { createPushCache, createPusher } from '../../../worker/tables/push/pusher.ts';
import { type PushDependencies, runPush } from '../../../worker/tables/push/run-push.ts';
import { PushStore } from '../../../worker/tables/push/store.ts';
import { TableStore } from '../../../worker/tables/store.ts';
import { FakeGoogle, FakeSpreadsheet, keyFile, SHEETS_URL, TOKEN_URL } from './push/fake-google.ts';
import { FakeSheet } from './push/fake-sheet.ts';

/** So late that whoever hears of it by the queue, and goes by the machine's clock, finds nothing due: the test does it. */
export const START = Date.UTC(2100, 2, 1, 12, 30, 0);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** What open sheets have before a push begins. */
export const PUSH_DELAY_MS = 2 * MINUTE_MS;

/** A house with its own clock, which only waits and the test move on. */
export class TablesHarness {
  now = START;
  readonly sheet = new FakeSheet(7, 'Companies', 20, 12);
  readonly spreadsheet = new FakeSpreadsheet('book', this.sheet);
  readonly google = new FakeGoogle(() => this.now, this.spreadsheet);
  account: string | undefined = JSON.stringify(keyFile);
  #memory = createPushCache();
  readonly context: JobContext = {
    env,
    platform: {
      now: () => this.now,
      after: async (ms) => {
        this.now += ms;
      },
      random: () => 0.5,
    },
    waitUntil: (runDuePushes) => createExecutionContext().waitUntil(runDuePushes),
  };

  /** What pushes are made with; `fetch` stands before Google. */
  dependencies(fetch: GooglePlatform['fetch'] = this.google.fetch): PushDependencies {
    return {
      google: { ...this.context.platform, fetch, timeout: () => new AbortController().signal },
      pusher: (google) => {
        const settings = {
          ENVIRONMENT: 'development',
          GOOGLE_TOKEN_URL: TOKEN_URL,
          GOOGLE_SHEETS_URL: SHEETS_URL,
          ...(this.account === undefined ? {} : { GOOGLE_SERVICE_ACCOUNT: this.account }),
        };
        const pusher = createPusher(settings, google, this.#memory);
        if (pusher === undefined) throw new ProblemError('push_not_configured');
        return pusher;
      },
    };
  }

  /** Registers a table of a team. */
  async registerTable(change: Partial<TableRow> = {}): Promise<TableRow> {
    const row: TableRow = {
      id: crypto.randomUUID(),
      teamId: 'team',
      tokenId: 'token',
      title: 'Bakers',
      family: 'company_clean',
      spreadsheetId: 'book',
      sheetId: 7,
      headingRow: 1,
      columns: [
        { path: 'name', heading: 'Name' },
        { path: 'id', heading: 'Id' },
        { path: 'employees[0].count', heading: 'People' },
      ],
      source: { kind: 'request', request: 'a request' },
      requestId: null,
      mode: 'append',
      push: true,
      asOf: START,
      createdAt: START,
      updatedAt: START,
      ...change,
    };
    await new TableStore(env.DB).put(row);
    return row;
  }

  /** Rows of a run became ready, and open sheets have had their time. */
  async completeRun({ id, teamId }: TableRow, run: string): Promise<void> {
    await recordChange(env, { teamId, kind: 'table', subject: id, run, hasRows: true }, this.now);
    this.now += PUSH_DELAY_MS;
  }

  /** A table, and a run that has brought rows for it. */
  async tableWithRows(
    count: number,
    change: Partial<TableRow> = {},
  ): Promise<{ table: TableRow; run: string }> {
    const table = await this.registerTable(change);
    const run = crypto.randomUUID();
    await storeRows(run, count);
    await this.completeRun(table, run);
    return { table, run };
  }

  /** Ids in the sheet, in their order. */
  get sheetIds(): unknown[] {
    return this.sheet
      .values()
      .slice(1)
      .map(([, id]) => id);
  }

  /** Does one push, as a message or the sweep would have it done. */
  runPush(id: string, fetch?: GooglePlatform['fetch']): Promise<void> {
    return runPush(this.context, id, this.dependencies(fetch));
  }

  /** Does all that is due until nothing is. @returns how many turns it took */
  async work(): Promise<number> {
    for (let turns = 0; ; turns += 1) {
      const [next] = await new PushStore(env.DB).listDue(this.now);
      if (next === undefined) return turns;
      await this.runPush(next);
    }
  }
}

/** Keeps rows under an id: companies with the ids from 1, or from another. */
export async function storeRows(rowsId: string, count: number, from = 1, name = 'Company'): Promise<void> {
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      id: from + at,
      name: `${name} ${from + at}`,
      websites_main: `c${from + at}.example`,
      employees: [{ count: 10 }],
    }),
  );
  const body = new Response(`${lines.join('\n')}\n`).body;
  if (body === null) throw new Error('a body is none');
  const store = { bucket: env.ROWS, db: env.DB };
  await ingestFile(store, {
    requestId: rowsId,
    family: 'company_clean',
    fileIndex: 0,
    fileName: 'rows',
    body,
  });
}

/** The pushes to a table, the oldest first. */
export function listPushes({ id }: Pick<TableRow, 'id'>): Promise<PushRow[]> {
  return drizzle(env.DB)
    .select()
    .from(pushes)
    .where(eq(pushes.tableId, id))
    .orderBy(pushes.createdAt, pushes.id)
    .all();
}

/** The one push to a table. */
export async function getOnlyPush(table: Pick<TableRow, 'id'>): Promise<PushRow> {
  const [push, ...others] = await listPushes(table);
  if (push === undefined || others.length > 0) throw new Error('there is not one push');
  return push;
}

/** So many ids from one on. */
export const ids = (count: number, from = 1): number[] => Array.from({ length: count }, (_, at) => from + at);

/** Forgets every table, and all that is about tables: sheets of an earlier test are none of the next one's. */
export async function deleteTables(): Promise<void> {
  await env.DB.batch(
    ['pushes', 'tables', 'changes', 'dead_letters', 'table_runs', 'schedules'].map((name) =>
      env.DB.prepare(`DELETE FROM ${name}`),
    ),
  );
}
