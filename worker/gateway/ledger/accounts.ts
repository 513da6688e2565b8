// What may be spent and what is: the caps, top-ups and totals of the team and of its tokens.

import {
  remainingForTeam,
  remainingForToken,
  remainingUnder,
  selectTotals,
  type TeamRow,
  type TeamSettings,
  type TotalRow,
  type Totals,
  toTeamSettings,
} from './caps.ts';
import { startOfDay, toDay, toMonth } from './periods.ts';
import type { BudgetChange, Caps, TokenChange } from './types.ts';

/** The team among the accounts; a token's account is its id. */
const TEAM = '';

/** A day and a month, of the team and of a token. */
const ROWS_A_MOVE = 4;

/** Calls in 60 seconds. */
const USUAL_RATE = 6000;

/** Credits that become held or spent, or no longer are. */
export interface Posting {
  held: number;
  spent: number;
}

interface TokenSettings {
  caps: Caps;
  revoked: boolean;
  ratePerMinute: number;
}

/** What decides whether a token may spend. */
export interface SpendingStatus {
  /** Credits that one more hold may take; infinite where no cap is set. */
  remaining: number;
  /** Is spending switched on? */
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
type ReturnRow = { period: string; back: number };
const NO_CAPS: Caps = { day: null, month: null };

/**
 * The accounts of one team. What a day takes beyond the team's caps comes from the top-ups and is no longer counted
 * against the caps; what ends uncharged goes back to the top-ups first. So at every moment spent + held is at most the
 * cap and the top-ups, for days and months, and for a token at most its cap.
 */
export class Accounts {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
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
    if (row === undefined) return { caps: NO_CAPS, revoked: false, ratePerMinute: USUAL_RATE };
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
   * The totals of the team or of a token.
   * @param at - milliseconds since 1970, a moment of the day and month
   */
  getTotals(token: string | undefined, at: number): Totals {
    const account = token ?? TEAM;
    return selectTotals(this.#rows(account, at), account, at);
  }

  /** The rows of the team and of an account in the day and month of a moment. */
  #rows(account: string, at: number): TotalRow[] {
    const day = toDay(at);
    return this.#sql
      .exec<TotalRow>(
        `SELECT account, period, spent, held, topped, saved FROM totals
           WHERE account IN ('${TEAM}', ?) AND period IN (?, ?)`,
        account,
        day,
        toMonth(day),
      )
      .toArray();
  }

  /**
   * How a token stands, by its own caps and the team's. Every call that costs something asks: it takes two statements.
   * @param token - undefined is the team by itself
   */
  getSpendingStatus(token: string | undefined, at: number): SpendingStatus {
    const row = this.#sql
      .exec<SpendingStatusRow>(
        `SELECT id, team.day_cap, team.month_cap, spending, top_up, revoked,
             tokens.day_cap AS token_day_cap, tokens.month_cap AS token_month_cap
           FROM team LEFT JOIN tokens ON token = ?`,
        token ?? TEAM,
      )
      .one();
    const { caps, topUp, spending } = toTeamSettings(row);
    const rows = this.#rows(token ?? TEAM, at);
    const team = remainingForTeam(caps, selectTotals(rows, TEAM, at)) + topUp;
    const own = { day: row.token_day_cap, month: row.token_month_cap };
    const left =
      token === undefined ? team : Math.min(team, remainingForToken(own, selectTotals(rows, token, at)));
    return { remaining: Math.max(0, left), spending, revoked: row.revoked === 1 };
  }

  /**
   * Credits that one more hold of a token may take if every open hold ends uncharged that ends soon: those of data requests
   * last for hours, and nobody waits for them.
   */
  getMaxRemaining(token: string, at: number): number {
    const { caps, topUp } = this.getTeam();
    const { day, month } = this.getTotals(undefined, at);
    const today = toDay(at);
    const returning = this.#returning();
    const lasting = this.#lasting(undefined, at);
    const back = (period: string): number =>
      returning.reduce((sum, row) => sum + (row.period.startsWith(period) ? row.back : 0), 0);
    const team = remainingUnder(caps, {
      day: day.spent + lasting.day - day.topped + back(today),
      month: month.spent + lasting.month - month.topped + back(toMonth(today)),
    });
    const spent = this.getTotals(token, at);
    const held = this.#lasting(token, at);
    const own = remainingUnder(this.getToken(token).caps, {
      day: spent.day.spent + held.day,
      month: spent.month.spent + held.month,
    });
    return Math.max(0, Math.min(team + topUp + back(''), own));
  }

  /** Credits by day that go back to the top-ups if no hold that ends soon is charged. Only days have ten characters. */
  #returning(): ReturnRow[] {
    return this.#sql
      .exec<ReturnRow>(
        `SELECT period, min(held - coalesce(lasting.credits, 0), topped) AS back FROM totals
           LEFT JOIN (SELECT date(at / 1000, 'unixepoch') AS day, sum(credits) AS credits FROM holds
             WHERE state = 'held' AND operation = 'bulk' GROUP BY day) AS lasting ON lasting.day = period
           WHERE account = ? AND length(period) = 10 AND held > 0 AND topped > 0`,
        TEAM,
      )
      .toArray();
  }

  /** Credits that are held for data requests, of a token or of all, by the day and month that they are booked to. */
  #lasting(token: string | undefined, at: number): { day: number; month: number } {
    const today = toDay(at);
    return this.#sql
      .exec<{ day: number; month: number }>(
        `SELECT coalesce(sum(iif(at >= ?2, credits, 0)), 0) AS day, coalesce(sum(iif(at >= ?3, credits, 0)), 0) AS month
           FROM holds WHERE state = 'held' AND operation = 'bulk' AND (?1 IS NULL OR token = ?1)`,
        token ?? null,
        startOfDay(today),
        startOfDay(`${toMonth(today)}-01`),
      )
      .one();
  }

  /**
   * Books credits to the team and a token. It asks nobody: what the provider charged stands even beyond a cap.
   * @param at - milliseconds since 1970, a moment of the day and month that they are booked to
   */
  post(token: string, at: number, { held, spent }: Posting): void {
    const day = toDay(at);
    const month = toMonth(day);
    const rows = this.#rows(token, at);
    const topped = this.#fromTopUps(selectTotals(rows, TEAM, at), held + spent);
    if (rows.length < ROWS_A_MOVE) this.#open([TEAM, token], day);
    this.#sql.exec(
      `UPDATE totals SET spent = spent + ?, held = held + ?, topped = topped + iif(account = '${TEAM}', ?, 0)
         WHERE account IN ('${TEAM}', ?) AND period IN (?, ?)`,
      spent,
      held,
      topped,
      token,
      day,
      month,
    );
    if (topped !== 0) this.#sql.exec('UPDATE team SET top_up = top_up - ?', topped);
  }

  /** How much of a change the top-ups bear; negative where they get back. */
  #fromTopUps(totals: Totals, change: number): number {
    if (change <= 0) return -Math.min(-change, totals.day.topped);
    const { caps, topUp } = this.getTeam();
    return Math.min(topUp, Math.max(0, change - remainingForTeam(caps, totals)));
  }

  /** Makes the totals that are missing. */
  #open(accounts: readonly string[], day: string): void {
    for (const account of accounts) {
      this.#sql.exec(
        `INSERT OR IGNORE INTO totals (account, period, spent, held, topped, saved)
           VALUES (?1, ?2, 0, 0, 0, 0), (?1, ?3, 0, 0, 0, 0)`,
        account,
        day,
        toMonth(day),
      );
    }
  }

  /** Counts credits that the team did not need to spend. */
  addSaved(at: number, credits: number): void {
    const day = toDay(at);
    this.#open([TEAM], day);
    this.#sql.exec(
      'UPDATE totals SET saved = saved + ? WHERE account = ? AND period IN (?, ?)',
      credits,
      TEAM,
      day,
      toMonth(day),
    );
  }

  /** Forgets days before a day, unless they are to be kept. */
  deleteBefore(day: string, kept: readonly string[]): void {
    this.#sql.exec(
      `DELETE FROM totals WHERE length(period) = 10 AND period < ?
         AND period NOT IN (SELECT value FROM json_each(?))`,
      day,
      JSON.stringify(kept),
    );
  }
}
