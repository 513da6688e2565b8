// Credits of today: the gateway's report is up to a minute old, so the ledger's totals decide, and the rest counts as late.
import type { MeResponse } from '../../shared/api/account.ts';
import type { Run } from '../../shared/api/saved-searches.ts';
import type { UsageResponse } from '../../shared/api/usage.ts';
import type { AlignedUsage, Share } from './api/index.ts';

type Amounts = UsageResponse['total'];
type Account = Pick<MeResponse, 'spent' | 'saved'>;

const NOTHING: Amounts = { spent: 0, saved: 0 };

const sum = (amounts: readonly Amounts[]): Amounts => ({
  spent: amounts.reduce((total, { spent }) => total + spent, 0),
  saved: amounts.reduce((total, { saved }) => total + saved, 0),
});

const subtract = (one: Amounts, other: Amounts): Amounts => ({
  spent: one.spent - other.spent,
  saved: one.saved - other.saved,
});

const limit = (amounts: Amounts, most: Amounts): Amounts => ({
  spent: Math.max(0, Math.min(amounts.spent, most.spent)),
  saved: Math.max(0, Math.min(amounts.saved, most.saved)),
});

const isUsed = ({ spent, saved }: Amounts): boolean => spent > 0 || saved > 0;

const findShare = (shares: readonly Share[], source: Share['source']): Amounts =>
  shares.find((share) => share.source === source) ?? NOTHING;

/** Returns what the ledger has and the report lacks. */
const findLate = ({ spent, saved }: Account, reported: Amounts): Amounts =>
  subtract({ spent: spent.day, saved: saved.day }, reported);

/** Sums up the runs of a day that show what a source has spent. Rows of bulk orders are listed as runs, too. */
function sumRuns(runs: readonly Run[], day: string, source: Share['source']): Amounts {
  const listed = runs.filter(
    ({ kind, ended_at }) => ended_at.startsWith(day) && source === (kind === 'bulk' ? 'bulk' : 'table'),
  );
  return sum(listed.map(({ credits, saved }) => ({ spent: credits, saved })));
}

/** Makes shares add up to a total: they lack late calls, or still have credits that were taken back. */
function alignShares(shares: readonly Share[], total: Amounts): Share[] {
  const late = subtract(total, sum(shares));
  let surplus = subtract(NOTHING, late);
  const aligned = shares.map(({ source, ...amounts }): Share => {
    const taken = limit(surplus, amounts);
    surplus = subtract(surplus, taken);
    return { source, ...subtract(amounts, taken) };
  });
  return [...aligned, { source: 'late' as const, ...limit(late, late) }].filter(isUsed);
}

/**
 * Shares out what the team has spent and reused today. The shares add up to the ledger's totals.
 * @param runs - the team's latest runs: what they have spent is known before the report has it
 */
export function shareToday(
  { today, to }: Pick<UsageResponse, 'today' | 'to'>,
  account: Account,
  runs: readonly Run[],
): Share[] {
  const tables = findShare(today, 'table');
  const recorded = limit(subtract(sumRuns(runs, to, 'table'), tables), findLate(account, sum(today)));
  const known: Share[] = [
    { source: 'table', ...sum([tables, recorded]) },
    ...today.filter(({ source }) => source !== 'table'),
  ];
  return alignShares(known, { spent: account.spent.day, saved: account.saved.day });
}

/** Lists the part of today's shares that no run shows. */
export function listOthers(today: readonly Share[], day: string, runs: readonly Run[]): Share[] {
  return today
    .map(({ source, ...amounts }): Share => {
      const rest = subtract(amounts, sumRuns(runs, day, source));
      return { source, ...limit(rest, amounts) };
    })
    .filter(isUsed);
}

/** Sets the report's last day to the ledger's totals of today, and its sources to the shares of today. */
export function alignUsage(
  { today, ...usage }: UsageResponse,
  account: Account,
  shares: readonly Share[],
): AlignedUsage {
  const { to } = usage;
  const last = { day: to, spent: account.spent.day, saved: account.saved.day };
  const late = findLate(account, sum(usage.days.filter(({ day }) => day === to)));
  const total = sum([usage.total, late]);
  const sources = usage.sources.map(({ source, ...amounts }): Share => {
    const change = subtract(findShare(shares, source), findShare(today, source));
    return { source, ...sum([amounts, change]) };
  });
  const added = shares.filter(
    (share) => share.source !== 'late' && usage.sources.every(({ source }) => source !== share.source),
  );
  return {
    ...usage,
    days: [...usage.days.filter(({ day }) => day !== to), ...(isUsed(last) ? [last] : [])],
    total,
    sources: alignShares([...sources, ...added], total),
  };
}
