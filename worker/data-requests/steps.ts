// The steps of a data request: each reads where it is, does one thing and writes what came of it, so that a step which is
// done again, or by two at once, changes nothing twice.

import type { Failure, FileRow, Phase, RequestRow } from '../db/schema.ts';
import { getLedger } from '../gateway/ledger/ledger-object.ts';
import { isLocalProvider } from '../gateway/upstream/configured-upstream.ts';
import type { Upstream } from '../gateway/upstream/upstream.ts';
import { logError } from '../http/log.ts';
import { sha256Hex } from '../lib/hash.ts';
import { parseWebhookAddress } from '../lib/webhook-address.ts';
import { DeadLetterRepository } from './dead-letters.ts';
import type { DataRequestEvents } from './events.ts';
import { cacheDeliveredRecords, ingestCachedRecords } from './ingest/cached-rows.ts';
import { type FileReport, ingestFile } from './ingest/index.ts';
import { releaseKeys } from './order/key-claims.ts';
import { buildRequestBody, findBulkOperation } from './order/order.ts';
import { deleteSelection, getOrderToSubmit, isQueryKind } from './order/selection-store.ts';
import { deleteSplit, getSplit, type KeySplit } from './order/split-keys.ts';
import { ProviderClient } from './provider-client.ts';
import { toFailure, toListFailure } from './provider-errors.ts';
import type { DataRequestRepository } from './repository.ts';
import { createSecret } from './secret.ts';
import {
  CONTINUE,
  type DataRequestContext,
  type DataRequestStateMachine,
  DONE,
  GRACE_MS,
  getRowStore,
  ROW_RETENTION_MS,
  type StepResult,
} from './state-machine.ts';
import { WebhookRelay } from './webhook-relay.ts';

/** The answer to a request that was sent comes within this time, or nobody hears it any more. */
const SUBMIT_LEASE_MS = 35_000;
/** A file of 10,000 records of 90 KB is on its way for minutes. */
const FILE_LEASE_MS = 900_000;
/** A file that breaks so often is what it is. */
const MAX_FILE_TRIES = 12;
/** Waits of some minutes in all. */
const MAX_CACHE_READS = 8;
/** The provider forgets requests when we do; nothing comes of one that is older. */
const MAX_AGE_MS = ROW_RETENTION_MS + 86_400_000;

/** Takes the steps of requests that are reserved. */
export class DataRequestSteps {
  readonly #context: DataRequestContext;
  readonly #states: DataRequestStateMachine;
  readonly #events: DataRequestEvents;
  readonly #store: DataRequestRepository;
  readonly #relay: WebhookRelay;

  constructor(context: DataRequestContext, states: DataRequestStateMachine, events: DataRequestEvents) {
    this.#context = context;
    this.#states = states;
    this.#events = events;
    this.#store = states.repository;
    this.#relay = new WebhookRelay(states.repository, new DeadLetterRepository(context.env.DB), context.now);
  }

  /** Takes the step that follows. */
  run(row: RequestRow & { phase: Exclude<Phase, 'reserving'> }): Promise<StepResult> {
    switch (row.phase) {
      case 'reserved':
        return this.#submit(row);
      case 'sending':
        return this.#unheard(row);
      case 'submitted':
      case 'running':
        return this.#look(row);
      case 'ingesting':
        return this.#ingest(row);
      case 'ready':
      case 'failed':
      case 'cancelled':
      case 'unclear':
        return this.#finish(row);
    }
  }

  async #provider(row: RequestRow): Promise<{ upstream: Upstream; provider: ProviderClient }> {
    const upstream = await this.#context.upstream();
    return { upstream, provider: new ProviderClient(this.#context.env, upstream, row.teamId) };
  }

  /**
   * Sends a request to the provider, once: that it is being sent is written down before.
   */
  async #submit(row: RequestRow): Promise<StepResult> {
    const { env } = this.#context;
    const { id, kind, origin } = row;
    // It was stopped while it was being sent, and the provider had not taken it.
    if (!row.watched) return this.#end({ ...row, rows: 0 }, 'cancelled', 0, null);
    const split = await getSplit(env, id);
    if (row.cached > 0 && row.cachedRows === null) return this.#deliverCached(row, split);
    const order = await getOrderToSubmit(env, row, split);
    if (order === undefined) return this.#end(row, 'failed', 0, { problem: 'internal' });
    const { operation, selection } = order;
    if ('keys' in selection && selection.keys.length === 0) return this.#endWithoutOrder(row);
    const { upstream, provider } = await this.#provider(row);
    const leave = await provider.acquirePermit();
    if (leave === undefined) return this.#states.retryLater(row);
    const secret = createSecret();
    const webhook = parseWebhookAddress(
      `${origin}/hooks/requests/${id}/${secret}`,
      isLocalProvider(upstream),
    );
    const sending = { phase: 'sending', hookHash: await sha256Hex(secret) } as const;
    if (!(await this.#states.transition(row, ['reserved'], sending, SUBMIT_LEASE_MS - GRACE_MS)))
      return CONTINUE;
    const sent = await provider.submit(
      operation.path,
      buildRequestBody(operation, selection, webhook),
      leave,
    );
    switch (sent.kind) {
      case 'made':
        await this.#states.transition(row, ['sending'], { phase: 'submitted', providerId: sent.id });
        await (isQueryKind(kind) ? deleteSplit(env, id) : deleteSelection(env, id));
        return CONTINUE;
      case 'refused':
        return this.#end({ ...row, phase: 'sending' }, 'failed', 0, toFailure(sent.answer));
      case 'later':
        return this.#states.retryLater({ ...row, phase: 'sending' }, { phase: 'reserved' });
      case 'unclear':
        return this.#end({ ...row, phase: 'sending' }, 'unclear', null, { problem: 'provider_unclear' });
    }
  }

  /** Makes rows of what is cached, before anything is sent. */
  async #deliverCached(row: RequestRow, split: KeySplit | undefined): Promise<StepResult> {
    const { identity } = row;
    if (split === undefined || identity === null) {
      return this.#end(row, 'failed', 0, { problem: 'internal' });
    }
    const { env, now } = this.#context;
    const { rows, missing } = await ingestCachedRecords(env, { ...row, identity }, split, now);
    // KV takes a minute to show everywhere what it has.
    if (missing > 0 && row.turns < MAX_CACHE_READS) return this.#states.retryLater(row);
    if (missing > 0)
      logError('cached_rows_missing', new Error(`${missing} records`), { data_request: row.id });
    await this.#states.transition(row, ['reserved'], { cachedRows: rows, rows });
    return CONTINUE;
  }

  /** Everything is there: the provider is not asked. */
  #endWithoutOrder(row: RequestRow): Promise<StepResult> {
    return row.rows > 0
      ? this.#end(row, 'ready', 0, null)
      : this.#end(row, 'failed', 0, {
          problem: 'not_found',
          detail: 'None of the records can be delivered.',
        });
  }

  /** It was being sent when whoever sent it went away: nobody knows whether the provider has it. */
  async #unheard(row: RequestRow): Promise<StepResult> {
    const wait = this.#states.remainingLease(row);
    if (wait !== undefined) return wait;
    return this.#end(row, 'unclear', null, { problem: 'provider_unclear' });
  }

  /** Asks the provider how a request stands. */
  async #look(row: RequestRow): Promise<StepResult> {
    const { provider } = await this.#provider(row);
    if (this.#context.now() > row.createdAt + MAX_AGE_MS) {
      return this.#end(row, 'failed', null, { problem: 'provider_unavailable' });
    }
    const leave = await provider.acquirePermit();
    if (leave === undefined || row.providerId === null) return this.#states.retryLater(row);
    const listed = await provider.listFiles(row.providerId, leave);
    switch (listed.kind) {
      case 'running':
        return this.#states.retryLater(row, { phase: 'running', failure: null });
      case 'ready':
        await this.#store.insertFiles(row.id, listed.files);
        await this.#states.transition(row, ['submitted', 'running'], { phase: 'ingesting', failure: null });
        return CONTINUE;
      case 'refused':
        // None of the ordered records exist; those from the cache are there.
        if (listed.answer.status === 422 && row.rows > 0) {
          return this.#end(row, 'ready', 0, toListFailure(listed.answer));
        }
        // Of one that it does not know any more, the provider may have charged all.
        return this.#end(
          row,
          'failed',
          listed.answer.status === 404 ? null : 0,
          toListFailure(listed.answer),
        );
      case 'later':
        return this.#states.retryLater(
          row,
          listed.answer === undefined ? {} : { failure: toFailure(listed.answer) },
        );
    }
  }

  /** Takes in the next file, and when all are in, settles. */
  async #ingest(row: RequestRow): Promise<StepResult> {
    const files = await this.#store.listFiles([row.id]);
    const file = files.find(({ rows }) => rows === null);
    if (file === undefined) return this.#settle(row, files);
    const { provider } = await this.#provider(row);
    const leave = await provider.acquirePermit();
    if (leave === undefined || row.providerId === null) return this.#states.retryLater(row);
    await this.#states.transition(row, ['ingesting'], { turns: row.turns }, FILE_LEASE_MS);
    const report = await this.#takeIn(row, file, () =>
      provider.fetchFile(row.providerId ?? '', file.name, leave),
    );
    const lost = report === undefined || report.truncation !== null;
    if (lost && row.turns < MAX_FILE_TRIES) return this.#states.retryLater(row);
    const { rows = 0, lines = 0, rejected = {}, bytes = 0 } = report ?? {};
    const records = lines - (rejected.empty ?? 0) - (rejected.truncated ?? 0);
    await this.#store.updateFile(file, { rows, records, bytes, withheld: rejected.erased ?? 0 });
    const failure: Failure = {
      problem: 'provider_unavailable',
      detail: `The file ${file.name} could not be read to its end.`,
    };
    await this.#states.transition(row, ['ingesting'], {
      rows: row.rows + rows,
      ...(lost ? { failure } : {}),
    });
    return CONTINUE;
  }

  async #takeIn(
    { id, family }: RequestRow,
    { fileIndex, name }: FileRow,
    fetchFile: () => Promise<Response>,
  ): Promise<FileReport | undefined> {
    try {
      const response = await fetchFile();
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel();
        return undefined;
      }
      return await ingestFile(getRowStore(this.#context.env), {
        requestId: id,
        family,
        fileIndex,
        fileName: name,
        body: response.body,
      });
    } catch (error) {
      logError('data_request_file_failed', error, { data_request: id, file: fileIndex });
      return undefined;
    }
  }

  /** Charges what was delivered; where a file is lost, all that was reserved: the provider may have. */
  async #settle(row: RequestRow, files: readonly FileRow[]): Promise<StepResult> {
    const records = files.reduce((sum, file) => sum + (file.records ?? 0), 0);
    const rows = files.reduce((sum, file) => sum + (file.rows ?? 0), row.cachedRows ?? 0);
    const price = findBulkOperation(row.family, row.kind)?.credits ?? 0;
    const charged = row.failure === null ? records * price : Math.max(row.reserved, records * price);
    const phase = row.watched ? 'ready' : 'cancelled';
    return this.#end({ ...row, rows }, phase, charged, row.failure);
  }

  /**
   * Ends a request. What it cost is written down first, then the ledger is told: whoever comes after a crash between the
   * two tells it again.
   * @param charged - null where nobody knows
   */
  async #end(
    row: RequestRow,
    phase: Phase,
    charged: number | null,
    failure: Failure | null,
  ): Promise<StepResult> {
    const tell = row.relayUrl !== null && row.watched && row.providerId !== null;
    const { rows } = row;
    const isToCache = row.identity !== null && rows > (row.cachedRows ?? 0);
    const change = {
      phase,
      charged,
      failure,
      rows,
      relayTries: tell ? 0 : null,
      endedAt: this.#context.now(),
      cacheCursor: isToCache ? '' : null,
    };
    if (!(await this.#states.transition(row, [row.phase], change))) return CONTINUE;
    await this.#tellGate(row, charged);
    const ended = await this.#store.get(row.id);
    // At once, and not with the next turn: who sees that it has ended looks for what is told here.
    return ended === undefined ? CONTINUE : this.#finish(ended);
  }

  async #tellGate(row: RequestRow, charged: number | null): Promise<void> {
    if (charged === null || charged === 0) return;
    try {
      await (await this.#provider(row)).provider.reportCharge(charged);
    } catch (error) {
      logError('provider_throttle_report_failed', error, { data_request: row.id });
    }
  }

  /** Tells the ledger what an ended request cost, and sheets and its caller that it has ended. */
  async #finish(row: RequestRow): Promise<StepResult> {
    const { env, now } = this.#context;
    if (row.dueAt === null) return DONE;
    await getLedger(env, row.teamId).settleMany([{ id: row.id, charged: row.charged ?? 'unclear' }]);
    const keepsQuery = row.phase === 'ready' && isQueryKind(row.kind);
    await (keepsQuery ? deleteSplit(env, row.id) : deleteSelection(env, row.id));
    // Once: what follows is tried again only for the caller's webhook.
    if (row.phase !== 'cancelled' && (row.relayTries === null || row.relayTries === 0)) {
      await this.#events.onEnded(env, row, now());
    }
    if (row.cacheCursor !== null) {
      const cacheCursor = await cacheDeliveredRecords(env, row);
      await this.#store.transition(row.id, [row.phase], { cacheCursor, dueAt: now() + GRACE_MS });
      return CONTINUE;
    }
    // Not before its records are cached: until then another order would buy them. What may have been charged stays on order.
    if (row.charged !== null) await releaseKeys(env.DB, row.id);
    if (row.relayTries === null) {
      await this.#store.transition(row.id, [row.phase], { dueAt: null });
      return DONE;
    }
    const waitMs = await this.#relay.deliver(row);
    if (waitMs === undefined) {
      await this.#store.transition(row.id, [row.phase], { relayTries: null, dueAt: null, updatedAt: now() });
      return DONE;
    }
    await this.#states.transition(row, [row.phase], { relayTries: row.relayTries + 1 }, waitMs);
    return { over: false, waitMs };
  }
}
