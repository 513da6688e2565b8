// Builds the rows of a lookup response.
import { getDomain } from 'tldts';
import type { LookupRequest, LookupRow, RowStatus } from '../../shared/api/lookup.ts';
import { isSharedHost } from '../../shared/keys/shared-hosts.ts';
import { type ProblemCode, problems } from '../../shared/problems.ts';
import type { createProjection } from '../../shared/query/field-paths.ts';
import { toIsoTime } from '../lib/format.ts';
import type { RecordKey } from './cache/cache-keys.ts';
import type { Envelope } from './cache/envelope.ts';
import type { CallResult } from './single-flight/types.ts';

export type RowOutcome = Omit<LookupRow, 'key'>;
/** Cuts a record to the requested fields. */
export type Projection = ReturnType<typeof createProjection>;

/** Builds a row without a record. @param credits - price of the failed attempt */
export function buildProblemRow(problem: ProblemCode, credits = 0): RowOutcome {
  return { status: problems[problem].row?.status ?? 'failed', credits, problem };
}

/** Builds a row from a cached or fetched answer, which may be that no record exists. */
export function buildRecordRow(
  status: RowStatus,
  { content, fetchedAt }: Envelope,
  project: Projection,
  credits: number,
): RowOutcome {
  if (content.kind !== 'record') return buildProblemRow('not_found', credits);
  return { status, record: project(content.record.value), fetched_at: toIsoTime(fetchedAt), credits };
}

/** Is the key refused for good, so that an older record must not be served either? */
export const isKeyRejected = (result: CallResult | undefined): boolean =>
  result?.outcome === 'failed' && (result.problem === 'erased' || result.problem === 'invalid_key');

export function toRowOutcome(result: CallResult, project: Projection): RowOutcome {
  if (result.outcome === 'failed') return buildProblemRow(result.problem, result.credits);
  if (result.outcome === 'pending' || result.outcome === 'unknown') return buildProblemRow('pending');
  return buildRecordRow(result.outcome, result.envelope, project, result.credits);
}

export function sumCredits(outcomes: ReadonlyMap<string, RowOutcome>): number {
  let spent = 0;
  for (const { credits } of outcomes.values()) spent += credits;
  return spent;
}

/** Finds the registered domain of a host below it, unless the domain has many owners. */
function findRegisteredDomain(host: string): string | undefined {
  const domain = getDomain(host, { allowPrivateDomains: true, extractHostname: false });
  return domain === null || domain === host || isSharedHost(domain) ? undefined : domain;
}

/** Suggests the registered domain instead of a subdomain that no company has. */
function suggestKey({ kind, value }: RecordKey, { problem }: RowOutcome): Pick<LookupRow, 'suggestion'> {
  const suggestion = kind === 'website' && problem === 'not_found' ? findRegisteredDomain(value) : undefined;
  return suggestion === undefined ? {} : { suggestion };
}

/**
 * Builds a row for each requested key, in their order. A repeated key is charged once.
 * @param names - cache name of each key; undefined for an invalid key
 * @param recordKeys - by cache name
 * @param outcomes - by cache name
 */
export function toLookupRows(
  { keys }: LookupRequest,
  names: readonly (string | undefined)[],
  recordKeys: ReadonlyMap<string, { key: RecordKey }>,
  outcomes: ReadonlyMap<string, RowOutcome>,
): LookupRow[] {
  const counted = new Set<string>();
  return keys.map((key, index) => {
    const name = names[index];
    if (name === undefined) return { key, ...buildProblemRow('invalid_key') };
    const outcome = outcomes.get(name) ?? buildProblemRow('internal');
    const isFirst = !counted.has(name);
    counted.add(name);
    const recordKey = recordKeys.get(name)?.key;
    const suggestion = recordKey === undefined ? {} : suggestKey(recordKey, outcome);
    return { key, ...outcome, ...suggestion, credits: isFirst ? outcome.credits : 0 };
  });
}
