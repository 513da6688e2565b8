// Deletes a team's saved searches, tables, schedules and alerts.
import { eq, inArray } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import {
  alertMessages,
  alerts,
  enrichedKeys,
  enrichments,
  runs,
  schedules,
  searches,
  tableReports,
  tables,
} from '../db/schema.ts';

/** Builds the statements that delete the saved searches, runs, tables, schedules and alerts of a team. */
export function deleteTeamTables(orm: DrizzleD1Database, team: string) {
  const teamAlerts = orm.select({ id: alerts.id }).from(alerts).where(eq(alerts.teamId, team));
  return [
    orm.delete(searches).where(eq(searches.teamId, team)),
    orm.delete(runs).where(eq(runs.teamId, team)),
    orm.delete(tables).where(eq(tables.teamId, team)),
    orm.delete(schedules).where(eq(schedules.teamId, team)),
    orm.delete(tableReports).where(eq(tableReports.teamId, team)),
    orm.delete(enrichments).where(eq(enrichments.teamId, team)),
    orm.delete(enrichedKeys).where(eq(enrichedKeys.teamId, team)),
    orm.delete(alertMessages).where(inArray(alertMessages.alertId, teamAlerts)),
    orm.delete(alerts).where(eq(alerts.teamId, team)),
  ] as const;
}
