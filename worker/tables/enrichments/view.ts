// Converts enrichments that keep columns filled to API responses.
import type { Enrichment } from '../../../shared/api/enrichments.ts';
import type { EnrichmentRow } from '../../db/schema.ts';
import { toIsoTime } from '../../lib/format.ts';
import { enrichmentTokenInvalid } from '../budgets.ts';
import { toReason } from '../schedules/view.ts';

/**
 * Determines the state of an enrichment, why it has stopped, its last and next run, and its credits.
 * @param hasPayer - whether the token that pays for the closed spreadsheet is valid
 * @param monthSpent - credits of its account this month
 */
export function getEnrichmentStatus(row: EnrichmentRow, hasPayer: boolean, monthSpent: number) {
  const { push, every, lastAt, nextAt } = row;
  // Its next run would only find that nobody pays.
  const { state, problem } =
    push && row.state === 'on' && !hasPayer
      ? ({ state: 'stopped', problem: enrichmentTokenInvalid } as const)
      : row;
  return {
    push,
    every,
    max_credits: row.maxCredits,
    month_credits: row.monthCredits,
    refresh_days: row.refreshDays,
    state,
    ...(problem === null ? {} : { problem: toReason(problem) }),
    next_at: state === 'on' && nextAt !== null ? toIsoTime(nextAt) : null,
    last:
      lastAt === null
        ? null
        : {
            at: toIsoTime(lastAt),
            rows: row.lastRows,
            changes: row.lastChanges,
            credits: row.lastCredits,
          },
    month_spent: monthSpent,
  } satisfies Partial<Enrichment>;
}
