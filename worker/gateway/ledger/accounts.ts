// The accounts of a team and its tokens: caps, top-ups and totals.

import { createBoundedCache } from '../../lib/bounded-cache.ts';
import type { AutomationBudget } from '../provider-call.ts';
import { startOfDay, toDay, toMonth } from './periods.ts';
import type { BudgetChange, Caps, TokenChange } from './types.ts';

type TeamRow = {
  id: string;
  day_cap: number | null;
  month_cap: number | null;
  spending: number;
  top_up: number;
};

interface TeamSettings {
  id: string;
  caps: Caps;
  spending: boolean;
  topUp: number;
}

/** Credits of an account in one period. */
interface PeriodTotal {
  spent: number;
  /** Of open reservations; not stored, because these are. */
  reserved: number;
  /** How many of the team's spent and reserved credits came from top-ups. */
  fromTopUps: number;
  saved: number;
}

/** Totals of an account in a day and in its month. */
interface Totals {
  day: PeriodTotal;
  month: PeriodTotal;
}

function remainingUnderCap(cap: number | null, used: number): number {
  return cap === null ? Number.POSITIVE_INFINITY : cap - used;
}

/** Computes the credits below the tighter cap. Negative if a cap was lowered below the used credits. */
export function remainingUnder(caps: Caps, used: { day: number; month: number }): number {
  return Math.min(remainingUnderCap(caps.day, used.day), remainingUnderCap(caps.month, used.month));
}

/** Computes the credits below the team's caps, without top-ups. */
function remainingForTeam(caps: Caps, { day, month }: Totals): number {
  return remainingUnder(caps, {
    day: day.spent + day.reserved - day.fromTopUps,
    month: month.spent + month.reserved - month.fromTopUps,
  });
}

/** Computes the credits below a token's caps. */
function remainingForToken(caps: Caps, { day, month }: Totals): number {
  return remainingUnder(caps, { day: day.spent + day.reserved, month: month.spent + month.reserved });
}

function toTeamSettings({ id, day_cap, month_cap, spending, top_up }: TeamRow): TeamSettings {
  return { id, caps: { day: day_cap, month: month_cap }, spending: spending === 1, topUp: top_up };
}

/** Account id of the team. A token's account has the token's id; one of an enrichment or schedule has a prefix. */
const TEAM = '';

/** Totals and tokens that a ledger keeps in memory. */
const MAX_CACHED = 10_000;

/** Calls per 60 seconds of a token without a setting. */
const DEFAULT_RATE_PER_MINUTE = 6000;

export interface Posting {
  reserved: number;
  spent: number;
}

interface TokenSettings {
  caps: Caps;
  revoked: boolean;
  ratePerMinute: number;
}

export interface SpendingStatus {
  /** Credits available for one more reservation; infinite without a cap. */
  remaining: number;
  /** False if an admin has switched spending off. */
  spending: boolean;
  revoked: boolean;
}

type TokenRow = {
  day_cap: number | null;
  month_cap: number | null;
  revoked: number;
  rate_per_minute: number;
};
/** Credits of a day that return to the top-ups. */
type ReturnableRow = { day: string; credits: number };
const NO_CAPS: Caps = { day: null, month: null };

/**
 * The accounts of one team. Credits beyond the team's caps come from its top-ups and do not count against the caps. Released
 * credits return to the top-ups first. So spent + reserved never exceed cap + top-ups in any day or month, and a token's never
 * exceed its cap.
 *
 * Only this object writes its storage, so settings and totals are read once and kept in memory. {@link Accounts.reload} follows
 * a transaction that was rolled back.
 */
export class Accounts {
  readonly #sql: SqlStorage;
  readonly #tokens = createBoundedCache<TokenSettings>(MAX_CACHED);
  readonly #totals = createBoundedCache<PeriodTotal>(MAX_CACHED);
  #team: TeamSettings | undefined;
  #closedAt: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#closedAt = this.#readClosedAt();
  }

  #readClosedAt(): number {
    return this.#sql.exec<{ closed_at: number }>('SELECT closed_at FROM team').one().closed_at;
  }

  /** Reads everything from the storage again. */
  reload(): void {
    this.#team = undefined;
    this.#tokens.clear();
    this.#totals.clear();
    this.#closedAt = this.#readClosedAt();
  }

  /** When the team was deleted: milliseconds since 1970; undefined if it was not. All its tokens are revoked since then. */
  get closedAt(): number | undefined {
    return this.#closedAt === 0 ? undefined : this.#closedAt;
  }

  /** Revokes all tokens for good. */
  close(now: number): void {
    if (this.#closedAt !== 0) return;
    this.#sql.exec('UPDATE team SET closed_at = ?', now);
    this.#closedAt = now;
  }

  /** Tells whether a token may neither read nor spend. */
  isRevoked(token: string): boolean {
    return this.#closedAt !== 0 || this.getToken(token).revoked;
  }

  getTeam(): TeamSettings {
    this.#team ??= toTeamSettings(
      this.#sql.exec<TeamRow>('SELECT id, day_cap, month_cap, spending, top_up FROM team').one(),
    );
    return this.#team;
  }

  getToken(token: string): TokenSettings {
    const known = this.#tokens.get(token);
    if (known !== undefined) return known;
    const settings = this.#readToken(token);
    this.#tokens.set(token, settings);
    return settings;
  }

  #readToken(token: string): TokenSettings {
    const row = this.#sql
      .exec<TokenRow>(
        'SELECT day_cap, month_cap, revoked, rate_per_minute FROM tokens WHERE token = ?',
        token,
      )
      .toArray()[0];
    if (row === undefined) return { caps: NO_CAPS, revoked: false, ratePerMinute: DEFAULT_RATE_PER_MINUTE };
    return {
      caps: { day: row.day_cap, month: row.month_cap },
      revoked: row.revoked === 1,
      ratePerMinute: row.rate_per_minute,
    };
  }

  setTeam(change: BudgetChange): void {
    const before = this.getTeam();
    const caps = { ...before.caps, ...change.caps };
    this.#sql.exec(
      'UPDATE team SET day_cap = ?, month_cap = ?, spending = ?',
      caps.day,
      caps.month,
      (change.spending ?? before.spending) ? 1 : 0,
    );
    this.#team = undefined;
  }

  setToken(token: string, change: TokenChange): void {
    const before = this.getToken(token);
    const caps = { ...before.caps, ...change.caps };
    this.#sql.exec(
      'INSERT OR REPLACE INTO tokens (token, day_cap, month_cap, revoked, rate_per_minute) VALUES (?, ?, ?, ?, ?)',
      token,
      caps.day,
      caps.month,
      (change.revoked ?? before.revoked) ? 1 : 0,
      change.ratePerMinute ?? before.ratePerMinute,
    );
    this.#tokens.delete(token);
  }

  addTopUp(credits: number): void {
    this.#sql.exec('UPDATE team SET top_up = top_up + ?', credits);
    this.#team = undefined;
  }

  /**
   * Reads the totals of the team or of a token.
   * @param at - a time in the day and month: milliseconds since 1970
   */
  getTotals(token: string | undefined, at: number): Totals {
    const account = token ?? TEAM;
    const day = toDay(at);
    return { day: this.#getTotal(account, day), month: this.#getTotal(account, toMonth(day)) };
  }

  /** @param period - `YYYY-MM-DD` or `YYYY-MM` */
  #getTotal(account: string, period: string): PeriodTotal {
    const key = `${account} ${period}`;
    const known = this.#totals.get(key);
    if (known !== undefined) return known;
    const total = this.#sql
      .exec<Record<keyof PeriodTotal, number>>(
        `SELECT coalesce(sum(spent), 0) AS spent, coalesce(sum(from_top_ups), 0) AS fromTopUps, coalesce(sum(saved), 0) AS saved,
             (SELECT coalesce(sum(credits), 0) FROM reservations WHERE state = 'open'
               AND date(at / 1000, 'unixepoch') LIKE ?2 || '%' AND ?1 IN ('${TEAM}', token, account)) AS reserved
           FROM totals WHERE account = ?1 AND day BETWEEN ?2 AND ?2 || '~'`,
        account,
        period,
      )
      .one();
    this.#totals.set(key, total);
    return total;
  }

  /** Returns the credits that accounts have spent and reserved in the month of a time, in their order. */
  getMonthSpending(accounts: readonly string[], at: number): number[] {
    return accounts.map((account) => {
      const { spent, reserved } = this.getTotals(account, at).month;
      return spent + reserved;
    });
  }

  /**
   * Computes what a token may spend under its caps and the team's.
   * @param token - undefined for the team alone
   * @param budget - of an enrichment or schedule, if it pays
   */
  getSpendingStatus(token: string | undefined, at: number, budget?: AutomationBudget): SpendingStatus {
    const { caps, topUp, spending } = this.getTeam();
    const teamRemaining = remainingForTeam(caps, this.getTotals(undefined, at)) + topUp;
    const remaining =
      token === undefined
        ? teamRemaining
        : Math.min(teamRemaining, remainingForToken(this.getToken(token).caps, this.getTotals(token, at)));
    const orderRemaining =
      budget === undefined
        ? Number.POSITIVE_INFINITY
        : remainingForToken({ day: null, month: budget.month }, this.getTotals(budget.account, at));
    return {
      remaining: Math.max(0, Math.min(remaining, orderRemaining)),
      spending,
      revoked: token === undefined ? this.#closedAt !== 0 : this.isRevoked(token),
    };
  }

  /**
   * Computes the credits that would be available to a token if all open reservations ended without a charge. Reservations of
   * data requests stay open for hours, so they count as spent.
   */
  getMaxRemaining(token: string, at: number, budget?: AutomationBudget): number {
    const { caps, topUp } = this.getTeam();
    const { day, month } = this.getTotals(undefined, at);
    const today = toDay(at);
    const returnable = this.#listReturnable();
    const ordered = this.#sumDataRequests(undefined, at);
    const sumReturnable = (period: string): number =>
      returnable.reduce((sum, row) => sum + (row.day.startsWith(period) ? row.credits : 0), 0);
    const teamRemaining = remainingUnder(caps, {
      day: day.spent + ordered.day - day.fromTopUps + sumReturnable(today),
      month: month.spent + ordered.month - month.fromTopUps + sumReturnable(toMonth(today)),
    });
    const remainingOf = (account: string, accountCaps: Caps): number => {
      const totals = this.getTotals(account, at);
      const open = this.#sumDataRequests(account, at);
      return remainingUnder(accountCaps, {
        day: totals.day.spent + open.day,
        month: totals.month.spent + open.month,
      });
    };
    const least = Math.min(
      teamRemaining + topUp + sumReturnable(''),
      remainingOf(token, this.getToken(token).caps),
      budget === undefined
        ? Number.POSITIVE_INFINITY
        : remainingOf(budget.account, { day: null, month: budget.month }),
    );
    return Math.max(0, least);
  }

  /**
   * Lists the credits by day that return to the top-ups if no open reservation is charged, except those of data requests.
   */
  #listReturnable(): ReturnableRow[] {
    return this.#sql
      .exec<ReturnableRow>(
        `SELECT totals.day, min(calls.credits, from_top_ups) AS credits FROM totals
           JOIN (SELECT date(at / 1000, 'unixepoch') AS day, sum(credits) AS credits FROM reservations
             WHERE state = 'open' AND operation <> 'bulk' GROUP BY 1) AS calls ON calls.day = totals.day
           WHERE account = ? AND from_top_ups > 0`,
        TEAM,
      )
      .toArray();
  }

  /** Sums the credits that are reserved for data requests in the day and month of a time, for one account or all. */
  #sumDataRequests(account: string | undefined, at: number): { day: number; month: number } {
    const today = toDay(at);
    return this.#sql
      .exec<{ day: number; month: number }>(
        `SELECT coalesce(sum(iif(at >= ?2, credits, 0)), 0) AS day, coalesce(sum(iif(at >= ?3, credits, 0)), 0) AS month
           FROM reservations WHERE state = 'open' AND operation = 'bulk' AND (?1 IS NULL OR token = ?1 OR account = ?1)`,
        account ?? null,
        startOfDay(today),
        startOfDay(`${toMonth(today)}-01`),
      )
      .one();
  }

  /**
   * Books credits to the team, a token and, if it pays, an enrichment or schedule. Does not check the caps: a reservation has
   * been checked before, and other bookings are already charged by the provider.
   * @param at - a time in the day and month to book to: milliseconds since 1970
   */
  post(token: string, account: string | null, at: number, { reserved, spent }: Posting): void {
    const fromTopUps = this.#computeTopUpShare(this.getTotals(undefined, at), reserved + spent);
    this.#add([TEAM, token, ...(account === null ? [] : [account])], at, {
      reserved,
      spent,
      fromTopUps,
      saved: 0,
    });
    if (fromTopUps !== 0) this.addTopUp(-fromTopUps);
  }

  /** Computes how many credits of a change the top-ups cover; negative if credits return to them. */
  #computeTopUpShare(totals: Totals, change: number): number {
    if (change <= 0) return -Math.min(-change, totals.day.fromTopUps);
    const { caps, topUp } = this.getTeam();
    return Math.min(topUp, Math.max(0, change - remainingForTeam(caps, totals)));
  }

  /** Adds to the totals of accounts, and stores them unless only reserved credits change. Only the team has top-ups. */
  #add(accounts: readonly string[], at: number, change: PeriodTotal): void {
    const today = toDay(at);
    // Evicted totals are read from the storage again: the changed objects must be the stored ones.
    const rows = accounts.map((account) => {
      const { day, month } = this.getTotals(account, at);
      for (const total of [day, month]) {
        total.spent += change.spent;
        total.reserved += change.reserved;
        total.fromTopUps += account === TEAM ? change.fromTopUps : 0;
        total.saved += change.saved;
      }
      return [account, today, day.spent, day.fromTopUps, day.saved];
    });
    if (change.spent === 0 && change.fromTopUps === 0 && change.saved === 0) return;
    this.#sql.exec(
      `INSERT INTO totals (account, day, spent, from_top_ups, saved) VALUES ${rows.map(() => '(?, ?, ?, ?, ?)').join(', ')}
         ON CONFLICT DO UPDATE SET spent = excluded.spent, from_top_ups = excluded.from_top_ups, saved = excluded.saved`,
      ...rows.flat(),
    );
  }

  addSaved(at: number, credits: number): void {
    this.#add([TEAM], at, { reserved: 0, spent: 0, fromTopUps: 0, saved: credits });
  }

  /** The day before which old data are deleted, as `YYYY-MM-DD`; '' at first. */
  get deletedBefore(): string {
    return this.#sql.exec<{ day: string }>('SELECT deleted_before AS day FROM team').one().day;
  }

  /** Deletes the totals of all months before a day's, except those of the days `kept`. */
  deleteBefore(day: string, kept: readonly string[]): void {
    this.#sql.exec('UPDATE team SET deleted_before = ?', day);
    this.#sql.exec(
      'DELETE FROM totals WHERE day < ? AND substr(day, 1, 7) NOT IN (SELECT substr(value, 1, 7) FROM json_each(?))',
      toMonth(day),
      JSON.stringify(kept),
    );
    this.#totals.clear();
  }
}
