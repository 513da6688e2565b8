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
  /** The ids of the last data request. */
  ordered: () => string[];
  /** Holds up the next calls at a place until the provider goes on; resolves when one is there. */
  holdAt: (place: Place) => Promise<void>;
  /** Lets everybody go on, whoever is still there. */
  goOn: () => void;
  close: () => Promise<void>;
}

const FILES = ['part-00000.json.gz', 'part-00001.json.gz'];
/** What a test orders; each file has half of it. */
export const RECORDS = 600;

/** The ids of a form. */
function idsIn(form: ArrayBuffer): string[] {
  const text = new TextDecoder().decode(form);
  return [...text.matchAll(/name="ids"\r\n\r\n(\d+)\r\n/g)].flatMap(([, id]) => id ?? []);
}

/** Half of the records. */
function fileOf(name: string, ids: readonly string[]): Buffer {
  const half = Math.ceil(ids.length / 2);
  const first = FILES.indexOf(name) * half;
  const records = ids.slice(first, first + half).map((id) =>
    // What can't be packed well takes more than one piece on the way.
    JSON.stringify({ id: Number(id), name: `Company ${id}`, description: randomUUID().repeat(20) }),
  );
  return gzipSync(`${records.join('\n')}\n`);
}

/** Starts a provider. Its data requests have two files. */
export async function startBulkProvider(): Promise<BulkProvider> {
  /** Files by request: each is the same however often it is fetched. */
  const requests = new Map<string, Map<string, Buffer>>();
  let ordered: string[] = [];
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
      const ids = idsIn(await arrayBuffer(request));
      await pass('before_make');
      const id = randomUUID();
      requests.set(id, new Map(FILES.map((name) => [name, fileOf(name, ids)])));
      ordered = ids;
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
    const files = requests.get(path.split('/').at(-3) ?? '');
    const bytes = files?.get(name) ?? Buffer.alloc(0);
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
    ordered: () => ordered,
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
