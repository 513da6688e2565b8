// Repository of what tables report: the Changes sheet and dated copies.
import { and, eq, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { TableReport } from '../../../shared/api/enrichments.ts';
import { enrichments, type TableReportRow, tableReports, tables } from '../../db/schema.ts';

type TableKey = Pick<TableReportRow, 'teamId' | 'tableId'>;

const isReport = ({ teamId, tableId }: TableKey) =>
  and(eq(tableReports.teamId, teamId), eq(tableReports.tableId, tableId));

/** Reads and writes reports in D1. */
export class ReportStore {
  readonly #orm: DrizzleD1Database;

  constructor(db: D1Database) {
    this.#orm = drizzle(db);
  }

  get(key: TableKey): Promise<TableReportRow | undefined> {
    return this.#orm.select().from(tableReports).where(isReport(key)).get();
  }

  /** Inserts or changes the settings of a report. The sheets that we made stay known. */
  async put(key: TableKey, settings: TableReport): Promise<void> {
    await this.#orm
      .insert(tableReports)
      .values({ ...key, ...settings, changesSheetId: null, copies: [] })
      .onConflictDoUpdate({ target: [tableReports.teamId, tableReports.tableId], set: settings });
  }

  /** Stores which sheets we make, before they are made. */
  async update(
    key: TableKey,
    change: Partial<Pick<TableReportRow, 'changesSheetId' | 'copies'>>,
  ): Promise<void> {
    await this.#orm.update(tableReports).set(change).where(isReport(key));
  }

  /** Lists the Changes sheets that tables and enrichments of a spreadsheet have. */
  async listChangesSheets(teamId: string, spreadsheetId: string): Promise<number[]> {
    const rows = await this.#orm
      .select({ sheetId: tableReports.changesSheetId })
      .from(tableReports)
      .innerJoin(tables, and(eq(tables.teamId, tableReports.teamId), eq(tables.id, tableReports.tableId)))
      .where(and(eq(tableReports.teamId, teamId), eq(tables.spreadsheetId, spreadsheetId)))
      .union(
        this.#orm
          .select({ sheetId: enrichments.changesSheetId })
          .from(enrichments)
          .where(
            and(eq(enrichments.teamId, teamId), sql`${enrichments.spreadsheet} ->> 'id' = ${spreadsheetId}`),
          ),
      );
    return rows.flatMap(({ sheetId }) => sheetId ?? []);
  }
}
