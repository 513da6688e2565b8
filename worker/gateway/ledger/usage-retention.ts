// How long the daily usage totals stay in D1.
import { lt } from 'drizzle-orm';
import type { RetentionRule } from '../../db/retention.ts';
import { usageDays } from '../../db/schema.ts';
import { toDay } from './periods.ts';

export const usageRetention: RetentionRule = {
  table: usageDays,
  key: [usageDays.day, usageDays.teamId, usageDays.tokenId, usageDays.family, usageDays.operation],
  isExpired: (before) => lt(usageDays.day, toDay(before)),
  days: 1100,
};
