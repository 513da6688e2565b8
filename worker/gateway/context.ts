// What a question needs of the gateway: who asks it, what is remembered, and the flights.
import { findRecordOperation, type RecordOperation } from '../../shared/operations.ts';
import type { Env } from '../env.ts';
import type { AnswerCache } from './cache/answer-cache.ts';
import { type RecordKey, toCacheName } from './cache/cache-keys.ts';
import type { Usage } from './ledger/types.ts';
import type { Platform } from './platform.ts';
import type { Lane, Payer } from './provider-call.ts';
import type { CallRequest, CallResult, SingleFlightRequest } from './single-flight/types.ts';

/** The rooms behind the limit, as one caller reaches them. */
export interface GatewayContext {
  cache: AnswerCache;
  /** The provider's. */
  identity: string;
  payer: Payer;
  lane: Lane;
  /** Milliseconds since 1970. */
  now: () => number;
  fetchCalls: (ask: SingleFlightRequest) => Promise<Map<string, CallResult>>;
  /** Withdraws the calls of a request of the payer's team that have not been sent; returns how many. */
  cancelCalls: (cancelId: string) => Promise<number>;
  /** Forgets a page wherever it is remembered. */
  deletePage: (name: string) => Promise<void>;
  /** Counts what was answered. */
  recordUsage: (usage: Omit<Usage, 'token'>) => void;
  /** Keeps work alive that outlives the answer. */
  waitUntil: (work: Promise<unknown>) => void;
  /** Credits that the caller may still spend, as far as this isolate knows by now; null where no cap is set. */
  readonly remaining: number | null;
  /** Are stale records bought again behind the answer? */
  backgroundRefresh: boolean;
}

/** Environment and platform of a background job. */
export interface JobContext<E extends Env = Env> {
  env: E;
  platform: Platform<E>;
  /** Keeps work alive that outlives the job. */
  waitUntil: (work: Promise<unknown>) => void;
}

/**
 * The call that answers a record.
 * @param text - the key as the provider is to get it; undefined leaves it out, so that the provider says what is missing
 * @param since - see {@link CallRequest}
 */
export function buildRecordCall(
  operation: RecordOperation,
  key: RecordKey,
  text: string | undefined,
  since: number,
): CallRequest {
  const { name, family, path, keyParameter, credits } = operation;
  const encoded = encodeURIComponent(text ?? '');
  const query = text === undefined ? '' : `?${keyParameter}=${encoded}`;
  return {
    name: toCacheName(key),
    operation: name,
    family,
    method: 'GET',
    path: keyParameter === undefined ? path.replace('{key}', () => encoded) : path + query,
    credits,
    key,
    since,
  };
}

/**
 * Builds the call that answers a record by its key.
 * @param since - see {@link CallRequest}
 * @returns undefined for a key that no operation takes
 */
export function buildKeyCall(key: RecordKey, since = 0): CallRequest | undefined {
  const operation = key.kind === 'verbatim' ? undefined : findRecordOperation(key.family, key.kind);
  return operation && buildRecordCall(operation, key, key.value, since);
}
