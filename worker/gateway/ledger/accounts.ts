// The accounts of a team and its tokens: caps, top-ups and totals.

import type { OrderBudget } from '../provider-call.ts';
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

/** Totals of an account in one period. */
type TotalRow = {
  account: string;
  period: string;
  spent: number;
  reserved: number;
  topped: number;
  saved: number;
};

type PeriodTotal = Omit<TotalRow, 'account' | 'period'>;

/** Totals of an account in a day and in its month. */
interface Totals {
  day: PeriodTotal;
  month: PeriodTotal;
}

const NO_CREDITS: PeriodTotal = { spent: 0, reserved: 0, topped: 0, saved: 0 };

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
    day: day.spent + day.reserved - day.topped,
    month: month.spent + month.reserved - month.topped,
  });
}

/** Computes the credits below a token's caps. */
function remainingForToken(caps: Caps, { day, month }: Totals): number {
  return remainingUnder(caps, { day: day.spent + day.reserved, month: month.spent + month.reserved });
}

function toTeamSettings({ id, day_cap, month_cap, spending, top_up }: TeamRow): TeamSettings {
  return { id, caps: { day: day_cap, month: month_cap }, spending: spending === 1, topUp: top_up };
}

/** Selects the totals of one account for the day and month of a time. */
function selectTotals(rows: readonly TotalRow[], account: string, at: number): Totals {
  const day = toDay(at);
  const find = (period: string): PeriodTotal =>
    rows.find((row) => row.account === account && row.period === period) ?? NO_CREDITS;
  return { day: find(day), month: find(toMonth(day)) };
}

/** Account id of the team. A token's account has the token's id; one of a standing order or schedule has a prefix. */
const TEAM = '';

/** Rows of a posting in each account: day and month. */
const ROWS_PER_ACCOUNT = 2;

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
type SpendingStatusRow = TeamRow & {
  token_day_cap: number | null;
  token_month_cap: number | null;
  revoked: number | null;
};
/** Credits of a day that return to the top-ups. */
type ReturnableRow = { period: string; credits: number };
const NO_CAPS: Caps = { day: null, month: null };

/**
 * The accounts of one team. Credits beyond the team's caps come from its top-ups and do not count against the caps. Released
 * credits return to the top-ups first. So spent + reserved never exceed cap + top-ups in any day or month, and a token's never
 * exceed its cap.
 */
export class Accounts {
  readonly #sql: SqlStorage;
  #closedAt: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#closedAt = sql.exec<{ closed: number }>('SELECT closed FROM team').one().closed;
  }

  /** When the team was deleted: milliseconds since 1970; undefined if it was not. All its tokens are revoked since then. */
  get closedAt(): number | undefined {
    return this.#closedAt === 0 ? undefined : this.#closedAt;
  }

  /** Revokes all tokens for good. */
  close(now: number): void {
    if (this.#closedAt !== 0) return;
    this.#sql.exec('UPDATE team SET closed = ?', now);
    this.#closedAt = now;
  }

  /** Tells whether a token may neither read nor spend. */
  isRevoked(token: string): boolean {
    return this.#closedAt !== 0 || this.getToken(token).revoked;
  }

  getTeam(): TeamSettings {
    return toTeamSettings(
      this.#sql.exec<TeamRow>('SELECT id, day_cap, month_cap, spending, top_up FROM team').one(),
    );
  }

  getToken(token: string): TokenSettings {
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
  }

  addTopUp(credits: number): void {
    this.#sql.exec('UPDATE team SET top_up = top_up + ?', credits);
  }

  /**
   * Reads the totals of the team or of a token.
   * @param at - a time in the day and month: milliseconds since 1970
   */
  getTotals(token: string | undefined, at: number): Totals {
    const account = token ?? TEAM;
    return selectTotals(this.#readRows(account, account, at), account, at);
  }

  /** Reads the rows of the team and of two accounts for the day and month of a time. */
  #readRows(account: string, other: string, at: number): TotalRow[] {
    const day = toDay(at);
    return this.#sql
      .exec<TotalRow>(
        `SELECT account, period, spent, reserved, topped, saved FROM totals
           WHERE account IN ('${TEAM}', ?, ?) AND period IN (?, ?)`,
        account,
        other,
        day,
        toMonth(day),
      )
      .toArray();
  }

  /** Returns the credits that accounts have spent and reserved in the month of a time, in their order. */
  getMonthSpending(accounts: readonly string[], at: number): number[] {
    const rows = this.#sql
      .exec<{ account: string; credits: number }>(
        'SELECT account, spent + reserved AS credits FROM totals WHERE period = ? AND account IN (SELECT value FROM json_each(?))',
        toMonth(toDay(at)),
        JSON.stringify(accounts),
      )
      .toArray();
    const credits = new Map(rows.map((row) => [row.account, row.credits]));
    return accounts.map((account) => credits.get(account) ?? 0);
  }

  /**
   * Computes what a token may spend under its caps and the team's. Takes only two statements, because every paid call needs it.
   * @param token - undefined for the team alone
   * @param budget - of a standing order or schedule, if it pays
   */
  getSpendingStatus(token: string | undefined, at: number, budget?: OrderBudget): SpendingStatus {
    const row = this.#sql
      .exec<SpendingStatusRow>(
        `SELECT id, team.day_cap, team.month_cap, spending, top_up, revoked,
             tokens.day_cap AS token_day_cap, tokens.month_cap AS token_month_cap
           FROM team LEFT JOIN tokens ON token = ?`,
        token ?? TEAM,
      )
      .one();
    const { caps, topUp, spending } = toTeamSettings(row);
    const rows = this.#readRows(token ?? TEAM, budget?.account ?? TEAM, at);
    const teamRemaining = remainingForTeam(caps, selectTotals(rows, TEAM, at)) + topUp;
    const tokenCaps = { day: row.token_day_cap, month: row.token_month_cap };
    const remaining =
      token === undefined
        ? teamRemaining
        : Math.min(teamRemaining, remainingForToken(tokenCaps, selectTotals(rows, token, at)));
    const orderRemaining =
      budget === undefined
        ? Number.POSITIVE_INFINITY
        : remainingForToken({ day: null, month: budget.month }, selectTotals(rows, budget.account, at));
    return {
      remaining: Math.max(0, Math.min(remaining, orderRemaining)),
      spending,
      revoked: this.#closedAt !== 0 || row.revoked === 1,
    };
  }

  /**
   * Computes the credits that would be available to a token if all open reservations ended without a charge. Reservations of
   * data requests stay open for hours, so they count as spent.
   */
  getMaxRemaining(token: string, at: number, budget?: OrderBudget): number {
    const { caps, topUp } = this.getTeam();
    const { day, month } = this.getTotals(undefined, at);
    const today = toDay(at);
    const returnable = this.#listReturnable();
    const ordered = this.#sumDataRequests(undefined, at);
    const sumReturnable = (period: string): number =>
      returnable.reduce((sum, row) => sum + (row.period.startsWith(period) ? row.credits : 0), 0);
    const teamRemaining = remainingUnder(caps, {
      day: day.spent + ordered.day - day.topped + sumReturnable(today),
      month: month.spent + ordered.month - month.topped + sumReturnable(toMonth(today)),
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
   * Only days have periods of ten characters.
   */
  #listReturnable(): ReturnableRow[] {
    return this.#sql
      .exec<ReturnableRow>(
        `SELECT period, min(reserved - coalesce(ordered.credits, 0), topped) AS credits FROM totals
           LEFT JOIN (SELECT date(at / 1000, 'unixepoch') AS day, sum(credits) AS credits FROM reservations
             WHERE state = 'open' AND operation = 'bulk' GROUP BY day) AS ordered ON ordered.day = period
           WHERE account = ? AND length(period) = 10 AND reserved > 0 AND topped > 0`,
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
   * Books credits to the team, a token and, if it pays, a standing order or schedule. Does not check the caps: a reservation has been checked before, and other bookings
   * are already charged by the provider.
   * @param at - a time in the day and month to book to: milliseconds since 1970
   */
  post(token: string, account: string | null, at: number, { reserved, spent }: Posting): void {
    const day = toDay(at);
    const month = toMonth(day);
    const accounts = account === null ? [TEAM, token] : [TEAM, token, account];
    const rows = this.#readRows(token, account ?? token, at);
    const topped = this.#computeTopUpShare(selectTotals(rows, TEAM, at), reserved + spent);
    if (rows.length < ROWS_PER_ACCOUNT * accounts.length) this.#insertMissingTotals(accounts, day);
    this.#sql.exec(
      `UPDATE totals SET spent = spent + ?, reserved = reserved + ?, topped = topped + iif(account = '${TEAM}', ?, 0)
         WHERE account IN ('${TEAM}', ?, ?) AND period IN (?, ?)`,
      spent,
      reserved,
      topped,
      token,
      account ?? token,
      day,
      month,
    );
    if (topped !== 0) this.#sql.exec('UPDATE team SET top_up = top_up - ?', topped);
  }

  /** Computes how many credits of a change the top-ups cover; negative if credits return to them. */
  #computeTopUpShare(totals: Totals, change: number): number {
    if (change <= 0) return -Math.min(-change, totals.day.topped);
    const { caps, topUp } = this.getTeam();
    return Math.min(topUp, Math.max(0, change - remainingForTeam(caps, totals)));
  }

  #insertMissingTotals(accounts: readonly string[], day: string): void {
    for (const account of accounts) {
      this.#sql.exec(
        `INSERT OR IGNORE INTO totals (account, period, spent, reserved, topped, saved)
           VALUES (?1, ?2, 0, 0, 0, 0), (?1, ?3, 0, 0, 0, 0)`,
        account,
        day,
        toMonth(day),
      );
    }
  }

  addSaved(at: number, credits: number): void {
    const day = toDay(at);
    this.#insertMissingTotals([TEAM], day);
    this.#sql.exec(
      'UPDATE totals SET saved = saved + ? WHERE account = ? AND period IN (?, ?)',
      credits,
      TEAM,
      day,
      toMonth(day),
    );
  }

  /** Deletes the totals of all days before a day, except `kept`. */
  deleteBefore(day: string, kept: readonly string[]): void {
    this.#sql.exec(
      `DELETE FROM totals WHERE length(period) = 10 AND period < ?
         AND period NOT IN (SELECT value FROM json_each(?))`,
      day,
      JSON.stringify(kept),
    );
  }
}
