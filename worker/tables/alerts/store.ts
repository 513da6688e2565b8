// Repository of alert addresses and their outbox of messages.
import { and, asc, eq, exists, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { type AlertKind, maxAlerts } from '../../../shared/api/schedules.ts';
import { insertDeadLetter } from '../../data-requests/dead-letters.ts';
import { type AlertMessageRow, type AlertRow, alertMessages, alerts } from '../../db/schema.ts';
import { isActiveTeam, selectTeamName } from '../../gateway/auth/team-repository.ts';

/** Messages that one sweep enqueues. */
const MAX_DUE = 100;

/** Longer than a month: messages deduplicate monthly budget alerts. */
export const MESSAGE_DAYS = 40;

/** A message under a lease that ends at `dueAt`. */
export interface LeasedMessage {
  message: AlertMessageRow;
  dueAt: number;
}

/** Matches addresses that subscribe to a kind. */
const isSubscribed = (kind: AlertKind): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${alerts.kinds}) WHERE value = ${kind})`;

const hasLease = ({ message: { id }, dueAt }: LeasedMessage): SQL | undefined =>
  and(eq(alertMessages.id, id), eq(alertMessages.dueAt, dueAt));

/** Reads and writes alert addresses and messages in D1. */
export class AlertStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /** Lists a team's addresses, oldest first. */
  list(team: string): Promise<AlertRow[]> {
    return this.#orm
      .select()
      .from(alerts)
      .where(eq(alerts.teamId, team))
      .orderBy(asc(alerts.createdAt), asc(alerts.id))
      .all();
  }

  /** Returns an address of a team; undefined also where it belongs to another team. */
  get(team: string, id: string): Promise<AlertRow | undefined> {
    return this.#orm
      .select()
      .from(alerts)
      .where(and(eq(alerts.id, id), eq(alerts.teamId, team)))
      .get();
  }

  /**
   * Adds an address in one statement: concurrent additions cannot exceed the limit together.
   * @returns false when the team is at its limit
   */
  async add({ id, teamId, url, kinds, createdAt }: AlertRow): Promise<boolean> {
    const [added] = await this.#orm
      .insert(alerts)
      .select(
        sql`SELECT ${id}, ${teamId}, ${url}, ${JSON.stringify(kinds)}, ${createdAt}, NULL, NULL
          WHERE (SELECT count(*) FROM ${alerts} WHERE ${eq(alerts.teamId, teamId)}) < ${maxAlerts}`,
      )
      .returning({ id: alerts.id });
    return added !== undefined;
  }

  /** Updates an address. A new URL resets the result of the last delivery. */
  async update(
    team: string,
    id: string,
    change: Pick<AlertRow, 'url' | 'kinds'>,
  ): Promise<AlertRow | undefined> {
    const isSameUrl = sql`${alerts.url} = ${change.url}`;
    const [row] = await this.#orm
      .update(alerts)
      .set({
        ...change,
        lastAt: sql`CASE WHEN ${isSameUrl} THEN ${alerts.lastAt} END`,
        lastDelivered: sql`CASE WHEN ${isSameUrl} THEN ${alerts.lastDelivered} END`,
      })
      .where(and(eq(alerts.id, id), eq(alerts.teamId, team)))
      .returning();
    return row;
  }

  /** Deletes an address with its messages. */
  async remove(team: string, id: string): Promise<boolean> {
    const isAddress = and(eq(alerts.id, id), eq(alerts.teamId, team));
    const [, removed] = await this.#orm.batch([
      this.#orm
        .delete(alertMessages)
        .where(
          and(
            eq(alertMessages.alertId, id),
            exists(this.#orm.select({ id: alerts.id }).from(alerts).where(isAddress)),
          ),
        ),
      this.#orm.delete(alerts).where(isAddress).returning({ id: alerts.id }),
    ]);
    return removed.length > 0;
  }

  /** Finds the addresses of a live team that subscribe to a kind, with the team's name; undefined when there are none. */
  async findRecipients(
    team: string,
    kind: AlertKind,
  ): Promise<{ name: string; alertIds: string[] } | undefined> {
    const rows = await this.#orm
      .select({ name: selectTeamName(alerts.teamId), id: alerts.id })
      .from(alerts)
      .where(and(eq(alerts.teamId, team), isActiveTeam(alerts.teamId), isSubscribed(kind)));
    const [first] = rows;
    return first && { name: first.name ?? '', alertIds: rows.map(({ id }) => id) };
  }

  /** Lists teams that subscribe to a kind. */
  async listTeams(kind: AlertKind): Promise<string[]> {
    const rows = await this.#orm
      .selectDistinct({ team: alerts.teamId })
      .from(alerts)
      .where(and(isActiveTeam(alerts.teamId), isSubscribed(kind)));
    return rows.map(({ team }) => team);
  }

  /** Filters subjects to those that at least one subscribed address has no message about. */
  async listUnsentSubjects(team: string, kind: AlertKind, subjects: readonly string[]): Promise<string[]> {
    const rows = await this.#orm.all<{ subject: string }>(
      sql`SELECT DISTINCT wanted.value AS subject FROM json_each(${JSON.stringify(subjects)}) AS wanted, ${alerts}
        WHERE ${eq(alerts.teamId, team)} AND ${isSubscribed(kind)} AND NOT EXISTS (SELECT 1 FROM ${alertMessages}
          WHERE ${eq(alertMessages.alertId, alerts.id)} AND ${alertMessages.subject} = wanted.value)`,
    );
    return rows.map(({ subject }) => subject);
  }

  /**
   * Inserts messages; an address gets one message per subject.
   * @returns ids of the new messages
   */
  async insertMessages(messages: readonly Omit<AlertMessageRow, 'tries'>[]): Promise<string[]> {
    const [first, ...others] = messages.map((message) =>
      this.#orm
        .insert(alertMessages)
        .values(message)
        .onConflictDoNothing()
        .returning({ id: alertMessages.id }),
    );
    if (first === undefined) return [];
    return (await this.#orm.batch([first, ...others])).flat().map(({ id }) => id);
  }

  /** Lists ids of messages that are due. */
  async listDue(now: number): Promise<string[]> {
    const rows = await this.#orm
      .select({ id: alertMessages.id })
      .from(alertMessages)
      .where(lte(alertMessages.dueAt, now))
      .orderBy(asc(alertMessages.dueAt))
      .limit(MAX_DUE);
    return rows.map(({ id }) => id);
  }

  /** Leases a due message until `dueAt`; undefined when it is not due. */
  async acquireLease(id: string, now: number, dueAt: number): Promise<LeasedMessage | undefined> {
    const [message] = await this.#orm
      .update(alertMessages)
      .set({ dueAt })
      .where(and(eq(alertMessages.id, id), lte(alertMessages.dueAt, now)))
      .returning();
    return message && { message, dueAt };
  }

  /** Returns the address of a message. */
  getAddress({ alertId }: AlertMessageRow): Promise<AlertRow | undefined> {
    return this.#orm.select().from(alerts).where(eq(alerts.id, alertId)).get();
  }

  /**
   * Records a delivery attempt.
   * @param next - time of the next attempt; null after delivery or the last attempt
   * @param error - creates a dead letter with this reason. The letter has no message text, so that erasure need not
   * search it
   */
  async recordAttempt(
    leased: LeasedMessage,
    now: number,
    delivered: boolean,
    next: number | null,
    error?: string,
  ): Promise<void> {
    const { message } = leased;
    const letter = { id: crypto.randomUUID(), at: now, kind: 'alert' as const, requestId: message.id };
    await this.#orm.batch([
      this.#orm
        .update(alertMessages)
        .set({ tries: message.tries + 1, dueAt: next })
        .where(hasLease(leased)),
      this.#orm
        .update(alerts)
        .set({ lastAt: now, lastDelivered: delivered })
        .where(eq(alerts.id, message.alertId)),
      ...(error === undefined
        ? []
        : [insertDeadLetter(this.#orm, { ...letter, body: '', error, replayedAt: null })]),
    ]);
  }

  /** Deletes a message whose address no longer exists. */
  async deleteMessage({ message: { id } }: LeasedMessage): Promise<void> {
    await this.#orm.delete(alertMessages).where(eq(alertMessages.id, id));
  }

  /** Deletes ended messages that were created before a time. */
  async deleteMessagesBefore(before: number): Promise<void> {
    await this.#orm
      .delete(alertMessages)
      .where(and(isNull(alertMessages.dueAt), lt(alertMessages.createdAt, before)));
  }

  /** Restarts an undelivered message. */
  async retry(id: string, now: number): Promise<void> {
    await this.#orm
      .update(alertMessages)
      .set({ tries: 0, dueAt: now })
      .where(and(eq(alertMessages.id, id), isNull(alertMessages.dueAt)));
  }
}
