// State of operator alerts in D1: which hold, and which messages are not delivered yet. Every change names the state that it
// replaces, so concurrent sweeps send nothing twice.
import { and, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { AlertDelivery } from '../../shared/api/admin-settings.ts';
import { type OperatorAlertRow, operatorAlerts } from '../db/schema.ts';

interface AlertMessage {
  text: string;
  /** How many objects it is about. */
  level: number;
}

export class OperatorAlertStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  /** Lists all alerts, the oldest first. There are at most as many as kinds. */
  list(): Promise<OperatorAlertRow[]> {
    return this.#orm.select().from(operatorAlerts).orderBy(operatorAlerts.since, operatorAlerts.kind).all();
  }

  /** Begins an alert, unless it holds already. */
  async begin(kind: string, { text, level }: AlertMessage, now: number): Promise<void> {
    const state = { since: now, notifiedAt: now, level, pending: text, attempts: 0, dueAt: now };
    await this.#orm
      .insert(operatorAlerts)
      .values({ kind, ...state })
      .onConflictDoUpdate({
        target: operatorAlerts.kind,
        set: { ...state, pending: appendPending(text) },
        setWhere: isNull(operatorAlerts.since),
      });
  }

  /** Enqueues a message about an alert that holds. @param since - null ends it */
  async notify(
    { kind, notifiedAt }: OperatorAlertRow,
    { text, level }: AlertMessage,
    now: number,
    since: number | null,
  ): Promise<void> {
    await this.#orm
      .update(operatorAlerts)
      .set({ since, notifiedAt: now, level, pending: appendPending(text), attempts: 0, dueAt: now })
      .where(and(eq(operatorAlerts.kind, kind), eq(operatorAlerts.notifiedAt, notifiedAt)));
  }

  /** Drops all messages that are not delivered yet. */
  async dropPending(): Promise<void> {
    await this.#orm
      .update(operatorAlerts)
      .set({ pending: null, attempts: sql`${operatorAlerts.attempts} + 1`, dueAt: null })
      .where(isNotNull(operatorAlerts.dueAt));
  }

  /** Lists the alerts whose message is due. It is being sent until the end of the lease. */
  async leaseDue(now: number, until: number) {
    const rows = await this.#orm
      .update(operatorAlerts)
      .set({ dueAt: until })
      .where(lte(operatorAlerts.dueAt, now))
      .returning();
    return rows.map(({ kind, pending, attempts }) => ({ kind, text: pending ?? '', attempts, dueAt: until }));
  }

  /** Records a delivery, unless a newer message has replaced this one. */
  async recordDelivery({ kind, dueAt }: LeasedAlert): Promise<void> {
    await this.#orm
      .update(operatorAlerts)
      .set({ pending: null, lastError: null, attempts: 0, dueAt: null })
      .where(and(eq(operatorAlerts.kind, kind), eq(operatorAlerts.dueAt, dueAt)));
  }

  /** Records a failed attempt, unless a newer message has replaced this one. @param next - null drops the message */
  async recordFailure(
    { kind, attempts, dueAt }: LeasedAlert,
    lastError: string,
    next: number | null,
  ): Promise<void> {
    await this.#orm
      .update(operatorAlerts)
      .set({ lastError, attempts: attempts + 1, dueAt: next, ...(next === null ? { pending: null } : {}) })
      .where(and(eq(operatorAlerts.kind, kind), eq(operatorAlerts.dueAt, dueAt)));
  }
}

export type LeasedAlert = Awaited<ReturnType<OperatorAlertStore['leaseDue']>>[number];

/** What became of the last message of an alert. */
export function getDelivery({ pending, attempts }: OperatorAlertRow): AlertDelivery {
  if (pending !== null) return 'pending';
  // A delivery resets the attempts.
  return attempts === 0 ? 'delivered' : 'dropped';
}

/** Keeps a beginning that was not delivered yet in front of its end. */
const appendPending = (text: string) =>
  sql`CASE WHEN ${operatorAlerts.pending} IS NULL OR length(${operatorAlerts.pending}) > 1500 THEN ${text}
    ELSE ${operatorAlerts.pending} || char(10) || ${text} END`;
