// Faults that are set on purpose: which calls they strike, and whose turn it is.
import * as z from 'zod';
import { type Family, familyNames } from '../../../shared/families/index.ts';

/** What calls are named in a fault: the operations, and the two that read the files of a data request. */
export const callNames = ['collect', 'enrich', 'search', 'preview', 'bulk', 'files', 'download'] as const;
export type CallName = (typeof callNames)[number];

/** A call of the service, as far as the account cares. */
export interface Call {
  /** Undefined at addresses that the service does not have. */
  name: CallName | undefined;
  family: Family | undefined;
  /** Below `/cdapi`. */
  path: string;
  /** What a 200 costs. */
  credits: number;
}

/** More of them would be a mistake. */
const MAX_FAULTS = 100;
const MAX_HEADERS = 20;
const MAX_BODY_CHARACTERS = 1_000_000;
const MAX_DELAY_MS = 600_000;
const MAX_COUNT = 1_000_000;

/** RFC 9110, 5.1 and 5.5. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'it is no name of a header');
const headerValue = z.string().regex(/^[\t\x20-\x7e]{0,2000}$/, 'it is no value of a header');

const effects = ['status', 'delay_ms', 'cut', 'hang', 'body', 'content_type', 'headers'] as const;

const fault = z
  .strictObject({
    /** Which calls: all conditions that are given must hold. */
    operation: z.enum(callNames).optional(),
    family: z.enum(familyNames).optional(),
    /** How their path below `/cdapi` begins. */
    path: z.string().startsWith('/').max(2000).optional(),
    /** Only each n-th of them. */
    every: z.int().min(1).max(MAX_COUNT).optional(),
    /** Only so many times, then the fault is gone. */
    times: z.int().min(1).max(MAX_COUNT).optional(),
    /** Milliseconds before anything happens. */
    delay_ms: z.int().min(0).max(MAX_DELAY_MS).optional(),
    /** An answer in place of the operation's. */
    status: z.int().min(200).max(599).optional(),
    body: z.string().max(MAX_BODY_CHARACTERS).optional(),
    /** No answer at all. */
    hang: z.boolean().optional(),
    /** The connection breaks after so many bytes of the body. */
    cut: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    content_type: headerValue.optional(),
    headers: z
      .record(headerName, headerValue)
      .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `at most ${MAX_HEADERS} headers`)
      .optional(),
    /** The operation is done and charged first, then its answer is spoilt. */
    after: z.boolean().optional(),
  })
  .refine((given) => effects.some((effect) => given[effect] !== undefined), {
    message: `a fault needs one of ${effects.join(', ')}`,
  });

export type Fault = z.infer<typeof fault>;

/** A list of faults, as control takes it. */
export const faultList = z.array(fault).max(MAX_FAULTS);

/** A fault and the calls that it could have struck so far. */
export interface CountedFault {
  fault: Fault;
  seen: number;
}

function isMatch({ operation, family, path }: Fault, call: Call): boolean {
  return (
    (operation === undefined || operation === call.name) &&
    (family === undefined || family === call.family) &&
    (path === undefined || call.path.startsWith(path))
  );
}

/**
 * Finds the fault that a call runs into: the first in the list whose turn it is. Every fault that could strike the call
 * counts it.
 * @returns the fault, if there is one, and the list as it stands afterwards
 */
export function consumeFault(
  faults: readonly CountedFault[],
  call: Call,
): { taken: Fault | undefined; left: CountedFault[] } {
  let taken: Fault | undefined;
  const left = faults.flatMap((entry) => {
    if (!isMatch(entry.fault, call)) return [entry];
    const seen = entry.seen + 1;
    const { every = 1, times } = entry.fault;
    if (taken !== undefined || seen % every !== 0) return [{ ...entry, seen }];
    taken = entry.fault;
    if (times === 1) return [];
    return [{ fault: times === undefined ? entry.fault : { ...entry.fault, times: times - 1 }, seen }];
  });
  return { taken, left };
}
