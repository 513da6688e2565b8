// The steps of a data request. Each performs one action and stores the result if the phase is unchanged, so a repeated or
// concurrent step has no second effect.
import type { Failure, FileRow, Phase, RequestRow } from '../db/schema.ts';
import { refuseLinkedKeys } from '../gateway/single-flight/client.ts';
import { isLocalProvider } from '../gateway/upstream/configured-upstream.ts';
import { logError } from '../http/log.ts';
import { createSecret, sha256Hex } from '../lib/hash.ts';
import { parseWebhookAddress } from '../lib/webhook-address.ts';
import { endRequest, finishRequest } from './ending.ts';
import { ingestCachedRecords } from './ingest/cached-rows.ts';
import {
  FileChangedError,
  type FileReport,
  type IngestProgress,
  ingestFile,
  ingestProgressSchema,
} from './ingest/index.ts';
import { buildRequestBody, findBulkOperation } from './order/order.ts';
import { deleteSelection, getOrderToSubmit, isQueryKind } from './order/selection-store.ts';
import { deleteSplit, getSplit, type KeySplit } from './order/split-keys.ts';
import { ProviderClient, toListFailure, toProviderFailure } from './provider-client.ts';
import { journalSentMark } from './sent-marks.ts';
import {
  CONTINUE,
  CONTINUE_APART,
  getRowStore,
  ROW_RETENTION_MS,
  retryLater,
  type StepContext,
  type StepResult,
  transition,
} from './state-machine.ts';

/** After this time no process can receive the response to a submitted data request any more. */
const SUBMIT_LEASE_MS = 35_000;
/** A file of 10,000 records of 90 KB takes minutes to download. */
const FILE_LEASE_MS = 900_000;
/** After this number of attempts a file counts as lost. */
const MAX_FILE_ATTEMPTS = 12;
/** The attempts take some minutes in total. */
const MAX_CACHE_READS = 8;
/** Attempts to submit with a key that the provider refuses: about a minute in total. */
const MAX_REFUSED_KEYS = 6;
/** The provider deletes data requests after the same retention. */
const MAX_AGE_MS = ROW_RETENTION_MS + 86_400_000;

/** Runs the next step of a data request. */
export function runStep(
  context: StepContext,
  row: RequestRow & { phase: Exclude<Phase, 'reserving'> },
): Promise<StepResult> {
  switch (row.phase) {
    case 'reserved':
      return submit(context, row);
    case 'sending':
      // Its sender died, and the provider may have received it.
      return endRequest(context, row, 'unclear', null, { problem: 'provider_unclear' });
    case 'submitted':
    case 'running':
      return poll(context, row);
    case 'ingesting':
      return ingest(context, row);
    case 'ready':
    case 'failed':
    case 'cancelled':
    case 'unclear':
      return finishRequest(context, row);
  }
}

/** @throws if no provider is configured */
const createProvider = async ({ env, upstream, now }: StepContext, { teamId }: RequestRow) =>
  new ProviderClient(env, await upstream(), teamId, now);

/** Submits a data request to the provider, once: the phase `sending` is stored before the call. */
async function submit(context: StepContext, row: RequestRow): Promise<StepResult> {
  const { env, now } = context;
  const { id, kind, origin } = row;
  // It was cancelled during an earlier attempt, which the provider did not receive.
  if (row.cancelRequested) return endRequest(context, { ...row, rows: 0 }, 'cancelled', 0, null);
  const split = await getSplit(env, id);
  if (row.cachedSlices * context.cachedPerStep < row.cached) return deliverCached(context, row, split);
  const order = await getOrderToSubmit(env, row, split);
  if (order === undefined) return endRequest(context, row, 'failed', 0, { problem: 'internal' });
  const { operation, selection } = order;
  if ('keys' in selection && selection.keys.length === 0) return endWithoutOrder(context, row);
  const upstream = await context.upstream();
  const provider = new ProviderClient(env, upstream, row.teamId, now);
  // Before the permit, which must be used at once.
  await journalSentMark(env, row, now());
  const permit = await provider.acquirePermit();
  if (permit === undefined) return retryLater(context, row);
  const secret = createSecret();
  const webhook = parseWebhookAddress(`${origin}/hooks/requests/${id}/${secret}`, isLocalProvider(upstream));
  const sending = { phase: 'sending', webhookHash: await sha256Hex(secret), failure: null } as const;
  // Whoever finds the phase `sending` later knows that the sender is gone.
  if (!(await context.extendLease(SUBMIT_LEASE_MS))) return CONTINUE_APART;
  if (!(await transition(context, row, ['reserved'], sending))) return CONTINUE;
  const sentRow: RequestRow = { ...row, phase: 'sending' };
  const sent = await provider.submit(operation.path, buildRequestBody(operation, selection, webhook), permit);
  switch (sent.kind) {
    case 'created':
      await transition(context, row, ['sending'], { phase: 'submitted', providerId: sent.id });
      await (isQueryKind(kind) ? deleteSplit(env, id) : deleteSelection(env, id));
      // With its id the admin can find a lost data request in the provider's account.
      await journalSentMark(env, { ...row, providerId: sent.id }, now());
      return CONTINUE;
    case 'refused': {
      const failure = toProviderFailure(sent.response);
      // While the provider's key is rotated, an isolate may still send the old one.
      return sent.response.status === 401 && row.attempts < MAX_REFUSED_KEYS
        ? retryLater(context, sentRow, { phase: 'reserved', failure })
        : endRequest(context, sentRow, 'failed', 0, failure);
    }
    case 'not_sent':
      return retryLater(context, sentRow, { phase: 'reserved' });
    case 'unclear':
      return endRequest(context, sentRow, 'unclear', null, { problem: 'provider_unclear' });
  }
}

/** Turns the next slice of the cached records into rows, before anything is sent. */
async function deliverCached(
  context: StepContext,
  row: RequestRow,
  split: KeySplit | undefined,
): Promise<StepResult> {
  const { identity } = row;
  if (split === undefined || identity === null) {
    return endRequest(context, row, 'failed', 0, { problem: 'internal' });
  }
  const { env, now } = context;
  const owned = { ...row, identity };
  const { rows, missing } = await ingestCachedRecords(env, owned, split, now, context.cachedPerStep);
  // A KV write takes up to a minute to be visible everywhere.
  if (missing > 0 && row.attempts < MAX_CACHE_READS) return retryLater(context, row);
  if (missing > 0) logError('cached_rows_missing', new Error(`${missing} records`), { data_request: row.id });
  const cachedRows = (row.cachedRows ?? 0) + rows;
  // Absolute values: a concurrent step stores the same ones.
  const change = { cachedSlices: row.cachedSlices + 1, cachedRows, rows: cachedRows };
  await transition(context, row, ['reserved'], change);
  return CONTINUE_APART;
}

/** Ends a data request that has nothing left to order. */
function endWithoutOrder(context: StepContext, row: RequestRow): Promise<StepResult> {
  return row.rows > 0
    ? endRequest(context, row, 'ready', 0, null)
    : endRequest(context, row, 'failed', 0, {
        problem: 'not_found',
        detail: 'None of the records can be delivered.',
      });
}

async function poll(context: StepContext, row: RequestRow): Promise<StepResult> {
  const provider = await createProvider(context, row);
  if (context.now() > row.createdAt + MAX_AGE_MS) {
    return endRequest(context, row, 'failed', null, { problem: 'provider_unavailable' });
  }
  const permit = await provider.acquirePermit();
  if (permit === undefined || row.providerId === null) return retryLater(context, row);
  const listed = await provider.listFiles(row.providerId, permit);
  switch (listed.kind) {
    case 'running':
      return retryLater(context, row, { phase: 'running', failure: null });
    case 'ready':
      await context.repository.insertFiles(row.id, listed.files);
      await transition(context, row, ['submitted', 'running'], { phase: 'ingesting', failure: null });
      return CONTINUE;
    case 'refused':
      // None of the ordered records exists, but the cached ones are delivered.
      if (listed.response.status === 422 && row.rows > 0) {
        return endRequest(context, row, 'ready', 0, toListFailure(listed.response));
      }
      // The provider may have charged a data request that it no longer knows.
      return endRequest(
        context,
        row,
        'failed',
        listed.response.status === 404 ? null : 0,
        toListFailure(listed.response),
      );
    case 'unavailable':
      return retryLater(
        context,
        row,
        listed.response === undefined ? {} : { failure: toProviderFailure(listed.response) },
      );
  }
}

/** Ingests the next file; after the last one, settles. */
async function ingest(context: StepContext, row: RequestRow): Promise<StepResult> {
  const files = await context.repository.listFiles([row.id]);
  const file = files.find(({ rows }) => rows === null);
  if (file === undefined) return settle(context, row, files);
  const provider = await createProvider(context, row);
  const permit = await provider.acquirePermit();
  if (permit === undefined || row.providerId === null) return retryLater(context, row);
  if (!(await context.extendLease(FILE_LEASE_MS))) return CONTINUE_APART;
  const report = await ingestNextPages(context, row, file, () =>
    provider.fetchFile(row.providerId ?? '', file.name, permit),
  );
  if (report !== undefined && report.next !== null) {
    await transition(context, row, ['ingesting'], {});
    return CONTINUE_APART;
  }
  const isIncomplete = report === undefined || report.truncation !== null;
  if (isIncomplete && row.attempts < MAX_FILE_ATTEMPTS) {
    const next = await retryLater(context, row);
    return next.over ? next : { ...next, isLarge: true };
  }
  const stored = parseProgress(file)?.rows ?? 0;
  const {
    rows = stored,
    lines = stored,
    duplicates = 0,
    rejected = {},
    stripped = 0,
    bytes = 0,
  } = report ?? {};
  const records = lines - (rejected.empty ?? 0) - (rejected.truncated ?? 0);
  const withheld = (rejected.erased ?? 0) + stripped;
  await context.repository.updateFile(file, { rows, records, duplicates, bytes, withheld });
  const failure: Failure = {
    problem: 'provider_unavailable',
    detail: `The file ${file.name} could not be read to its end.`,
  };
  await transition(context, row, ['ingesting'], {
    rows: row.rows + rows,
    ...(isIncomplete ? { failure } : {}),
  });
  return CONTINUE_APART;
}

/**
 * Charges each distinct record that was delivered, at most the reservation. The provider may have charged the other lines, so
 * they are disputed. If a file is lost, charges the reservation, as the provider may have.
 */
function settle(context: StepContext, row: RequestRow, files: readonly FileRow[]): Promise<StepResult> {
  const lines = files.reduce((sum, file) => sum + (file.records ?? 0), 0);
  const records = files.reduce((sum, file) => sum - file.duplicates, lines);
  const rows = files.reduce((sum, file) => sum + (file.rows ?? 0), row.cachedRows ?? 0);
  const price = findBulkOperation(row.family, row.kind)?.credits ?? 0;
  const charged = row.failure === null ? Math.min(records * price, row.reserved) : row.reserved;
  const disputed = Math.max(0, lines * price - charged);
  const phase = row.cancelRequested ? 'cancelled' : 'ready';
  return endRequest(context, { ...row, rows }, phase, charged, row.failure, disputed);
}

/** Queries and calls of R2 that the pages of one step take: an invocation may make a thousand, and the step makes some more. */
const MAX_PAGE_CALLS = 850;

function parseProgress({ progress }: FileRow): IngestProgress | null {
  return progress === null ? null : ingestProgressSchema.parse(JSON.parse(progress));
}

/**
 * Ingests as many pages of a file as one invocation may, and records how far it came. The file is downloaded from its start,
 * because a compressed one can't be read from the middle.
 * @returns undefined if it could not be downloaded or stored
 */
async function ingestNextPages(
  { env, repository }: StepContext,
  { id, family, identity }: RequestRow,
  file: FileRow,
  fetchFile: () => Promise<Response>,
): Promise<FileReport | undefined> {
  const { fileIndex } = file;
  try {
    const response = await fetchFile();
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return undefined;
    }
    const report = await ingestFile(
      {
        ...getRowStore(env),
        ...(identity !== null && { refuseLinked: (linked) => refuseLinkedKeys(env, identity, linked) }),
      },
      { requestId: id, family, fileIndex, body: response.body },
      undefined,
      { progress: parseProgress(file), maxCalls: MAX_PAGE_CALLS },
    );
    if (report.next !== null) await repository.updateFile(file, { progress: JSON.stringify(report.next) });
    return report;
  } catch (error) {
    if (error instanceof FileChangedError) await repository.updateFile(file, { progress: null });
    logError('data_request_file_failed', error, { data_request: id, file: fileIndex });
    return undefined;
  }
}
