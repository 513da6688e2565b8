// A provider of data requests that records orders and can hold calls at any step.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrayBuffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { listen } from './listen.ts';

/** Steps at which a call can be held; `lookup` is a call for a single record. */
export type Step =
  | 'before_create'
  | 'after_create'
  | 'list'
  | 'running'
  | 'file'
  | 'middle_of_file'
  | 'second_file'
  | 'lookup';

/** A provider of data requests. */
export interface BulkProvider {
  baseUrl: string;
  /** Returns the ids of each data request that contains one of the given ids. */
  listOrders: (ids: readonly number[]) => number[][];
  /** Holds calls that contain an id at a step until {@link BulkProvider.release}. Resolves when the first one is held. */
  holdAt: (step: Step, id: number) => Promise<void>;
  /** Continues all held calls. */
  release: () => void;
  close: () => Promise<void>;
}

/** A created data request. Its files do not change. */
interface StoredRequest {
  ids: readonly number[];
  files: ReadonlyMap<string, Buffer>;
}

interface Hold {
  step: Step;
  arrived: () => void;
  released: Promise<void>;
}

const FILES = ['part-00000.json.gz', 'part-00001.json.gz'];
/** Number of records of an order; each file has half of them. */
export const RECORDS = 240;

/** Parses the ids of a form. */
function parseIds(form: ArrayBuffer): number[] {
  const text = new TextDecoder().decode(form);
  return [...text.matchAll(/name="ids"\r\n\r\n(\d+)\r\n/g)].map(([, id]) => Number(id));
}

/** Builds a file with half of the records. */
function buildFile(name: string, ids: readonly number[]): Buffer {
  const half = Math.ceil(ids.length / 2);
  const first = FILES.indexOf(name) * half;
  const records = ids.slice(first, first + half).map((id) =>
    // Random text compresses badly, so a file takes more than one chunk.
    JSON.stringify({ id, name: `Company ${id}`, description: randomUUID().repeat(20) }),
  );
  return gzipSync(`${records.join('\n')}\n`);
}

/** Starts a provider whose data requests have two files. */
export async function startBulkProvider(): Promise<BulkProvider> {
  const requests = new Map<string, StoredRequest>();
  const holds = new Map<number, Hold>();
  let release = Promise.withResolvers<void>();

  const findHold = (ids: readonly number[]): Hold | undefined =>
    ids.map((id) => holds.get(id)).find((hold) => hold !== undefined);

  /** Waits if the test holds calls of these ids at one of the steps. */
  async function waitIfHeld(ids: readonly number[], ...steps: Step[]): Promise<void> {
    const hold = findHold(ids);
    if (hold === undefined || !steps.includes(hold.step)) return;
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
    await waitIfHeld(ids, 'before_create');
    const id = randomUUID();
    requests.set(id, { ids, files: new Map(FILES.map((name) => [name, buildFile(name, ids)])) });
    await waitIfHeld(ids, 'after_create');
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
      if (hold?.step === 'running') {
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
    holdAt: (step, id) =>
      new Promise((resolve) => {
        holds.set(id, { step, arrived: resolve, released: release.promise });
      }),
    release: () => {
      holds.clear();
      release.resolve();
      release = Promise.withResolvers();
    },
    close,
  };
}
