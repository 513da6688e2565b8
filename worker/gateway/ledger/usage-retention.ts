// How long the daily and hourly usage totals stay in D1.
import { lt } from 'drizzle-orm';
import { maxLatencyDays } from '../../../shared/api/admin-reports.ts';
import type { RetentionRule } from '../../db/retention.ts';
import { usageDays, usageHours } from '../../db/schema.ts';
import { toDay } from './periods.ts';

const daily: RetentionRule = {
  table: usageDays,
  key: [usageDays.day, usageDays.teamId, usageDays.tokenId, usageDays.family, usageDays.operation],
  isExpired: (before) => lt(usageDays.day, toDay(before)),
  days: 1100,
};

const hourly: RetentionRule = {
  table: usageHours,
  key: [usageHours.hour, usageHours.teamId],
  isExpired: (before) => lt(usageHours.hour, before),
  days: maxLatencyDays,
};

export const usageRetention: readonly RetentionRule[] = [daily, hourly];
