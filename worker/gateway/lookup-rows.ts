// The rows of a lookup: what each says, where there is a record and where there is none.
import type { LookupRequest, LookupRow, RowStatus } from '../../shared/api/lookup.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import type { createProjection } from '../../shared/query/field-paths.ts';
import { toIsoTime } from '../lib/format.ts';
import type { Envelope } from './cache/envelope.ts';
import type { CallResult } from './single-flight/types.ts';

/** What a row says beside its key. */
export type RowOutcome = Omit<LookupRow, 'key'>;
/** Cuts a record to the fields that were asked. */
export type Projection = ReturnType<typeof createProjection>;

/** What a row says that could not be answered. */
const statusByProblem: Partial<Record<ProblemCode, RowStatus>> = {
  not_found: 'not_found',
  pending: 'pending',
  over_budget: 'over_budget',
  max_credits_reached: 'over_budget',
  spending_off: 'over_budget',
  invalid_key: 'invalid',
};

/** What a row says in place of a record. @param credits - what the attempt cost */
export function buildProblemRow(problem: ProblemCode, credits = 0): RowOutcome {
  return { status: statusByProblem[problem] ?? 'failed', credits, problem };
}

/** What a row says of something remembered. @param credits - what it cost */
export function buildRecordRow(
  status: RowStatus,
  envelope: Envelope,
  cut: Projection,
  credits: number,
): RowOutcome {
  const { content, fetchedAt } = envelope;
  if (content.kind !== 'record') return buildProblemRow('not_found', credits);
  return {
    status,
    record: cut(content.record),
    fetched_at: toIsoTime(fetchedAt),
    credits,
  };
}

/** Does it say of the key itself that there is no answer, so that an older one does not hold any more? */
export const isKeyRejected = (row: CallResult): boolean =>
  row.outcome === 'failed' && (row.problem === 'erased' || row.problem === 'invalid_key');

/** A row as a flight answered it. */
export function toRowOutcome(row: CallResult, cut: Projection): RowOutcome {
  if (row.outcome === 'failed') return buildProblemRow(row.problem, row.credits);
  if (row.outcome === 'pending' || row.outcome === 'unknown') return buildProblemRow('pending');
  return buildRecordRow(row.outcome, row.envelope, cut, row.credits);
}

/** @returns the credits that all rows cost together */
export function sumCredits(outcomes: ReadonlyMap<string, RowOutcome>): number {
  let spent = 0;
  for (const { credits } of outcomes.values()) spent += credits;
  return spent;
}

/**
 * @param names - for each key of the request its name; undefined where it is none
 * @param outcomes - by name
 * @returns a row for each key, in their order; a key that stands there twice is paid once
 */
export function toLookupRows(
  { keys }: LookupRequest,
  names: readonly (string | undefined)[],
  outcomes: ReadonlyMap<string, RowOutcome>,
): LookupRow[] {
  const counted = new Set<string>();
  return keys.map((key, place) => {
    const name = names[place];
    if (name === undefined) return { key, ...buildProblemRow('invalid_key') };
    const outcome = outcomes.get(name) ?? buildProblemRow('internal');
    const first = !counted.has(name);
    counted.add(name);
    return { key, ...outcome, credits: first ? outcome.credits : 0 };
  });
}
