// Data points of calls to the provider, from the reports of all single-flight objects and data requests.
import type { MetricsPoint } from '../../http/metrics.ts';
import { DATA_REQUESTS_AREA, type Report } from './types.ts';

function classifyOutcome({ outcome, accessRefused, unpaidCredits, unclear }: Report): string {
  if (accessRefused !== undefined) return 'access_refused';
  if (unpaidCredits !== undefined) return 'out_of_credits';
  return unclear > 0 ? 'unclear' : outcome;
}

/** Returns the data point of a report; none if nothing was sent. Unclear credits count as charged, as in the ledger. */
export function toMetricsPoints(report: Report): MetricsPoint[] {
  const { call, charged, unclear } = report;
  if (call === undefined) return [];
  const { team, area, operation = '', ms = 0 } = call;
  return [
    {
      event: 'provider_call',
      team,
      operation,
      family: area === DATA_REQUESTS_AREA ? '' : area,
      outcome: classifyOutcome(report),
      ms,
      credits: charged + unclear,
    },
  ];
}
