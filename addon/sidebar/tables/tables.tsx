// The tables tab: what was written here, how old it is, and what can be done with it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fieldLabel } from '../../../shared/search-form.ts';
import type { Table } from '../../server/api.ts';
import { Dock } from '../dock.tsx';
import { type Deed, useAnswer, useDeed, useFresh } from '../hooks.ts';
import { Button, Empty, Fold, Notice, Refused, Waiting } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import type { Runs } from '../runs.ts';
import type { TabProps } from '../tab.ts';
import { ago, counted, familyLabel, placeLabel } from '../words.ts';
import { FullRecords } from './records.tsx';
import { Refresh } from './refresh.tsx';

const KINDS = { search: 'Search', enrich: 'Enrichment', records: 'Full records' } as const;

/** A query in a few words. */
function queryText({ query }: Table): string | undefined {
  if (query === undefined) return undefined;
  if ('text' in query) return query.text;
  if ('es_dsl' in query) return JSON.stringify(query.es_dsl);
  const entries = Object.entries(query.filters);
  if (entries.length === 0) return 'everything';
  return entries.map(([name, value]) => `${fieldLabel(name)}: ${String(value)}`).join(' · ');
}

function Ending(props: {
  table: Table;
  ask: 'freeze' | 'forget';
  deed: Deed;
  onDone: (tables: Table[] | undefined) => void;
}): JSX.Element {
  const { table, ask, deed, onDone } = props;
  const question =
    ask === 'freeze'
      ? `Freeze “${table.title}”? Its cells become plain values and are not refreshed any more.`
      : `Forget “${table.title}”? What is in the sheet stays.`;
  return (
    <Confirm
      question={question}
      yes={ask === 'freeze' ? 'Freeze' : 'Forget'}
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

function TableCard(props: {
  table: Table;
  runs: Runs;
  open: boolean;
  onTables: (tables: Table[]) => void;
}): JSX.Element {
  const { table, runs } = props;
  const { id, title, kind, family, sheet, range, rows, lastRun, gone, frozen, hasIds, columns } = table;
  const deed = useDeed();
  const [ask, setAsk] = useState<'freeze' | 'forget'>();
  const [part, setPart] = useState<'refresh' | 'records' | undefined>(
    props.open && hasIds ? 'records' : undefined,
  );
  const toggle = (wanted: 'refresh' | 'records'): void => setPart(part === wanted ? undefined : wanted);
  const query = queryText(table);
  const live = gone === undefined && !frozen;
  return (
    <article class="table" aria-label={title}>
      <div class="between">
        <h3 class="cut" title={title}>
          {title}
        </h3>
        {frozen && <span class="badge">Frozen</span>}
        {gone !== undefined && <span class="badge warn">Gone</span>}
      </div>
      <p class="hint">
        {KINDS[kind]} · {familyLabel(family)}
        <br />
        {placeLabel(sheet, range)} · {counted(rows, 'row')}
        <br />
        Refreshed {ago(lastRun.at)} · {counted(lastRun.credits, 'credit')}
        {lastRun.saved > 0 && `, ${lastRun.saved} saved`}
      </p>
      {gone !== undefined && <Notice tone="warn">{gone}</Notice>}
      <div class="row wrap">
        {gone === undefined && (
          <Button onClick={() => void deed.run('showTable', { id })} label={`Show ${title} in the sheet`}>
            Show
          </Button>
        )}
        {live && (
          <Button onClick={() => toggle('refresh')} expanded={part === 'refresh'} label={`Refresh ${title}`}>
            Refresh
          </Button>
        )}
        {live && hasIds && (
          <Button
            onClick={() => toggle('records')}
            expanded={part === 'records'}
            label={`Full records for ${title}`}
          >
            Full records
          </Button>
        )}
      </div>
      {live && part === 'refresh' && <Refresh table={table} runs={runs} />}
      {live && part === 'records' && <FullRecords table={table} runs={runs} />}
      <Fold title="Details">
        {query !== undefined && <p class="hint breaks">{query}</p>}
        <p class="hint breaks">Columns: {columns.map(fieldLabel).join(', ')}</p>
        <p class="hint">{counted(table.credits, 'credit')} over all its runs</p>
        <div class="row">
          {live && (
            <Button onClick={() => setAsk('freeze')} label={`Freeze ${title}`}>
              Freeze
            </Button>
          )}
          <Button onClick={() => setAsk('forget')} label={`Forget ${title}`}>
            Forget
          </Button>
        </div>
      </Fold>
      {ask !== undefined && (
        <Ending
          table={table}
          ask={ask}
          deed={deed}
          onDone={(tables) => {
            setAsk(undefined);
            if (tables !== undefined) props.onTables(tables);
          }}
        />
      )}
      <Refused refusal={deed.refusal} />
    </article>
  );
}

/** The tables tab. */
export function TablesTab({ runs, shown, tableId }: TabProps): JSX.Element {
  const tables = useAnswer('tables', {});
  useFresh(shown, runs.progress?.state === 'done', tables.reload);
  const all = tables.value;
  return (
    <>
      <div class="content stack" inert={runs.progress?.state === 'running'}>
        {all === undefined && tables.busy && <Waiting label="Loading tables" lines={5} />}
        <Refused refusal={tables.refusal} onRetry={tables.reload} />
        {all?.length === 0 && (
          <Empty title="No tables yet">
            <p>What Search and Enrich write into this spreadsheet is listed here, to refresh it later.</p>
          </Empty>
        )}
        {all?.map((table) => (
          <TableCard
            key={`${table.id} ${table.id === tableId}`}
            table={table}
            runs={runs}
            open={table.id === tableId}
            onTables={tables.put}
          />
        ))}
      </div>
      <Dock runs={runs} />
    </>
  );
}
