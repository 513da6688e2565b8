// Opens the search of a table in the search tab again.
import type { Query } from '../../../shared/api/query.ts';
import type { Table } from '../../server/api/index.ts';
import { getColumnKey } from '../enrich/columns.tsx';
import { getTableColumns } from '../search/destination.tsx';
import { createDraft, type SearchDraft } from '../search/draft.ts';
import { followConditions, fromSavedSearch } from '../search/query-form.ts';

/** Creates the draft of a table's search. It writes into the same table; that of a bulk order is updated in the bulk tab. */
export function toSearchDraft(table: Table, query: Query): SearchDraft {
  const { id, title, kind, family, conditions, pages = 1, accounts } = table;
  const isSearch = kind === 'search';
  const isOrderable = kind === 'bulk' && table.gone === undefined && !table.frozen;
  const stored = {
    name: title,
    family,
    query,
    conditions,
    ...(isSearch && { columns: getTableColumns(table) }),
  };
  return followConditions({
    ...fromSavedSearch(stored, createDraft(family)),
    ...(isSearch && { where: 'table', tableId: id }),
    pages,
    orderedTitle: isOrderable ? title : undefined,
    accounts: accounts && { column: getColumnKey(accounts), perCompany: accounts.perCompany },
  });
}
