// The tables of the overview as CSV files.
import * as z from 'zod';
import type { UsageReport } from '../../../../../shared/api/admin-reports.ts';
import { respondCsv } from '../../../../http/csv.ts';
import type { Page } from '../../context.ts';
import { readPeriod } from './latency.tsx';

type UsageRow = UsageReport['rows'][number];

const usageColumns = [
  'day',
  'team',
  'team_name',
  'calls',
  'hit',
  'stale',
  'coalesced',
  'fetched',
  'not_found',
  'errors',
  'credits',
  'saved',
] as const satisfies readonly (keyof UsageRow)[];

const group = z.enum(['day', 'team']).catch('day');

export const downloads: NonNullable<Page['downloads']> = {
  '/usage.csv': async (context) => {
    const { from, to } = readPeriod(context);
    const by = group.parse(context.query.by);
    const { rows } = await context.api.call('getUsage', { query: { by, from, to } });
    const shown = usageColumns.filter((column) => rows.some((row) => row[column] !== undefined));
    return respondCsv(`usage-by-${by}-${to}`, shown, rows);
  },
  '/latency.csv': async (context) => {
    const { from, to } = readPeriod(context);
    const { by, rows } = await context.api.call('getLatency', { query: { from, to } });
    return respondCsv(`latency-by-${by}-${to}`, ['start', 'calls', 'errors', 'p50_ms', 'p95_ms'], rows);
  },
};
