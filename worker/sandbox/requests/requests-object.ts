// The Durable Object that creates, processes and serves the sandbox's data requests. Every step is stored before it starts,
// so that it survives the process.
import { DurableObject } from 'cloudflare:workers';
import type { Family } from '../../../shared/families/index.ts';
import { getObject } from '../../lib/objects.ts';
import { type AccountBinding, type Charge, getAccount } from '../account/account.ts';
import { buildSortKeys } from '../api/cursor.ts';
import { toServiceError } from '../api/queries.ts';
import {
  detailError,
  internalError,
  queryError,
  ServiceError,
  validationError,
} from '../api/service-errors.ts';
import { type SandboxPlatform, sandboxPlatform } from '../platform.ts';
import { getRecordRepository } from '../record-repository.ts';
import { getStoredFamily, RecordStore } from '../record-store.ts';
import { MAX_RECORDS } from './key-list.ts';
import { type WritableBucket, writeResultFile } from './object-writer.ts';
import { parseRequestQuery } from './payload.ts';
import { type NewRequest, RequestRepository } from './request-repository.ts';
import type { DataRequest, Failure, QuerySelection } from './rows.ts';
import { WebhookSender } from './webhook-sender.ts';

export interface RequestBindings extends AccountBinding {
  /** Records and their search index. */
  SANDBOX_DB: D1Database;
  SANDBOX_FILES: R2Bucket;
}

/** Contract, "Bulk": files are kept 30 days. */
const RETENTION_MS = 30 * 86_400_000;

/** Delays before a failed attempt is repeated; after the last attempt the request fails. */
const retryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000];

export interface RequestQuery extends QuerySelection {
  family: Family;
  /** The value of `now` in the query, in milliseconds since 1970. */
  now: number;
}

export interface SelectedIds {
  /** In the query's order, limited to the requested number. */
  ids: string[];
  /** Number of all matches. */
  total: number;
}

export interface RequestContext {
  platform: Pick<SandboxPlatform, 'now' | 'newId' | 'fetch'>;
  store: Pick<RecordStore, 'findByIds' | 'findExistingIds' | 'findIdsByName'>;
  bucket: WritableBucket & { delete(keys: string[]): Promise<void> };
  account: {
    getClock: () => Promise<{ now: number; runMs: number }>;
    charge: (credits: number, name: string) => Promise<Charge>;
  };
  /** Runs a query. @throws ServiceError if it exceeds a limit of the engine */
  selectIds: (query: RequestQuery, limit: number) => Promise<SelectedIds>;
  /** Schedules the next alarm; replaces an earlier schedule. */
  setAlarm: (at: number) => Promise<void>;
}

export type RequestInput = Pick<NewRequest, 'family' | 'price' | 'selection' | 'identity' | 'webhook'>;

export type FilesResult =
  | { kind: 'unknown' }
  | { kind: 'running' }
  | { kind: 'ready'; files: string[] }
  | { kind: 'failed'; failure: Failure };

function buildObjectKey(id: string, name: string): string {
  return `data_requests/${id}/${name}`;
}

function toFailure({ status, body }: ServiceError): Failure {
  return { status, body: JSON.stringify(body) };
}

async function selectIds(db: D1Database, request: RequestQuery, size: number): Promise<SelectedIds> {
  const { family, style, now } = request;
  const { query, sort } = parseRequestQuery(family, request, now);
  try {
    const search = { query, sort: buildSortKeys(family, sort), size };
    const { total, hits } = await getRecordRepository(db).search(getStoredFamily(family), search);
    return { ids: hits.map(({ id }) => id), total };
  } catch (error) {
    throw toServiceError(error, style) ?? error;
  }
}

function createContext({ storage }: DurableObjectState, env: RequestBindings): RequestContext {
  const account = getAccount(env);
  return {
    platform: sandboxPlatform,
    store: new RecordStore(env.SANDBOX_DB),
    bucket: env.SANDBOX_FILES,
    account: {
      getClock: () => account.getClock(),
      charge: (credits, name) => account.charge(credits, name),
    },
    selectIds: (query, limit) => selectIds(env.SANDBOX_DB, query, limit),
    setAlarm: (at) => storage.setAlarm(at),
  };
}

export class SandboxRequests extends DurableObject<RequestBindings> {
  readonly #repository: RequestRepository;
  readonly #context: RequestContext;
  readonly #webhooks: WebhookSender;
  #running: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: RequestBindings, context = createContext(ctx, env)) {
    super(ctx, env);
    this.#repository = new RequestRepository(ctx.storage);
    this.#context = context;
    this.#webhooks = new WebhookSender(this.#repository, context.platform, () => this.#scheduleNext());
    // Resumes requests that an earlier instance of the object left unfinished.
    void ctx.blockConcurrencyWhile(() => this.#scheduleNext());
  }

  /**
   * Creates a data request.
   * @returns its id; undefined if an identical one is running
   */
  async create(input: RequestInput): Promise<string | undefined> {
    const { now, runMs } = await this.#context.account.getClock();
    const id = this.#context.platform.newId();
    const nextAt = this.#context.platform.now() + runMs;
    if (!this.#repository.add({ ...input, id, createdAt: now, nextAt })) return undefined;
    await this.#scheduleNext();
    return id;
  }

  /** Returns the files or the state of a data request. Retries the payment of an unpaid one. */
  async getFiles(id: string): Promise<FilesResult> {
    const request = await this.#findCurrent(id);
    if (request === undefined) return { kind: 'unknown' };
    if (request.state === 'waiting' || request.state === 'writing') return { kind: 'running' };
    if (request.state === 'unpaid') {
      if (!(await this.#pay(request))) {
        return { kind: 'failed', failure: toFailure(detailError(402, 'Insufficient credits')) };
      }
      this.#repository.end(id, 'ready', undefined);
    }
    if (request.failure !== undefined) return { kind: 'failed', failure: request.failure };
    return { kind: 'ready', files: this.#repository.listFiles(id) };
  }

  /**
   * Finds a file.
   * @returns its R2 key; undefined if it is not listed
   */
  async findFile(id: string, name: string): Promise<string | undefined> {
    const request = await this.#findCurrent(id);
    const listed = request?.state === 'ready' && this.#repository.listFiles(id).includes(name);
    return listed ? buildObjectKey(id, name) : undefined;
  }

  /** Returns the request unless it has expired. */
  async #findCurrent(id: string): Promise<DataRequest | undefined> {
    const request = this.#repository.get(id);
    if (request === undefined) return undefined;
    const { now } = await this.#context.account.getClock();
    return now - request.createdAt > RETENTION_MS ? undefined : request;
  }

  /** Schedules the alarm for the next due work. */
  async #scheduleNext(): Promise<void> {
    const at = this.#repository.getNextTime();
    if (at !== undefined) await this.#context.setAlarm(at);
  }

  /** Processes everything that is due. A concurrent call waits for the current run. */
  override alarm(): Promise<void> {
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
    await this.#scheduleNext();
  }

  /** Resolves when no webhook is in flight. */
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

  /** Processes a request until it ends. Skips steps that an earlier attempt completed. */
  async #process(id: string): Promise<void> {
    const request = this.#repository.get(id);
    if (request === undefined) return;
    // The process ended during every attempt.
    if (request.attempts > retryDelaysMs.length) return this.#fail(id);
    const retryDelay = retryDelaysMs[request.attempts];
    this.#repository.startAttempt(id, this.#context.platform.now() + (retryDelay ?? 0));
    try {
      if (request.state === 'waiting') await this.#plan(request);
      const records = await this.#writeFiles(request);
      if (records === 0) {
        const msg = 'the data request matched no records';
        const loc = ['path', 'data_request_id'];
        throw validationError({ loc, msg, type: 'value_error.no_records' });
      }
      this.#end(id, (await this.#pay(request)) ? 'ready' : 'unpaid');
    } catch (error) {
      if (error instanceof ServiceError) return this.#end(id, 'failed', toFailure(error));
      this.#log(id, error);
      if (retryDelay === undefined) this.#fail(id);
    }
  }

  #fail(id: string): void {
    this.#end(id, 'failed', toFailure(internalError()));
  }

  async #plan({ id, family, createdAt }: DataRequest): Promise<void> {
    const selection = this.#repository.getSelection(id);
    let ids: string[];
    if ('query' in selection) ids = await this.#selectByQuery({ ...selection.query, family, now: createdAt });
    else ids = await this.#resolveKeys(family, selection.kind, selection.keyChunks);
    const planId = this.#context.platform.newId();
    this.#repository.savePlan(
      id,
      ids,
      (number) => `part-${String(number).padStart(5, '0')}-${planId}.json.gz`,
    );
  }

  /** Contract, "Credits (2026) and limits": a query with too many matches is accepted and fails here. */
  async #selectByQuery(query: RequestQuery): Promise<string[]> {
    const { limit = Number.POSITIVE_INFINITY } = query;
    const { ids, total } = await this.#context.selectIds(query, Math.min(limit, MAX_RECORDS));
    if (Math.min(limit, total) > MAX_RECORDS) throw queryError('Query results count exceeds allowed limit');
    return ids;
  }

  /** Finds the ids of existing records, each once, in the order of the keys. */
  async #resolveKeys(
    family: Family,
    kind: 'id' | 'shorthand_name',
    keyChunks: string[][],
  ): Promise<string[]> {
    const { store } = this.#context;
    const ids = new Set<string>();
    for (const keys of keyChunks) {
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

  /** @returns the number of records in all files */
  async #writeFiles({ id, family }: DataRequest): Promise<number> {
    let records = 0;
    for (const part of this.#repository.listParts(id)) {
      const key = buildObjectKey(id, part.name);
      const written = part.records ?? (await writeResultFile(this.#context, { family, key, ids: part.ids }));
      if (part.records === null) this.#repository.markWritten(id, part.number, written);
      records += written;
    }
    return records;
  }

  /** Charges a request once: the account ignores a second charge of its id. */
  async #pay({ id, price }: DataRequest): Promise<boolean> {
    const { paid } = await this.#context.account.charge(this.#repository.countRecords(id) * price, id);
    return paid;
  }

  async #deleteExpired(): Promise<void> {
    const { now } = await this.#context.account.getClock();
    for (const id of this.#repository.listCreatedBefore(now - RETENTION_MS)) {
      const keys = this.#repository.listParts(id).map(({ name }) => buildObjectKey(id, name));
      if (keys.length > 0) await this.#context.bucket.delete(keys);
      this.#repository.delete(id);
    }
  }
}

/** Returns the only object of data requests: it must see all requests to recognise identical ones. */
export function getRequests(env: {
  SANDBOX_REQUESTS: DurableObjectNamespace<SandboxRequests>;
  REGION?: string;
  JURISDICTION?: string;
}): DurableObjectStub<SandboxRequests> {
  return getObject(env, env.SANDBOX_REQUESTS, 'requests');
}

export interface SandboxBindings extends RequestBindings {
  /** The API key that clients of the sandbox send. */
  SANDBOX_KEY: string;
  SANDBOX_REQUESTS: DurableObjectNamespace<SandboxRequests>;
}
