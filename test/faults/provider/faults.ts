// What can go wrong with an answer of the scripted provider.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** The answer as it would have been. */
export interface NormalResponse {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Names of what can go wrong. */
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
  /** Has the provider charged the call, as it sees it? */
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

/** More than the gateway reads of any answer. */
const HUGE_BYTES = 24 * 1024 * 1024;
/** Where a redirect leads: a record of the provider's own, so that who follows it is counted and charged. */
export const REDIRECTED = 'redirected.example';

const half = <T extends Buffer | string>(whole: T): Buffer =>
  Buffer.from(whole).subarray(0, Math.floor(Buffer.byteLength(whole) / 2));

/** Contract, "Errors", and quality, "survives the provider". What was charged and is never heard of is the worst case. */
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

/** A fault that is to happen. */
export interface Fault {
  kind: FaultKind;
  /** To calls of these keys; absent: of any. */
  keys?: readonly string[];
  /** To this share of the calls, 0 to 1; absent: to each. */
  share?: number;
  /** At most so often; absent: without end. */
  times?: number;
  /** Does the provider charge the call? Absent: as it would, where it can't be told in the worst way for its client. */
  charged?: boolean;
}

/** Faults with what is left of them. */
export class Faults {
  readonly #random: () => number;
  #rules: { fault: Fault; left: number }[] = [];

  /** @param random - from 0 up to 1, for shares */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Sets what goes wrong from now on, in place of what was set before. */
  set(faults: readonly Fault[]): void {
    this.#rules = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** @returns the first fault that happens to a call of this key, which is used up by it */
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

/** Was a call charged to which this happened? */
export function isCharged({ kind, charged }: Fault): boolean {
  return charged ?? kinds[kind].charged;
}

/** Answers with a fault. */
export function spoil({ kind }: Fault, response: ServerResponse, answer: NormalResponse): void {
  kinds[kind].sendFault(response, answer);
}
