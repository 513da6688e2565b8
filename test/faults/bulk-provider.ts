// A provider of data requests in the test's hands: it counts what it made and charged, and holds still where it is told to.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrayBuffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { listen } from './listen.ts';

/** Where a call can be held up. */
export type Place =
  | 'before_make'
  | 'after_make'
  | 'list'
  | 'running'
  | 'file'
  | 'middle_of_file'
  | 'second_file';

/** A provider of data requests. */
export interface BulkProvider {
  baseUrl: string;
  /** Data requests that were made: each is charged. */
  made: () => number;
  /** Holds up the next calls at a place until the provider goes on; resolves when one is there. */
  holdAt: (place: Place) => Promise<void>;
  /** Lets everybody go on, whoever is still there. */
  goOn: () => void;
  close: () => Promise<void>;
}

/** Rows of each file. */
const PER_FILE = 300;
const FILES = ['part-00000.json.gz', 'part-00001.json.gz'];
export const RECORDS = PER_FILE * FILES.length;

function fileOf(name: string): Buffer {
  const first = FILES.indexOf(name) * PER_FILE;
  const records = Array.from({ length: PER_FILE }, (_, at) =>
    // What can't be packed well takes more than one piece on the way.
    JSON.stringify({
      id: first + at + 1,
      name: `Company ${first + at + 1}`,
      description: randomUUID().repeat(20),
    }),
  );
  return gzipSync(`${records.join('\n')}\n`);
}

/** Starts a provider. Its data requests have two files. */
export async function startBulkProvider(): Promise<BulkProvider> {
  const requests = new Set<string>();
  const files = new Map(FILES.map((name) => [name, fileOf(name)]));
  let held: { place: Place; arrived: () => void } | undefined;
  let free: Promise<void> = Promise.resolve();
  let release: () => void = () => {};

  /** Waits where the test wants it. */
  async function pass(...places: Place[]): Promise<void> {
    if (held === undefined || !places.includes(held.place)) return;
    held.arrived();
    await free;
  }

  function json(response: ServerResponse, status: number, body: unknown): void {
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-limit-second': '1000' })
      .end(JSON.stringify(body));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://provider').pathname;
    if (request.method === 'POST') {
      await arrayBuffer(request);
      await pass('before_make');
      const id = randomUUID();
      requests.add(id);
      await pass('after_make');
      return json(response, 201, { request_id: id });
    }
    const name = path.split('/').at(-1) ?? '';
    if (name === 'files') {
      if (held?.place === 'running') {
        held.arrived();
        return json(response, 202, { message: 'Data request is still being processed' });
      }
      await pass('list');
      return json(response, 200, { data_request_files: FILES });
    }
    const bytes = files.get(name) ?? Buffer.alloc(0);
    await pass('file', ...(name === FILES[1] ? (['second_file'] as const) : []));
    response.writeHead(200, { 'content-type': 'application/gzip', 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2));
    await pass('middle_of_file');
    response.end(bytes.subarray(bytes.length / 2));
  }

  const { origin, close } = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    baseUrl: `${origin}/cdapi`,
    made: () => requests.size,
    holdAt: (place) => {
      free = new Promise((resolve) => {
        release = resolve;
      });
      return new Promise((resolve) => {
        held = { place, arrived: resolve };
      });
    },
    goOn: () => {
      held = undefined;
      release();
    },
    close,
  };
}
