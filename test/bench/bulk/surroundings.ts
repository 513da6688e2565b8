// What stands around the ingest, in a program elsewhere: the provider that has the files, a bucket and a database.
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { readMigrations } from '../../faults/cluster/migrations.ts';
import { getResultFile } from './data.ts';
import { GatewayDatabase, statementsSchema } from './database.ts';

const HOST = '127.0.0.1';

/** Where all of it is reached. */
export interface FakeServices {
  /** Of the file of so many records. */
  fileUrl: (records: number) => string;
  /** Where pages are put below `/bucket/`, and statements posted to `/database`. */
  storageUrl: string;
  /** Tells how many bytes of pages have come. */
  getPageBytes: () => number;
  stop: () => void;
}

/** Takes all of a body, and keeps nothing: what a bucket does with it is no work of the Worker. @returns how long it was */
async function countBytes(body: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of body) length += chunk.length;
  return length;
}

/**
 * Starts it, with the gateway's tables.
 * @param shared - with the files
 */
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
