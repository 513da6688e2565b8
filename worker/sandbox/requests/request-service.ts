// Data requests: made, worked on by alarm, answered. Whatever is begun is noted first, so that it outlives its process.
import type { Family } from '../../../shared/families/index.ts';
import type { Charge } from '../account/account.ts';
import { detailError, queryError, ServiceError, serverError, validationError } from '../api/service-errors.ts';
import type { SandboxPlatform } from '../platform.ts';
import type { RecordStore } from '../record-store.ts';
import { storedFamily } from '../record-store.ts';
import { MAX_RECORDS } from './key-list.ts';
import type { WritableBucket } from './object-writer.ts';
import { writePart } from './result-file.ts';
import type { QuerySelection } from './payload.ts';
import { type NewRequest, RequestTable, type TableStorage } from './request-repository.ts';
import type { DataRequest, Failure } from './rows.ts';
import type { RequestQuery, SelectedIds } from './query-service.ts';
import { Webhooks } from './webhook-sender.ts';

/** Contract, "Bulk": files are kept 30 days. */
const KEPT_MS = 30 * 86_400_000;

/** Milliseconds until work that did not come to its end is begun again; after the last try it has failed. */
const waitsMs: readonly number[] = [1_000, 5_000, 30_000, 120_000];

/** What the work reaches. */
export interface RequestRooms {
  platform: Pick<SandboxPlatform, 'now' | 'newId' | 'fetch'>;
  store: Pick<RecordStore, 'findByIds' | 'existingIds' | 'idsOfNames'>;
  bucket: WritableBucket & { delete(keys: string[]): Promise<void> };
  account: {
    clock: () => Promise<{ now: number; runMs: number }>;
    charge: (credits: number, name: string) => Promise<Charge>;
  };
  selectIds: (query: RequestQuery, limit: number) => Promise<SelectedIds>;
  /** Has {@link DataRequests.run} called at a time, in milliseconds since 1970; replaces the time set before. */
  wake: (at: number) => Promise<void>;
}

/** What a new data request asks for. */
export type Order = Pick<NewRequest, 'family' | 'price' | 'selection' | 'identity' | 'webhook'>;

/** What GET files is answered. */
export type FilesAnswer =
  | { kind: 'unknown' }
  | { kind: 'running' }
  | { kind: 'ready'; files: string[] }
  | { kind: 'failed'; failure: Failure };

/** Where a file of a data request is kept. */
function objectKey(id: string, name: string): string {
  return `data_requests/${id}/${name}`;
}

async function failureOf(error: ServiceError): Promise<Failure> {
  const response = error.response();
  return { status: response.status, body: await response.text() };
}

/** The data requests of one sandbox. */
export class DataRequests {
  readonly #table: RequestTable;
  readonly #context: RequestRooms;
  readonly #webhooks: Webhooks;
  #running: Promise<void> | undefined;

  constructor(storage: TableStorage, context: RequestRooms) {
    this.#table = new RequestTable(storage);
    this.#context = context;
    this.#webhooks = new Webhooks(this.#table, context.platform, () => this.rearm());
  }

  /**
   * Makes a data request.
   * @returns its id; undefined if one for the same thing is running
   */
  async create(order: Order): Promise<string | undefined> {
    const { now, runMs } = await this.#context.account.clock();
    const id = this.#context.platform.newId();
    const nextAt = this.#context.platform.now() + runMs;
    if (!this.#table.add({ ...order, id, createdAt: now, nextAt })) return undefined;
    await this.rearm();
    return id;
  }

  /** Tells how a data request stands. One that could not be paid is tried again. */
  async answer(id: string): Promise<FilesAnswer> {
    const request = await this.#current(id);
    if (request === undefined) return { kind: 'unknown' };
    if (request.state === 'waiting' || request.state === 'writing') return { kind: 'running' };
    if (request.state === 'unpaid') {
      if (!(await this.#pay(request))) {
        return { kind: 'failed', failure: await failureOf(detailError(402, 'Insufficient credits')) };
      }
      this.#table.end(id, 'ready', undefined);
    }
    if (request.failure !== undefined) return { kind: 'failed', failure: request.failure };
    return { kind: 'ready', files: this.#table.files(id) };
  }

  /**
   * Finds a file.
   * @returns where it is kept; undefined if it is not listed
   */
  async file(id: string, name: string): Promise<string | undefined> {
    const request = await this.#current(id);
    const listed = request?.state === 'ready' && this.#table.files(id).includes(name);
    return listed ? objectKey(id, name) : undefined;
  }

  /** The request, unless it is too old. */
  async #current(id: string): Promise<DataRequest | undefined> {
    const request = this.#table.get(id);
    if (request === undefined) return undefined;
    const { now } = await this.#context.account.clock();
    return now - request.createdAt > KEPT_MS ? undefined : request;
  }

  /** Sees to it that {@link run} is called when something is due. */
  async rearm(): Promise<void> {
    const at = this.#table.nextAt();
    if (at !== undefined) await this.#context.wake(at);
  }

  /** Does what is due. Called while it runs, it waits for the run. */
  run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runOnce(): Promise<void> {
    try {
      for (const id of this.#table.workDue(this.#context.platform.now())) await this.#work(id);
      this.#webhooks.start();
      await this.#sweep();
    } catch (error) {
      this.#log('', error);
    }
    await this.rearm();
  }

  /** Resolves when no webhook is on its way. */
  settled(): Promise<void> {
    return this.#webhooks.settled();
  }

  #log(id: string, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    console.error(JSON.stringify({ event: 'data_request_error', data_request: id, error: text }));
  }

  #end(id: string, state: 'ready' | 'unpaid' | 'failed', failure?: Failure): void {
    this.#table.end(id, state, this.#context.platform.now(), failure);
  }

  /** Works on a request until it has ended. What was done before, in another process perhaps, is not done again. */
  async #work(id: string): Promise<void> {
    const request = this.#table.get(id);
    if (request === undefined) return;
    // A request that took its process with it each time is tried no more.
    if (request.attempts > waitsMs.length) return this.#fail(id);
    const wait = waitsMs[request.attempts];
    this.#table.begin(id, this.#context.platform.now() + (wait ?? 0));
    try {
      if (request.state === 'waiting') await this.#plan(request);
      const records = await this.#write(request);
      if (records === 0) throw this.#nothing();
      this.#end(id, (await this.#pay(request)) ? 'ready' : 'unpaid');
    } catch (error) {
      if (error instanceof ServiceError) return this.#end(id, 'failed', await failureOf(error));
      this.#log(id, error);
      if (wait === undefined) await this.#fail(id);
    }
  }

  async #fail(id: string): Promise<void> {
    const response = serverError();
    this.#end(id, 'failed', { status: response.status, body: await response.text() });
  }

  #nothing(): ServiceError {
    return validationError({
      loc: ['path', 'data_request_id'],
      msg: 'the data request matched no records',
      type: 'value_error.no_records',
    });
  }

  async #plan({ id, family, createdAt }: DataRequest): Promise<void> {
    const selection = this.#table.selection(id);
    let ids: string[];
    if ('query' in selection) ids = await this.#queried({ ...selection.query, family, now: createdAt });
    else ids = await this.#listed(family, selection.kind, selection.pieces);
    const mark = this.#context.platform.newId();
    this.#table.plan(id, ids, (number) => `part-${String(number).padStart(5, '0')}-${mark}.json.gz`);
  }

  /** Contract, "Credits (2026) and limits": a query for too much is accepted and fails here. */
  async #queried(query: RequestQuery & QuerySelection): Promise<string[]> {
    const { limit = Number.POSITIVE_INFINITY } = query;
    const { ids, total } = await this.#context.selectIds(query, Math.min(limit, MAX_RECORDS));
    if (Math.min(limit, total) > MAX_RECORDS) throw queryError('Query results count exceeds allowed limit');
    return ids;
  }

  /** The ids under which there are records, each once, in the order of the keys. */
  async #listed(family: Family, kind: 'id' | 'shorthand_name', pieces: string[][]): Promise<string[]> {
    const { store } = this.#context;
    const ids = new Set<string>();
    for (const keys of pieces) {
      const found =
        kind === 'id'
          ? await store.existingIds(storedFamily(family), keys)
          : await store.idsOfNames(storedFamily(family), keys);
      for (const key of keys) {
        const id = found.get(key);
        if (id !== undefined) ids.add(id);
      }
    }
    return [...ids];
  }

  /** @returns how many records stand in all files */
  async #write({ id, family }: DataRequest): Promise<number> {
    let records = 0;
    for (const part of this.#table.parts(id)) {
      const key = objectKey(id, part.name);
      const written = part.records ?? (await writePart(this.#context, { family, key, ids: part.ids }));
      if (part.records === undefined) this.#table.written(id, part.number, written);
      records += written;
    }
    return records;
  }

  /** Charges a request once, however often it is tried. */
  async #pay({ id, price }: DataRequest): Promise<boolean> {
    const { paid } = await this.#context.account.charge(this.#table.records(id) * price, id);
    return paid;
  }

  /** Removes what is too old, with its files. */
  async #sweep(): Promise<void> {
    const { now } = await this.#context.account.clock();
    for (const id of this.#table.createdBefore(now - KEPT_MS)) {
      const keys = this.#table.parts(id).map(({ name }) => objectKey(id, name));
      if (keys.length > 0) await this.#context.bucket.delete(keys);
      this.#table.remove(id);
    }
  }
}
