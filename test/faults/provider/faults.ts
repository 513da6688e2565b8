// Faults of the scripted provider's responses.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** The response without the fault. */
export interface NormalResponse {
  headers: Readonly<Record<string, string>>;
  body: string;
}

export const faultKinds = [
  'server_error',
  'unavailable',
  'storm',
  'hang',
  'reset',
  'cut_body',
  'broken_json',
  'cut_gzip',
  'wrong_type',
  'redirect',
  'huge',
] as const;
export type FaultKind = (typeof faultKinds)[number];

interface FaultBehaviour {
  /** Whether the provider charges the call. */
  charged: boolean;
  send: (response: ServerResponse, normal: NormalResponse) => void;
}

const JSON_TYPE = { 'content-type': 'application/json' };
/** More than the gateway reads of any response. */
const HUGE_BYTES = 24 * 1024 * 1024;
/** Target of the redirect: a record, so that following it is counted and charged. */
export const REDIRECTED = 'redirected.example';

/** Builds a fault that sends a complete response. */
function respond(
  charged: boolean,
  status: number,
  faultHeaders: Readonly<Record<string, string>>,
  buildBody: (body: string) => string | Buffer,
): FaultBehaviour {
  return {
    charged,
    send: (response, { headers, body }) => {
      response.writeHead(status, { ...headers, ...faultHeaders }).end(buildBody(body));
    },
  };
}

const cutInHalf = (whole: Buffer | string): Buffer =>
  Buffer.from(whole).subarray(0, Math.floor(Buffer.byteLength(whole) / 2));

/** Provider API, "Errors". The worst case is a charged call without a usable response. */
const kinds: Readonly<Record<FaultKind, FaultBehaviour>> = {
  server_error: respond(false, 500, { 'content-type': 'text/plain' }, () => 'Internal Server Error'),
  unavailable: respond(false, 503, { 'content-type': 'text/html' }, () => '<html>Unavailable</html>'),
  storm: respond(false, 429, JSON_TYPE, () => '{"message":"API rate limit exceeded"}'),
  redirect: respond(false, 302, { location: `?website=${REDIRECTED}` }, () => ''),
  broken_json: respond(true, 200, JSON_TYPE, cutInHalf),
  cut_gzip: respond(true, 200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, (body) =>
    cutInHalf(gzipSync(body)),
  ),
  wrong_type: respond(true, 200, { 'content-type': 'text/html' }, () => '<html>Welcome</html>'),
  huge: respond(true, 200, JSON_TYPE, () => JSON.stringify({ description: 'x'.repeat(HUGE_BYTES) })),
  hang: { charged: true, send: () => {} },
  reset: { charged: true, send: (response) => response.socket?.resetAndDestroy() },
  cut_body: {
    charged: true,
    send: (response, { headers, body }) => {
      const length = { 'content-length': String(Buffer.byteLength(body)) };
      response.writeHead(200, { ...headers, ...JSON_TYPE, ...length });
      response.write(cutInHalf(body), () => response.socket?.destroy());
    },
  },
};

/** A configured fault. */
export interface Fault {
  kind: FaultKind;
  /** Affected keys; all if absent. */
  keys?: readonly string[];
  /** Affected share of the calls, 0 to 1; all if absent. */
  share?: number;
}

/** Evenly distributed numbers from 0 to 1, the same in each run. */
function countingRandom(): () => number {
  let turn = 0;
  const step = 0.618_033_988_749_895;
  return () => {
    turn += 1;
    return (turn * step) % 1;
  };
}

/** Selects the fault of each call. */
export class Faults {
  readonly #random = countingRandom();
  #faults: readonly Fault[] = [];

  /** Replaces the configured faults. */
  set(faults: readonly Fault[]): void {
    this.#faults = faults;
  }

  /** Returns the first fault that affects a call. */
  find(key: string): Fault | undefined {
    return this.#faults.find(
      ({ keys, share }) =>
        (keys === undefined || keys.includes(key)) && (share === undefined || this.#random() < share),
    );
  }
}

/** Returns whether the provider charges a call with this fault. */
export const isCharged = ({ kind }: Fault): boolean => kinds[kind].charged;

/** Sends a faulty response. */
export function sendFault({ kind }: Fault, response: ServerResponse, normal: NormalResponse): void {
  kinds[kind].send(response, normal);
}
