// The steps of a data request. Each performs one action and stores the result if the phase is unchanged, so a repeated or
// concurrent step has no second effect.
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

/** After this time no process can receive the response to a submitted data request any more. */
const SUBMIT_LEASE_MS = 35_000;
/** A file of 10,000 records of 90 KB takes minutes to download. */
const FILE_LEASE_MS = 900_000;
/** After this number of attempts a file counts as lost. */
const MAX_FILE_TRIES = 12;
/** The attempts take some minutes in total. */
const MAX_CACHE_READS = 8;
/** The provider deletes data requests after the same retention. */
const MAX_AGE_MS = ROW_RETENTION_MS + 86_400_000;

/** Runs the steps of data requests whose credits are reserved. */
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

  /** Runs the next step. */
  run(row: RequestRow & { phase: Exclude<Phase, 'reserving'> }): Promise<StepResult> {
    switch (row.phase) {
      case 'reserved':
        return this.#submit(row);
      case 'sending':
        return this.#endUnclear(row);
      case 'submitted':
      case 'running':
        return this.#poll(row);
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

  /** Submits a data request to the provider, once: the phase `sending` is stored before the call. */
  async #submit(row: RequestRow): Promise<StepResult> {
    const { env } = this.#context;
    const { id, kind, origin } = row;
    // It was cancelled during an earlier attempt, which the provider did not receive.
    if (!row.watched) return this.#end({ ...row, rows: 0 }, 'cancelled', 0, null);
    const split = await getSplit(env, id);
    if (row.cached > 0 && row.cachedRows === null) return this.#deliverCached(row, split);
    const order = await getOrderToSubmit(env, row, split);
    if (order === undefined) return this.#end(row, 'failed', 0, { problem: 'internal' });
    const { operation, selection } = order;
    if ('keys' in selection && selection.keys.length === 0) return this.#endWithoutOrder(row);
    const { upstream, provider } = await this.#provider(row);
    const permit = await provider.acquirePermit();
    if (permit === undefined) return this.#states.retryLater(row);
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
      permit,
    );
    switch (sent.kind) {
      case 'created':
        await this.#states.transition(row, ['sending'], { phase: 'submitted', providerId: sent.id });
        await (isQueryKind(kind) ? deleteSplit(env, id) : deleteSelection(env, id));
        return CONTINUE;
      case 'refused':
        return this.#end({ ...row, phase: 'sending' }, 'failed', 0, toFailure(sent.response));
      case 'not_sent':
        return this.#states.retryLater({ ...row, phase: 'sending' }, { phase: 'reserved' });
      case 'unclear':
        return this.#end({ ...row, phase: 'sending' }, 'unclear', null, { problem: 'provider_unclear' });
    }
  }

  /** Turns cached records into rows, before anything is sent. */
  async #deliverCached(row: RequestRow, split: KeySplit | undefined): Promise<StepResult> {
    const { identity } = row;
    if (split === undefined || identity === null) {
      return this.#end(row, 'failed', 0, { problem: 'internal' });
    }
    const { env, now } = this.#context;
    const { rows, missing } = await ingestCachedRecords(env, { ...row, identity }, split, now);
    // A KV write takes up to a minute to be visible everywhere.
    if (missing > 0 && row.turns < MAX_CACHE_READS) return this.#states.retryLater(row);
    if (missing > 0)
      logError('cached_rows_missing', new Error(`${missing} records`), { data_request: row.id });
    await this.#states.transition(row, ['reserved'], { cachedRows: rows, rows });
    return CONTINUE;
  }

  /** Ends a data request that has nothing left to order. */
  #endWithoutOrder(row: RequestRow): Promise<StepResult> {
    return row.rows > 0
      ? this.#end(row, 'ready', 0, null)
      : this.#end(row, 'failed', 0, {
          problem: 'not_found',
          detail: 'None of the records can be delivered.',
        });
  }

  /** Ends a data request whose sender died, because the provider may have received it. */
  async #endUnclear(row: RequestRow): Promise<StepResult> {
    const wait = this.#states.remainingLease(row);
    if (wait !== undefined) return wait;
    return this.#end(row, 'unclear', null, { problem: 'provider_unclear' });
  }

  /** Polls the provider for the files of a data request. */
  async #poll(row: RequestRow): Promise<StepResult> {
    const { provider } = await this.#provider(row);
    if (this.#context.now() > row.createdAt + MAX_AGE_MS) {
      return this.#end(row, 'failed', null, { problem: 'provider_unavailable' });
    }
    const permit = await provider.acquirePermit();
    if (permit === undefined || row.providerId === null) return this.#states.retryLater(row);
    const listed = await provider.listFiles(row.providerId, permit);
    switch (listed.kind) {
      case 'running':
        return this.#states.retryLater(row, { phase: 'running', failure: null });
      case 'ready':
        await this.#store.insertFiles(row.id, listed.files);
        await this.#states.transition(row, ['submitted', 'running'], { phase: 'ingesting', failure: null });
        return CONTINUE;
      case 'refused':
        // None of the ordered records exists, but the cached ones are delivered.
        if (listed.response.status === 422 && row.rows > 0) {
          return this.#end(row, 'ready', 0, toListFailure(listed.response));
        }
        // The provider may have charged a data request that it no longer knows.
        return this.#end(
          row,
          'failed',
          listed.response.status === 404 ? null : 0,
          toListFailure(listed.response),
        );
      case 'unavailable':
        return this.#states.retryLater(
          row,
          listed.response === undefined ? {} : { failure: toFailure(listed.response) },
        );
    }
  }

  /** Ingests the next file; after the last one, settles. */
  async #ingest(row: RequestRow): Promise<StepResult> {
    const files = await this.#store.listFiles([row.id]);
    const file = files.find(({ rows }) => rows === null);
    if (file === undefined) return this.#settle(row, files);
    const { provider } = await this.#provider(row);
    const permit = await provider.acquirePermit();
    if (permit === undefined || row.providerId === null) return this.#states.retryLater(row);
    await this.#states.transition(row, ['ingesting'], { turns: row.turns }, FILE_LEASE_MS);
    const report = await this.#downloadFile(row, file, () =>
      provider.fetchFile(row.providerId ?? '', file.name, permit),
    );
    const isIncomplete = report === undefined || report.truncation !== null;
    if (isIncomplete && row.turns < MAX_FILE_TRIES) return this.#states.retryLater(row);
    const { rows = 0, lines = 0, rejected = {}, bytes = 0 } = report ?? {};
    const records = lines - (rejected.empty ?? 0) - (rejected.truncated ?? 0);
    await this.#store.updateFile(file, { rows, records, bytes, withheld: rejected.erased ?? 0 });
    const failure: Failure = {
      problem: 'provider_unavailable',
      detail: `The file ${file.name} could not be read to its end.`,
    };
    await this.#states.transition(row, ['ingesting'], {
      rows: row.rows + rows,
      ...(isIncomplete ? { failure } : {}),
    });
    return CONTINUE;
  }

  async #downloadFile(
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

  /** Charges the delivered records. If a file is lost, charges at least the reservation, as the provider may have. */
  async #settle(row: RequestRow, files: readonly FileRow[]): Promise<StepResult> {
    const records = files.reduce((sum, file) => sum + (file.records ?? 0), 0);
    const rows = files.reduce((sum, file) => sum + (file.rows ?? 0), row.cachedRows ?? 0);
    const price = findBulkOperation(row.family, row.kind)?.credits ?? 0;
    const charged = row.failure === null ? records * price : Math.max(row.reserved, records * price);
    const phase = row.watched ? 'ready' : 'cancelled';
    return this.#end({ ...row, rows }, phase, charged, row.failure);
  }

  /**
   * Ends a data request. The charge is stored before it is sent to the ledger, so a crash in between repeats the settlement.
   * @param charged - null if it is unknown
   */
  async #end(
    row: RequestRow,
    phase: Phase,
    charged: number | null,
    failure: Failure | null,
  ): Promise<StepResult> {
    const hasWebhook = row.relayUrl !== null && row.watched && row.providerId !== null;
    const { rows } = row;
    const hasNewRecords = row.identity !== null && rows > (row.cachedRows ?? 0);
    const change = {
      phase,
      charged,
      failure,
      rows,
      relayTries: hasWebhook ? 0 : null,
      endedAt: this.#context.now(),
      cacheCursor: hasNewRecords ? '' : null,
    };
    if (!(await this.#states.transition(row, [row.phase], change))) return CONTINUE;
    await this.#reportCharge(row, charged);
    const ended = await this.#store.get(row.id);
    // In the same step, because a client that sees the end expects its notifications.
    return ended === undefined ? CONTINUE : this.#finish(ended);
  }

  async #reportCharge(row: RequestRow, charged: number | null): Promise<void> {
    if (charged === null || charged === 0) return;
    try {
      await (await this.#provider(row)).provider.reportCharge(charged);
    } catch (error) {
      logError('provider_throttle_report_failed', error, { data_request: row.id });
    }
  }

  /** Settles an ended data request, notifies listeners, caches its records and delivers the caller's webhook. */
  async #finish(row: RequestRow): Promise<StepResult> {
    const { env, now } = this.#context;
    if (row.dueAt === null) return DONE;
    await getLedger(env, row.teamId).settleMany([{ id: row.id, charged: row.charged ?? 'unclear' }]);
    const keepsQuery = row.phase === 'ready' && isQueryKind(row.kind);
    await (keepsQuery ? deleteSplit(env, row.id) : deleteSelection(env, row.id));
    // Later attempts repeat only the caller's webhook.
    if (row.phase !== 'cancelled' && (row.relayTries === null || row.relayTries === 0)) {
      await this.#events.onEnded(env, row, now());
    }
    if (row.cacheCursor !== null) {
      const cacheCursor = await cacheDeliveredRecords(env, row);
      await this.#store.transition(row.id, [row.phase], { cacheCursor, dueAt: now() + GRACE_MS });
      return CONTINUE;
    }
    // Only after its records are cached: until then another order would buy them again. Keys that may have been charged stay
    // claimed.
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
