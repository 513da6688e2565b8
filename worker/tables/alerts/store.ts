// Repository of alert addresses and their outbox of messages.
import { and, asc, eq, exists, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { type AlertKind, maxAlerts } from '../../../shared/api/schedules.ts';
import { type AlertMessageRow, type AlertRow, alertMessages, alerts } from '../../db/schema.ts';
import { isActiveTeam, selectTeamName } from '../../gateway/auth/team-repository.ts';
import { putJobsFrom } from '../../queue/jobs.ts';

const isSubscribed = (kind: AlertKind): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${alerts.kinds}) WHERE value = ${kind})`;

type MessageKey = Pick<AlertMessageRow, 'alertId' | 'subject'>;

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
  async add({ id, teamId, url, kinds, budgetPercents, createdAt }: AlertRow): Promise<boolean> {
    const [added] = await this.#orm
      .insert(alerts)
      .select(
        sql`SELECT ${id}, ${teamId}, ${url}, ${JSON.stringify(kinds)}, ${JSON.stringify(budgetPercents)},
            ${createdAt}, NULL, NULL
          WHERE (SELECT count(*) FROM ${alerts} WHERE ${eq(alerts.teamId, teamId)}) < ${maxAlerts}`,
      )
      .returning({ id: alerts.id });
    return added !== undefined;
  }

  /** Updates an address. A new URL resets the result of the last delivery. */
  async update(
    team: string,
    id: string,
    change: Pick<AlertRow, 'kinds' | 'budgetPercents'> & Partial<Pick<AlertRow, 'url'>>,
  ): Promise<AlertRow | undefined> {
    const [row] = await this.#orm
      .update(alerts)
      .set({ ...change, ...(change.url === undefined ? {} : { lastAt: null, lastError: null }) })
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

  async listTeams(kind: AlertKind): Promise<string[]> {
    const rows = await this.#orm
      .selectDistinct({ team: alerts.teamId })
      .from(alerts)
      .where(and(isActiveTeam(alerts.teamId), isSubscribed(kind)));
    return rows.map(({ team }) => team);
  }

  /** Filters messages to those that their address has not got. */
  listUnsent(wanted: readonly MessageKey[]): Promise<MessageKey[]> {
    const read = (name: keyof MessageKey): SQL => sql.raw(`wanted.value ->> '${name}'`);
    const isSent = sql`${alertMessages.alertId} = ${read('alertId')} AND ${alertMessages.subject} = ${read('subject')}`;
    return this.#orm.all<MessageKey>(
      sql`SELECT ${read('alertId')} AS alertId, ${read('subject')} AS subject
        FROM json_each(${JSON.stringify(wanted)}) AS wanted
        WHERE NOT EXISTS (SELECT 1 FROM ${alertMessages} WHERE ${isSent})`,
    );
  }

  /** Inserts messages with their jobs; an address gets one message per subject. @returns ids of the new messages */
  async insertMessages(messages: readonly AlertMessageRow[]): Promise<string[]> {
    const [first, ...others] = messages.map((message) =>
      this.#orm
        .insert(alertMessages)
        .values(message)
        .onConflictDoNothing()
        .returning({ id: alertMessages.id }),
    );
    if (first === undefined) return [];
    const ids = messages.map(({ id }) => id);
    const results = await this.#orm.batch([first, ...others, this.#plan(inArray(alertMessages.id, ids))]);
    return results.slice(0, -1).flatMap((rows) => (Array.isArray(rows) ? rows.map(({ id }) => id) : []));
  }

  /** Builds the statement that plans the delivery of messages at once. */
  #plan(isSelected: SQL | undefined, at: SQLWrapper = alertMessages.createdAt) {
    return putJobsFrom(this.#orm, 'alert', {
      id: alertMessages.id,
      createdAt: alertMessages.createdAt,
      dueAt: at,
      from: sql`${alertMessages} WHERE ${isSelected}`,
    });
  }

  findMessage(id: string): Promise<{ message: AlertMessageRow; address: AlertRow | null } | undefined> {
    return this.#orm
      .select({ message: alertMessages, address: alerts })
      .from(alertMessages)
      .leftJoin(alerts, eq(alerts.id, alertMessages.alertId))
      .where(eq(alertMessages.id, id))
      .get();
  }

  async recordAttempt({ alertId }: AlertMessageRow, now: number, lastError: string | null): Promise<void> {
    await this.#orm.update(alerts).set({ lastAt: now, lastError }).where(eq(alerts.id, alertId));
  }

  /** Deletes a message whose address no longer exists. */
  async deleteMessage({ id }: AlertMessageRow): Promise<void> {
    await this.#orm.delete(alertMessages).where(eq(alertMessages.id, id));
  }

  /** Restarts the delivery of a message that has ended. */
  async retry(id: string, now: number): Promise<void> {
    await this.#plan(eq(alertMessages.id, id), sql`${now}`);
  }
}

/** Returns where the address of a row is encrypted for. */
export const getAddressPlace = ({ id, teamId }: Pick<AlertRow, 'id' | 'teamId'>): string =>
  `alerts.url ${teamId} ${id}`;
