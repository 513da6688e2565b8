// Sends one request to a provider and classifies connection failures.
import { readText } from '../../http/read-body.ts';

export type ConnectionFailure = 'dns' | 'refused' | 'tls' | 'timeout' | 'broken';

export interface ProbePlatform {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Deadline of the response, in milliseconds. Default: ten seconds. */
  timeoutMs?: number;
}

const MAX_ANSWER_BYTES = 1024 * 1024;

/** Connection failures by the error codes of Node and its HTTP client. */
const failureByCode: readonly (readonly [RegExp, ConnectionFailure])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'dns'],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'refused'],
  [/TIMEOUT|TIMEDOUT|TimeoutError/, 'timeout'],
  [/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME)/, 'tls'],
];

/** Lists the codes or names of an error and its causes, the innermost first. */
function listErrorCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return [...inner.flatMap(listErrorCodes), code];
}

function classifyError(error: unknown): { failure: ConnectionFailure; code: string } {
  const codes = listErrorCodes(error);
  for (const code of codes) {
    const known = failureByCode.find(([pattern]) => pattern.test(code));
    if (known !== undefined) return { failure: known[1], code };
  }
  return { failure: 'broken', code: codes[0] ?? 'unknown' };
}

/** Compares the provider's clock with the middle of the round trip. */
function computeClockOffset({ headers }: Response, sentAt: number, receivedAt: number): number | undefined {
  const providerTime = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(providerTime)
    ? undefined
    : Math.round((providerTime - (sentAt + receivedAt) / 2) / 1000);
}

/**
 * Sends a request. Does not follow redirects, which would receive the key.
 * @returns a failure, or a response: its text is undefined if it is longer than any valid answer; `ms` until it was complete; the
 * seconds by which the provider's clock is ahead of the local clock, undefined if it sends no date
 */
export async function probe(url: string, init: RequestInit, platform: ProbePlatform) {
  const { fetch, now, timeoutMs = 10_000 } = platform;
  const sentAt = now();
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const clockOffsetS = computeClockOffset(response, sentAt, now());
    const text = await readText(response, MAX_ANSWER_BYTES);
    const headers: Headers = response.headers;
    return { status: response.status, headers, text, ms: now() - sentAt, clockOffsetS };
  } catch (error) {
    return classifyError(error);
  }
}
export type ProbeResult = Awaited<ReturnType<typeof probe>>;
