// The one place where alert addresses and the messages on their way to them are read and changed.
import { and, asc, eq, exists, inArray, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { type AlertKind, maxAlerts } from '../../../shared/api/schedules.ts';
import {
  type AlertMessageRow,
  type AlertRow,
  alertMessages,
  alerts,
  deadLetters,
  teams,
} from '../../db/schema.ts';

/** Messages that one sweep sends. */
const SWEEP = 100;

/** A message that is being sent: `dueAt` is until when nobody else does. */
export interface LeasedMessage {
  message: AlertMessageRow;
  dueAt: number;
}

/** Addresses that want to hear of a kind. */
const wants = (kind: AlertKind): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${alerts.kinds}) WHERE value = ${kind})`;

const hasLease = ({ message: { id }, dueAt }: LeasedMessage): SQL | undefined =>
  and(eq(alertMessages.id, id), eq(alertMessages.dueAt, dueAt));

/** The alerts of a deployment. */
export class AlertStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /** A team's addresses, the oldest first. */
  list(team: string): Promise<AlertRow[]> {
    return this.#orm
      .select()
      .from(alerts)
      .where(eq(alerts.teamId, team))
      .orderBy(asc(alerts.createdAt), asc(alerts.id))
      .all();
  }

  /** A team's own address; another's is as good as none. */
  get(team: string, id: string): Promise<AlertRow | undefined> {
    return this.#orm
      .select()
      .from(alerts)
      .where(and(eq(alerts.id, id), eq(alerts.teamId, team)))
      .get();
  }

  /**
   * Adds an address, in one statement, so that those which are added at once do not pass the bound together.
   * @returns whether there was room
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

  /** Changes an address; what came of the last message to another one does not count for it. */
  async update(
    team: string,
    id: string,
    change: Pick<AlertRow, 'url' | 'kinds'>,
  ): Promise<AlertRow | undefined> {
    const isSame = sql`${alerts.url} = ${change.url}`;
    const [row] = await this.#orm
      .update(alerts)
      .set({
        ...change,
        lastAt: sql`CASE WHEN ${isSame} THEN ${alerts.lastAt} END`,
        lastDelivered: sql`CASE WHEN ${isSame} THEN ${alerts.lastDelivered} END`,
      })
      .where(and(eq(alerts.id, id), eq(alerts.teamId, team)))
      .returning();
    return row;
  }

  /** Removes an address with all that is on its way there. */
  async remove(team: string, id: string): Promise<boolean> {
    const own = and(eq(alerts.id, id), eq(alerts.teamId, team));
    const [, removed] = await this.#orm.batch([
      this.#orm
        .delete(alertMessages)
        .where(
          and(
            eq(alertMessages.alertId, id),
            exists(this.#orm.select({ id: alerts.id }).from(alerts).where(own)),
          ),
        ),
      this.#orm.delete(alerts).where(own).returning({ id: alerts.id }),
    ]);
    return removed.length > 0;
  }

  /** The statements that remove all of a team's. */
  deleteTeamStatements(team: string) {
    const own = this.#orm.select({ id: alerts.id }).from(alerts).where(eq(alerts.teamId, team));
    return [
      this.#orm.delete(alertMessages).where(inArray(alertMessages.alertId, own)),
      this.#orm.delete(alerts).where(eq(alerts.teamId, team)),
    ] as const;
  }

  /** The name of a team that was not deleted, where it has addresses that want to hear of a kind. */
  async findRecipients(
    team: string,
    kind: AlertKind,
  ): Promise<{ name: string; alertIds: string[] } | undefined> {
    const rows = await this.#orm
      .select({ name: teams.name, id: alerts.id })
      .from(alerts)
      .innerJoin(teams, eq(teams.id, alerts.teamId))
      .where(and(eq(alerts.teamId, team), isNull(teams.deletedAt), wants(kind)));
    const [first] = rows;
    return first && { name: first.name, alertIds: rows.map(({ id }) => id) };
  }

  /** Teams that want to hear of their budget. */
  async listBudgetTeams(): Promise<string[]> {
    const rows = await this.#orm
      .selectDistinct({ team: alerts.teamId })
      .from(alerts)
      .innerJoin(teams, eq(teams.id, alerts.teamId))
      .where(and(isNull(teams.deletedAt), wants('budget')));
    return rows.map(({ team }) => team);
  }

  /** Which of these subjects some address of a team has not been told of, and wants to be. */
  async listUnsentSubjects(team: string, kind: AlertKind, subjects: readonly string[]): Promise<string[]> {
    const rows = await this.#orm.all<{ subject: string }>(
      sql`SELECT DISTINCT wanted.value AS subject FROM json_each(${JSON.stringify(subjects)}) AS wanted, ${alerts}
        WHERE ${eq(alerts.teamId, team)} AND ${wants(kind)} AND NOT EXISTS (SELECT 1 FROM ${alertMessages}
          WHERE ${eq(alertMessages.alertId, alerts.id)} AND ${alertMessages.subject} = wanted.value)`,
    );
    return rows.map(({ subject }) => subject);
  }

  /**
   * Puts messages in, each subject once for an address.
   * @returns those that are new
   */
  async insertMessages(messages: readonly Omit<AlertMessageRow, 'tries'>[]): Promise<string[]> {
    const [first, ...rest] = messages.map((message) =>
      this.#orm
        .insert(alertMessages)
        .values(message)
        .onConflictDoNothing()
        .returning({ id: alertMessages.id }),
    );
    if (first === undefined) return [];
    return (await this.#orm.batch([first, ...rest])).flat().map(({ id }) => id);
  }

  /** Messages that somebody is to send. */
  async listDue(now: number): Promise<string[]> {
    const rows = await this.#orm
      .select({ id: alertMessages.id })
      .from(alertMessages)
      .where(lte(alertMessages.dueAt, now))
      .orderBy(asc(alertMessages.dueAt))
      .limit(SWEEP);
    return rows.map(({ id }) => id);
  }

  /** Takes a message that is due. @param dueAt - until when nobody else does */
  async acquireLease(id: string, now: number, dueAt: number): Promise<LeasedMessage | undefined> {
    const [message] = await this.#orm
      .update(alertMessages)
      .set({ dueAt })
      .where(and(eq(alertMessages.id, id), lte(alertMessages.dueAt, now)))
      .returning();
    return message && { message, dueAt };
  }

  /** The address of a message. */
  getAddress({ alertId }: AlertMessageRow): Promise<AlertRow | undefined> {
    return this.#orm.select().from(alerts).where(eq(alerts.id, alertId)).get();
  }

  /**
   * Notes what came of sending a message.
   * @param next - when it is tried again; null where it was taken or is given up
   * @param error - why it is given up, which makes a dead letter of it, without the words: the message has them, and goes
   * where they name somebody who is erased
   */
  async recordAttempt(
    sending: LeasedMessage,
    now: number,
    delivered: boolean,
    next: number | null,
    error?: string,
  ): Promise<void> {
    const { message } = sending;
    const letter = { id: crypto.randomUUID(), at: now, kind: 'alert' as const, requestId: message.id };
    await this.#orm.batch([
      this.#orm
        .update(alertMessages)
        .set({ tries: message.tries + 1, dueAt: next })
        .where(hasLease(sending)),
      this.#orm
        .update(alerts)
        .set({ lastAt: now, lastDelivered: delivered })
        .where(eq(alerts.id, message.alertId)),
      ...(error === undefined
        ? []
        : [this.#orm.insert(deadLetters).values({ ...letter, body: '', error, replayedAt: null })]),
    ]);
  }

  /** Forgets a message whose address is gone. */
  async deleteMessage({ message: { id } }: LeasedMessage): Promise<void> {
    await this.#orm.delete(alertMessages).where(eq(alertMessages.id, id));
  }

  /** Forgets messages that were made before some time and have ended. */
  async deleteMessagesBefore(before: number): Promise<void> {
    await this.#orm
      .delete(alertMessages)
      .where(and(isNull(alertMessages.dueAt), lt(alertMessages.createdAt, before)));
  }
}
