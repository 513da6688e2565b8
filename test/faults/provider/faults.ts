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
  sendFault: (response: ServerResponse, answer: NormalResponse) => void;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function refuse(status: number, type: string, body: string): FaultBehaviour {
  return {
    charged: false,
    sendFault: (response, { headers }) => {
      response.writeHead(status, { ...headers, 'content-type': type }).end(body);
    },
  };
}

/** More than the gateway reads of any response. */
const HUGE_BYTES = 24 * 1024 * 1024;
/** Target of the redirect: a record, so that following it is counted and charged. */
export const REDIRECTED = 'redirected.example';

const half = <T extends Buffer | string>(whole: T): Buffer =>
  Buffer.from(whole).subarray(0, Math.floor(Buffer.byteLength(whole) / 2));

/** Provider API, "Errors". The worst case is a charged call without a usable response. */
const kinds: Readonly<Record<FaultKind, FaultBehaviour>> = {
  server_error: refuse(500, 'text/plain', 'Internal Server Error'),
  unavailable: refuse(503, 'text/html', '<html>Service Unavailable</html>'),
  storm: refuse(429, 'application/json', '{"message":"API rate limit exceeded"}'),
  hang: { charged: true, sendFault: () => {} },
  reset: { charged: true, sendFault: (response) => response.socket?.resetAndDestroy() },
  cut_body: {
    charged: true,
    sendFault: (response, { headers, body }) => {
      response.writeHead(200, {
        ...headers,
        ...JSON_TYPE,
        'content-length': String(Buffer.byteLength(body)),
      });
      response.write(half(body), () => response.socket?.destroy());
    },
  },
  broken_json: {
    charged: true,
    sendFault: (response, { headers, body }) => {
      response.writeHead(200, { ...headers, ...JSON_TYPE }).end(half(body));
    },
  },
  cut_gzip: {
    charged: true,
    sendFault: (response, { headers, body }) => {
      response
        .writeHead(200, { ...headers, ...JSON_TYPE, 'content-encoding': 'gzip' })
        .end(half(gzipSync(body)));
    },
  },
  wrong_type: {
    charged: true,
    sendFault: (response, { headers }) => {
      response
        .writeHead(200, { ...headers, 'content-type': 'text/html' })
        .end('<html><body>Welcome</body></html>');
    },
  },
  redirect: {
    charged: false,
    sendFault: (response, { headers }) => {
      response.writeHead(302, { ...headers, location: `?website=${REDIRECTED}` }).end();
    },
  },
  huge: {
    charged: true,
    sendFault: (response, { headers }) => {
      response
        .writeHead(200, { ...headers, ...JSON_TYPE })
        .end(JSON.stringify({ description: 'x'.repeat(HUGE_BYTES) }));
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
  /** Maximum number of faults; unlimited if absent. */
  times?: number;
  /** Overrides whether the provider charges the call. */
  charged?: boolean;
}

/** Selects the fault of each call. */
export class Faults {
  readonly #random: () => number;
  #rules: { fault: Fault; left: number }[] = [];

  /** @param random - returns numbers from 0 to 1, for shares */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Replaces the configured faults. */
  set(faults: readonly Fault[]): void {
    this.#rules = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** Consumes the first matching fault of a call. */
  take(key: string): Fault | undefined {
    const rule = this.#rules.find(
      ({ fault: { keys, share }, left }) =>
        left > 0 &&
        (keys === undefined || keys.includes(key)) &&
        (share === undefined || this.#random() < share),
    );
    if (rule === undefined) return undefined;
    rule.left -= 1;
    return rule.fault;
  }
}

/** Returns whether a call with this fault is charged. */
export function isCharged({ kind, charged }: Fault): boolean {
  return charged ?? kinds[kind].charged;
}

/** Sends a faulty response. */
export function spoil({ kind }: Fault, response: ServerResponse, answer: NormalResponse): void {
  kinds[kind].sendFault(response, answer);
}
