// The tables tab: what was written here, how old it is, and what can be done with it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatFieldLabel } from '../../../shared/query/form-fields.ts';
import type { Table } from '../../server/api/index.ts';
import { TabLayout } from '../dock.tsx';
import { formatCount, formatCredits, formatPlace, formatTimeSince, getFamilyLabel } from '../format.ts';
import {
  type ScriptAction,
  useReloadOnFocus,
  useReloadWhenShown,
  useScriptAction,
  useScriptValue,
} from '../hooks.ts';
import { Disclosure, Empty, ErrorNotice, Hint, Loading, Notice, Row } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button } from '../parts/controls.tsx';
import { type Runs, useRunDone } from '../runs.ts';
import type { TabProps } from '../tab-props.ts';
import { FullRecords } from './full-records.tsx';
import { Refresh } from './refresh.tsx';
import { INTERVAL_LABELS, TableSchedule } from './schedule.tsx';

const KIND_LABELS = {
  search: 'Search',
  enrich: 'Enrichment',
  records: 'Full records',
  bulk: 'Bulk order',
} as const;

/** What can be unfolded in a table's card: its button, as it is read and as it is heard. */
const SECTIONS = [
  { name: 'refresh', label: 'Refresh', spoken: 'Refresh', show: Refresh },
  { name: 'autoRefresh', label: 'Schedule', spoken: 'Schedule', show: TableSchedule },
  { name: 'records', label: 'Full records', spoken: 'Full records for', show: FullRecords },
] as const;

const STATE_LABELS = { paused: 'Paused', stopped: 'Stopped' } as const;

/** Queries without a condition. */
const EVERYTHING = /^\*$|^\{\}|^\{("query":\{)?"match_all"/;

/** A query in a few words. */
function describeQuery({ query }: Table): string | undefined {
  if (query === undefined) return undefined;
  const text =
    'text' in query ? query.text : JSON.stringify('es_dsl' in query ? query.es_dsl : query.filters);
  if (EVERYTHING.test(text)) return 'All records';
  if (!('filters' in query)) return text;
  return Object.entries(query.filters)
    .map(([name, value]) => `${formatFieldLabel(name)}: ${String(value)}`)
    .join(' · ');
}

function ConfirmEnd(props: {
  table: Table;
  ask: 'freeze' | 'forget';
  deed: ScriptAction;
  onDone: (tables: Table[] | undefined) => void;
}): JSX.Element {
  const { table, ask, deed, onDone } = props;
  const question =
    ask === 'freeze'
      ? `Freeze “${table.title}”? Its cells become plain values and no longer refresh.`
      : `Stop tracking “${table.title}”? Its cells stay in the sheet.`;
  return (
    <Confirm
      question={question}
      yes={ask === 'freeze' ? 'Freeze table' : 'Stop tracking'}
      busy={deed.busy}
      onYes={() =>
        void deed
          .run(ask === 'freeze' ? 'freezeTable' : 'forgetTable', { id: table.id })
          .then((tables) => tables !== undefined && onDone(tables))
      }
      onNo={() => onDone(undefined)}
    />
  );
}

/** What can be done with a table that can't be found: move it to a new sheet, or remove its schedule. */
function LostTable(props: {
  table: Table;
  deed: ScriptAction;
  onTables: (tables: Table[]) => void;
  onSaved: () => void;
}): JSX.Element {
  const { table, deed } = props;
  const { id, title, kind, sheetDeleted, autoRefresh } = table;
  return (
    <Row>
      {sheetDeleted && (kind === 'search' || kind === 'bulk') && (
        <Button
          busy={deed.busy}
          label={`Move to a new sheet: ${title}`}
          onClick={() =>
            void deed
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
          busy={deed.busy}
          label={`Remove schedule: ${title}`}
          onClick={() =>
            void deed
              .run('setAutoRefresh', { tableId: id, schedule: null, push: false })
              .then((now) => now !== undefined && props.onSaved())
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
  /** Something of it was changed. */
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
    rows,
    lastRun,
    gone,
    sheetDeleted,
    frozen,
    hasIds,
    columns,
    autoRefresh,
  } = table;
  const deed = useScriptAction();
  const [ask, setAsk] = useState<'freeze' | 'forget'>();
  const [part, setPart] = useState(props.open && hasIds ? 'records' : '');
  const { kind: ran, tableId } = runs.progress ?? {};
  // What was filled in is done.
  useRunDone(runs, ran === 'records' || tableId === id, () => setPart(part === 'autoRefresh' ? part : ''));
  const query = describeQuery(table);
  const live = gone === undefined && !frozen;
  const parts = SECTIONS.filter(({ name }) => live && (hasIds || name !== 'records'));
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
        {frozen && <span class="badge">Frozen</span>}
        {gone !== undefined && <span class="badge warn">{sheetDeleted ? 'Sheet deleted' : 'Not found'}</span>}
      </div>
      <Hint>
        {KIND_LABELS[kind]} · {getFamilyLabel(family)}
        <br />
        {formatPlace(sheet, range)} · {formatCount(rows, 'row')}
        <br />
        Refreshed {formatTimeSince(lastRun.at)} · {formatCredits(lastRun.credits)}
        {lastRun.saved > 0 && ` · ${formatCredits(lastRun.saved)} saved`}
      </Hint>
      {gone !== undefined && <Notice tone="warn">{gone}</Notice>}
      {gone !== undefined && (
        <LostTable table={table} deed={deed} onTables={props.onTables} onSaved={props.onSaved} />
      )}
      <div class="row wrap">
        {gone === undefined && (
          <Button onClick={() => void deed.run('showTable', { id })} label={`Show ${title} in the sheet`}>
            Show
          </Button>
        )}
        {parts.map(({ name, label, spoken }) => (
          <Button
            key={name}
            onClick={() => setPart(part === name ? '' : name)}
            expanded={part === name}
            label={`${spoken} ${title}`}
          >
            {label}
          </Button>
        ))}
      </div>
      {parts.map(
        ({ name, show: Show }) =>
          part === name && <Show key={name} table={table} runs={runs} onSaved={props.onSaved} />,
      )}
      <Disclosure title="Details">
        {query !== undefined && <p class="hint breaks">{query}</p>}
        <p class="hint breaks">Columns: {columns.map(formatFieldLabel).join(', ')}</p>
        <Hint>
          {formatCredits(table.credits)} spent in total
          {autoRefresh && ` · ${formatCredits(autoRefresh.spent)} by its schedule this month`}
        </Hint>
        <Row>
          {live && (
            <Button onClick={() => setAsk('freeze')} label={`Freeze ${title}`}>
              Freeze
            </Button>
          )}
          <Button onClick={() => setAsk('forget')} label={`Stop tracking ${title}`}>
            Stop tracking
          </Button>
        </Row>
      </Disclosure>
      {ask !== undefined && (
        <ConfirmEnd
          table={table}
          ask={ask}
          deed={deed}
          onDone={(tables) => {
            setAsk(undefined);
            if (tables !== undefined) props.onTables(tables);
          }}
        />
      )}
      <ErrorNotice refusal={deed.refusal} />
    </article>
  );
}

/** The tables tab. */
export function TablesTab({ runs, shown, tableId }: TabProps): JSX.Element {
  const tables = useScriptValue('tables', {});
  const { reload } = tables;
  useReloadWhenShown(shown, runs.endCount, reload);
  useReloadOnFocus(shown, reload);
  const all = tables.value;
  return (
    <TabLayout runs={runs}>
      <Loading of={tables} label="Loading tables" lines={5} />
      {all?.length === 0 && (
        <Empty title="No tables yet">
          <p>Write rows in Search or Enrich. Their table appears here, and you can refresh it later.</p>
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
    </TabLayout>
  );
}
