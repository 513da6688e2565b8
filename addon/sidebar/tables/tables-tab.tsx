// The tables tab: the tables of this spreadsheet and their actions, and the formulas.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatFieldLabel } from '../../../shared/query/field-labels.ts';
import type { Table } from '../../server/api/index.ts';
import { TabLayout } from '../dock.tsx';
import { formatCredits, formatPlace } from '../format.ts';
import { FormulasView } from '../formulas/formulas-view.tsx';
import {
  type ScriptAction,
  useReloadOnFocus,
  useReloadWhenShown,
  useScriptAction,
  useScriptValue,
} from '../hooks.ts';
import { Disclosure, Empty, ErrorNotice, Hint, Loading, Notice, Row } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button, Segments } from '../parts/controls.tsx';
import { type Runs, useRunDone } from '../runs.ts';
import type { TabProps } from '../tab-props.ts';
import { AutoEnrich } from './auto-enrich.tsx';
import {
  describeContents,
  describeLastRun,
  describeQuery,
  describeRefreshPrice,
  distinguishTitles,
} from './describe-table.ts';
import { FullRecords } from './full-records.tsx';
import { Refresh } from './refresh.tsx';
import { INTERVAL_LABELS, TableSchedule } from './schedule.tsx';
import { TemplateList } from './template-list.tsx';

/** Expandable sections of a table's card. `spoken` is the accessible name of the button. */
const SECTIONS = [
  { name: 'refresh', label: 'Refresh', spoken: 'Refresh', show: Refresh },
  { name: 'autoRefresh', label: 'Schedule', spoken: 'Schedule', show: TableSchedule },
  { name: 'autoEnrich', label: 'Keep filled', spoken: 'Keep filled:', show: AutoEnrich },
  { name: 'records', label: 'Full records', spoken: 'Full records for', show: FullRecords },
] as const;

const STATE_LABELS = { paused: 'Paused', stopped: 'Stopped' } as const;

function ConfirmEnd(props: {
  table: Table;
  choice: 'freeze' | 'forget';
  action: ScriptAction;
  onDone: (tables: Table[] | undefined) => void;
}): JSX.Element {
  const { table, choice, action, onDone } = props;
  const question =
    choice === 'freeze'
      ? `Freeze “${table.title}”? Its cells become plain values and no longer refresh.`
      : `Stop tracking “${table.title}”? Its cells stay in the sheet.`;
  return (
    <Confirm
      question={question}
      yes={choice === 'freeze' ? 'Freeze table' : 'Stop tracking'}
      busy={action.busy}
      onYes={() =>
        void action
          .run(choice === 'freeze' ? 'freezeTable' : 'forgetTable', { id: table.id })
          .then((tables) => tables !== undefined && onDone(tables))
      }
      onNo={() => onDone(undefined)}
    />
  );
}

/** Actions for a missing table: move it to a new sheet, or remove its schedule. */
function LostTable(props: {
  table: Table;
  action: ScriptAction;
  onTables: (tables: Table[]) => void;
  onSaved: () => void;
}): JSX.Element {
  const { table, action } = props;
  const { id, title, kind, sheetDeleted, autoRefresh } = table;
  return (
    <Row>
      {sheetDeleted && (kind === 'search' || kind === 'bulk') && (
        <Button
          busy={action.busy}
          label={`Move to a new sheet: ${title}`}
          onClick={() =>
            void action
              .run('moveTable', { id })
              .then((tables) => tables !== undefined && props.onTables(tables))
          }
        >
          Move to a new sheet
        </Button>
      )}
      {autoRefresh !== undefined && (
        <Button
          kind="quiet"
          busy={action.busy}
          label={`Remove schedule: ${title}`}
          onClick={() =>
            void action
              .run('setAutoRefresh', { tableId: id, schedule: null, push: false })
              .then((saved) => saved !== undefined && props.onSaved())
          }
        >
          Remove schedule
        </Button>
      )}
    </Row>
  );
}

function TableCard(props: {
  table: Table;
  runs: Runs;
  open: boolean;
  onTables: (tables: Table[]) => void;
  onSaved: () => void;
}): JSX.Element {
  const { table, runs } = props;
  const {
    id,
    title,
    kind,
    family,
    sheet,
    range,
    lastRun,
    gone,
    sheetDeleted,
    frozen,
    hasIds,
    columns,
    autoRefresh,
  } = table;
  const action = useScriptAction();
  const [choice, setChoice] = useState<'freeze' | 'forget'>();
  const [section, setSection] = useState(props.open && hasIds ? 'records' : '');
  const { kind: runKind, tableId } = runs.progress ?? {};
  useRunDone(runs, runKind === 'records' || tableId === id, () =>
    setSection(section === 'autoRefresh' ? section : ''),
  );
  const isLive = gone === undefined && !frozen;
  const refreshPrice = isLive ? describeRefreshPrice(table) : undefined;
  const isLookup = kind === 'enrich';
  const isOffered = {
    refresh: kind !== 'bulk',
    autoRefresh: kind === 'search' || kind === 'bulk',
    autoEnrich: isLookup,
    records: hasIds,
  };
  const sections = SECTIONS.filter(({ name }) => isLive && isOffered[name]);
  return (
    <article class="table" aria-label={title}>
      <div class="between">
        <h3 class="cut" title={title}>
          {title}
        </h3>
        {!frozen && autoRefresh !== undefined && (
          <span class={autoRefresh.state === 'stopped' ? 'badge warn' : 'badge'}>
            {autoRefresh.state === 'on'
              ? INTERVAL_LABELS[autoRefresh.every]
              : STATE_LABELS[autoRefresh.state]}
          </span>
        )}
        {!frozen && table.pushStopped && <span class="badge warn">Updates stopped</span>}
        {frozen && <span class="badge">Frozen</span>}
        {gone !== undefined && <span class="badge warn">{sheetDeleted ? 'Sheet deleted' : 'Not found'}</span>}
      </div>
      <p>{describeContents(table)}</p>
      {table.query !== undefined && <p class="hint breaks">{describeQuery(family, table.query)}</p>}
      <Hint>
        {formatPlace(sheet, range)}
        <br />
        {describeLastRun(lastRun)}
        {refreshPrice !== undefined && (
          <>
            <br />
            {refreshPrice}
          </>
        )}
      </Hint>
      {gone !== undefined && <Notice tone="warn">{gone}</Notice>}
      {gone !== undefined && (
        <LostTable table={table} action={action} onTables={props.onTables} onSaved={props.onSaved} />
      )}
      <div class="row wrap">
        {gone === undefined && (
          <Button onClick={() => void action.run('showTable', { id })} label={`Show ${title} in the sheet`}>
            Show
          </Button>
        )}
        {sections.map(({ name, label, spoken }) => (
          <Button
            key={name}
            onClick={() => setSection(section === name ? '' : name)}
            expanded={section === name}
            label={`${spoken} ${title}`}
          >
            {label}
          </Button>
        ))}
      </div>
      {sections.map(
        ({ name, show: Show }) =>
          section === name && <Show key={name} table={table} runs={runs} onSaved={props.onSaved} />,
      )}
      <Disclosure title="Details">
        <p class="hint breaks">Columns: {columns.map(formatFieldLabel).join(', ')}</p>
        <Hint>
          {formatCredits(table.credits)} spent in total
          {autoRefresh && ` · ${formatCredits(autoRefresh.spent)} by its schedule this month`}
        </Hint>
        <Row>
          {isLive && (
            <Button onClick={() => setChoice('freeze')} label={`Freeze ${title}`}>
              Freeze
            </Button>
          )}
          <Button onClick={() => setChoice('forget')} label={`Stop tracking ${title}`}>
            Stop tracking
          </Button>
        </Row>
      </Disclosure>
      {choice !== undefined && (
        <ConfirmEnd
          table={table}
          choice={choice}
          action={action}
          onDone={(tables) => {
            setChoice(undefined);
            if (tables !== undefined) props.onTables(tables);
          }}
        />
      )}
      <ErrorNotice error={action.error} />
    </article>
  );
}

/** The tables of the spreadsheet. */
function TableList({ runs, shown, tableId }: Pick<TabProps, 'runs' | 'shown' | 'tableId'>): JSX.Element {
  const tables = useScriptValue('tables', {});
  const { reload } = tables;
  useReloadWhenShown(shown, runs.endCount, reload);
  useReloadOnFocus(shown, reload);
  const all = tables.value && distinguishTitles(tables.value);
  return (
    <>
      <Loading of={tables} label="Loading tables" lines={5} />
      {all?.length === 0 && (
        <Empty title="No tables yet">
          <p>Write rows in Search or Enrich, or start with a template. Tables appear here to be refreshed.</p>
        </Empty>
      )}
      {all?.map((table) => (
        <TableCard
          key={`${table.id} ${table.id === tableId}`}
          table={table}
          runs={runs}
          open={table.id === tableId}
          onTables={tables.put}
          onSaved={tables.reload}
        />
      ))}
    </>
  );
}

type View = 'tables' | 'formulas' | 'templates';

/** The tables tab: tables, formulas and templates. */
export function TablesTab({ runs, shown, tableId, status }: TabProps): JSX.Element {
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
        onChange={(name) => setChosenView({ name, tableId })}
      />
      {view === 'tables' && <TableList runs={runs} shown={shown} tableId={tableId} />}
      {view === 'formulas' && <FormulasView runs={runs} shown={shown} isSpending={status.sheetSpending} />}
      {view === 'templates' && <TemplateList runs={runs} />}
    </TabLayout>
  );
}
