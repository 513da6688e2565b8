// What stands around the ingest, as programs elsewhere: the provider that has the files, and a store for pages.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { resultFile } from './data.ts';

const HOST = '127.0.0.1';

/** Where both are reached. */
export interface Surroundings {
  /** Of the file of so many records. */
  fileUrl: (records: number) => string;
  /** Below which pages are put. */
  storeUrl: string;
  stop: () => void;
}

/**
 * Starts both.
 * @param shared - with the files
 * @param dir - for the pages
 */
export async function surround(shared: string, dir: string): Promise<Surroundings> {
  const pages = join(dir, 'pages');
  await mkdir(pages, { recursive: true });
  const server = createServer((request, response) => {
    const name = (request.url ?? '').split('/').at(-1) ?? '';
    const passing =
      request.method === 'PUT'
        ? pipeline(request, createWriteStream(join(pages, name))).then(() => response.end())
        : pipeline(createReadStream(resultFile(shared, Number(name))), response);
    passing.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const origin = `http://${HOST}:${port}`;
  return {
    fileUrl: (records) => `${origin}/files/${records}`,
    storeUrl: `${origin}/store`,
    stop: () => server.close(),
  };
}
