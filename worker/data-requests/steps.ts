// The steps of a data request. Each step is idempotent: it does one thing and stores the result in one transition, so a
// repeated or concurrent step changes nothing twice.

import type { Failure, FileRow, Phase, RequestRow } from '../db/schema.ts';
import { isLocalProvider } from '../gateway/upstream/configured-upstream.ts';
import type { Upstream } from '../gateway/upstream/upstream.ts';
import { logError } from '../http/log.ts';
import { sha256Hex } from '../lib/hash.ts';
import { parseWebhookAddress } from '../lib/webhook-address.ts';
import type { DataRequestEvents } from './events.ts';
import { DataRequestFinisher } from './finish.ts';
import { ingestCachedRecords } from './ingest/cached-rows.ts';
import { type FileReport, ingestFile } from './ingest/index.ts';
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
  GRACE_MS,
  getRowStore,
  ROW_RETENTION_MS,
  type StepResult,
} from './state-machine.ts';

/** Lease while a request is submitted: longer than the provider call. */
const SUBMIT_LEASE_MS = 35_000;
/** Lease while a file is read: 10,000 records of 90 KB take minutes. */
const FILE_LEASE_MS = 900_000;
/** After so many tries a file counts as damaged. */
const MAX_FILE_TRIES = 12;
/** Retries take some minutes in all. */
const MAX_CACHE_READS = 8;
/** The provider deletes requests after the same time as the gateway. */
const MAX_AGE_MS = ROW_RETENTION_MS + 86_400_000;

/** Runs the steps of requests whose credits are reserved. */
export class DataRequestSteps {
  readonly #context: DataRequestContext;
  readonly #states: DataRequestStateMachine;
  readonly #store: DataRequestRepository;
  readonly #finisher: DataRequestFinisher;

  constructor(context: DataRequestContext, states: DataRequestStateMachine, events: DataRequestEvents) {
    this.#context = context;
    this.#states = states;
    this.#store = states.repository;
    this.#finisher = new DataRequestFinisher(context, states, events);
  }

  /** Runs the step that follows from the phase. */
  run(row: RequestRow & { phase: Exclude<Phase, 'reserving'> }): Promise<StepResult> {
    switch (row.phase) {
      case 'reserved':
        return this.#submit(row);
      case 'sending':
        return this.#markUnclear(row);
      case 'submitted':
      case 'running':
        return this.#poll(row);
      case 'ingesting':
        return this.#ingestNext(row);
      case 'ready':
      case 'failed':
      case 'cancelled':
      case 'unclear':
        return this.#finisher.finish(row);
    }
  }

  async #provider(row: RequestRow): Promise<{ upstream: Upstream; provider: ProviderClient }> {
    const upstream = await this.#context.upstream();
    return { upstream, provider: new ProviderClient(this.#context.env, upstream, row.teamId) };
  }

  /**
   * Submits a request to the provider, at most once: the phase `sending` is stored first.
   */
  async #submit(row: RequestRow): Promise<StepResult> {
    const { env } = this.#context;
    const { id, kind, origin } = row;
    // It was cancelled while it was being sent, and the provider did not accept it.
    if (!row.watched) return this.#end({ ...row, rows: 0 }, 'cancelled', 0, null);
    const split = await getSplit(env, id);
    if (row.cached > 0 && row.cachedRows === null) return this.#ingestCached(row, split);
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
      case 'created':
        await this.#states.transition(row, ['sending'], { phase: 'submitted', providerId: sent.id });
        await (isQueryKind(kind) ? deleteSplit(env, id) : deleteSelection(env, id));
        return CONTINUE;
      case 'rejected':
        return this.#end({ ...row, phase: 'sending' }, 'failed', 0, toFailure(sent.answer));
      case 'retry':
        return this.#states.retryLater({ ...row, phase: 'sending' }, { phase: 'reserved' });
      case 'unclear':
        return this.#end({ ...row, phase: 'sending' }, 'unclear', null, { problem: 'provider_unclear' });
    }
  }

  /** Ingests the cached records, before anything is sent. */
  async #ingestCached(row: RequestRow, split: KeySplit | undefined): Promise<StepResult> {
    const { identity } = row;
    if (split === undefined || identity === null) {
      return this.#end(row, 'failed', 0, { problem: 'internal' });
    }
    const { env, now } = this.#context;
    const { rows, missing } = await ingestCachedRecords(env, { ...row, identity }, split, now);
    // A write to KV takes up to a minute to become visible everywhere.
    if (missing > 0 && row.turns < MAX_CACHE_READS) return this.#states.retryLater(row);
    if (missing > 0)
      logError('cached_rows_missing', new Error(`${missing} records`), { data_request: row.id });
    await this.#states.transition(row, ['reserved'], { cachedRows: rows, rows });
    return CONTINUE;
  }

  /** Ends a request that needs nothing from the provider. */
  #endWithoutOrder(row: RequestRow): Promise<StepResult> {
    return row.rows > 0
      ? this.#end(row, 'ready', 0, null)
      : this.#end(row, 'failed', 0, {
          problem: 'not_found',
          detail: 'None of the records can be delivered.',
        });
  }

  /** Ends a request whose sender crashed: the provider may have accepted it. */
  async #markUnclear(row: RequestRow): Promise<StepResult> {
    const wait = this.#states.remainingLease(row);
    if (wait !== undefined) return wait;
    return this.#end(row, 'unclear', null, { problem: 'provider_unclear' });
  }

  /** Polls the provider. */
  async #poll(row: RequestRow): Promise<StepResult> {
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
      case 'rejected':
        // None of the ordered records exist, but the cached ones were delivered.
        if (listed.answer.status === 422 && row.rows > 0) {
          return this.#end(row, 'ready', 0, toListFailure(listed.answer));
        }
        // 404: the provider has forgotten the request, and may have charged all of it.
        return this.#end(
          row,
          'failed',
          listed.answer.status === 404 ? null : 0,
          toListFailure(listed.answer),
        );
      case 'retry':
        return this.#states.retryLater(
          row,
          listed.answer === undefined ? {} : { failure: toFailure(listed.answer) },
        );
    }
  }

  /** Ingests the next file. Settles when all are ingested. */
  async #ingestNext(row: RequestRow): Promise<StepResult> {
    const files = await this.#store.listFiles([row.id]);
    const file = files.find(({ rows }) => rows === null);
    if (file === undefined) return this.#settle(row, files);
    const { provider } = await this.#provider(row);
    const leave = await provider.acquirePermit();
    if (leave === undefined || row.providerId === null) return this.#states.retryLater(row);
    await this.#states.transition(row, ['ingesting'], { turns: row.turns }, FILE_LEASE_MS);
    const report = await this.#ingestFile(row, file, () =>
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

  async #ingestFile(
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
      logError('request_file_failed', error, { data_request: id, file: fileIndex });
      return undefined;
    }
  }

  /** Charges the delivered records, or the whole reservation where a file is lost: the provider may charge for all. */
  async #settle(row: RequestRow, files: readonly FileRow[]): Promise<StepResult> {
    const records = files.reduce((sum, file) => sum + (file.records ?? 0), 0);
    const rows = files.reduce((sum, file) => sum + (file.rows ?? 0), row.cachedRows ?? 0);
    const price = findBulkOperation(row.family, row.kind)?.credits ?? 0;
    const charged = row.failure === null ? records * price : Math.max(row.reserved, records * price);
    const phase = row.watched ? 'ready' : 'cancelled';
    return this.#end({ ...row, rows }, phase, charged, row.failure);
  }

  /**
   * Ends a request. The charge is stored before the ledger settles, so that a step after a crash settles again.
   * @param charged - null where the charge is unknown
   */
  async #end(
    row: RequestRow,
    phase: Phase,
    charged: number | null,
    failure: Failure | null,
  ): Promise<StepResult> {
    const hasWebhook = row.relayUrl !== null && row.watched && row.providerId !== null;
    const { rows } = row;
    const isToCache = row.identity !== null && rows > (row.cachedRows ?? 0);
    const change = {
      phase,
      charged,
      failure,
      rows,
      relayTries: hasWebhook ? 0 : null,
      endedAt: this.#context.now(),
      cacheCursor: isToCache ? '' : null,
    };
    if (!(await this.#states.transition(row, [row.phase], change))) return CONTINUE;
    await this.#reportCharge(row, charged);
    const ended = await this.#store.get(row.id);
    // In the same step: whoever sees the end expects its changes and alerts.
    return ended === undefined ? CONTINUE : this.#finisher.finish(ended);
  }

  async #reportCharge(row: RequestRow, charged: number | null): Promise<void> {
    if (charged === null || charged === 0) return;
    try {
      await (await this.#provider(row)).provider.reportCharge(charged);
    } catch (error) {
      logError('gate_not_told', error, { data_request: row.id });
    }
  }
}
