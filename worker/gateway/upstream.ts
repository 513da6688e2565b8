// Last room: the provider, reached in one way whether it is a remote service or the embedded one.
import { z } from 'zod';
import type { KeyKind } from '../../shared/families.ts';
import type { RecordOperation } from '../../shared/operations.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import type { DataRecord } from '../../shared/sheets-api.ts';
import { sha256Hex } from '../hash.ts';

/** A provider of the service: a request in, a response out. */
export interface Upstream {
  /** Names whose records these are; part of every key under which something is remembered. */
  identity: string;
  /** Address that ends in `/cdapi`. */
  baseUrl: string;
  /** The provider's API key. */
  apiKey: string;
  fetch(request: Request): Promise<Response>;
}

/** One call that answers one record. */
export interface RecordCall {
  operation: RecordOperation;
  kind: KeyKind;
  /** The key in its one spelling. */
  value: string;
}

/** What came of a call, and what it cost. */
export type UpstreamResult =
  | { kind: 'record'; record: DataRecord; credits: number }
  | { kind: 'not_found'; credits: 0 }
  /** `final` where every other call would end the same. */
  | { kind: 'failed'; problem: ProblemCode; credits: number; final?: true };

/** The service answers in a few seconds or not at all. */
const TIMEOUT_MS = 10_000;
const IDENTITY_LENGTH = 16;

const recordBody = z.record(z.string(), z.unknown());
const detailBody = z.object({ detail: z.string() });

/** Statuses of the contract that are no record, and what they mean to a caller. */
const refusals: Readonly<Record<number, { problem: ProblemCode; final?: true }>> = {
  401: { problem: 'provider_refused', final: true },
  402: { problem: 'provider_out_of_credits', final: true },
  403: { problem: 'provider_refused', final: true },
  422: { problem: 'invalid_key' },
  429: { problem: 'rate_limited' },
};

/** Errors of a connection that was never made: the provider has heard nothing, so nothing was charged. */
const NEVER_CONNECTED = /refused|resolve|dns|not found|unreachable/i;

function failed(problem: ProblemCode, credits = 0): UpstreamResult {
  return { kind: 'failed', problem, credits };
}

function recordRequest(upstream: Upstream, call: RecordCall): Request {
  const { operation, value } = call;
  const url = new URL(upstream.baseUrl + operation.path.replace('{key}', () => encodeURIComponent(value)));
  if (operation.keyParameter !== undefined) url.searchParams.set(operation.keyParameter, value);
  return new Request(url, {
    headers: { apikey: upstream.apiKey, accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/**
 * Asks the provider for one record. It never throws: whatever happens is a result.
 * @returns a failed result with credits where the provider may have charged although no record could be read
 */
export async function fetchRecord(upstream: Upstream, call: RecordCall): Promise<UpstreamResult> {
  let response: Response;
  try {
    response = await upstream.fetch(recordRequest(upstream, call));
  } catch (error) {
    const unheard = error instanceof Error && NEVER_CONNECTED.test(error.message);
    return unheard ? failed('provider_unavailable') : failed('provider_unclear', call.operation.credits);
  }
  if (response.status === 200) {
    const record = recordBody.safeParse(await readJson(response));
    return record.success
      ? { kind: 'record', record: record.data, credits: call.operation.credits }
      : failed('provider_unclear', call.operation.credits);
  }
  if (response.status === 404) {
    // A missing record says so as JSON; an unknown path answers plain text and would be a mistake of ours.
    const missing = detailBody.safeParse(await readJson(response)).success;
    return missing ? { kind: 'not_found', credits: 0 } : failed('provider_refused');
  }
  await response.body?.cancel();
  if (response.status >= 500) return failed('provider_unavailable');
  return { kind: 'failed', credits: 0, ...(refusals[response.status] ?? { problem: 'provider_refused' }) };
}

/**
 * A remote provider.
 * @param baseUrl - ends in `/cdapi`
 * @returns the provider; its identity is a hash of its address
 */
export async function remoteUpstream(baseUrl: string, apiKey: string): Promise<Upstream> {
  const identity = (await sha256Hex(baseUrl)).slice(0, IDENTITY_LENGTH);
  return { identity, baseUrl, apiKey, fetch: (request) => fetch(request) };
}
