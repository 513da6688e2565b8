// Dead letters: jobs that failed too often. The admin can retry them.
import {
  and,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import {
  type DeadLetterKind,
  type DeadLetterState,
  deadLetterKinds,
} from '../../shared/api/admin-data-requests.ts';
import { dataRequestRetentionDays } from '../../shared/api/data-requests.ts';
import { isInList } from '../db/json-list.ts';
import type { RetentionRule } from '../db/retention.ts';
import { type DeadLetterRow, deadLetters } from '../db/schema.ts';

/** Chooses dead letters; absent members choose all. */
export interface DeadLetterFilter {
  team?: string | undefined;
  kind?: DeadLetterKind | undefined;
  code?: string | undefined;
  state?: DeadLetterState | undefined;
  /** Milliseconds since 1970. */
  before?: number | undefined;
}

const isOpen = and(isNull(deadLetters.replayedAt), isNull(deadLetters.dismissedAt));

const isInState: Readonly<Record<DeadLetterState, SQL | undefined>> = {
  open: isOpen,
  replayed: isNotNull(deadLetters.replayedAt),
  dismissed: and(isNull(deadLetters.replayedAt), isNotNull(deadLetters.dismissedAt)),
};

const matches = ({ team, kind, code, state, before }: DeadLetterFilter): SQL | undefined =>
  and(
    team === undefined ? undefined : eq(deadLetters.teamId, team),
    kind === undefined ? undefined : eq(deadLetters.kind, kind),
    code === undefined ? undefined : eq(deadLetters.code, code),
    state === undefined ? undefined : isInState[state],
    before === undefined ? undefined : lt(deadLetters.at, before),
  );

export class DeadLetterRepository {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /** Inserts a dead letter; a second one with the same id changes nothing. */
  async insert(letter: typeof deadLetters.$inferInsert): Promise<void> {
    await this.#orm.insert(deadLetters).values(letter).onConflictDoNothing();
  }

  get(id: string): Promise<DeadLetterRow | undefined> {
    return this.#orm.select().from(deadLetters).where(eq(deadLetters.id, id)).get();
  }

  /**
   * Lists a page, newest first.
   * @param after - the last dead letter of the previous page
   */
  list(
    after: DeadLetterRow | undefined,
    limit: number,
    filter: DeadLetterFilter = {},
  ): Promise<DeadLetterRow[]> {
    const isAfter = after && sql`(${deadLetters.at}, ${deadLetters.id}) < (${after.at}, ${after.id})`;
    return this.#orm
      .select()
      .from(deadLetters)
      .where(and(isAfter, matches(filter)))
      .orderBy(desc(deadLetters.at), desc(deadLetters.id))
      .limit(limit)
      .all();
  }

  /**
   * Lists the latest dead letters of some objects, the oldest first. It reads the whole table, which has few rows.
   * @param ids - ids of data requests, pushes or alert messages
   */
  async listFor(ids: readonly string[], limit: number): Promise<DeadLetterRow[]> {
    const rows = await this.#orm
      .select()
      .from(deadLetters)
      .where(inArray(deadLetters.requestId, [...ids]))
      .orderBy(desc(deadLetters.at), desc(deadLetters.id))
      .limit(limit);
    return rows.reverse();
  }

  /** Counts dead letters that were neither replayed nor dismissed, up to a limit. */
  async countOpen(limit: number): Promise<number> {
    const rows = await this.#orm.select({ id: deadLetters.id }).from(deadLetters).where(isOpen).limit(limit);
    return rows.length;
  }

  /** Lists dead letters by their ids, the oldest first. */
  listByIds(ids: readonly string[]): Promise<DeadLetterRow[]> {
    return this.#orm
      .select()
      .from(deadLetters)
      .where(isInList(deadLetters.id, ids))
      .orderBy(deadLetters.at, deadLetters.id);
  }

  /** Dismisses open dead letters. @returns how many there were */
  async dismiss(ids: readonly string[], at: number): Promise<number> {
    const { meta } = await this.#orm
      .update(deadLetters)
      .set({ dismissedAt: at })
      .where(and(isInList(deadLetters.id, ids), isOpen));
    return meta.changes;
  }

  /** Records that the admin restarted the job of an object: its dead letters need no replay. */
  async markSubjectReplayed(requestId: string, at: number): Promise<void> {
    await this.#orm
      .update(deadLetters)
      .set({ replayedAt: at })
      .where(and(eq(deadLetters.requestId, requestId), isNull(deadLetters.replayedAt)));
  }

  async markReplayed(id: string, at: number): Promise<void> {
    await this.#orm.update(deadLetters).set({ replayedAt: at }).where(eq(deadLetters.id, id));
  }
}

/**
 * Creates the retention rules of dead letters.
 * @param isReplayable - conditions over the id of their object, by kind: it can still be replayed
 */
export function createDeadLetterRules(
  isReplayable: Readonly<Record<DeadLetterKind, (id: SQLWrapper) => SQL>>,
): readonly RetentionRule[] {
  const { at, kind, id, requestId } = deadLetters;
  const isUseless = or(
    ...deadLetterKinds.map((each) => and(eq(kind, each), not(isReplayable[each](requestId)))),
  );
  const rule = { table: deadLetters, key: [id] };
  return [
    { ...rule, isExpired: (before) => lt(at, before), days: dataRequestRetentionDays },
    { ...rule, isExpired: (before) => and(lt(at, before), isUseless), days: 1 },
  ];
}
