// Data requests: made, worked on by alarm, answered. Whatever is begun is noted first, so that it outlives its process.
import type { Family } from '../../../shared/families/index.ts';
import type { Charge } from '../account/account.ts';
import {
  detailError,
  queryError,
  ServiceError,
  serverError,
  validationError,
} from '../api/service-errors.ts';
import type { SandboxPlatform } from '../platform.ts';
import type { RecordStore } from '../record-store.ts';
import { getStoredFamily } from '../record-store.ts';
import { MAX_RECORDS } from './key-list.ts';
import type { WritableBucket } from './object-writer.ts';
import type { QuerySelection } from './payload.ts';
import type { RequestQuery, SelectedIds } from './query-service.ts';
import { type NewRequest, RequestRepository, type RequestStorage } from './request-repository.ts';
import { writeResultFile } from './result-file.ts';
import type { DataRequest, Failure } from './rows.ts';
import { WebhookSender } from './webhook-sender.ts';

/** Contract, "Bulk": files are kept 30 days. */
const RETENTION_MS = 30 * 86_400_000;

/** Milliseconds until work that did not come to its end is begun again; after the last try it has failed. */
const retryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000];

/** What the work reaches. */
export interface RequestContext {
  platform: Pick<SandboxPlatform, 'now' | 'newId' | 'fetch'>;
  store: Pick<RecordStore, 'findByIds' | 'findExistingIds' | 'findIdsByName'>;
  bucket: WritableBucket & { delete(keys: string[]): Promise<void> };
  account: {
    getClock: () => Promise<{ now: number; runMs: number }>;
    charge: (credits: number, name: string) => Promise<Charge>;
  };
  selectIds: (query: RequestQuery, limit: number) => Promise<SelectedIds>;
  /** Has {@link RequestService.run} called at a time, in milliseconds since 1970; replaces the time set before. */
  setAlarm: (at: number) => Promise<void>;
}

/** What a new data request asks for. */
export type RequestInput = Pick<NewRequest, 'family' | 'price' | 'selection' | 'identity' | 'webhook'>;

/** What GET files is answered. */
export type FilesResult =
  | { kind: 'unknown' }
  | { kind: 'running' }
  | { kind: 'ready'; files: string[] }
  | { kind: 'failed'; failure: Failure };

/** Where a file of a data request is kept. */
function buildObjectKey(id: string, name: string): string {
  return `data_requests/${id}/${name}`;
}

async function toFailure(error: ServiceError): Promise<Failure> {
  const response = error.response();
  return { status: response.status, body: await response.text() };
}

/** The data requests of one sandbox. */
export class RequestService {
  readonly #repository: RequestRepository;
  readonly #context: RequestContext;
  readonly #webhooks: WebhookSender;
  #running: Promise<void> | undefined;

  constructor(storage: RequestStorage, context: RequestContext) {
    this.#repository = new RequestRepository(storage);
    this.#context = context;
    this.#webhooks = new WebhookSender(this.#repository, context.platform, () => this.scheduleNext());
  }

  /**
   * Makes a data request.
   * @returns its id; undefined if one for the same thing is running
   */
  async create(order: RequestInput): Promise<string | undefined> {
    const { now, runMs } = await this.#context.account.getClock();
    const id = this.#context.platform.newId();
    const nextAt = this.#context.platform.now() + runMs;
    if (!this.#repository.add({ ...order, id, createdAt: now, nextAt })) return undefined;
    await this.scheduleNext();
    return id;
  }

  /** Tells how a data request stands. One that could not be paid is tried again. */
  async getFiles(id: string): Promise<FilesResult> {
    const request = await this.#findCurrent(id);
    if (request === undefined) return { kind: 'unknown' };
    if (request.state === 'waiting' || request.state === 'writing') return { kind: 'running' };
    if (request.state === 'unpaid') {
      if (!(await this.#pay(request))) {
        return { kind: 'failed', failure: await toFailure(detailError(402, 'Insufficient credits')) };
      }
      this.#repository.end(id, 'ready', undefined);
    }
    if (request.failure !== undefined) return { kind: 'failed', failure: request.failure };
    return { kind: 'ready', files: this.#repository.listFiles(id) };
  }

  /**
   * Finds a file.
   * @returns where it is kept; undefined if it is not listed
   */
  async findFile(id: string, name: string): Promise<string | undefined> {
    const request = await this.#findCurrent(id);
    const listed = request?.state === 'ready' && this.#repository.listFiles(id).includes(name);
    return listed ? buildObjectKey(id, name) : undefined;
  }

  /** The request, unless it is too old. */
  async #findCurrent(id: string): Promise<DataRequest | undefined> {
    const request = this.#repository.get(id);
    if (request === undefined) return undefined;
    const { now } = await this.#context.account.getClock();
    return now - request.createdAt > RETENTION_MS ? undefined : request;
  }

  /** Sees to it that {@link run} is called when something is due. */
  async scheduleNext(): Promise<void> {
    const at = this.#repository.getNextTime();
    if (at !== undefined) await this.#context.setAlarm(at);
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
      for (const id of this.#repository.listDueWork(this.#context.platform.now())) await this.#process(id);
      this.#webhooks.sendDue();
      await this.#deleteExpired();
    } catch (error) {
      this.#log('', error);
    }
    await this.scheduleNext();
  }

  /** Resolves when no webhook is on its way. */
  whenIdle(): Promise<void> {
    return this.#webhooks.whenIdle();
  }

  #log(id: string, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    console.error(JSON.stringify({ event: 'data_request_error', data_request: id, error: text }));
  }

  #end(id: string, state: 'ready' | 'unpaid' | 'failed', failure?: Failure): void {
    this.#repository.end(id, state, this.#context.platform.now(), failure);
  }

  /** Works on a request until it has ended. What was done before, in another process perhaps, is not done again. */
  async #process(id: string): Promise<void> {
    const request = this.#repository.get(id);
    if (request === undefined) return;
    // A request that took its process with it each time is tried no more.
    if (request.attempts > retryDelaysMs.length) return this.#fail(id);
    const wait = retryDelaysMs[request.attempts];
    this.#repository.startAttempt(id, this.#context.platform.now() + (wait ?? 0));
    try {
      if (request.state === 'waiting') await this.#plan(request);
      const records = await this.#writeFiles(request);
      if (records === 0) throw this.#createNoRecordsError();
      this.#end(id, (await this.#pay(request)) ? 'ready' : 'unpaid');
    } catch (error) {
      if (error instanceof ServiceError) return this.#end(id, 'failed', await toFailure(error));
      this.#log(id, error);
      if (wait === undefined) await this.#fail(id);
    }
  }

  async #fail(id: string): Promise<void> {
    const response = serverError();
    this.#end(id, 'failed', { status: response.status, body: await response.text() });
  }

  #createNoRecordsError(): ServiceError {
    return validationError({
      loc: ['path', 'data_request_id'],
      msg: 'the data request matched no records',
      type: 'value_error.no_records',
    });
  }

  async #plan({ id, family, createdAt }: DataRequest): Promise<void> {
    const selection = this.#repository.getSelection(id);
    let ids: string[];
    if ('query' in selection) ids = await this.#selectByQuery({ ...selection.query, family, now: createdAt });
    else ids = await this.#resolveKeys(family, selection.kind, selection.pieces);
    const mark = this.#context.platform.newId();
    this.#repository.savePlan(id, ids, (number) => `part-${String(number).padStart(5, '0')}-${mark}.json.gz`);
  }

  /** Contract, "Credits (2026) and limits": a query for too much is accepted and fails here. */
  async #selectByQuery(query: RequestQuery & QuerySelection): Promise<string[]> {
    const { limit = Number.POSITIVE_INFINITY } = query;
    const { ids, total } = await this.#context.selectIds(query, Math.min(limit, MAX_RECORDS));
    if (Math.min(limit, total) > MAX_RECORDS) throw queryError('Query results count exceeds allowed limit');
    return ids;
  }

  /** The ids under which there are records, each once, in the order of the keys. */
  async #resolveKeys(family: Family, kind: 'id' | 'shorthand_name', pieces: string[][]): Promise<string[]> {
    const { store } = this.#context;
    const ids = new Set<string>();
    for (const keys of pieces) {
      const found =
        kind === 'id'
          ? await store.findExistingIds(getStoredFamily(family), keys)
          : await store.findIdsByName(getStoredFamily(family), keys);
      for (const key of keys) {
        const id = found.get(key);
        if (id !== undefined) ids.add(id);
      }
    }
    return [...ids];
  }

  /** @returns how many records stand in all files */
  async #writeFiles({ id, family }: DataRequest): Promise<number> {
    let records = 0;
    for (const part of this.#repository.listParts(id)) {
      const key = buildObjectKey(id, part.name);
      const written = part.records ?? (await writeResultFile(this.#context, { family, key, ids: part.ids }));
      if (part.records === undefined) this.#repository.markWritten(id, part.number, written);
      records += written;
    }
    return records;
  }

  /** Charges a request once, however often it is tried. */
  async #pay({ id, price }: DataRequest): Promise<boolean> {
    const { paid } = await this.#context.account.charge(this.#repository.countRecords(id) * price, id);
    return paid;
  }

  /** Removes what is too old, with its files. */
  async #deleteExpired(): Promise<void> {
    const { now } = await this.#context.account.getClock();
    for (const id of this.#repository.listCreatedBefore(now - RETENTION_MS)) {
      const keys = this.#repository.listParts(id).map(({ name }) => buildObjectKey(id, name));
      if (keys.length > 0) await this.#context.bucket.delete(keys);
      this.#repository.delete(id);
    }
  }
}
