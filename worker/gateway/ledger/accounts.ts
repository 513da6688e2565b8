// What may be spent and what is: the caps, top-ups and totals of the team and of its tokens.
import { dayOf, monthOf, startOf } from './periods.ts';
import type { BudgetChange, Caps, TokenChange } from './types.ts';

/** The team among the accounts; a token's account is its id. */
const TEAM = '';

/** Calls in 60 seconds. */
const USUAL_RATE = 6000;

/** Credits that one more hold may take; infinite where no cap is set. */
export interface Left {
  now: number;
  /** If every open hold ends uncharged that ends soon: those of data requests last for hours, and nobody waits for them. */
  atBest: number;
}

/** Credits that become held or spent, or no longer are. */
export interface Move {
  held: number;
  spent: number;
}

interface TeamSettings {
  id: string;
  caps: Caps;
  spending: boolean;
  topUp: number;
}

interface TokenSettings {
  caps: Caps;
  revoked: boolean;
  ratePerMinute: number;
}

type TeamRow = {
  id: string;
  day_cap: number | null;
  month_cap: number | null;
  spending: number;
  top_up: number;
};
type TokenRow = {
  day_cap: number | null;
  month_cap: number | null;
  revoked: number;
  rate_per_minute: number;
};
type TotalRow = { period: string; spent: number; held: number; topped: number; saved: number };
type BackRow = { period: string; back: number };
type PeriodTotal = Omit<TotalRow, 'period'>;

const NOTHING: PeriodTotal = { spent: 0, held: 0, topped: 0, saved: 0 };
const NO_CAPS: Caps = { day: null, month: null };

function under(cap: number | null, counted: number): number {
  return cap === null ? Number.POSITIVE_INFINITY : cap - counted;
}

/** What caps leave of themselves: less than nothing where one was lowered below what is spent. */
function roomUnder(caps: Caps, counted: { day: number; month: number }): number {
  return Math.min(under(caps.day, counted.day), under(caps.month, counted.month));
}

function teamRoom(caps: Caps, { day, month }: { day: PeriodTotal; month: PeriodTotal }): number {
  return roomUnder(caps, {
    day: day.spent + day.held - day.topped,
    month: month.spent + month.held - month.topped,
  });
}

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

  team(): TeamSettings {
    const row = this.#sql.exec<TeamRow>('SELECT id, day_cap, month_cap, spending, top_up FROM team').one();
    return {
      id: row.id,
      caps: { day: row.day_cap, month: row.month_cap },
      spending: row.spending === 1,
      topUp: row.top_up,
    };
  }

  token(token: string): TokenSettings {
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
    const before = this.team();
    const caps = { ...before.caps, ...change.caps };
    this.#sql.exec(
      'UPDATE team SET day_cap = ?, month_cap = ?, spending = ?',
      caps.day,
      caps.month,
      (change.spending ?? before.spending) ? 1 : 0,
    );
  }

  setToken(token: string, change: TokenChange): void {
    const before = this.token(token);
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

  topUp(credits: number): void {
    this.#sql.exec('UPDATE team SET top_up = top_up + ?', credits);
  }

  /**
   * The totals of the team or of a token.
   * @param at - milliseconds since 1970, a moment of the day and month
   */
  totals(token: string | undefined, at: number): { day: PeriodTotal; month: PeriodTotal } {
    const day = dayOf(at);
    const month = monthOf(day);
    const rows = this.#sql
      .exec<TotalRow>(
        'SELECT period, spent, held, topped, saved FROM totals WHERE account = ? AND period IN (?, ?)',
        token ?? TEAM,
        day,
        month,
      )
      .toArray();
    const of = (wanted: string) => rows.find(({ period }) => period === wanted) ?? NOTHING;
    return { day: of(day), month: of(month) };
  }

  /** What the team may still hold. */
  teamLeft(at: number): Left {
    const { caps, topUp } = this.team();
    const { day, month } = this.totals(undefined, at);
    const today = dayOf(at);
    const returning = this.#returning();
    const lasting = this.#lasting(undefined, at);
    const back = (period: string): number =>
      returning.reduce((sum, row) => sum + (row.period.startsWith(period) ? row.back : 0), 0);
    const atBest = roomUnder(caps, {
      day: day.spent + lasting.day - day.topped + back(today),
      month: month.spent + lasting.month - month.topped + back(monthOf(today)),
    });
    const now = teamRoom(caps, { day, month });
    return { now: Math.max(0, now + topUp), atBest: Math.max(0, atBest + topUp + back('')) };
  }

  /** What a token may still hold, by its own caps and the team's. */
  left(token: string, at: number): Left {
    const team = this.teamLeft(at);
    const { caps } = this.token(token);
    const { day, month } = this.totals(token, at);
    const now = roomUnder(caps, { day: day.spent + day.held, month: month.spent + month.held });
    const lasting = this.#lasting(token, at);
    const atBest = roomUnder(caps, { day: day.spent + lasting.day, month: month.spent + lasting.month });
    return {
      now: Math.max(0, Math.min(team.now, now)),
      atBest: Math.max(0, Math.min(team.atBest, atBest)),
    };
  }

  /** Credits by day that go back to the top-ups if no hold that ends soon is charged. Only days have ten characters. */
  #returning(): BackRow[] {
    return this.#sql
      .exec<BackRow>(
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
    const today = dayOf(at);
    return this.#sql
      .exec<{ day: number; month: number }>(
        `SELECT coalesce(sum(iif(at >= ?2, credits, 0)), 0) AS day, coalesce(sum(iif(at >= ?3, credits, 0)), 0) AS month
           FROM holds WHERE state = 'held' AND operation = 'bulk' AND (?1 IS NULL OR token = ?1)`,
        token ?? null,
        startOf(today),
        startOf(`${monthOf(today)}-01`),
      )
      .one();
  }

  /**
   * Books credits to the team and a token. It asks nobody: what the provider charged stands even beyond a cap.
   * @param at - milliseconds since 1970, a moment of the day and month that they are booked to
   */
  move(token: string, at: number, { held, spent }: Move): void {
    const topped = this.#fromTopUps(at, held + spent);
    const day = dayOf(at);
    const month = monthOf(day);
    this.#open([TEAM, token], day);
    const book = `UPDATE totals SET spent = spent + ?, held = held + ?, topped = topped + ?
      WHERE account = ? AND period IN (?, ?)`;
    this.#sql.exec(book, spent, held, topped, TEAM, day, month);
    this.#sql.exec(book, spent, held, 0, token, day, month);
    this.#sql.exec('UPDATE team SET top_up = top_up - ?', topped);
  }

  /** How much of a change the top-ups bear; negative where they get back. */
  #fromTopUps(at: number, change: number): number {
    const { day, month } = this.totals(undefined, at);
    if (change <= 0) return -Math.min(-change, day.topped);
    const { caps, topUp } = this.team();
    return Math.min(topUp, Math.max(0, change - teamRoom(caps, { day, month })));
  }

  /** Makes the totals that are missing. */
  #open(accounts: readonly string[], day: string): void {
    for (const account of accounts) {
      this.#sql.exec(
        `INSERT OR IGNORE INTO totals (account, period, spent, held, topped, saved)
           VALUES (?1, ?2, 0, 0, 0, 0), (?1, ?3, 0, 0, 0, 0)`,
        account,
        day,
        monthOf(day),
      );
    }
  }

  /** Counts credits that the team did not need to spend. */
  save(at: number, credits: number): void {
    const day = dayOf(at);
    this.#open([TEAM], day);
    this.#sql.exec(
      'UPDATE totals SET saved = saved + ? WHERE account = ? AND period IN (?, ?)',
      credits,
      TEAM,
      day,
      monthOf(day),
    );
  }

  /** Forgets days before a day, unless they are to be kept. */
  forgetBefore(day: string, kept: readonly string[]): void {
    this.#sql.exec(
      `DELETE FROM totals WHERE length(period) = 10 AND period < ?
         AND period NOT IN (SELECT value FROM json_each(?))`,
      day,
      JSON.stringify(kept),
    );
  }
}
