// Credits of today: the gateway's report is up to a minute old, so the ledger's totals decide, and the rest counts as late.
import type { MeResponse } from '../../shared/api/account.ts';
import type { Run } from '../../shared/api/saved-searches.ts';
import type { UsageResponse } from '../../shared/api/usage.ts';
import type { AlignedUsage, Share } from './api/index.ts';

type Amounts = UsageResponse['total'];
type Account = Pick<MeResponse, 'spent' | 'saved'>;

const sum = (amounts: readonly Amounts[]): Amounts => ({
  spent: amounts.reduce((total, { spent }) => total + spent, 0),
  saved: amounts.reduce((total, { saved }) => total + saved, 0),
});

const isUsed = ({ spent, saved }: Amounts): boolean => spent > 0 || saved > 0;

/** Returns what the ledger has and the report lacks. */
const findLate = ({ spent, saved }: Account, reported: Amounts): Amounts => ({
  spent: spent.day - reported.spent,
  saved: saved.day - reported.saved,
});

/** Sets the report's last day to the ledger's totals of today. */
export function alignUsage({ today: _, ...usage }: UsageResponse, account: Account): AlignedUsage {
  const { to, total, sources } = usage;
  const last = { day: to, spent: account.spent.day, saved: account.saved.day };
  const late = findLate(account, sum(usage.days.filter(({ day }) => day === to)));
  return {
    ...usage,
    days: [...usage.days.filter(({ day }) => day !== to), ...(isUsed(last) ? [last] : [])],
    total: sum([total, late]),
    sources: [...sources, { source: 'late' as const, ...late }].filter(isUsed),
  };
}

/**
 * Shares out what the team has spent today. The shares add up to the ledger's total.
 * @param runs - the team's latest runs: what they have spent is known before the report has it
 * @returns nothing if the gateway is older, or took back credits that the report still has
 */
export function shareToday(
  { today, to }: Pick<UsageResponse, 'today' | 'to'>,
  account: Account,
  runs: readonly Run[],
): Share[] {
  if (today === undefined) return [];
  const late = findLate(account, sum(today));
  if (late.spent < 0) return [];
  const tables = today.find(({ source }) => source === 'table') ?? { spent: 0, saved: 0 };
  // The rows of bulk orders are listed as runs, too.
  const listed = runs.filter(({ kind, ended_at }) => kind !== 'bulk' && ended_at.startsWith(to));
  const credits = listed.reduce((total, run) => total + run.credits, 0);
  const recorded = Math.min(late.spent, Math.max(0, credits - tables.spent));
  const shares: Share[] = [
    { source: 'table', spent: tables.spent + recorded, saved: tables.saved },
    ...today.filter(({ source }) => source !== 'table'),
    { source: 'late', spent: late.spent - recorded, saved: Math.max(0, late.saved) },
  ];
  return shares.filter(isUsed);
}
