// Injected faults: their schema, and which of them applies to a call.
import * as z from 'zod';
import { type Family, familyNames } from '../../../shared/families/index.ts';

/** Names of calls in a fault: the operations, and the two calls that read the files of a data request. */
export const callNames = ['collect', 'enrich', 'search', 'preview', 'bulk', 'files', 'download'] as const;
export type CallName = (typeof callNames)[number];

/** A call, as far as the account needs to know it. */
export interface Call {
  /** Undefined for paths that the service doesn't have. */
  name: CallName | undefined;
  family: Family | undefined;
  /** The path below `/cdapi`. */
  path: string;
  /** Price of a 200. */
  credits: number;
}

export const MAX_FAULTS = 100;
const MAX_HEADERS = 20;
const MAX_BODY_CHARACTERS = 1_000_000;
const MAX_DELAY_MS = 600_000;
const MAX_COUNT = 1_000_000;

/** RFC 9110, 5.1 and 5.5. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'it is no name of a header');
const headerValue = z.string().regex(/^[\t\x20-\x7e]{0,2000}$/, 'it is no value of a header');

const effects = ['status', 'delay_ms', 'cut', 'hang', 'body', 'content_type', 'headers'] as const;

const faultSchema = z
  .strictObject({
    /** Conditions on the call; all must match. */
    operation: z.enum(callNames).optional(),
    family: z.enum(familyNames).optional(),
    /** Prefix of the path below `/cdapi`. */
    path: z.string().startsWith('/').max(2000).optional(),
    /** Applies to each n-th matching call only. */
    every: z.int().min(1).max(MAX_COUNT).optional(),
    /** Number of times that the fault applies before it is removed. */
    times: z.int().min(1).max(MAX_COUNT).optional(),
    /** Milliseconds before the call is handled. */
    delay_ms: z.int().min(0).max(MAX_DELAY_MS).optional(),
    /** Replaces the operation's response. */
    status: z.int().min(200).max(599).optional(),
    body: z.string().max(MAX_BODY_CHARACTERS).optional(),
    hang: z.boolean().optional(),
    /** Breaks the connection after this number of bytes of the body. */
    cut: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    content_type: headerValue.optional(),
    headers: z
      .record(headerName, headerValue)
      .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `at most ${MAX_HEADERS} headers`)
      .optional(),
    /** Runs and charges the operation before the fault applies. */
    after: z.boolean().optional(),
  })
  .refine((given) => effects.some((effect) => given[effect] !== undefined), {
    message: `a fault needs one of ${effects.join(', ')}`,
  });

export type Fault = z.infer<typeof faultSchema>;

/** The faults in a request to `/control`. */
export const faultList = z.array(faultSchema).max(MAX_FAULTS);

/** A fault and the number of calls that matched it so far. */
export interface CountedFault {
  fault: Fault;
  seen: number;
}

function matchesCall({ operation, family, path }: Fault, call: Call): boolean {
  return (
    (operation === undefined || operation === call.name) &&
    (family === undefined || family === call.family) &&
    (path === undefined || call.path.startsWith(path))
  );
}

/**
 * Finds the first fault in the list that applies to a call. Every matching fault counts the call.
 * @returns the fault, if any, and the list with its new counts
 */
export function consumeFault(
  faults: readonly CountedFault[],
  call: Call,
): { match: Fault | undefined; remaining: CountedFault[] } {
  let match: Fault | undefined;
  const remaining = faults.flatMap((entry) => {
    if (!matchesCall(entry.fault, call)) return [entry];
    const seen = entry.seen + 1;
    const { every = 1, times } = entry.fault;
    if (match !== undefined || seen % every !== 0) return [{ ...entry, seen }];
    match = entry.fault;
    if (times === 1) return [];
    return [{ fault: times === undefined ? entry.fault : { ...entry.fault, times: times - 1 }, seen }];
  });
  return { match, remaining };
}
