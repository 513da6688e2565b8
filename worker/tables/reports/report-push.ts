// Reports a push: appends its changes to the Changes sheet, counts them for the alert, and makes the dated copy.
import type { NamedColumn } from '../../../shared/api/tables.ts';
import type { CellValue } from '../../../shared/table/cells.ts';
import type { TableReportRow, TableRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { logError } from '../../http/log.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { enqueueAlert } from '../alerts/enqueue-alert.ts';
import type { PlannedChanges } from '../push/push-table.ts';
import type { Pusher } from '../push/pusher.ts';
import {
  appendChanges,
  type ChangesSource,
  formatSignals,
  nameSignal,
  type RowEvent,
} from './changes-sheet.ts';
import { makeSnapshot } from './snapshots.ts';
import { ReportStore } from './store.ts';

export class PushReporter {
  readonly #env: Env;
  readonly #store: ReportStore;
  readonly #table: TableRow;
  readonly #settings: TableReportRow;
  readonly #counts = new Map<string, number>();

  private constructor(env: Env, store: ReportStore, table: TableRow, settings: TableReportRow) {
    this.#env = env;
    this.#store = store;
    this.#table = table;
    this.#settings = settings;
  }

  /** Returns the report of a table; undefined if it reports nothing. */
  static async load(env: Env, table: TableRow): Promise<PushReporter | undefined> {
    const store = new ReportStore(env.DB);
    const settings = await store.get({ teamId: table.teamId, tableId: table.id });
    if (settings === undefined || (!settings.changes && settings.snapshots === 0)) return undefined;
    return new PushReporter(env, store, table, settings);
  }

  /** Describes the table to the Changes sheet, which all tables and kept columns of the spreadsheet share. */
  #getSource(): ChangesSource {
    const { teamId, id: tableId, spreadsheetId, title, family } = this.#table;
    const saveSheet = (changesSheetId: number): Promise<void> =>
      this.#store.update({ teamId, tableId }, { changesSheetId });
    const findSheet = async (): Promise<number | null> => {
      const own = (await this.#store.get({ teamId, tableId }))?.changesSheetId;
      return own ?? (await this.#store.findChangesSheet(teamId, spreadsheetId));
    };
    return { spreadsheetId, title, family, findSheet, saveSheet };
  }

  /** Creates the listener of the changes of a push. @param columns - the columns of its rows */
  createListener(
    pusher: Pusher,
    columns: readonly NamedColumn[],
  ): (changes: PlannedChanges) => Promise<void> {
    return async ({ records, newIds, changes }) => {
      if (!this.#settings.changes) return;
      const nameColumn = columns.findIndex(({ path }) => /(?:^|_)(?:name|title)$/.test(path));
      const getName = (record: string): CellValue => records.get(record)?.[nameColumn]?.value ?? '';
      const events: RowEvent[] = [
        ...[...newIds].map((record) => ({ record, before: '', after: '' })),
        ...changes,
      ];
      await appendChanges(pusher, this.#getSource(), events, ({ record, column }) => {
        const changed = column === undefined ? undefined : columns[column];
        return {
          name: getName(record),
          heading: changed?.heading ?? '',
          ...(changed === undefined ? {} : { path: changed.path }),
        };
      });
      for (const { column } of events) {
        const signal = nameSignal(
          this.#table.family,
          column === undefined ? undefined : columns[column]?.path,
        );
        this.#counts.set(signal, (this.#counts.get(signal) ?? 0) + 1);
      }
    };
  }

  /** Makes the dated copy and sends the alert. Never throws a ProblemError: the rows are written. */
  async finish(pusher: Pusher, push: string): Promise<void> {
    const { teamId, title } = this.#table;
    const now = pusher.now();
    if (this.#settings.snapshots > 0) {
      try {
        const settings = (await this.#store.get(this.#settings)) ?? this.#settings;
        await makeSnapshot(pusher, this.#store, this.#table, settings, push);
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        logError('push_failed', error, { push });
        const { detail, fix } = error.problem;
        const text = `The dated copy of the table “${title}” could not be made. ${detail} ${fix}`;
        await enqueueAlert(this.#env, { teamId, kind: 'failure', subject: `copy:${push}`, text }, now);
      }
    }
    if (this.#counts.size === 0) return;
    const text = `The table “${title}” has changes: ${formatSignals(this.#counts)}. The sheet Changes lists them.`;
    await enqueueAlert(this.#env, { teamId, kind: 'change', subject: `changes:${push}`, text }, now);
  }
}
