// Looks records up again that are older than an enrichment allows, and writes changed values, within its budgets.

import type { LookupRow } from '../../../shared/api/lookup.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import type { Problem, ProblemCode } from '../../../shared/problems.ts';
import type { EnrichmentRow, StoredProblem } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { ProblemError } from '../../http/problem-error.ts';
import type { Pusher } from '../push/pusher.ts';
import { buyKeys, findProblem, isSettled, lookupKeys } from './fill.ts';
import { createKeyPseudonyms, type EnrichmentKey, toKeyName } from './keys.ts';
import { toRecordEntries } from './sheet-rows.ts';
import type { EnrichmentStore, SheetValues } from './store.ts';
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

export const toStoredProblem = ({ code: problem, detail, fix }: Problem): StoredProblem => ({
  problem,
  detail,
  fix,
});

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

class Refresh {
  readonly #env: Env;
  readonly #store: EnrichmentStore;
  readonly #row: EnrichmentRow;
  readonly #context: GatewayContext;
  readonly #now: number;
  readonly #maxAgeMs: number;

  constructor(
    env: Env,
    store: EnrichmentStore,
    row: EnrichmentRow,
    context: GatewayContext,
    refreshDays: number,
  ) {
    this.#env = env;
    this.#store = store;
    this.#row = row;
    this.#context = context;
    this.#now = context.now();
    this.#maxAgeMs = refreshDays * DAY_MS;
  }

  isOld = ({ values }: Candidate): boolean =>
    values === undefined || values.fetchedAt <= this.#now - this.#maxAgeMs;

  async listCandidates(keys: readonly EnrichmentKey[]): Promise<Candidate[]> {
    const pseudonyms = await createKeyPseudonyms(this.#env, this.#row, keys);
    const known = await this.#store.findValues(this.#row, pseudonyms.values());
    return [...new Map(keys.map((key) => [toKeyName(key), key]))].map(([name, key]) => {
      const pseudonym = pseudonyms.get(name) ?? '';
      const values = known.get(pseudonym);
      return { key, name, pseudonym, ...(values === undefined ? {} : { values }) };
    });
  }

  /** Reads the stored records of keys that no refresh has looked at; free. Keys without one are not looked up. */
  async readStoredRecords(unknown: readonly Candidate[]): Promise<void> {
    const keys = unknown.map(({ key }) => key);
    const { rows } = await lookupKeys(this.#context, this.#row, keys, 0);
    for (const candidate of unknown) {
      const answer = rows.get(candidate.name);
      if (answer?.record !== undefined)
        candidate.values = {
          fetchedAt: getFetchedAt(answer),
          cells: this.#hash(candidate, answer.record),
        };
      else if (answer?.problem === 'max_credits_reached' || answer?.status === 'not_found')
        candidate.values = { fetchedAt: this.#now, cells: {} };
    }
    await this.#save(unknown);
  }

  #hash({ pseudonym }: Candidate, record: NonNullable<LookupRow['record']>): SheetValues['cells'] {
    return hashEntries(pseudonym, this.#row.columns, toRecordEntries(this.#row, record));
  }

  #save(candidates: readonly Candidate[]): Promise<void> {
    return this.#store.putValues(
      this.#row,
      new Map(
        candidates.flatMap(({ pseudonym, values }) =>
          values === undefined ? [] : [[pseudonym, values] as const],
        ),
      ),
    );
  }

  /** Looks old records up again, and writes changed values. @throws ProblemError */
  async renew(pusher: Pusher, old: readonly Candidate[], maxCredits: number): Promise<RefreshResult> {
    const { watched, problems } = collectProblems(this.#context);
    const keys = old.map(({ key }) => key);
    const bought = await buyKeys(this.#env, this.#row, keys, maxCredits, watched, this.#maxAgeMs);
    const renewed = new Map<string, RenewedRecord>();
    const done: Candidate[] = [];
    for (const candidate of old) {
      const answer = bought.rows.get(candidate.name);
      const record = answer?.record;
      if (answer === undefined) continue;
      if (record !== undefined && getFetchedAt(answer) > this.#now - this.#maxAgeMs) {
        const { pseudonym, values } = candidate;
        const entries = toRecordEntries(this.#row, record);
        renewed.set(candidate.name, { answer, entries, pseudonym, hashes: values?.cells ?? {} });
        const fetchedAt = getFetchedAt(answer);
        done.push({ ...candidate, values: { fetchedAt, cells: this.#hash(candidate, record) } });
      } else if (answer.status === 'not_found') {
        // The provider has the record no longer: the sheet keeps its values.
        done.push({ ...candidate, values: { fetchedAt: this.#now, cells: candidate.values?.cells ?? {} } });
      } else if (isSettled(answer)) done.push(candidate);
    }
    if (bought.isLimited && done.length < old.length) problems.add('max_credits_reached');
    const problem = findProblem(this.#row, [...problems], bought);
    try {
      const changes = await writeChanges(this.#env, pusher, this.#store, this.#row, renewed);
      await this.#save(done.filter(({ name }) => bought.rows.get(name)?.problem !== 'erased'));
      return { changes, credits: bought.credits, ...problem };
    } catch (error) {
      // The records are bought: the next run gets them from the cache.
      if (!(error instanceof ProblemError)) throw error;
      return { changes: 0, credits: bought.credits, problem: toStoredProblem(error.problem) };
    }
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
  env: Env,
  store: EnrichmentStore,
  pusher: Pusher,
  row: EnrichmentRow,
  refreshDays: number,
  keys: readonly EnrichmentKey[],
  maxCredits: number,
  context: GatewayContext,
): Promise<RefreshResult> {
  const refresh = new Refresh(env, store, row, context, refreshDays);
  const candidates = await refresh.listCandidates(keys);
  const unknown = candidates.filter((each) => isUnknown(each) && refresh.isOld(each));
  if (unknown.length > 0) await refresh.readStoredRecords(unknown.slice(0, maxLookupKeys));
  const old = candidates
    .filter((each) => !isUnknown(each) && refresh.isOld(each))
    .sort((a, b) => (a.values?.fetchedAt ?? 0) - (b.values?.fetchedAt ?? 0))
    .slice(0, maxLookupKeys);
  return old.length === 0 ? { changes: 0, credits: 0 } : refresh.renew(pusher, old, maxCredits);
}
