// Result files for the tests of rows, and a store whose calls can break.
import { env } from 'cloudflare:workers';
import type { Family } from '../../../../shared/families/index.ts';
import {
  type FileReport,
  ingestFile,
  type RowStore,
  readRecords,
} from '../../../../worker/data-requests/ingest/index.ts';
import type { IngestBounds } from '../../../../worker/data-requests/ingest/ingest-file.ts';

export const store: RowStore = { bucket: env.ROWS, db: env.DB };

/** So small that a handful of lines makes several pages. */
export const smallBounds: IngestBounds = { bytes: 200, rows: 5, lineBytes: 120 };

const encoder = new TextEncoder();

export const encode = (text: string): Uint8Array => encoder.encode(text);

export const newRequestId = (): string => crypto.randomUUID();

/** The bytes as one file, gzipped. */
export async function gzip(content: Uint8Array | string): Promise<Uint8Array> {
  const stream = new Response(content).body?.pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A body that comes in parts. @param breaks - it ends with an error in place of its end */
export function toStream(content: Uint8Array, partBytes = 1_000, fails = false): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < content.length) controller.enqueue(content.slice(at, at + partBytes));
      else if (fails) controller.error(new Error('the connection broke'));
      else controller.close();
      at += partBytes;
    },
  });
}

/** How a file is put in, where that matters. */
export interface IngestOptions {
  requestId: string;
  family?: Family;
  fileIndex?: number;
  target?: RowStore;
  bounds?: IngestBounds;
  partBytes?: number;
  fails?: boolean;
}

/** Puts bytes in as they are. */
export function ingestBytes(content: Uint8Array, put: IngestOptions): Promise<FileReport> {
  const { requestId, family = 'company_clean', fileIndex = 0, target = store, bounds = smallBounds } = put;
  const body = toStream(content, put.partBytes, put.fails);
  return ingestFile(target, { requestId, family, fileIndex, fileName: `part-${fileIndex}`, body }, bounds);
}

/** Puts lines in as a gzipped file. */
export async function ingestLines(lines: readonly string[], put: IngestOptions): Promise<FileReport> {
  return ingestBytes(await gzip(lines.map((line) => `${line}\n`).join('')), put);
}

/** All records of a request, read page by page. */
export async function readAllRecords(requestId: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let after: string | undefined;
  do {
    const page = await readRecords(store, {
      requestId,
      limit: 3,
      maxBytes: 1_000_000,
      ...(after !== undefined && { after }),
    });
    all.push(...page.records);
    after = page.after ?? undefined;
  } while (after !== undefined);
  return all;
}

/** Ids of all records of a request, in their order. */
export async function readAllIds(requestId: string): Promise<unknown[]> {
  return (await readAllRecords(requestId)).map(({ id }) => id);
}

/** What stands in the pages of a request, all of it. */
export async function readPageText(requestId: string): Promise<string> {
  const { objects } = await env.ROWS.list({ prefix: `requests/${requestId}/` });
  const texts = await Promise.all(objects.map(async ({ key }) => (await env.ROWS.get(key))?.text()));
  return texts.join('');
}

/** The store, with something done before each of its writes, which may break it. */
export function storeWithHook(
  before: (what: 'put' | 'batch' | 'delete', key: string) => Promise<void>,
): RowStore {
  const { bucket, db } = store;
  return {
    bucket: {
      get: bucket.get.bind(bucket),
      list: bucket.list.bind(bucket),
      put: async (key, value, options) => {
        await before('put', key);
        return bucket.put(key, value, options);
      },
      delete: async (keys) => {
        await before('delete', String(keys));
        await bucket.delete(keys);
      },
    },
    db: new Proxy(db, {
      get: (target, name) => {
        if (name === 'prepare') return target.prepare.bind(target);
        if (name === 'batch') {
          return async (statements: D1PreparedStatement[]) => {
            await before('batch', '');
            return target.batch(statements);
          };
        }
        throw new Error(`rows use no ${String(name)} of a database`);
      },
    }),
  };
}
