// The kinds of operator alerts as data: when each holds, and its texts. No text names a person, a record, a team or a key.
import { formatCount, formatNumber } from '../../shared/lib/format-count.ts';
import type { CronRunRow } from '../db/schema.ts';
import type { ThrottleState } from '../gateway/provider-throttle/types.ts';
import { SILENT_AFTER_MS } from './cron-runs.ts';

export const MAX_COUNTED_LETTERS = 100;
/** Days before today that today's spending is compared with. */
export const SPEND_DAYS = 7;

/** Spending is a spike from so many times the mean of the days before. */
const SPIKE_FACTOR = 3;
/** A smaller amount is no spike, nor is one without so many days of spending before. */
const MIN_SPIKE_CREDITS = 1_000;
const MIN_SPEND_DAYS = 3;
/** Share of failed calls from which callers are in trouble, and the calls that it needs to mean anything. */
const ERROR_PERCENT = 10;
const MIN_CALLS = 50;

/** What the alerts are derived from. Undefined: unknown now, so that alerts that need it stay as they are. */
export interface Signals {
  now: number;
  throttle: ThrottleState | undefined;
  /** The run of the cron before this one; null if there was none. */
  cron: CronRunRow | null | undefined;
  /** At most {@link MAX_COUNTED_LETTERS}. */
  deadLetters: number | undefined;
  /** Of the last day. */
  unclearRequests: number | undefined;
  disputedCredits: number | undefined;
  /** They have not finished within an hour. */
  lateErasures: number | undefined;
  /** How much of its day's or month's cap each team has spent, the larger of the two, in percent. */
  budgetPercents: readonly number[] | undefined;
  /** Credits of all teams today, and on the {@link SPEND_DAYS} before with spending. */
  spending: { today: number; before: readonly number[] } | undefined;
  /** Calls of the last full hour and the present one. */
  calls: { all: number; failed: number } | undefined;
  /** Credits. */
  lowBalance: number;
}

export interface AlertDefinition {
  /** Describes the problem and the next step; null without a problem, undefined if unknown. */
  describe: (signals: Signals) => string | null | undefined;
  /** Counts the objects that have the problem. A message is sent again when there are more. Default: 1. */
  count?: (signals: Signals) => number;
  /** The message after it has ended. */
  recovered: string;
}

const minutes = (ms: number): string => `${formatNumber(Math.round(ms / 60_000))} minutes`;

/** Sweeps that failed in the last two runs at least. */
function listFailingSweeps({ cron }: Signals): string[] | undefined {
  if (cron === undefined) return undefined;
  return Object.entries(cron?.failing ?? {}).flatMap(([name, since]) =>
    since < (cron?.at ?? since) ? [name] : [],
  );
}

/** Alerts that teams have spent a share of a cap. */
function describeBudgets(percent: number): AlertDefinition {
  const count = ({ budgetPercents = [] }: Signals): number =>
    budgetPercents.filter((spent) => spent >= percent).length;
  return {
    describe: (signals) => {
      if (signals.budgetPercents === undefined) return undefined;
      const teams = count(signals);
      if (teams === 0) return null;
      return `${formatCount(teams, 'team')} spent ${percent} % or more of the credits for today or this month. The console’s page Teams says which; raise the budget or add a top-up if they need more.`;
    },
    count,
    recovered: `No team is above ${percent} % of its credits any more.`,
  };
}

/** All kinds, by the name in the table `operator_alerts`. */
export const alertKinds: Readonly<Record<string, AlertDefinition>> = {
  breaker_open: {
    describe: ({ throttle }) => {
      // Half open is a test: it is neither a failure nor a recovery.
      if (throttle === undefined || throttle.breaker.state === 'half_open') return undefined;
      if (throttle.breaker.state === 'closed') return null;
      return 'The data provider fails, so calls to it are stopped. Cached records still work. Calls start again by themselves; if this lasts, ask the provider.';
    },
    recovered: 'The data provider works again.',
  },
  ledger_drift: {
    describe: ({ throttle }) => {
      if (throttle === undefined) return undefined;
      const drift = throttle.balance?.drift ?? 0;
      if (drift === 0) return null;
      return `The provider's balance differs from our ledgers by ${formatNumber(drift)} credits. Find out who else uses the key: GET /admin/v1/provider, docs/admin.md.`;
    },
    recovered: 'The provider’s balance and our ledgers agree again.',
  },
  dead_letters: {
    describe: ({ deadLetters }) => {
      if (deadLetters === undefined) return undefined;
      if (deadLetters === 0) return null;
      const count =
        deadLetters < MAX_COUNTED_LETTERS ? String(deadLetters) : `${MAX_COUNTED_LETTERS} or more`;
      return `Jobs that failed too often (dead letters): ${count}. Remove the cause, then replay them in the console: Activity, Failed messages.`;
    },
    recovered: 'No dead letters are left.',
  },
  unclear_outcomes: {
    describe: ({ throttle, unclearRequests }) => {
      if (unclearRequests === undefined || throttle === undefined) return undefined;
      const credits = throttle.balance?.unclear ?? 0;
      if (unclearRequests === 0 && credits === 0) return null;
      return `Outcomes are unclear: ${formatNumber(unclearRequests)} bulk orders since yesterday, and ${formatNumber(credits)} credits of calls. They count as spent until you reconcile them in the console: Teams shows which teams have some.`;
    },
    recovered: 'No further outcomes are unclear. Reconcile the earlier ones if you have not.',
  },
  disputed_charges: {
    describe: ({ disputedCredits }) => {
      if (disputedCredits === undefined) return undefined;
      if (disputedCredits === 0) return null;
      return `The provider seems to have charged ${formatNumber(disputedCredits)} credits beyond what bulk orders had reserved. They do not count as spent. Compare with the provider's account and resolve them on the team's page of the console: docs/admin.md, Disputed charges.`;
    },
    recovered: 'All disputed charges are resolved.',
  },
  erasure_failing: {
    describe: (signals) => {
      const sweeps = listFailingSweeps(signals);
      if (signals.lateErasures === undefined || sweeps === undefined) return undefined;
      if (signals.lateErasures === 0 && !sweeps.includes('erasures')) return null;
      return `Erasures make no progress; not finished within an hour: ${formatNumber(signals.lateErasures)}. The cron continues them; the log lines erasure_interrupted and sweep_failed say what fails.`;
    },
    recovered: 'All erasures have finished.',
  },
  sweep_failing: {
    describe: (signals) => {
      const sweeps = listFailingSweeps(signals)?.filter((name) => name !== 'erasures');
      if (sweeps === undefined) return undefined;
      if (sweeps.length === 0) return null;
      return `Background work fails: ${sweeps.sort().join(', ')}. The log line sweep_failed says where.`;
    },
    recovered: 'Background work runs again.',
  },
  cron_silent: {
    describe: ({ cron, now }) => {
      if (cron === undefined) return undefined;
      if (cron === null || now - cron.at <= SILENT_AFTER_MS) return null;
      return `The minute cron was silent for ${minutes(now - cron.at)} and runs again. Meanwhile no background work was done.`;
    },
    recovered: 'The minute cron runs on time.',
  },
  budget_80: describeBudgets(80),
  budget_100: describeBudgets(100),
  spend_spike: {
    describe: ({ spending }) => {
      if (spending === undefined) return undefined;
      const { today, before } = spending;
      const mean = before.reduce((sum, credits) => sum + credits, 0) / SPEND_DAYS;
      if (before.length < MIN_SPEND_DAYS || today < Math.max(MIN_SPIKE_CREDITS, SPIKE_FACTOR * mean))
        return null;
      return `All teams spent ${formatNumber(today)} credits today, more than ${SPIKE_FACTOR} times the mean of the last ${SPEND_DAYS} days (${formatNumber(Math.round(mean))}). The console’s overview says who; switch off the spending of a team if it is a mistake.`;
    },
    recovered: 'Spending is as usual again.',
  },
  error_rate: {
    describe: ({ calls }) => {
      if (calls === undefined) return undefined;
      const { all, failed } = calls;
      if (all < MIN_CALLS || failed * 100 < all * ERROR_PERCENT) return null;
      return `${formatNumber(Math.round((failed * 100) / all))} % of the calls since the last full hour failed: ${formatNumber(failed)} of ${formatNumber(all)}. The log and GET /health/deep say whether the provider or the gateway fails.`;
    },
    recovered: `Less than ${ERROR_PERCENT} % of the calls fail.`,
  },
  provider_balance_low: {
    describe: ({ throttle, lowBalance }) => {
      if (throttle === undefined) return undefined;
      const { balance } = throttle;
      if (balance === undefined || balance.reported >= lowBalance) return null;
      return `The provider's account has ${formatNumber(balance.reported)} credits left. Buy more, or purchases will be refused.`;
    },
    recovered: 'The provider’s account has enough credits again.',
  },
};
