// How long rows of this folder stay in D1 that no sweep deletes, and what of it others still need.
import { eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { RetentionRule } from '../db/retention.ts';
import { alertMessages, pushes, runs, tables } from '../db/schema.ts';
import { activityKeptDays } from './saved/activity.ts';

export const retentionRules: readonly RetentionRule[] = [
  {
    table: runs,
    key: [runs.teamId, runs.id],
    isExpired: (before) => lt(runs.notedAt, before),
    days: activityKeptDays,
  },
];

/** Holds where a registered table has its rows from a data request. */
export const isTableSource = (requestId: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${tables} WHERE ${eq(tables.requestId, requestId)})`;

/** Holds where a push exists. */
export const hasPush = (id: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${pushes} WHERE ${eq(pushes.id, id)})`;

/** Holds where an alert message exists. */
export const hasAlert = (id: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${alertMessages} WHERE ${eq(alertMessages.id, id)})`;
