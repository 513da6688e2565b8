// Problems that end a run, and the texts of alerts about runs. Texts hold counts and credits, never records or persons.
import { formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import { createProblem, problems } from '../../../shared/problems.ts';
import { describeReservedCredits } from '../../data-requests/order/reserved-credits.ts';
import type { StoredProblem, TableRunRow } from '../../db/schema.ts';
import { scheduleTokenInvalid } from '../budgets.ts';
import { toReason } from './view.ts';

/** `2026-11-22 09:30 UTC` */
const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Creates the problem of a run that would cost more than its limit. */
export function runTooExpensive(
  records: number,
  credits: number,
  most: number,
  since: number,
): StoredProblem {
  return {
    problem: 'over_budget',
    detail: `${formatCount(records, 'record is', 'records are')} new or changed since ${formatTime(since)}: that costs ${formatNumber(credits)} credits, and a run may cost ${formatNumber(most)}. Nothing was bought.`,
    fix: 'Raise the limit, or refresh by hand.',
  };
}

/** Creates the problem of a run that would cost more than the remaining budget. */
export function budgetTooSmall(credits: number, remaining: number): StoredProblem {
  return {
    problem: 'over_budget',
    detail: `What is new or changed costs ${formatNumber(credits)} credits, and the budget has ${formatNumber(remaining)} left. Nothing was bought.`,
    fix: 'Ask your admin to raise the budget, then start the schedule again.',
  };
}

/** Creates the problem of a schedule that has spent what its runs of a month may cost together. */
export const monthUsedUp = (spent: number, most: number): StoredProblem => ({
  problem: 'over_budget',
  detail: `The schedule has spent ${formatNumber(spent)} of the ${formatNumber(most)} credits that its runs may cost in a month. Nothing was bought.`,
  fix: 'Raise the limit of a run, or resume next month.',
});

/** Creates the reason why a run waits: other work has reserved the remaining budget. */
export const creditsReserved = (credits: number): StoredProblem => ({
  problem: 'over_budget',
  detail: describeReservedCredits(credits),
  fix: 'Nothing needs to be done: the run goes on when that has ended. Or ask your admin to raise the budget.',
});

/** Creates the problem of a run with more matches than previews can return. */
export function tooManyRows(records: number, rows: number, since: number): StoredProblem {
  return {
    problem: 'too_large',
    detail: `${formatNumber(records)} records are new or changed since ${formatTime(since)}, and a run brings ${formatNumber(rows)} at most. Nothing was bought.`,
    fix: 'Bring them with a bulk request, then start the schedule again.',
  };
}

/** Creates the problem of a run with more matches than a data request can return. */
export function tooManyRecords(records: number, since: number): StoredProblem {
  return {
    problem: 'too_large',
    detail: `${formatNumber(records)} records are new or changed since ${formatTime(since)}, and a bulk request brings ${formatNumber(maxRequestRecords)} at most. Nothing was bought.`,
    fix: 'Narrow the search, or refresh by hand.',
  };
}

/** The run has reached its limit, which was lowered after the run began. */
export const limitReached: StoredProblem = {
  problem: 'over_budget',
  detail: 'The run has cost as much as a run may cost.',
  fix: 'Raise the limit, or refresh by hand.',
};

/** Problems of a schedule that was valid when it was saved. */
export const invalidSchedule: Readonly<Record<'token' | 'source', StoredProblem>> = {
  token: scheduleTokenInvalid,
  source: {
    problem: 'invalid_request',
    detail: 'What the table is made of can’t be asked for what is new.',
    fix: 'Write the table again from a search, then start the schedule again.',
  },
};

export const sheetMissing: StoredProblem = {
  problem: 'sheet_missing',
  detail: 'The sheet of this table was deleted.',
  fix: 'Move the table to a new sheet in the sidebar under Tables, then start the schedule again.',
};

export function rowsNotPickedUp(runs: number, since: number): StoredProblem {
  return {
    problem: 'undelivered',
    detail: `The rows of the last ${formatNumber(runs)} runs have not been picked up since ${formatTime(since)}: the spreadsheet was not opened, or was deleted. Nothing more was bought.`,
    fix: 'Open the CDAPI sidebar in the spreadsheet, then resume the schedule.',
  };
}

/** Tells whether a problem stops a schedule at once: a retry cannot help. */
export const isPermanent = ({ problem }: StoredProblem): boolean =>
  problems[problem].policy.retry === 'never';

const PROVIDER_PREFIX = 'The data provider said: ';

/** Quotes the provider's message. It may repeat words of the query, and so name a person. */
export const quoteProvider = (message: string): string => `${PROVIDER_PREFIX}${message}`;

/** Replaces a provider quote for an alert, whose readers may not be allowed to see the query. */
function redactDetail({ problem, detail = '' }: StoredProblem): string | undefined {
  if (problem === 'invalid_request') return 'Its search was refused; the sidebar says why.';
  return detail.startsWith(PROVIDER_PREFIX) ? createProblem(problem).detail : undefined;
}

/** Formats the alert about a failed run. */
export function formatFailureAlert(
  title: string,
  problem: StoredProblem,
  rows: number,
  isStopped: boolean,
): string {
  const reason = toReason(problem);
  const detail = redactDetail(problem) ?? reason.detail;
  const rowsDetail =
    rows === 0 ? '' : ` ${formatCount(rows, 'row that was', 'rows that were')} bought before came.`;
  const consequence = isStopped ? 'Its schedule has stopped.' : 'It is tried again at the next time.';
  return `The table “${title}” was not ${rows === 0 ? '' : 'wholly '}refreshed. ${detail}${rowsDetail} ${consequence} ${reason.fix}`;
}

export function formatChangeAlert(title: string, { rows, credits }: TableRunRow): string {
  return `The table “${title}” has ${formatCount(rows, 'new or changed row', 'new or changed rows')}: ${formatCount(credits, 'credit', 'credits')}.`;
}
