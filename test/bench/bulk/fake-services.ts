// Fake services for the ingest in a separate process: provider, bucket and database.
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { readMigrations } from '../../faults/cluster/migrations.ts';
import { getResultFile } from './data.ts';
import { GatewayDatabase, statementsSchema } from './database.ts';

const HOST = '127.0.0.1';

/** Addresses of the services. */
export interface FakeServices {
  /** Returns the URL of the file with the given number of records. */
  fileUrl: (records: number) => string;
  /** Origin of the storage: `PUT /bucket/…` and `POST /database`. */
  storageUrl: string;
  /** Returns the bytes of all pages so far. */
  getPageBytes: () => number;
  stop: () => void;
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
  const server = createServer((request, response) => {
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
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const origin = `http://${HOST}:${port}`;
  return {
    fileUrl: (records) => `${origin}/files/${records}`,
    storageUrl: origin,
    getPageBytes: () => pageBytes,
    stop: () => {
      server.close();
      database.close();
    },
  };
}
