// Builders of result files, and a row store with a hook before each write.
import { env } from 'cloudflare:workers';
import type { Family } from '../../../../shared/families/index.ts';
import {
  type FileReport,
  ingestFile,
  type RowStore,
  readRecords,
} from '../../../../worker/data-requests/ingest/index.ts';
import type { IngestBounds } from '../../../../worker/data-requests/ingest/ingest-file.ts';
import { MAX_LINE_BYTES } from '../../../../worker/data-requests/ingest/line-splitter.ts';
import { PAGE_BYTES, PAGE_ROWS } from '../../../../worker/data-requests/ingest/page.ts';
import type { IngestSlice } from '../../../../worker/data-requests/ingest/types.ts';
import { getRowStore } from '../../../../worker/data-requests/state-machine.ts';

export const store: RowStore = getRowStore(env);

/** A few lines fill several pages. */
export const smallBounds: IngestBounds = { bytes: 200, rows: 5, lineBytes: 120 };
export const fullBounds: IngestBounds = { bytes: PAGE_BYTES, rows: PAGE_ROWS, lineBytes: MAX_LINE_BYTES };

const encoder = new TextEncoder();
export const encode = (text: string): Uint8Array => encoder.encode(text);

export const newRequestId = (): string => crypto.randomUUID();

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

export async function gzip(content: Uint8Array | string): Promise<Uint8Array> {
  const stream = new Response(content).body?.pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Options of an ingest. */
export interface IngestOptions {
  requestId: string;
  family?: Family;
  fileIndex?: number;
  target?: RowStore;
  bounds?: IngestBounds;
  /** Size of the body's chunks. */
  partBytes?: number;
  slice?: IngestSlice;
}

/** Ingests bytes unchanged. */
export function ingestBytes(
  content: Uint8Array,
  { partBytes = 1_000, target = store, bounds = smallBounds, slice, ...options }: IngestOptions,
): Promise<FileReport> {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < content.length) controller.enqueue(content.slice(at, at + partBytes));
      else controller.close();
      at += partBytes;
    },
  });
  const file = { family: 'company_clean', fileIndex: 0, ...options, body } as const;
  return ingestFile(target, file, bounds, slice);
}

/** Ingests lines as a gzipped file. */
export async function ingestLines(lines: readonly string[], options: IngestOptions): Promise<FileReport> {
  return ingestBytes(await gzip(lines.map((line) => `${line}\n`).join('')), options);
}

/** Ingests records as a gzipped file. */
export function ingestRecords(records: readonly object[], options: IngestOptions): Promise<FileReport> {
  return ingestLines(
    records.map((record) => JSON.stringify(record)),
    options,
  );
}

/** Reads all records of a data request, page by page. */
export async function readAllRecords(requestId: string, limit = 10): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const query = { requestId, limit, maxBytes: 1_000_000, ...(after !== undefined && { after }) };
    const page = await readRecords(store, query);
    all.push(...page.records);
    after = page.after;
  }
  return all;
}

/** Reads the ids of all records of a data request, in order. */
export async function readAllIds(requestId: string): Promise<unknown[]> {
  return (await readAllRecords(requestId)).map(({ id }) => id);
}

/** Reads the whole text of all pages of a data request. */
export async function readPageText(requestId: string): Promise<string> {
  const { objects } = await env.ROWS.list({ prefix: `requests/${requestId}/` });
  const texts = await Promise.all(objects.map(async ({ key }) => (await env.ROWS.get(key))?.text()));
  return texts.join('');
}

/** Creates a store that calls a hook before each write; the hook may throw. */
export function storeWithHook(
  beforeWrite: (operation: 'put' | 'batch' | 'delete') => Promise<void>,
): RowStore {
  const { bucket, db } = store;
  return {
    ...store,
    bucket: {
      get: bucket.get.bind(bucket),
      list: bucket.list.bind(bucket),
      put: async (key, value, options) => {
        await beforeWrite('put');
        return bucket.put(key, value, options);
      },
      delete: async (keys) => {
        await beforeWrite('delete');
        await bucket.delete(keys);
      },
    },
    db: new Proxy(db, {
      get: (target, name) => {
        if (name === 'prepare') return target.prepare.bind(target);
        if (name !== 'batch') throw new Error(`rows must not use ${String(name)}`);
        return async (statements: D1PreparedStatement[]) => {
          await beforeWrite('batch');
          return target.batch(statements);
        };
      },
    }),
  };
}
