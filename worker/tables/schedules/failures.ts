// What is said of runs that don't go on, and of those that bring something: counts and credits, no record and no person.

import { maxRequestRecords } from '../../../shared/limits.ts';
import { createProblem as problemOf, problems } from '../../../shared/problems.ts';
import { describeReservedCredits } from '../../data-requests/order/reserved-credits.ts';
import type { StoredProblem, TableRunRow } from '../../db/schema.ts';
import { formatCount } from '../../lib/format.ts';
import { toReason } from './view.ts';

const pluralize = (count: number, one: string, several: string): string =>
  `${formatCount(count)} ${count === 1 ? one : several}`;

/** `2026-11-22 09:30 UTC` */
const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A run would cost more than it may. */
export function runTooExpensive(
  records: number,
  credits: number,
  most: number,
  since: number,
): StoredProblem {
  return {
    problem: 'over_budget',
    detail: `${pluralize(records, 'record is', 'records are')} new or changed since ${formatTime(since)}: that costs ${formatCount(credits)} credits, and a run may cost ${formatCount(most)}. Nothing was bought.`,
    fix: 'Raise the limit, or refresh by hand.',
  };
}

/** The team has less left than a run costs. */
export function budgetTooSmall(credits: number, remaining: number): StoredProblem {
  return {
    problem: 'over_budget',
    detail: `What is new or changed costs ${formatCount(credits)} credits, and the budget has ${formatCount(remaining)} left. Nothing was bought.`,
    fix: 'Ask your admin to raise the budget, then start the schedule again.',
  };
}

/** What is left is held for other work: the run waits for that to end. */
export const creditsReserved = (credits: number): StoredProblem => ({
  problem: 'over_budget',
  detail: describeReservedCredits(credits),
  fix: 'Nothing needs to be done: the run goes on when that has ended. Or ask your admin to raise the budget.',
});

/** There are more records than pages of previews hold. */
export function tooManyRows(records: number, rows: number, since: number): StoredProblem {
  return {
    problem: 'too_large',
    detail: `${formatCount(records)} records are new or changed since ${formatTime(since)}, and a run brings ${formatCount(rows)} at most. Nothing was bought.`,
    fix: 'Bring them with a bulk request, then start the schedule again.',
  };
}

/** There are more records than a data request brings. */
export function tooManyRecords(records: number, since: number): StoredProblem {
  return {
    problem: 'too_large',
    detail: `${formatCount(records)} records are new or changed since ${formatTime(since)}, and a bulk request brings ${formatCount(maxRequestRecords)} at most. Nothing was bought.`,
    fix: 'Narrow the search, or refresh by hand.',
  };
}

/** The credits of a run that was allowed to begin are used up: its limit was lowered meanwhile. */
export const limitReached: StoredProblem = {
  problem: 'over_budget',
  detail: 'The run has cost as much as a run may cost.',
  fix: 'Raise the limit, or refresh by hand.',
};

/** Why a schedule can't go on that could when it was put. */
export const cannot: Readonly<Record<'token' | 'source', StoredProblem>> = {
  token: {
    problem: 'unauthorised',
    detail: 'The connection that ordered this schedule has ended: its token has expired or was revoked.',
    fix: 'Connect again, then start the schedule again.',
  },
  source: {
    problem: 'invalid_request',
    detail: 'What the table is made of can’t be asked for what is new.',
    fix: 'Write the table again from a search, then start the schedule again.',
  },
};

/** The sheet of a table was deleted. */
export const sheetMissing: StoredProblem = {
  problem: 'sheet_missing',
  detail: 'The sheet of this table was deleted.',
  fix: 'Move the table to a new sheet in the sidebar under Tables, then start the schedule again.',
};

/** Rows of earlier runs were bought, and no spreadsheet has picked them up. */
export function rowsNotPickedUp(runs: number, since: number): StoredProblem {
  return {
    problem: 'undelivered',
    detail: `The rows of the last ${formatCount(runs)} runs have not been picked up since ${formatTime(since)}: the spreadsheet was not opened, or was deleted. Nothing more was bought.`,
    fix: 'Open the spreadsheet with the CDAPI sidebar, then start the schedule again.',
  };
}

/** Does a schedule stop for a problem at once, whatever the next run would be like? */
export const isPermanent = ({ problem }: StoredProblem): boolean => problems[problem].retry === 'never';

const PROVIDER_PREFIX = 'The data provider said: ';

/** The provider's own words, which may hold words of the search, and so name a person. */
export const quoteProvider = (words: string): string => `${PROVIDER_PREFIX}${words}`;

/** The same for an alert, which goes to others than those who wrote the search. */
function redactDetail({ problem, detail = '' }: StoredProblem): string | undefined {
  if (problem === 'invalid_request') return 'Its search was refused; the sidebar says why.';
  return detail.startsWith(PROVIDER_PREFIX) ? problemOf(problem).detail : undefined;
}

/** What a team is told of a run that failed. */
export function formatFailureAlert(
  title: string,
  trouble: StoredProblem,
  rows: number,
  stops: boolean,
): string {
  const { detail: said, fix } = toReason(trouble);
  const why = redactDetail(trouble) ?? said;
  const detail =
    rows === 0 ? why : `${why} ${pluralize(rows, 'row that was', 'rows that were')} bought before came.`;
  const after = stops ? 'Its schedule has stopped.' : 'It is tried again at the next time.';
  return `The table “${title}” was not ${rows === 0 ? '' : 'wholly '}refreshed. ${detail} ${after} ${fix}`;
}

/** What a team is told of a run that brought rows. */
export function formatChangeAlert(title: string, { rows, credits }: TableRunRow): string {
  return `The table “${title}” has ${pluralize(rows, 'new or changed row', 'new or changed rows')}: ${pluralize(credits, 'credit', 'credits')}.`;
}
