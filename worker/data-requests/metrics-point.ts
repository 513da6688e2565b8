// The data point of a data request that has ended.
import type { RequestRow } from '../db/schema.ts';
import type { MetricsPoint } from '../http/metrics.ts';

type EndedRequest = Pick<
  RequestRow,
  | 'teamId'
  | 'family'
  | 'kind'
  | 'phase'
  | 'failure'
  | 'reserved'
  | 'charged'
  | 'rows'
  | 'cachedRows'
  | 'createdAt'
  | 'endedAt'
>;

/** Returns the data point. A charge that is unknown counts as the whole reservation, as in the ledger. */
export function toMetricsPoint({
  teamId,
  family,
  kind,
  phase,
  failure,
  reserved,
  charged,
  rows,
  cachedRows,
  createdAt,
  endedAt,
}: EndedRequest): MetricsPoint {
  return {
    event: 'data_request',
    team: teamId,
    operation: 'bulk',
    family,
    outcome: phase,
    problem: failure?.problem ?? '',
    kind,
    ms: (endedAt ?? createdAt) - createdAt,
    credits: charged ?? reserved,
    rows,
    cached_rows: cachedRows ?? 0,
  };
}
