// Who pays for schedules, enrichments and pushes, and how much: separate accounts in the ledger of their team. The ledger
// enforces their caps when it reserves the price of a call, so runs at the same time can't exceed them together.
import { maxRunsPerMonth } from '../../shared/limits.ts';
import type { EnrichmentRow, ScheduleRow, StoredProblem } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { getLedger } from '../gateway/ledger/ledger-object.ts';
import type { AutomationBudget } from '../gateway/provider-call.ts';

export const toEnrichmentBudget = ({
  id,
  monthCredits,
}: Pick<EnrichmentRow, 'id' | 'monthCredits'>): AutomationBudget => ({
  account: `order:${id}`,
  month: monthCredits,
});

/** Returns the budget of a schedule: as much as its runs of a month may cost together. */
export const toScheduleBudget = ({
  tableId,
  every,
  maxCredits,
}: Pick<ScheduleRow, 'tableId' | 'every' | 'maxCredits'>): AutomationBudget => ({
  account: `schedule:${tableId}`,
  month: maxRunsPerMonth[every] * maxCredits,
});

/** Reads the credits that budgets of a team have spent and reserved this month, in their order. */
export async function readMonthSpending(
  env: Env,
  team: string,
  budgets: readonly AutomationBudget[],
): Promise<number[]> {
  if (budgets.length === 0) return [];
  return getLedger(env, team).getMonthSpending(budgets.map(({ account }) => account));
}

export const scheduleTokenInvalid: StoredProblem = {
  problem: 'unauthorised',
  detail: 'The connection that pays for this schedule has ended: its token has expired or was revoked.',
  fix: 'Take the schedule over in the sidebar under Tables → Schedule. Your connection pays from then on.',
};

export const enrichmentTokenInvalid: StoredProblem = {
  problem: 'unauthorised',
  detail: 'The connection that pays for these rows has ended: its token has expired or was revoked.',
  fix: 'Save the setting again in the sidebar under Tables. Your connection pays from then on.',
};

export const pushTokenInvalid: StoredProblem = {
  problem: 'unauthorised',
  detail:
    'The connection that updates this table while its sheet is closed has ended: its token has expired or was revoked.',
  fix: 'Take the updates over in the sidebar under Tables → Schedule. Rows that have arrived are then written.',
};
