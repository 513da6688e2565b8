// One free question to a provider, and what came of it: an answer, or the reason why there is none.
import { readText } from '../../http/read-text.ts';

/** Why nobody answered. */
export type Trouble = 'dns' | 'refused' | 'tls' | 'timeout' | 'broken';

/** What came of a question. */
export type Reached =
  | { trouble: Trouble; code: string }
  | {
      status: number;
      headers: Headers;
      /** Undefined where it is longer than any answer to such a question. */
      text: string | undefined;
      /** Milliseconds until it was all there. */
      ms: number;
      /** Seconds by which the provider's clock is ahead of ours; undefined where it doesn't tell. */
      clockAheadS: number | undefined;
    };

/** What questions reach the world through. */
export interface ReachPlatform {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds after which an answer is no longer expected. */
  patienceMs: number;
}

const MAX_ANSWER_BYTES = 1024 * 1024;

/** Codes of Node and its HTTP client, by how they begin. */
const causes: readonly (readonly [RegExp, Trouble])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'dns'],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'refused'],
  [/TIMEOUT|TIMEDOUT|TimeoutError/, 'timeout'],
  [/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME)/, 'tls'],
];

/** The codes and names of an error and of what caused it, the deepest first. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  const own = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return [...inner.flatMap(codesOf), own];
}

function troubleOf(error: unknown): { trouble: Trouble; code: string } {
  const codes = codesOf(error);
  for (const code of codes) {
    const known = causes.find(([pattern]) => pattern.test(code));
    if (known !== undefined) return { trouble: known[1], code };
  }
  return { trouble: 'broken', code: codes[0] ?? 'unknown' };
}

/** The provider's clock against the middle of the time that the question took. */
function clockAhead({ headers }: Response, sentAt: number, heardAt: number): number | undefined {
  const told = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(told) ? undefined : Math.round((told - (sentAt + heardAt) / 2) / 1000);
}

/**
 * Asks. Redirects are not followed: the key would go along.
 * @param init - of the request
 */
export async function reach(url: string, init: RequestInit, platform: ReachPlatform): Promise<Reached> {
  const { fetch, now, patienceMs } = platform;
  const sentAt = now();
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    const clockAheadS = clockAhead(response, sentAt, now());
    const text = await readText(response, MAX_ANSWER_BYTES);
    return { status: response.status, headers: response.headers, text, ms: now() - sentAt, clockAheadS };
  } catch (error) {
    return troubleOf(error);
  }
}
