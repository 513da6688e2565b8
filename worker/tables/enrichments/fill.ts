// Looks up the new keys of an enrichment within its budgets. Known keys are answered from the cache only.
import { maxEnrichedKeys } from '../../../shared/api/enrichments.ts';
import type { LookupRow } from '../../../shared/api/lookup.ts';
import { formatKey } from '../../../shared/keys/index.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { maxWaitMs } from '../../../shared/limits.ts';
import { findRecordOperation, getLookupKinds } from '../../../shared/operations.ts';
import { type ProblemCode, problems } from '../../../shared/problems.ts';
import type { EnrichmentRow, StoredProblem } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { type Caller, requireScope } from '../../gateway/auth/tokens.ts';
import type { GatewayContext } from '../../gateway/context.ts';
import { lookup } from '../../gateway/lookup.ts';
import type { LeasedJob } from '../../queue/jobs.ts';
import { readMonthSpending, toEnrichmentBudget } from '../budgets.ts';
import type { Pusher } from '../push/pusher.ts';
import { countKeys } from './counts.ts';
import { createKeyPseudonyms, type EnrichmentKey, toKeyName } from './keys.ts';
import type { EnrichmentStore } from './store.ts';

/** An enrichment whose keys are looked up. */
export interface Filling {
  env: Env;
  store: EnrichmentStore;
  row: EnrichmentRow;
  context: GatewayContext;
}

/** A run in the closed spreadsheet, under the lease of its job. */
export interface ClosedRun extends Filling {
  job: LeasedJob;
  pusher: Pusher;
}

/**
 * Requires the scopes of every lookup that the keys of an enrichment may need.
 * @throws ProblemError `forbidden_scope`
 */
export function requireEnrichmentScope(
  caller: Caller,
  { family, by, query }: Pick<EnrichmentRow, 'family' | 'by' | 'query'>,
): void {
  if (query !== null) {
    requireScope(caller, family, 'search');
    return;
  }
  const kinds = by === 'auto' || by === 'url' ? getLookupKinds(family) : [by];
  for (const kind of kinds)
    requireScope(caller, family, findRecordOperation(family, kind)?.name ?? 'collect');
}

export interface FillResult {
  /** Rows of the keys that were looked up, by {@link toKeyName}. */
  rows: Map<string, LookupRow>;
  credits: number;
  /** Why the enrichment has to stop. */
  problem?: StoredProblem;
}

export const tooManyKeys: StoredProblem = {
  problem: 'too_many',
  detail: `Your team keeps columns with more than ${formatNumber(maxEnrichedKeys)} keys filled.`,
  fix: 'Stop to keep columns filled that you no longer need.',
};

const monthUsedUp: StoredProblem = {
  problem: 'over_budget',
  detail: 'The credits left for this column this month don’t pay for another record, and rows wait.',
  fix: 'Raise the credits per month, or resume next month.',
};

const runTooSmall: StoredProblem = {
  problem: 'over_budget',
  detail: 'A record costs more credits than a run may cost.',
  fix: 'Raise the credits per run.',
};

/** Outcomes that are final: the key is not looked up again. */
export const isSettled = ({ status, problem }: LookupRow): boolean =>
  status === 'not_found' || problem === 'erased';

/**
 * Looks up keys and spends at most `maxCredits`. Counts are free.
 * @param maxAgeMs - older records are bought again, and answered if that fails; default: any age will do
 */
export async function lookupKeys(
  filling: Filling,
  keys: readonly EnrichmentKey[],
  maxCredits: number,
  maxAgeMs?: number,
): Promise<Pick<FillResult, 'rows' | 'credits'>> {
  const { family, columns, query } = filling.row;
  if (query !== null) return { rows: await countKeys(filling, query, keys), credits: 0 };
  const rows = new Map<string, LookupRow>();
  let credits = 0;
  // A lookup takes keys of one kind.
  for (const [kind, group] of Map.groupBy(keys, ({ kind }) => kind)) {
    const price = findRecordOperation(family, kind)?.credits ?? 0;
    const answer = await lookup(
      {
        family,
        by: kind,
        keys: group.map(formatKey),
        fields: columns.map(({ path }) => path),
        any_fields: true,
        ...(maxAgeMs === undefined ? {} : { max_age_s: Math.floor(maxAgeMs / 1000) }),
        max_credits: Math.max(0, maxCredits - credits),
        wait_ms: maxWaitMs,
      },
      filling.context,
    );
    for (const [at, row] of answer.rows.entries()) {
      const key = group[at];
      if (key !== undefined) rows.set(toKeyName(key), row);
      // A call in progress may still cost its price.
      credits += row.status === 'pending' ? price : 0;
    }
    credits += answer.credits.spent;
  }
  return { rows, credits };
}

/** Keys that were looked up, and what a record of them costs at most. */
interface Purchase extends Pick<FillResult, 'rows' | 'credits'> {
  price: number;
  monthLeft: number;
  /** Whether the budgets are too small for all keys. */
  isLimited: boolean;
}

/**
 * Looks up keys within the credits of the month, whose cap the ledger enforces.
 * @param maxCredits - credits that the run may still spend
 * @param maxAgeMs - as of {@link lookupKeys}
 */
export async function buyKeys(
  filling: Filling,
  keys: readonly EnrichmentKey[],
  maxCredits: number,
  maxAgeMs?: number,
): Promise<Purchase> {
  const { env, row } = filling;
  const price =
    row.query !== null
      ? 0
      : Math.max(1, ...keys.map(({ kind }) => findRecordOperation(row.family, kind)?.credits ?? 0));
  const most = price * keys.length;
  const [spent = 0] = await readMonthSpending(env, row.teamId, [toEnrichmentBudget(row)]);
  const limit = Math.min(maxCredits, Math.max(0, row.monthCredits - spent), most);
  // The cap of each call is a whole number of records.
  const allowed = price === 0 ? 0 : Math.max(0, Math.floor(limit / price) * price);
  const bought = await lookupKeys(filling, keys, allowed, maxAgeMs);
  const monthLeft = row.monthCredits - spent - bought.credits;
  return { ...bought, price, monthLeft, isLimited: allowed < most };
}

/**
 * Looks up keys of an enrichment. Only keys that are not known may cost credits: at most `max_credits`, and the
 * rest of the month's credits. Records them as known before it returns.
 * @param keys - distinct keys of rows without values
 * @param duplicates - names of keys that other rows have: their records are answered from the cache
 */
export async function fillKeys(
  filling: Filling,
  keys: readonly EnrichmentKey[],
  duplicates: ReadonlySet<string> = new Set(),
): Promise<FillResult> {
  const { env, store, row } = filling;
  const names = await createKeyPseudonyms(env, row, keys);
  const toPseudonym = (key: EnrichmentKey): string => names.get(toKeyName(key)) ?? '';
  const known = await store.findKeys(row, [...names.values()]);
  const fresh = keys.filter((key) => !known.has(toPseudonym(key)));
  const isFree = (key: EnrichmentKey): boolean => {
    const isWritten = known.get(toPseudonym(key));
    return isWritten === false || (isWritten === true && duplicates.has(toKeyName(key)));
  };
  const cached = await lookupKeys(filling, keys.filter(isFree), 0);
  if (!(await store.hasSpace(row.teamId, fresh.length))) return { ...cached, problem: tooManyKeys };
  const bought = await buyKeys(filling, fresh, row.maxCredits);
  const settled: string[] = [];
  const delivered: string[] = [];
  for (const key of fresh) {
    const result = bought.rows.get(toKeyName(key));
    if (result?.record !== undefined) delivered.push(toPseudonym(key));
    else if (result !== undefined && isSettled(result)) settled.push(toPseudonym(key));
  }
  // The sheet does not have them yet: they are answered from the cache until their rows are written.
  await store.addKeys(row, [...delivered, ...settled], false);
  const rows = new Map([...cached.rows, ...bought.rows]);
  const codes = [...bought.rows.values()].flatMap(({ problem }) => problem ?? []);
  return { rows, credits: bought.credits, ...findProblem(row, codes, bought) };
}

/** Finds why an enrichment has to stop. @param codes - problems of the keys */
export function findProblem(
  { maxCredits }: EnrichmentRow,
  codes: readonly ProblemCode[],
  { monthLeft, price }: Pick<Purchase, 'monthLeft' | 'price'>,
): { problem?: StoredProblem } {
  const isMonthUsedUp = monthLeft < price;
  const refused = codes.find((code) => problems[code].policy.ends === 'automation');
  if (refused !== undefined)
    return { problem: refused === 'over_budget' && isMonthUsedUp ? monthUsedUp : { problem: refused } };
  if (!codes.includes('max_credits_reached')) return {};
  if (maxCredits < price) return { problem: runTooSmall };
  return isMonthUsedUp ? { problem: monthUsedUp } : {};
}
