// The way of a lookup: read the keys, look in memory, have the flights ask the provider for the rest, answer a row for each
// key.
import { families } from '../../shared/families.ts';
import { projection } from '../../shared/field-paths.ts';
import { resolveKey } from '../../shared/keys/index.ts';
import { type RecordOperation, recordOperation } from '../../shared/operations.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import type {
  EstimateResponse,
  LookupRequest,
  LookupResponse,
  LookupRow,
  RowStatus,
} from '../../shared/sheets-api.ts';
import type { Envelope } from './envelope.ts';
import type { FlightRow, WantedCall } from './flight/types.ts';
import type { CallOutcome } from './ledger/types.ts';
import { nameOf, type RecordKey } from './names.ts';
import { type Rooms, recordCall } from './rooms.ts';

/** A call that says nothing else is answered after this time. */
export const MAX_WAIT_MS = 25_000;

type Outcome = Omit<LookupRow, 'key'>;
type Projection = ReturnType<typeof projection>;

/** What a row says that could not be answered. */
const rowStatusOf: Partial<Record<ProblemCode, RowStatus>> = {
  not_found: 'not_found',
  pending: 'pending',
  over_budget: 'over_budget',
  spending_off: 'over_budget',
  invalid_key: 'invalid',
};

function ended(problem: ProblemCode, credits = 0): Outcome {
  return { status: rowStatusOf[problem] ?? 'failed', credits, problem };
}

function answered(status: RowStatus, envelope: Envelope, cut: Projection, credits: number): Outcome {
  const { content, fetchedAt } = envelope;
  if (content.kind !== 'record') return ended('not_found', credits);
  return {
    status,
    record: cut(content.record),
    fetched_at: new Date(fetchedAt).toISOString(),
    credits,
  };
}

function fieldsOf({ family, fields }: LookupRequest): string[] {
  return fields ?? [...families[family].defaultFields];
}

/** One key to look up, and every place in which it was asked. */
interface Wanted {
  key: RecordKey;
  operation: RecordOperation;
}

/** Distinct keys in the order in which they were first asked; `names` says for each place which one, if any. */
function distinct({ family, by, keys }: LookupRequest): {
  wanted: Map<string, Wanted>;
  names: (string | undefined)[];
} {
  const wanted = new Map<string, Wanted>();
  const names = keys.map((text) => {
    const read = resolveKey(family, by, text);
    const operation = read.ok ? recordOperation(family, read.kind) : undefined;
    if (!read.ok || operation === undefined) return undefined;
    const key: RecordKey = { family, kind: read.kind, value: read.value };
    const name = nameOf(key);
    if (!wanted.has(name)) wanted.set(name, { key, operation });
    return name;
  });
  return { wanted, names };
}

/** What is remembered, sorted by what it is good for. */
interface Remembered {
  wanted: Map<string, Wanted>;
  names: (string | undefined)[];
  /** Good as they are; those past their freshness are marked by it. */
  good: Map<string, { outcome: Outcome; stale: boolean; fetchedAt: number }>;
  /** Older than was asked for: served only if nothing younger can be had. */
  older: Map<string, Outcome>;
  /** Nobody knows whether they are remembered. */
  unread: RecordKey[];
  /** Answers count if they were fetched at this time or later. */
  since: number;
}

async function remember(request: LookupRequest, cut: Projection, rooms: Rooms): Promise<Remembered> {
  const { wanted, names } = distinct(request);
  const started = rooms.now();
  const since = request.max_age_s === undefined ? 0 : started - request.max_age_s * 1000;
  const good: Remembered['good'] = new Map();
  const older: Remembered['older'] = new Map();
  const unread = await rooms.cache.getRecords(
    [...wanted.values()].map(({ key }) => key),
    (key, envelope) => {
      const name = nameOf(key);
      const stale = envelope.freshUntil <= started;
      const isRecord = envelope.content.kind === 'record';
      if (envelope.fetchedAt < since) {
        if (isRecord) older.set(name, answered('stale', envelope, cut, 0));
      } else if (isRecord || !stale) {
        const outcome = answered(stale ? 'stale' : 'hit', envelope, cut, 0);
        good.set(name, { outcome, stale, fetchedAt: envelope.fetchedAt });
      }
    },
  );
  return { wanted, names, good, older, unread, since };
}

const isRecordRow = (outcome: Outcome): boolean => outcome.record !== undefined;

/** Does it say of the key itself that there is no answer, so that an older one does not hold any more? */
const isSaidOfKey = (row: FlightRow): boolean =>
  row.outcome === 'failed' && (row.problem === 'erased' || row.problem === 'invalid_key');

/** A row as a flight answered it. */
function outcomeOf(row: FlightRow, cut: Projection): Outcome {
  if (row.outcome === 'failed') return ended(row.problem, row.credits);
  if (row.outcome === 'pending' || row.outcome === 'unknown') return ended('pending');
  return answered(row.outcome, row.envelope, cut, row.credits);
}

/** What a lookup came to; the surface puts its stamp on it. */
export type Answered = Omit<LookupResponse, 'stamp'>;

/**
 * Answers a lookup. Each distinct key is looked up once; what is remembered, and not asked to be younger, costs nothing.
 * What is not answered in time goes on.
 * @returns one row for each key, in the order of the keys
 */
export async function lookup(request: LookupRequest, rooms: Rooms): Promise<Answered> {
  const { now, cache, identity, payer, lane } = rooms;
  const started = now();
  const deadline = started + (request.wait_ms ?? MAX_WAIT_MS);
  const fields = fieldsOf(request);
  const cut = projection(fields);
  const { wanted, names, good, older, unread, since } = await remember(request, cut, rooms);
  const outcomes = new Map([...good].map(([name, { outcome }]) => [name, outcome]));
  for (const key of unread) outcomes.set(nameOf(key), ended('internal'));

  const whole = fields.includes('*');
  let remaining = rooms.remaining;
  const ask = async (names: readonly string[], waitMs: number, spend: boolean): Promise<FlightRow[]> => {
    const calls = names.flatMap((name) => {
      const one = wanted.get(name);
      return one === undefined ? [] : [recordCall(one.operation, one.key, one.key.value, since)];
    });
    const rows = await rooms.ask({
      identity,
      calls,
      payer,
      lane,
      waitMs,
      background: spend,
      ...(whole ? {} : { fields }),
    });
    for (const row of rows.values()) {
      if (!('envelope' in row)) continue;
      if (whole) cache.remember(row.name, row.envelope, row.size);
      if (row.remaining !== undefined && row.remaining !== null) {
        remaining = Math.min(remaining ?? Number.POSITIVE_INFINITY, row.remaining);
      }
    }
    return [...rows.values()];
  };

  /** Keys that were not asked yet, and credits that the call may still spend. */
  let missing = [...wanted.keys()].filter((name) => !outcomes.has(name));
  let allowed = request.max_credits ?? Number.POSITIVE_INFINITY;
  const priceOf = (name: string): number => wanted.get(name)?.operation.credits ?? 0;
  const accept = (row: FlightRow): void => {
    allowed -= row.outcome === 'pending' ? priceOf(row.name) : row.credits;
    const instead = 'envelope' in row || isSaidOfKey(row) ? undefined : older.get(row.name);
    // What the attempt at a younger one may have cost stands with the older one.
    outcomes.set(row.name, instead ? { ...instead, credits: row.credits } : outcomeOf(row, cut));
  };
  // As many as the credits allow; those that turned out to cost nothing leave room for others.
  while (missing.length > 0 && allowed >= priceOf(missing[0] ?? '')) {
    const count = Math.min(missing.length, Math.floor(allowed / priceOf(missing[0] ?? '')));
    const wave = missing.slice(0, count);
    missing = missing.slice(count);
    for (const row of await ask(wave, Math.max(0, deadline - now()), true)) accept(row);
  }
  if (missing.length > 0) {
    // Nothing more may be bought, but a flight may know what KV does not yet.
    for (const row of await ask(missing, 0, false)) if (row.outcome !== 'unknown') accept(row);
    missing = missing.filter((name) => !outcomes.has(name));
  }
  for (const name of missing) outcomes.set(name, older.get(name) ?? ended('over_budget'));

  const refresh = refreshCalls(request, { wanted, good }, rooms);
  if (refresh.length > 0) {
    // Stale records are bought again behind the answer, and looked at by the next.
    const behind = { lane: 'bulk', waitMs: 0, background: true } as const;
    rooms.waitUntil(rooms.ask({ identity, calls: refresh, payer, ...behind, fields: [] }));
  }
  const saved = note(outcomes, wanted, request, rooms, now() - started);
  return { rows: rowsOf(request, names, outcomes), credits: { spent: spentOf(outcomes), saved, remaining } };
}

/** What buys stale records again, for teams that switched it on. Whatever is younger than what was found counts. */
function refreshCalls(
  { max_credits }: LookupRequest,
  { wanted, good }: Pick<Remembered, 'wanted' | 'good'>,
  { backgroundRefresh }: Rooms,
): WantedCall[] {
  if (!backgroundRefresh || max_credits !== undefined) return [];
  return [...good].flatMap(([name, { stale, fetchedAt }]) => {
    const one = stale ? wanted.get(name) : undefined;
    return one === undefined ? [] : [recordCall(one.operation, one.key, one.key.value, fetchedAt + 1)];
  });
}

function spentOf(outcomes: ReadonlyMap<string, Outcome>): number {
  let spent = 0;
  for (const { credits } of outcomes.values()) spent += credits;
  return spent;
}

function rowsOf(
  { keys }: LookupRequest,
  names: readonly (string | undefined)[],
  outcomes: ReadonlyMap<string, Outcome>,
): LookupRow[] {
  const counted = new Set<string>();
  return keys.map((key, place) => {
    const name = names[place];
    if (name === undefined) return { key, ...ended('invalid_key') };
    const outcome = outcomes.get(name) ?? ended('internal');
    const first = !counted.has(name);
    counted.add(name);
    return { key, ...outcome, credits: first ? outcome.credits : 0 };
  });
}

const counted: Partial<Record<RowStatus, CallOutcome>> = {
  hit: 'hit',
  stale: 'stale',
  coalesced: 'coalesced',
  fetched: 'fetched',
  not_found: 'not_found',
  failed: 'failed',
};

/** Counts what was answered. @returns credits saved */
function note(
  outcomes: ReadonlyMap<string, Outcome>,
  wanted: ReadonlyMap<string, Wanted>,
  { family }: LookupRequest,
  rooms: Rooms,
  latencyMs: number,
): number {
  const byOperation = Map.groupBy(outcomes, ([name]) => wanted.get(name)?.operation);
  let saved = 0;
  for (const [operation, own] of byOperation) {
    if (operation === undefined) continue;
    const counts: Partial<Record<CallOutcome, number>> = {};
    let savedHere = 0;
    for (const [, outcome] of own) {
      const kind = counted[outcome.status];
      if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
      const free = kind === 'hit' || kind === 'stale' || kind === 'coalesced';
      if (free && outcome.credits === 0 && isRecordRow(outcome)) savedHere += operation.credits;
    }
    saved += savedHere;
    if (Object.keys(counts).length > 0) {
      rooms.note({ family, operation: operation.name, outcomes: counts, saved: savedHere, latencyMs });
    }
  }
  return saved;
}

/**
 * Tells what a lookup would spend now, and spends nothing.
 */
export async function estimate(request: LookupRequest, rooms: Rooms): Promise<EstimateResponse> {
  const fields = fieldsOf(request);
  const { wanted, good, unread, since } = await remember(request, projection(fields), rooms);
  const unknown = new Set(unread.map(nameOf));
  const missing = [...wanted].flatMap(([name, { key, operation }]) =>
    good.has(name) || unknown.has(name) ? [] : [recordCall(operation, key, key.value, since)],
  );
  const refresh = refreshCalls(request, { wanted, good }, rooms);
  const calls = [...missing, ...refresh];
  const { identity, payer, lane } = rooms;
  const rows =
    calls.length === 0
      ? new Map<string, FlightRow>()
      : await rooms.ask({ identity, calls, payer, lane, waitMs: 0, background: false, fields });
  const isUnknown = ({ name }: WantedCall): boolean => rows.get(name)?.outcome === 'unknown';
  const isFailed = ({ name }: WantedCall): boolean => rows.get(name)?.outcome === 'failed';
  const toFetch = calls.filter(isUnknown);
  const notCached = missing.filter((call) => isUnknown(call) || isFailed(call));
  return {
    keys: request.keys.length,
    distinct: wanted.size,
    cached: wanted.size - notCached.length - unknown.size,
    stale: [...good.values()].filter(({ stale }) => stale).length,
    to_fetch: toFetch.length,
    credits: toFetch.reduce((sum, { credits }) => sum + credits, 0),
  };
}
