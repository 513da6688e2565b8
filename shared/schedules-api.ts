// What is said below /sheets/v1 about tables that refresh by themselves, and about whom to tell.
import type { Family } from './families.ts';
import type { Reason } from './problems.ts';

/** How often a table is refreshed. */
export const intervals = ['hour', 'day', 'week'] as const;
export type Interval = (typeof intervals)[number];

/** The most runs that a month can have of each. */
export const monthlyRuns: Readonly<Record<Interval, number>> = { hour: 744, day: 31, week: 5 };

/** Body of `PUT /sheets/v1/schedules/{table}`: a registered table has one schedule at most. */
export interface ScheduleBody {
  every: Interval;
  /** Credits that one run may cost at most; one that would cost more buys nothing and stops the schedule. */
  max_credits: number;
  paused: boolean;
}

/** What came of a run of a schedule. */
export interface ScheduleRun {
  id: string;
  /** ISO 8601, UTC. */
  at: string;
  state: 'running' | 'done' | 'failed';
  /** Rows that were new or changed. */
  rows: number;
  credits: number;
  /** Why it failed; of one that is running, what it waits for. */
  problem?: Reason;
}

/** A schedule, as its team sees it. Times are ISO 8601, UTC. */
export interface Schedule extends ScheduleBody {
  /** Id of its table. */
  table: string;
  title: string;
  family: Family;
  /** `stopped`: by itself, for the reason in `problem`; to put it again starts it. */
  state: 'on' | 'paused' | 'stopped';
  problem?: Reason;
  /** Null while it is not on. */
  next_at: string | null;
  last: ScheduleRun | null;
  month: {
    /** Credits that a month can cost at most: runs of a month, times `max_credits`. */
    most: number;
    /** Credits that this month has cost. */
    spent: number;
  };
}

/** Answer of `GET /sheets/v1/schedules`. */
export interface ScheduleList {
  schedules: Schedule[];
}

/**
 * What a team can be told of. `failure`: a data request, a schedule or a push has failed. `change`: a schedule brought
 * rows, or a data request is ready. `budget`: 80 and 100 % of the day's or the month's budget are spent.
 */
export const alertKinds = ['failure', 'change', 'budget'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** The most alert addresses of a team. */
export const maxAlerts = 20;

/** Body of `POST /sheets/v1/alerts` and `PUT /sheets/v1/alerts/{id}`. */
export interface AlertBody {
  /** A public https address that takes `{"text": …}`, as an incoming webhook of Slack does. */
  url: string;
  on: AlertKind[];
}

/** An alert address. Its address is a secret: only its host is told again. */
export interface Alert {
  id: string;
  host: string;
  on: AlertKind[];
  /** What came of the last message; null before the first. */
  last: { at: string; delivered: boolean } | null;
  created_at: string;
}

/** Answer of `GET /sheets/v1/alerts`. */
export interface AlertList {
  alerts: Alert[];
}
