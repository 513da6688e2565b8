// The way of a lookup: read the keys, look in memory, ask the provider for the rest, answer a row for each key.
import pMap from 'p-map';
import { type Family, families, type KeyKind } from '../../shared/families.ts';
import { project } from '../../shared/field-paths.ts';
import { resolveKey } from '../../shared/keys/index.ts';
import { type RecordOperation, recordOperation } from '../../shared/operations.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import type { LookupRequest, LookupResponse, LookupRow, RowStatus } from '../../shared/sheets-api.ts';
import type { RecordCache, RecordKey, Remembered } from './cache.ts';
import { fetchRecord, type RecordCall, type Upstream, type UpstreamResult } from './upstream.ts';

/** Of the six connections that an invocation may hold open, the rest is for KV. */
const FETCH_CONCURRENCY = 3;

/** The provider counts calls by the second; a refused one is free, so it is tried again when the next has begun. */
const RATE_LIMIT_PAUSE_MS = 1000;
const MAX_TRIES = 20;

/** A call that says nothing else is answered after this time. */
export const MAX_WAIT_MS = 25_000;

/** What a lookup needs from its surroundings. */
export interface LookupRooms {
  cache: RecordCache;
  upstream: Upstream;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves after so many milliseconds. */
  after: (ms: number) => Promise<void>;
  /** Keeps work alive that outlives the answer. */
  waitUntil: (work: Promise<unknown>) => void;
}

type Outcome = Omit<LookupRow, 'key'>;

/** What a row says that could not be answered. */
const rowStatusOf: Partial<Record<ProblemCode, RowStatus>> = {
  not_found: 'not_found',
  pending: 'pending',
  over_budget: 'over_budget',
  invalid_key: 'invalid',
};

function ended(problem: ProblemCode, credits = 0): Outcome {
  return { status: rowStatusOf[problem] ?? 'failed', credits, problem };
}

function answered(status: RowStatus, entry: Remembered, fields: readonly string[], credits: number): Outcome {
  if (entry.record === undefined) return ended('not_found');
  return {
    status,
    record: fields.includes('*') ? entry.record : project(entry.record, fields),
    fetched_at: new Date(entry.fetchedAt).toISOString(),
    credits,
  };
}

/** One key to look up, and every place in which it was asked. */
interface Wanted {
  key: RecordKey;
  operation: RecordOperation;
}

/** Distinct keys in the order in which they were first asked; `names` says for each place which one, if any. */
function distinct(
  family: Family,
  request: LookupRequest,
): { wanted: Map<string, Wanted>; names: (string | undefined)[] } {
  const wanted = new Map<string, Wanted>();
  const names = request.keys.map((text) => {
    const key = resolveKey(family, request.by, text);
    const operation = key.ok ? recordOperation(family, key.kind) : undefined;
    if (!key.ok || operation === undefined) return undefined;
    const name = keyName(key);
    if (!wanted.has(name)) wanted.set(name, { key: { family, kind: key.kind, value: key.value }, operation });
    return name;
  });
  return { wanted, names };
}

const keyName = (key: { kind: KeyKind; value: string }): string => `${key.kind}:${key.value}`;

/**
 * Credits that a call may still spend. The price is held before a fetch and given back where nothing was charged, so
 * that what is spent and what is held never pass the limit together. A refusal waits until no hold is open.
 */
class Allowance {
  #left: number;
  #holds = 0;
  #settled = Promise.withResolvers<void>();

  constructor(limit: number | undefined) {
    this.#left = limit ?? Number.POSITIVE_INFINITY;
  }

  /** @returns whether so many credits are held now */
  async hold(credits: number): Promise<boolean> {
    while (this.#left < credits) {
      if (this.#holds === 0) return false;
      await this.#settled.promise;
    }
    this.#left -= credits;
    this.#holds += 1;
    return true;
  }

  /** Ends a hold of which so much was charged. */
  settle(held: number, charged: number): void {
    this.#left += held - charged;
    this.#holds -= 1;
    this.#settled.resolve();
    this.#settled = Promise.withResolvers<void>();
  }
}

/** Asks the provider, again where it was asked too fast. */
async function fetchPaced(call: RecordCall, { upstream, after }: LookupRooms): Promise<UpstreamResult> {
  for (let tries = 1; ; tries += 1) {
    const result = await fetchRecord(upstream, call);
    const tooFast = result.kind === 'failed' && result.problem === 'rate_limited';
    if (!tooFast || tries === MAX_TRIES) return result;
    await after(RATE_LIMIT_PAUSE_MS);
  }
}

/**
 * Answers a lookup. Each distinct key is looked up once; what is remembered and fresh, or remembered and not asked to
 * be younger, costs nothing.
 * @returns one row for each key, in the order of the keys
 */
export async function lookup(request: LookupRequest, rooms: LookupRooms): Promise<LookupResponse> {
  const { cache, now } = rooms;
  const { family } = request;
  const fields = request.fields ?? families[family].defaultFields;
  const started = now();
  const { wanted, names } = distinct(family, request);
  const outcomes = new Map<string, Outcome>();
  const tooOldOnes = new Map<string, Remembered>();
  let saved = 0;

  const unread = await cache.getMany(
    [...wanted.values()].map(({ key }) => key),
    (key, entry) => {
      const name = keyName(key);
      const tooOld = request.max_age_s !== undefined && started - entry.fetchedAt > request.max_age_s * 1000;
      const gone = entry.record === undefined && entry.freshUntil <= started;
      if (tooOld && entry.record !== undefined) tooOldOnes.set(name, entry);
      if (tooOld || gone) return;
      if (entry.record !== undefined) saved += wanted.get(name)?.operation.credits ?? 0;
      outcomes.set(name, answered(entry.freshUntil > started ? 'hit' : 'stale', entry, fields, 0));
    },
  );
  for (const key of unread) outcomes.set(keyName(key), ended('internal'));

  const missing = [...wanted].filter(([name]) => !outcomes.has(name));
  const allowance = new Allowance(request.max_credits);
  /** A row that can't be bought now says so, unless an older record is there to be served, marked with its age. */
  const end = (name: string, problem: ProblemCode, credits = 0): void => {
    const older = tooOldOnes.get(name);
    outcomes.set(
      name,
      older === undefined ? ended(problem, credits) : answered('stale', older, fields, credits),
    );
  };
  /** Set where every other call would end the same. */
  let barred: ProblemCode | undefined;
  const fetchOne = async ([name, { key, operation }]: [string, Wanted]): Promise<void> => {
    if (barred === undefined && !(await allowance.hold(operation.credits))) return end(name, 'over_budget');
    if (barred !== undefined) return end(name, barred);
    const result = await fetchPaced({ operation, kind: key.kind, value: key.value }, rooms);
    allowance.settle(operation.credits, result.credits);
    if (result.kind === 'failed') {
      if (result.final) barred = result.problem;
      return end(name, result.problem, result.credits);
    }
    const { entry, stored } = cache.put(key, result.kind === 'record' ? result.record : undefined);
    outcomes.set(name, answered('fetched', entry, fields, result.credits));
    rooms.waitUntil(stored);
    await stored;
  };
  const work = pMap(missing, fetchOne, { concurrency: FETCH_CONCURRENCY });
  rooms.waitUntil(work);
  await Promise.race([work, rooms.after(request.wait_ms ?? MAX_WAIT_MS)]);

  let spent = 0;
  for (const { credits } of outcomes.values()) spent += credits;
  const counted = new Set<string>();
  const rows = request.keys.map((key, place): LookupRow => {
    const name = names[place];
    if (name === undefined) return { key, ...ended('invalid_key') };
    const outcome = outcomes.get(name) ?? ended('pending');
    const first = !counted.has(name);
    counted.add(name);
    return { key, ...outcome, credits: first ? outcome.credits : 0 };
  });
  return { rows, credits: { spent, saved, remaining: null } };
}
