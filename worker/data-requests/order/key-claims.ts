// Keys on order: a key of a provider belongs to at most one open data request, so that two orders never buy it twice. D1 holds
// pseudonyms, because keys name people.
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { createProblemSummary, type ProblemSummary } from '../../../shared/problems.ts';
import { isInList } from '../../db/json-list.ts';
import { keysOnOrder, type RequestRow, requests } from '../../db/schema.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import { formatCount } from '../../lib/format.ts';
import { type KeySplit, toRecordKey } from './split-keys.ts';

/** The order whose keys are looked for among those on order. */
type KeyClaimant = Pick<RequestRow, 'id' | 'family'> & { identity: string };

/** The keys of an order as one bound value: 10,000 pseudonyms are 0.7 MB, and D1 takes 2 MB. */
async function encodePseudonyms(
  db: D1Database,
  family: RequestRow['family'],
  { kind, ordered }: KeySplit,
): Promise<string> {
  const pseudonyms = await Pseudonyms.load(db);
  return JSON.stringify(
    await Promise.all(ordered.map((text) => pseudonyms.forKey(toRecordKey(kind, family, text)))),
  );
}

/** Keys that other requests have on order. `unclear`: of a request that may have been charged and delivers nothing. */
interface Conflicts {
  keys: number;
  unclear: number;
}

// Raw SQL: drizzle writes neither `count(*) FILTER` nor an INSERT from `json_each` with a condition, and both statements
// share their parameters, of which the pseudonyms are 0.7 MB.

/** SQL: keys of the order (?1 provider, ?2 family, ?3 pseudonyms) that belong to other requests than ?4. */
const CLAIMED_BY_OTHERS = `FROM keys_on_order WHERE identity = ?1 AND family = ?2
  AND pseudonym IN (SELECT value FROM json_each(?3)) AND request_id <> ?4`;

const COUNT_CONFLICTS = `SELECT count(*) AS keys, count(*) FILTER (WHERE EXISTS (SELECT 1 FROM requests
  WHERE id = request_id AND ended_at IS NOT NULL AND charged IS NULL)) AS unclear ${CLAIMED_BY_OTHERS}`;

/** All keys or none, and only while the request waits for its credits: whatever removes the request frees its keys. */
const CLAIM = `INSERT INTO keys_on_order (identity, family, pseudonym, request_id)
  SELECT ?1, ?2, value, ?4 FROM json_each(?3)
  WHERE NOT EXISTS (SELECT 1 ${CLAIMED_BY_OTHERS})
    AND EXISTS (SELECT 1 FROM requests WHERE id = ?4 AND phase = 'reserving')
  ON CONFLICT DO NOTHING`;

/** Says why an order is refused; undefined where it is not. The number is all that other teams' orders disclose. */
function toConflictReason({ keys, unclear }: Conflicts): ProblemSummary | undefined {
  const open = keys - unclear;
  if (open > 0) {
    return createProblemSummary(
      'already_ordered',
      open === 1
        ? '1 of these records is on its way in another order.'
        : `${formatCount(open)} of these records are on their way in another order.`,
      open === 1 ? 'Order again when it is ready: it is free then.' : undefined,
    );
  }
  if (unclear === 0) return undefined;
  return createProblemSummary(
    'already_ordered',
    `${unclear === 1 ? '1 of these records is' : `${formatCount(unclear)} of these records are`} in an earlier order that may have been charged.`,
    'Ask your admin to compare the provider’s balance and to reconcile that order, then order again.',
  );
}

/**
 * Tells whether an order would be refused because other requests have some of its keys on order.
 * @param order - `identity`: of the provider
 * @returns why it would be refused
 */
export async function findConflict(
  db: D1Database,
  { identity, family }: Omit<KeyClaimant, 'id'>,
  split: KeySplit,
): Promise<ProblemSummary | undefined> {
  if (split.ordered.length === 0) return undefined;
  const taken = await db
    .prepare(COUNT_CONFLICTS)
    .bind(identity, family, await encodePseudonyms(db, family, split), '')
    .first<Conflicts>();
  return taken === null ? undefined : toConflictReason(taken);
}

/**
 * Claims the keys that a request orders, all or none; done again, it changes nothing.
 * @returns why the order is refused, where other requests have some of them on order
 */
export async function claimKeys(
  db: D1Database,
  { id, identity, family }: KeyClaimant,
  split: KeySplit,
): Promise<ProblemSummary | undefined> {
  const values = [identity, family, await encodePseudonyms(db, family, split), id];
  const [taken] = await db.batch<Conflicts>([
    db.prepare(COUNT_CONFLICTS).bind(...values),
    db.prepare(CLAIM).bind(...values),
  ]);
  const [counts] = taken?.results ?? [];
  return counts && toConflictReason(counts);
}

/** Frees the keys of a request that orders nothing any more. */
export async function releaseKeys(db: D1Database, requestId: string): Promise<void> {
  await drizzle(db).delete(keysOnOrder).where(eq(keysOnOrder.requestId, requestId));
}

/**
 * Frees the keys of requests that ended unclear, once the admin has said what became of them.
 * @param requestIds - others than a team's own unclear requests are left alone
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
  await orm.delete(keysOnOrder).where(inArray(keysOnOrder.requestId, unclear));
}
