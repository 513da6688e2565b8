// Reports a push: appends its changes to the Changes sheet, counts them for the alert, and makes the dated copy.
import type { NamedColumn } from '../../../shared/api/tables.ts';
import type { TableRow } from '../../db/schema.ts';
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

/** Reports the changes of one push. */
export interface PushReporter {
  /** Creates the listener of the changes of a push. @param columns - the columns of its rows */
  createListener: (
    pusher: Pusher,
    columns: readonly NamedColumn[],
  ) => (changes: PlannedChanges) => Promise<void>;
  /** Makes the dated copy and sends the alert. Never throws a ProblemError: the rows are written. */
  finish: (pusher: Pusher, push: string) => Promise<void>;
}

/** Returns the reporter of a table; undefined if it reports nothing. */
export async function loadReporter(env: Env, table: TableRow): Promise<PushReporter | undefined> {
  const { teamId, id: tableId, spreadsheetId, title, family } = table;
  const store = new ReportStore(env.DB);
  const settings = await store.get({ teamId, tableId });
  if (settings === undefined || (!settings.changes && settings.snapshots === 0)) return undefined;
  const counts = new Map<string, number>();
  const source: ChangesSource = {
    spreadsheetId,
    title,
    family,
    listSheets: () => store.listChangesSheets(teamId, spreadsheetId),
    saveSheet: (changesSheetId) => store.update(settings, { changesSheetId }),
  };
  return {
    createListener:
      (pusher, columns) =>
      async ({ records, newIds, changes }) => {
        if (!settings.changes) return;
        const nameColumn = columns.findIndex(({ path }) => /(?:^|_)(?:name|title)$/.test(path));
        const getColumn = (column?: number) => (column === undefined ? undefined : columns[column]);
        const events: RowEvent[] = [
          ...[...newIds].map((record) => ({ record, before: '', after: '' })),
          ...changes,
        ];
        await appendChanges(pusher, source, events, ({ record, column }) => {
          const changed = getColumn(column);
          return {
            name: records.get(record)?.[nameColumn]?.value ?? '',
            heading: changed?.heading ?? '',
            ...(changed === undefined ? {} : { path: changed.path }),
          };
        });
        for (const { column } of events) {
          const signal = nameSignal(family, getColumn(column)?.path);
          counts.set(signal, (counts.get(signal) ?? 0) + 1);
        }
      },
    finish: async (pusher, push) => {
      const now = pusher.now();
      if (settings.snapshots > 0) {
        try {
          await makeSnapshot(pusher, store, table, (await store.get(settings)) ?? settings, push);
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          logError('push_failed', error, { push });
          const { detail, fix } = error.problem;
          const text = `The dated copy of the table “${title}” could not be made. ${detail} ${fix}`;
          await enqueueAlert(env, { teamId, kind: 'failure', subject: `copy:${push}`, text }, now);
        }
      }
      if (counts.size === 0) return;
      const text = `The table “${title}” has changes: ${formatSignals(counts)}. The sheet Changes lists them.`;
      await enqueueAlert(env, { teamId, kind: 'change', subject: `changes:${push}`, text }, now);
    },
  };
}
