// UrlFetchApp's network access in the playground: requests to this instance, with credits reported.
import { isObject } from '../../../shared/lib/is-object.ts';
import type { Cell, HostFetch } from '../host/types.ts';

export interface NetworkCall {
  /** The formula's cell; null for other callers. */
  cell: Cell | null;
  /** Credits spent according to the response, if it says. */
  spent: number | undefined;
  /** The team's remaining credits, if the response says. */
  remaining: number | undefined;
}

/**
 * Creates the host's fetch.
 * @param onCall - called after each response
 */
export function pageFetch(onCall: (call: NetworkCall) => void): HostFetch {
  return async ({ method, url, headers, body, followRedirects }, { cell }) => {
    if (new URL(url).origin !== location.origin)
      throw new Error(`The playground reaches ${location.origin} only.`);
    const response = await fetch(url, {
      method,
      headers,
      body: body === null ? null : new Uint8Array(body),
      redirect: followRedirects ? 'follow' : 'manual',
      cache: 'no-store',
      credentials: 'omit',
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    onCall({ cell, ...creditsIn(response.headers.get('content-type'), bytes) });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
  };
}

function creditsIn(type: string | null, bytes: Uint8Array): Omit<NetworkCall, 'cell'> {
  const none = { spent: undefined, remaining: undefined };
  if (type === null || !type.includes('json')) return none;
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const credits = property(body, 'credits');
    const remaining = property(credits, 'remaining') ?? property(body, 'remaining');
    return { spent: number(property(credits, 'spent')), remaining: number(remaining) };
  } catch {
    return none;
  }
}

function property(of: unknown, name: string): unknown {
  return isObject(of) ? of[name] : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
