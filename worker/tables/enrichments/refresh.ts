// Looks records up again that are older than an enrichment allows, and writes changed values, within its budgets.

import type { LookupRow } from '../../../shared/api/lookup.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import type { StoredProblem } from '../../db/schema.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { toStoredProblem } from '../schedules/view.ts';
import { buyKeys, type ClosedRun, type Filling, findProblem, isSettled, lookupKeys } from './fill.ts';
import { createKeyPseudonyms, type EnrichmentKey, toKeyName } from './keys.ts';
import { toRecordEntries } from './sheet-rows.ts';
import type { SheetValues } from './store.ts';
import { hashEntries, type RenewedRecord, writeChanges } from './write-changes.ts';

export interface RefreshResult {
  changes: number;
  credits: number;
  /** Why the enrichment has to stop. */
  problem?: StoredProblem;
}

/** A key with its pseudonym, and what the sheet has of its record. */
interface Candidate {
  key: EnrichmentKey;
  name: string;
  pseudonym: string;
  values?: SheetValues;
}

/** Tells whether a record was never bought, or is no longer stored. */
const isUnknown = ({ values }: Candidate): boolean => Object.keys(values?.cells ?? {}).length === 0;

const getFetchedAt = ({ fetched_at: at }: LookupRow): number => (at === undefined ? 0 : Date.parse(at));

/** Returns a context that also collects the problems of its calls: a lookup answers those with older records. */
function collectProblems(context: GatewayContext): { watched: GatewayContext; problems: Set<ProblemCode> } {
  const problems = new Set<ProblemCode>();
  const fetchCalls: GatewayContext['fetchCalls'] = async (request) => {
    const results = await context.fetchCalls(request);
    for (const result of results.values()) if (result.outcome === 'failed') problems.add(result.problem);
    return results;
  };
  return { watched: { ...context, fetchCalls }, problems };
}

/** Lists distinct keys with what the sheet has of their records. */
export async function listCandidates(
  { env, store, row }: Filling,
  keys: readonly EnrichmentKey[],
): Promise<Candidate[]> {
  const pseudonyms = await createKeyPseudonyms(env, row, keys);
  const known = await store.findValues(row, pseudonyms.values());
  return [...new Map(keys.map((key) => [toKeyName(key), key]))].map(([name, key]) => {
    const pseudonym = pseudonyms.get(name) ?? '';
    const values = known.get(pseudonym);
    return { key, name, pseudonym, ...(values === undefined ? {} : { values }) };
  });
}

const saveValues = ({ store, row }: Filling, candidates: readonly Candidate[]): Promise<void> =>
  store.putValues(
    row,
    new Map(
      candidates.flatMap(({ pseudonym, values }) =>
        values === undefined ? [] : [[pseudonym, values] as const],
      ),
    ),
  );

/** Reads the stored records of keys that no refresh has looked at; free. Keys without one are not looked up. */
async function readStoredRecords(run: Filling, unknown: readonly Candidate[], now: number): Promise<void> {
  const keys = unknown.map(({ key }) => key);
  const { rows } = await lookupKeys(run, keys, 0);
  for (const candidate of unknown) {
    const answer = rows.get(candidate.name);
    if (answer?.record !== undefined) {
      const entries = toRecordEntries(run.row, answer.record);
      const cells = hashEntries(candidate.pseudonym, run.row.columns, entries);
      candidate.values = { fetchedAt: getFetchedAt(answer), cells };
    } else if (answer?.problem === 'max_credits_reached' || answer?.status === 'not_found')
      candidate.values = { fetchedAt: now, cells: {} };
  }
  await saveValues(run, unknown);
}

/** Looks old records up again, and writes changed values. @throws ProblemError */
async function renew(
  run: ClosedRun,
  old: readonly Candidate[],
  maxCredits: number,
  { now, maxAgeMs }: { now: number; maxAgeMs: number },
): Promise<RefreshResult> {
  const { row } = run;
  const { watched, problems } = collectProblems(run.context);
  const keys = old.map(({ key }) => key);
  const bought = await buyKeys({ ...run, context: watched }, keys, maxCredits, maxAgeMs);
  const renewed = new Map<string, RenewedRecord>();
  const done: Candidate[] = [];
  for (const candidate of old) {
    const { name, pseudonym, values } = candidate;
    const answer = bought.rows.get(name);
    if (answer === undefined) continue;
    const fetchedAt = getFetchedAt(answer);
    if (answer.record !== undefined && fetchedAt > now - maxAgeMs) {
      const entries = toRecordEntries(row, answer.record);
      renewed.set(name, { answer, entries, pseudonym, hashes: values?.cells ?? {} });
      done.push({ ...candidate, values: { fetchedAt, cells: hashEntries(pseudonym, row.columns, entries) } });
    } else if (answer.status === 'not_found') {
      // The provider has the record no longer: the sheet keeps its values.
      done.push({ ...candidate, values: { fetchedAt: now, cells: values?.cells ?? {} } });
    } else if (isSettled(answer)) done.push(candidate);
  }
  if (bought.isLimited && done.length < old.length) problems.add('max_credits_reached');
  const problem = findProblem(row, [...problems], bought);
  try {
    const changes = await writeChanges(run, renewed);
    await saveValues(
      run,
      done.filter(({ name }) => bought.rows.get(name)?.problem !== 'erased'),
    );
    return { changes, credits: bought.credits, ...problem };
  } catch (error) {
    // The records are bought: the next run gets them from the cache.
    if (!(error instanceof ProblemError)) throw error;
    return { changes: 0, credits: bought.credits, problem: toStoredProblem(error.problem) };
  }
}

/**
 * Refreshes the values of an enrichment that are older than its `refreshDays`. Only records that the gateway has
 * bought before are looked up, each at most once in that time; cells that a person has edited are kept.
 * @param keys - keys of rows with values
 * @param maxCredits - credits that the run may still spend
 * @throws ProblemError
 */
export async function refreshValues(
  run: ClosedRun,
  refreshDays: number,
  keys: readonly EnrichmentKey[],
  maxCredits: number,
): Promise<RefreshResult> {
  const age = { now: run.context.now(), maxAgeMs: refreshDays * DAY_MS };
  const isOld = ({ values }: Candidate): boolean =>
    values === undefined || values.fetchedAt <= age.now - age.maxAgeMs;
  const candidates = await listCandidates(run, keys);
  const unknown = candidates.filter((each) => isUnknown(each) && isOld(each));
  if (unknown.length > 0) await readStoredRecords(run, unknown.slice(0, maxLookupKeys), age.now);
  const old = candidates
    .filter((each) => !isUnknown(each) && isOld(each))
    .sort((a, b) => (a.values?.fetchedAt ?? 0) - (b.values?.fetchedAt ?? 0))
    .slice(0, maxLookupKeys);
  return old.length === 0 ? { changes: 0, credits: 0 } : renew(run, old, maxCredits, age);
}
