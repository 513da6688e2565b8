// Test environment for registered tables: stored rows, a fake Google with one closed spreadsheet, and jobs that tests run.
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { ingestFile } from '../../../worker/data-requests/ingest/index.ts';
import { getRowStore } from '../../../worker/data-requests/state-machine.ts';
import { type PushRow, pushes, type TableRow } from '../../../worker/db/schema.ts';
import type { JobContext } from '../../../worker/gateway/context.ts';
import { recordChange } from '../../../worker/tables/changes.ts';
import type { GooglePlatform } from '../../../worker/tables/push/google-http.ts';
import { createPushCache, type GoogleAccess } from '../../../worker/tables/push/pusher.ts';
import { runPush } from '../../../worker/tables/push/run-push.ts';
import { TableStore } from '../../../worker/tables/store.ts';
import { listDueJobs } from '../job-rows.ts';
import { FakeGoogle, FakeSpreadsheet, keyFile, SHEETS_URL, TOKEN_URL } from './push/fake-google.ts';
import { FakeSheet } from './push/fake-sheet.ts';

/** In the future, so that the real queue consumer finds nothing due: tests run the jobs. */
export const START = Date.UTC(2100, 2, 1, 12, 30, 0);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Head start of open sheets. */
export const PUSH_DELAY_MS = 2 * MINUTE_MS;

type Skip<Parameters extends unknown[]> = Parameters extends [unknown, ...infer Others] ? Others : never;

/** Environment with its own clock; only waits and tests move it. */
export class TablesHarness {
  now = START;
  readonly sheet = new FakeSheet(7, 'Companies', 20, 12);
  readonly spreadsheet = new FakeSpreadsheet('book', this.sheet);
  readonly google = new FakeGoogle(() => this.now, this.spreadsheet);
  account: string | undefined = JSON.stringify(keyFile);
  readonly #cache = createPushCache();
  readonly context: JobContext = {
    env,
    platform: {
      now: () => this.now,
      sleep: async (ms) => {
        this.now += ms;
      },
      random: () => 0.5,
    },
    waitUntil: (task) => createExecutionContext().waitUntil(task),
  };

  /** @param fetch - replaces the fake Google */
  createAccess(fetch: GooglePlatform['fetch'] = this.google.fetch): GoogleAccess {
    return {
      settings: {
        ENVIRONMENT: 'development',
        GOOGLE_TOKEN_URL: TOKEN_URL,
        GOOGLE_SHEETS_URL: SHEETS_URL,
        ...(this.account === undefined ? {} : { GOOGLE_SERVICE_ACCOUNT: this.account }),
      },
      google: { ...this.context.platform, fetch, timeout: () => new AbortController().signal },
      cache: this.#cache,
    };
  }

  /** Registers a table. Its token, which vouches for pushes, is valid. */
  async registerTable(change: Partial<TableRow> = {}): Promise<TableRow> {
    await insertToken('token', 'team');
    const row: TableRow = {
      id: crypto.randomUUID(),
      teamId: 'team',
      tokenId: 'token',
      title: 'Bakers',
      family: 'company_clean',
      spreadsheetId: 'book',
      sheetId: 7,
      awaitsHeadings: true,
      columns: [
        { id: 'c2', path: 'name', heading: 'Name' },
        { id: 'c1', path: 'id', heading: 'Id' },
        { id: 'c13', path: 'employees[0].count', heading: 'People' },
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

  /** Publishes the rows of a run and lets the head start of open sheets pass. */
  async completeRun({ id, teamId }: TableRow, run: string): Promise<void> {
    await recordChange(env, { teamId, kind: 'table', subject: id, run, hasRows: true }, this.now);
    this.now += PUSH_DELAY_MS;
  }

  /** Stores and publishes the rows of a new run. @returns its id */
  async addRun(table: TableRow, ...rows: Skip<Parameters<typeof storeRows>>): Promise<string> {
    const run = crypto.randomUUID();
    await storeRows(run, ...rows);
    await this.completeRun(table, run);
    return run;
  }

  /** Registers a table and publishes a run with rows. */
  async tableWithRows(
    count: number,
    change: Partial<TableRow> = {},
  ): Promise<{ table: TableRow; run: string }> {
    const table = await this.registerTable(change);
    return { table, run: await this.addRun(table, count) };
  }

  /** Ids in the sheet, from top to bottom. */
  get sheetIds(): unknown[] {
    return this.sheet
      .values()
      .slice(1)
      .map(([, id]) => id);
  }

  runPush(id: string, fetch?: GooglePlatform['fetch']): Promise<void> {
    return runPush(this.context, id, this.createAccess(fetch));
  }

  /** Runs pushes until none is due. @returns the number of jobs */
  async runDue(): Promise<number> {
    for (let jobs = 0; ; jobs += 1) {
      const [next] = await listDueJobs('push', this.now);
      if (next === undefined) return jobs;
      await this.runPush(next);
    }
  }
}

/** Inserts a token without restriction, and its team, unless they exist. */
async function insertToken(id: string, team: string): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('INSERT OR IGNORE INTO teams (id, name, created_at) VALUES (?1, ?1, 0)').bind(team),
    env.DB.prepare(
      "INSERT OR IGNORE INTO tokens (id, team_id, hash, prefix, created_at) VALUES (?1, ?2, ?1, '', 0)",
    ).bind(id, team),
  ]);
}

/** Stores companies with consecutive ids. */
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
  if (body === null) throw new Error('no body');
  await ingestFile(getRowStore(env), {
    requestId: rowsId,
    family: 'company_clean',
    fileIndex: 0,
    body,
  });
}

/** Lists the pushes to a table, oldest first. */
export function listPushes({ id }: Pick<TableRow, 'id'>): Promise<PushRow[]> {
  return drizzle(env.DB)
    .select()
    .from(pushes)
    .where(eq(pushes.tableId, id))
    .orderBy(pushes.createdAt, pushes.id)
    .all();
}

/** Returns the only push to a table. */
export async function getOnlyPush(table: Pick<TableRow, 'id'>): Promise<PushRow> {
  const [push, ...others] = await listPushes(table);
  if (push === undefined || others.length > 0) throw new Error('expected one push');
  return push;
}

/** Lists consecutive ids. */
export const ids = (count: number, from = 1): number[] => Array.from({ length: count }, (_, at) => from + at);

/** Deletes all tables with their pushes, changes, runs and schedules. */
export async function deleteTables(): Promise<void> {
  await env.DB.batch(
    ['jobs', 'pushes', 'tables', 'changes', 'dead_letters', 'table_runs', 'schedules'].map((name) =>
      env.DB.prepare(`DELETE FROM ${name}`),
    ),
  );
}
