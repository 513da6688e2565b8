// Fake services for the ingest in a separate process: provider, bucket and database.
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { readMigrations } from '../../faults/cluster/migrations.ts';
import { listen } from '../../faults/listen.ts';
import { getResultFile } from './data.ts';

/** Statements of a batch. */
const statementsSchema = z.array(
  z.object({ sql: z.string(), values: z.array(z.union([z.string(), z.number(), z.null()])) }),
);

/** An in-memory SQLite database with the gateway's tables. */
class GatewayDatabase {
  readonly #sqlite = new DatabaseSync(':memory:');

  constructor(migrations: Awaited<ReturnType<typeof readMigrations>>) {
    for (const { statements } of migrations) for (const sql of statements) this.#sqlite.exec(sql);
  }

  /** Executes statements in one transaction. @returns the rows of each statement */
  batch(statements: z.infer<typeof statementsSchema>): Record<string, unknown>[][] {
    this.#sqlite.exec('BEGIN');
    try {
      const results = statements.map(({ sql, values }) => this.#sqlite.prepare(sql).all(...values));
      this.#sqlite.exec('COMMIT');
      return results;
    } catch (error) {
      this.#sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#sqlite.close();
  }
}

/** Addresses of the services. */
export interface FakeServices {
  /** Returns the URL of the file with the given number of records. */
  fileUrl: (records: number) => string;
  /** Origin of the storage: `PUT /bucket/…` and `POST /database`. */
  storageUrl: string;
  /** Returns the bytes of all pages so far. */
  getPageBytes: () => number;
  stop: () => Promise<void>;
}

/** Discards a body: the work of a bucket is not part of the measurement. @returns its length */
async function countBytes(body: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of body) length += chunk.length;
  return length;
}

/** Starts the services with the gateway's tables. @param sharedDir - folder of the files */
export async function startFakeServices(sharedDir: string): Promise<FakeServices> {
  const database = new GatewayDatabase(await readMigrations());
  let pageBytes = 0;
  const { origin, close } = await listen((request, response) => {
    const answer = async (): Promise<void> => {
      if (request.method === 'PUT') {
        pageBytes += await countBytes(request);
        response.end();
      } else if (request.method === 'POST') {
        const statements = statementsSchema.parse(JSON.parse(await text(request)));
        response.end(JSON.stringify(database.batch(statements)));
      } else {
        const records = Number(request.url?.split('/').at(-1));
        await pipeline(createReadStream(getResultFile(sharedDir, records)), response);
      }
    };
    answer().catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  return {
    fileUrl: (records) => `${origin}/files/${records}`,
    storageUrl: origin,
    getPageBytes: () => pageBytes,
    stop: async () => {
      await close();
      database.close();
    },
  };
}
