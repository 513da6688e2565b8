// Uncertain names: lists them with their candidates, and looks up the company that a person chose.

import { getRecordPrice } from '../../shared/operations.ts';
import { createError } from '../lib/addon-error.ts';
import { locateTables } from '../tables/locate.ts';
import { requireTable } from '../tables/located-table.ts';
import { parseNameKey, readNameKey } from '../tables/lookup/keys.ts';
import {
  deleteChoice,
  foldName,
  listNames,
  type NameChoice,
  type UncertainName,
} from '../tables/lookup/name-choices.ts';
import { type LookupOrder, toMoreKeys } from '../tables/lookup/prepare.ts';
import { readLookupBody } from '../tables/lookup/rows.ts';
import { listTables, listValuePaths } from '../tables/registry.ts';
import type { NameChoicesOrder, NameList, NameView, Payload } from './api/index.ts';

function toView(name: UncertainName | NameChoice): NameView {
  const { tableId, key, family, candidates } = name;
  return {
    tableId,
    key,
    ...parseNameKey(key),
    candidates,
    credits: getRecordPrice(family),
    ...('companyId' in name ? { companyId: name.companyId } : {}),
  };
}

/** Lists the names that are in a tracked column of this spreadsheet. */
export function listUncertainNames(): NameList {
  const { undecided, decided } = listNames();
  const tables = undecided.length + decided.length === 0 ? [] : listTables();
  const { places } = locateTables(tables);
  const known = new Map(
    tables.map((table) => {
      const location = places.get(table.id);
      const isKept = location !== undefined && !table.frozen && table.columns[0]?.role === 'key';
      const lines = isKept ? readLookupBody(table, location).values : [];
      return [table.id, new Set(lines.map((line) => foldName(readNameKey(table, line) ?? '')))];
    }),
  );
  const hasRow = ({ tableId, key }: UncertainName): boolean =>
    known.get(tableId)?.has(foldName(key)) === true;
  return { undecided: undecided.filter(hasRow).map(toView), decided: decided.filter(hasRow).map(toView) };
}

/** Finds a stored name. @throws AddonError `gone` */
function requireName({ tableId, key }: Payload<'resetChoice'>): UncertainName {
  const { undecided, decided } = listNames();
  const name = [...undecided, ...decided].find((each) => each.tableId === tableId && each.key === key);
  if (name === undefined) throw createError('gone', 'This name was decided already. Open the tab again.');
  return name;
}

/**
 * Converts choices to the lookup that writes the rows of their names, and remembers them for later runs.
 * @throws AddonError `gone` if a name was decided already, or its column was deleted
 */
export function toChoicesLookup({ tableId, choices }: NameChoicesOrder): LookupOrder {
  const decided = choices.map(({ key, companyId }): NameChoice => {
    const name = requireName({ tableId, key });
    if (companyId !== '' && !name.candidates.some(({ id }) => id === companyId))
      throw createError('bad_call', 'Choose one of the candidates.');
    return { ...name, companyId };
  });
  const { table, location } = requireTable(tableId);
  const [column] = location.columns;
  if (column === undefined) throw createError('gone', 'The column of this name was deleted.');
  return {
    kind: 'enrich',
    sheet: location.sheet.getName(),
    column,
    by: table.by ?? 'name',
    ...toMoreKeys(table, location),
    family: table.family,
    scope: 'all',
    fields: listValuePaths(table),
    decided,
  };
}

/** Deletes a decision: the next run compares the name again. */
export function resetChoice(choice: Payload<'resetChoice'>): NameList {
  deleteChoice(requireName(choice));
  return listUncertainNames();
}
