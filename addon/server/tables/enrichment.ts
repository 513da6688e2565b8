// Settings of looked-up columns that are kept filled.

import type { EnrichmentBody } from '../../../shared/api/enrichments.ts';
import type { Connection } from '../../../shared/connection.ts';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';
import { maxLookupKeys, maxTableTitleLength } from '../../../shared/limits.ts';
import { getRecordPrice } from '../../../shared/operations.ts';
import { call } from '../../client/gateway.ts';
import { ignoreUnknown, unwrap } from '../../client/http.ts';
import { AddonError, ignoreAddonErrors } from '../../lib/addon-error.ts';
import { requireTable, requireTracked } from '../../tables/located-table.ts';
import { NAME_HEADING } from '../../tables/lookup/candidate-columns.ts';
import { findFillObstacle } from '../../tables/lookup/rows.ts';
import { getKeySpelling, saveTable, type TableRecord } from '../../tables/registry.ts';
import { findLastFill } from '../../tables/runs/undo.ts';
import type { EnrichmentState, Payload } from '../api/index.ts';
import { getTriggerView, updateFillTriggers } from '../triggers.ts';
import { countRows, leaveRowsBlank, listPresentKeys } from './fill-rows.ts';
import { listNamedColumns, toHeading } from './registration.ts';

function toBody(
  table: TableRecord,
  settings: NonNullable<Payload<'setEnrichment'>['settings']>,
): EnrichmentBody {
  const isCount = table.kind === 'count';
  const key = table.columns.find(({ role }) => role === 'key');
  const countBy = NAME_HEADING.test(key?.heading ?? '') ? 'auto' : 'website';
  const by = isCount ? countBy : getKeySpelling(table);
  if (by === 'name' || key === undefined) throw new AddonError('bad_call', findFillObstacle(table) ?? '');
  return {
    title: table.title.slice(0, maxTableTitleLength),
    family: table.family,
    by,
    spreadsheet: { id: table.place.spreadsheetId, sheet_id: table.place.sheetId },
    key: { id: key.id, heading: toHeading(key.heading, by) },
    columns: listNamedColumns(table.columns),
    ...(isCount && { count: table.query ?? { text: '*' } }),
    ...settings,
  };
}

type Counts = Pick<EnrichmentState, 'keys' | 'unfilled'>;

const NOTHING: Counts = {
  keys: { count: 0, credits: 0 },
  unfilled: { blank: 0, notKeys: {}, waiting: 0, credits: 0 },
};

/** Counts the keys and the unfilled rows of a table, with their prices; none if the table can't be found. */
function countKeys({ id, family, kind }: TableRecord): Counts {
  const price = kind === 'count' ? 0 : getRecordPrice(family);
  const counts = ignoreAddonErrors(() => countRows(id));
  if (counts === undefined) return NOTHING;
  const { keys, newKeys, ...unfilled } = counts;
  return {
    keys: { count: keys, credits: keys * price },
    unfilled: { ...unfilled, credits: newKeys * price },
  };
}

export function getEnrichment({ tableId }: Payload<'enrichment'>, connection: Connection): EnrichmentState {
  const table = requireTracked(tableId);
  const { push_account: pushAccount } = unwrap(call(connection, 'listTables'));
  const { enrichments } = unwrap(call(connection, 'listEnrichments'));
  const undo = findLastFill(tableId);
  return {
    enrichment: enrichments.find(({ id }) => id === tableId) ?? null,
    pushAccount,
    trigger: getTriggerView(),
    ...(findFillObstacle(table) === undefined ? countKeys(table) : NOTHING),
    ...(undo === undefined ? {} : { undo }),
  };
}

/** Sends the keys of all present rows, which are never bought as new ones. */
function addPresentKeys(id: string, connection: Connection): void {
  for (const keys of splitIntoBatches(listPresentKeys(id), maxLookupKeys))
    unwrap(call(connection, 'addKnownKeys', { params: { id }, body: { keys } }));
}

/**
 * Keeps the columns of a looked-up table filled, changes how, or ends it.
 * @throws AddonError if the table can't be filled, or the gateway refuses
 */
export function setEnrichment(payload: Payload<'setEnrichment'>, connection: Connection): EnrichmentState {
  const { tableId, settings } = payload;
  const stored = requireTracked(tableId);
  if (settings === null) {
    // The gateway forgets it with the enrichment.
    const { month_spent: spent = 0 } =
      unwrap(call(connection, 'listEnrichments')).enrichments.find(({ id }) => id === tableId) ?? {};
    ignoreUnknown(call(connection, 'deleteEnrichment', { params: { id: tableId } }));
    const { hasEnrichment: _, ...rest } = stored;
    saveTable({ ...rest, credits: rest.credits + spent });
  } else {
    const obstacle = findFillObstacle(stored);
    if (obstacle !== undefined) throw new AddonError('bad_call', obstacle);
    const { table: placed } = requireTable(tableId);
    saveTable({ ...placed, hasEnrichment: true });
    // The gateway may not have it any more: its database was restored, or the spreadsheet has another team’s connection.
    const isKnown = (): boolean =>
      unwrap(call(connection, 'listEnrichments')).enrichments.some(({ id }) => id === tableId);
    if (stored.hasEnrichment !== true || !isKnown()) {
      // Paused until the present keys are known: only rows that appear from now on are bought.
      unwrap(
        call(connection, 'putEnrichment', {
          params: { id: tableId },
          body: toBody(placed, { ...settings, paused: true }),
        }),
      );
      addPresentKeys(tableId, connection);
      leaveRowsBlank(tableId);
    }
    unwrap(call(connection, 'putEnrichment', { params: { id: tableId }, body: toBody(placed, settings) }));
  }
  updateFillTriggers();
  return getEnrichment({ tableId }, connection);
}
