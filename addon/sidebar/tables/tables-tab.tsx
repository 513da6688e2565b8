// The tables tab: the tables of this spreadsheet, the formulas and the templates.
import type { JSX } from 'preact';
import { defaultRowsPerAccount } from '../../../shared/accounts.ts';
import type { Query } from '../../../shared/api/query.ts';
import type { Table } from '../../server/api/index.ts';
import { t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { TabLayout } from '../dock.tsx';
import { getColumnKey } from '../enrich/columns.tsx';
import { FormulasView } from '../formulas/formulas-view.tsx';
import {
  useMinutes,
  useReloadAfterRuns,
  useReloadOnFocus,
  useScriptValue,
  useStableOrder,
} from '../hooks.ts';
import { Empty, Loading } from '../parts/basics.tsx';
import { Segments } from '../parts/controls.tsx';
import { getTableColumns } from '../search/destination.tsx';
import { createDraft, type SearchDraft } from '../search/draft.ts';
import { followConditions, fromSavedSearch } from '../search/query-form.ts';
import type { DraftProps } from '../search/stored-draft.ts';
import { distinguishTitles } from './describe-table.ts';
import { type CardActions, TableCard } from './table-card.tsx';
import { TemplateList } from './template-list.tsx';

/** Creates the draft of a table's search. It writes into the same table; that of a bulk order is updated in the bulk tab. */
function toSearchDraft(table: Table, query: Query): SearchDraft {
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
    ...(isSearch && { destination: { kind: 'table', tableId: id, mode: 'replace' } }),
    pages,
    orderedTitle: isOrderable ? title : undefined,
    accounts:
      kind === 'count'
        ? { column: '', perCompany: defaultRowsPerAccount, countsOnly: true }
        : accounts && { ...accounts, column: getColumnKey(accounts) },
  });
}

function TableList(props: Pick<CardActions, 'onSearch' | 'onOrderAgain'>): JSX.Element {
  const { shown, tableId } = useSidebar();
  const tables = useScriptValue('tables', {});
  const { reload } = tables;
  useReloadAfterRuns(reload);
  useReloadOnFocus(shown, reload);
  const all = useStableOrder(distinguishTitles(tables.value ?? []), ({ id }) => id);
  return (
    <>
      <Loading of={tables} label={t('Loading tables')} lines={5} />
      {tables.value !== undefined && all.length === 0 && (
        <Empty title={t('No tables yet')}>
          <p>{t('Write rows in Search or Enrich, or start with a template.')}</p>
        </Empty>
      )}
      {all.map((table) => (
        <TableCard
          key={`${table.id} ${table.id === tableId}`}
          table={table}
          open={table.id === tableId}
          onTables={tables.put}
          onSaved={tables.reload}
          {...props}
        />
      ))}
    </>
  );
}

export function TablesTab(
  props: Pick<DraftProps, 'onDraft'> & Pick<CardActions, 'onOrderAgain'>,
): JSX.Element {
  const { onDraft, onOrderAgain } = props;
  const { runs, tablesView: view, setTablesView, openTab } = useSidebar();
  useMinutes();
  return (
    <TabLayout>
      <Segments
        label={t('Show')}
        value={view}
        options={[
          { value: 'tables', label: t('Tables') },
          { value: 'formulas', label: t('Formulas') },
          { value: 'templates', label: t('Templates') },
        ]}
        onChange={(name) => {
          runs.dispatch({ type: 'reportClosed' });
          setTablesView(name);
        }}
      />
      {view === 'tables' && (
        <TableList
          onSearch={(table, query) => {
            onDraft(toSearchDraft(table, query));
            if (table.kind === 'bulk') onOrderAgain(table);
            openTab('search');
            requestAnimationFrame(() => document.querySelector('#panel-search > .content')?.scrollTo(0, 0));
          }}
          onOrderAgain={(table) => {
            if (table.query !== undefined) onDraft(toSearchDraft(table, table.query));
            onOrderAgain(table);
            openTab('bulk');
          }}
        />
      )}
      {view === 'formulas' && <FormulasView />}
      {view === 'templates' && <TemplateList />}
    </TabLayout>
  );
}
