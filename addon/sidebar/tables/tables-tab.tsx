// The tables tab: the tables of this spreadsheet, the formulas and the templates.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { TabLayout } from '../dock.tsx';
import { FormulasView } from '../formulas/formulas-view.tsx';
import {
  useMinutes,
  useReloadOnFocus,
  useReloadWhenShown,
  useScriptValue,
  useStableOrder,
} from '../hooks.ts';
import { Empty, Loading } from '../parts/basics.tsx';
import { Segments } from '../parts/controls.tsx';
import { getChangeKey } from '../runs.ts';
import type { DraftProps, TabProps } from '../tab-props.ts';
import { distinguishTitles } from './describe-table.ts';
import { toSearchDraft } from './edit-search.ts';
import { type CardActions, TableCard } from './table-card.tsx';
import { TemplateList } from './template-list.tsx';

/** The tables of the spreadsheet. */
function TableList(
  props: Pick<TabProps, 'runs' | 'shown' | 'tableId'> & Pick<CardActions, 'onSearch' | 'onOrderAgain'>,
): JSX.Element {
  const { runs, shown, tableId, onSearch, onOrderAgain } = props;
  const tables = useScriptValue('tables', {});
  const { reload } = tables;
  // Undo changes the list, too.
  useReloadWhenShown(shown, getChangeKey(runs), reload);
  useReloadOnFocus(shown, reload);
  const all = useStableOrder(distinguishTitles(tables.value ?? []), ({ id }) => id, shown);
  return (
    <>
      <Loading of={tables} label="Loading tables" lines={5} />
      {tables.value !== undefined && all.length === 0 && (
        <Empty title="No tables yet">
          <p>Write rows in Search or Enrich, or start with a template.</p>
        </Empty>
      )}
      {all.map((table) => (
        <TableCard
          key={`${table.id} ${table.id === tableId}`}
          table={table}
          runs={runs}
          open={table.id === tableId}
          onTables={tables.put}
          onSaved={tables.reload}
          onSearch={onSearch}
          onOrderAgain={onOrderAgain}
        />
      ))}
    </>
  );
}

type View = 'tables' | 'formulas' | 'templates';

/** The tables tab: tables, formulas and templates. */
export function TablesTab(
  props: TabProps & Pick<DraftProps, 'onDraft'> & Pick<CardActions, 'onOrderAgain'>,
): JSX.Element {
  const { runs, shown, tableId, status, onDraft, onTab, onOrderAgain } = props;
  useMinutes(shown);
  const [chosenView, setChosenView] = useState<{ name: View; tableId: string }>();
  // Another tab may open a table.
  const view = chosenView?.tableId === tableId ? chosenView.name : 'tables';
  return (
    <TabLayout runs={runs}>
      <Segments
        label="Show"
        value={view}
        options={[
          { value: 'tables', label: 'Tables' },
          { value: 'formulas', label: 'Formulas' },
          { value: 'templates', label: 'Templates' },
        ]}
        onChange={(name) => {
          runs.closeReport();
          setChosenView({ name, tableId });
        }}
      />
      {view === 'tables' && (
        <TableList
          runs={runs}
          shown={shown}
          tableId={tableId}
          onSearch={(table, query) => {
            onDraft(toSearchDraft(table, query));
            if (table.kind === 'bulk') onOrderAgain(table);
            onTab('search');
            requestAnimationFrame(() => document.querySelector('#panel-search > .content')?.scrollTo(0, 0));
          }}
          onOrderAgain={(table) => {
            if (table.query !== undefined) onDraft(toSearchDraft(table, table.query));
            onOrderAgain(table);
            onTab('bulk');
          }}
        />
      )}
      {view === 'formulas' && <FormulasView runs={runs} shown={shown} isSpending={status.sheetSpending} />}
      {view === 'templates' && <TemplateList runs={runs} shown={shown} />}
    </TabLayout>
  );
}
