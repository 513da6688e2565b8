// Claims keys for data requests: each key belongs to at most one open data request, so it is never bought twice. D1 stores
// pseudonyms, because keys name people.
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { createProblemSummary, type ProblemSummary } from '../../../shared/problems.ts';
import { isInList } from '../../db/json-list.ts';
import { claimedKeys, type RequestRow, requests } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import { type KeySplit, toRecordKey } from './split-keys.ts';

type KeyClaimant = Pick<RequestRow, 'id' | 'family'> & { identity: string };

/** Encodes the ordered keys as one bound value: 10,000 pseudonyms are 0.7 MB, and D1 takes 2 MB. */
async function encodePseudonyms(
  env: Env,
  family: RequestRow['family'],
  { kind, ordered }: KeySplit,
): Promise<string> {
  const pseudonyms = await Pseudonyms.load(env);
  return JSON.stringify(
    await Promise.all(ordered.map((text) => pseudonyms.forKey(toRecordKey(kind, family, text)))),
  );
}

/** Counts of keys that other data requests have claimed. `unclear`: by a data request that ended with an unknown charge. */
interface Conflicts {
  keys: number;
  unclear: number;
}

// Raw SQL: drizzle supports neither `count(*) FILTER` nor a conditional INSERT from `json_each`, and both statements share
// their parameters.

/** Keys (?1 provider, ?2 family, ?3 pseudonyms) that data requests other than ?4 have claimed. */
const CLAIMED_BY_OTHERS = `FROM claimed_keys WHERE identity = ?1 AND family = ?2
  AND pseudonym IN (SELECT value FROM json_each(?3)) AND request_id <> ?4`;

const COUNT_CONFLICTS = `SELECT count(*) AS keys, count(*) FILTER (WHERE EXISTS (SELECT 1 FROM requests
  WHERE id = request_id AND ended_at IS NOT NULL AND charged IS NULL)) AS unclear ${CLAIMED_BY_OTHERS}`;

/** Claims all keys or none, and only in phase `reserving`. Deleting the data request releases them by cascade. */
const CLAIM = `INSERT INTO claimed_keys (identity, family, pseudonym, request_id)
  SELECT ?1, ?2, value, ?4 FROM json_each(?3)
  WHERE NOT EXISTS (SELECT 1 ${CLAIMED_BY_OTHERS})
    AND EXISTS (SELECT 1 FROM requests WHERE id = ?4 AND phase = 'reserving')
  ON CONFLICT DO NOTHING`;

/** Returns the problem of a conflict; undefined if there is none. It discloses only a count about other teams' orders. */
function toConflictProblem({ keys, unclear }: Conflicts): ProblemSummary | undefined {
  const open = keys - unclear;
  if (open > 0) {
    return createProblemSummary(
      'already_ordered',
      open === 1
        ? '1 of these records is on its way in another order.'
        : `${formatNumber(open)} of these records are on their way in another order.`,
      open === 1 ? 'Order again when it is ready: it is free then.' : undefined,
    );
  }
  if (unclear === 0) return undefined;
  return createProblemSummary(
    'already_ordered',
    `${unclear === 1 ? '1 of these records is' : `${formatNumber(unclear)} of these records are`} in an earlier order that may have been charged.`,
    'Ask your admin to compare the provider’s balance and to reconcile that order, then order again.',
  );
}

/**
 * Checks whether other data requests have claimed some of the keys of an order.
 * @returns the problem of the conflict; undefined if there is none
 */
export async function findConflict(
  env: Env,
  { identity, family }: Omit<KeyClaimant, 'id'>,
  split: KeySplit,
): Promise<ProblemSummary | undefined> {
  if (split.ordered.length === 0) return undefined;
  const conflicts = await env.DB.prepare(COUNT_CONFLICTS)
    .bind(identity, family, await encodePseudonyms(env, family, split), '')
    .first<Conflicts>();
  return conflicts === null ? undefined : toConflictProblem(conflicts);
}

/**
 * Claims the keys that a data request orders, all or none. It is idempotent.
 * @returns the problem of a conflict; undefined if the keys are claimed
 */
export async function claimKeys(
  env: Env,
  { id, identity, family }: KeyClaimant,
  split: KeySplit,
): Promise<ProblemSummary | undefined> {
  const values = [identity, family, await encodePseudonyms(env, family, split), id];
  const [conflicts] = await env.DB.batch<Conflicts>([
    env.DB.prepare(COUNT_CONFLICTS).bind(...values),
    env.DB.prepare(CLAIM).bind(...values),
  ]);
  const [counts] = conflicts?.results ?? [];
  return counts && toConflictProblem(counts);
}

export async function releaseKeys(db: D1Database, requestId: string): Promise<void> {
  await drizzle(db).delete(claimedKeys).where(eq(claimedKeys.requestId, requestId));
}

/**
 * Releases the claimed keys of unclear data requests that the admin has reconciled.
 * @param requestIds - ids that are not unclear data requests of the team are ignored
 */
export async function releaseUnclearKeys(
  db: D1Database,
  team: string,
  requestIds: readonly string[],
): Promise<void> {
  const orm = drizzle(db);
  const unclear = orm
    .select({ id: requests.id })
    .from(requests)
    .where(
      and(
        eq(requests.teamId, team),
        isNotNull(requests.endedAt),
        isNull(requests.charged),
        isInList(requests.id, requestIds),
      ),
    );
  await orm.delete(claimedKeys).where(inArray(claimedKeys.requestId, unclear));
}
