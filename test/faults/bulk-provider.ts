// A provider of data requests in the test's hands: it counts what it made and charged, and holds still where it is told to.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrayBuffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { listen } from './listen.ts';

/** Where a call about an order can be held up; `lookup` is a call for a single record. */
export type Place =
  | 'before_make'
  | 'after_make'
  | 'list'
  | 'running'
  | 'file'
  | 'middle_of_file'
  | 'second_file'
  | 'lookup';

/** A provider of data requests. */
export interface BulkProvider {
  baseUrl: string;
  /** The ids of each data request that has one of these: each request is charged. */
  listOrders: (ids: readonly number[]) => number[][];
  /** Holds up calls about an id at a place until the provider goes on; resolves when the first is there. */
  holdAt: (place: Place, id: number) => Promise<void>;
  /** Lets everybody go on, whoever is still there. */
  release: () => void;
  close: () => Promise<void>;
}

/** A data request that was made. Its files are the same however often they are fetched. */
interface StoredRequest {
  ids: readonly number[];
  files: ReadonlyMap<string, Buffer>;
}

interface Hold {
  place: Place;
  arrived: () => void;
  released: Promise<void>;
}

const FILES = ['part-00000.json.gz', 'part-00001.json.gz'];
/** What a test orders; each file has half of it. */
export const RECORDS = 240;

/** The ids of a form. */
function parseIds(form: ArrayBuffer): number[] {
  const text = new TextDecoder().decode(form);
  return [...text.matchAll(/name="ids"\r\n\r\n(\d+)\r\n/g)].map(([, id]) => Number(id));
}

/** Half of the records. */
function buildFile(name: string, ids: readonly number[]): Buffer {
  const half = Math.ceil(ids.length / 2);
  const first = FILES.indexOf(name) * half;
  const records = ids.slice(first, first + half).map((id) =>
    // What can't be packed well takes more than one piece on the way.
    JSON.stringify({ id, name: `Company ${id}`, description: randomUUID().repeat(20) }),
  );
  return gzipSync(`${records.join('\n')}\n`);
}

/** Starts a provider. Its data requests have two files. */
export async function startBulkProvider(): Promise<BulkProvider> {
  const requests = new Map<string, StoredRequest>();
  const holds = new Map<number, Hold>();
  let release = Promise.withResolvers<void>();

  const findHold = (ids: readonly number[]): Hold | undefined =>
    ids.map((id) => holds.get(id)).find((hold) => hold !== undefined);

  /** Waits where the test wants it. */
  async function waitIfHeld(ids: readonly number[], ...places: Place[]): Promise<void> {
    const hold = findHold(ids);
    if (hold === undefined || !places.includes(hold.place)) return;
    hold.arrived();
    await hold.released;
  }

  function json(response: ServerResponse, status: number, body: unknown): void {
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-limit-second': '1000' })
      .end(JSON.stringify(body));
  }

  async function createRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ids = parseIds(await arrayBuffer(request));
    await waitIfHeld(ids, 'before_make');
    const id = randomUUID();
    requests.set(id, { ids, files: new Map(FILES.map((name) => [name, buildFile(name, ids)])) });
    await waitIfHeld(ids, 'after_make');
    json(response, 201, { request_id: id });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') return createRequest(request, response);
    const path = new URL(request.url ?? '/', 'http://provider').pathname;
    const [, id = '', name] = /\/data_requests\/([^/]+)\/files(?:\/(.+))?$/.exec(path) ?? [];
    const made = requests.get(id);
    if (made === undefined) {
      await waitIfHeld([Number(path.split('/').at(-1))], 'lookup');
      return json(response, 404, { detail: 'Record not found' });
    }
    const { ids, files } = made;
    if (name === undefined) {
      const hold = findHold(ids);
      if (hold?.place === 'running') {
        hold.arrived();
        return json(response, 202, { message: 'Data request is still being processed' });
      }
      await waitIfHeld(ids, 'list');
      return json(response, 200, { data_request_files: FILES });
    }
    const bytes = files.get(name) ?? Buffer.alloc(0);
    await waitIfHeld(ids, 'file', ...(name === FILES[1] ? (['second_file'] as const) : []));
    response.writeHead(200, { 'content-type': 'application/gzip', 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2));
    await waitIfHeld(ids, 'middle_of_file');
    response.end(bytes.subarray(bytes.length / 2));
  }

  const { origin, close } = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    baseUrl: `${origin}/cdapi`,
    listOrders: (ids) => {
      const wanted = new Set(ids);
      return [...requests.values()]
        .map((made) => [...made.ids])
        .filter((own) => own.some((id) => wanted.has(id)));
    },
    holdAt: (place, id) =>
      new Promise((resolve) => {
        holds.set(id, { place, arrived: resolve, released: release.promise });
      }),
    release: () => {
      holds.clear();
      release.resolve();
      release = Promise.withResolvers();
    },
    close,
  };
}
