// The shell: how the spreadsheet stands, the tabs, and the run that all of them share.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Progress, Status, Tab } from '../server/api/index.ts';
import { ActivityTab } from './activity/activity-tab.tsx';
import { Connect } from './activity/connect.tsx';
import { type Arrivals, useArrivals } from './arrivals.ts';
import { BulkTab } from './bulk/bulk-tab.tsx';
import { ConfirmAbove } from './dock.tsx';
import { EnrichTab } from './enrich/enrich-tab.tsx';
import { count } from './format.ts';
import { StatusVersion, useAnswer, useDeed, useVisible } from './hooks.ts';
import { Empty, Notice, Refused, Row, Waiting } from './parts/basics.tsx';
import { Button } from './parts/controls.tsx';
import { type TabEntry, TabPanel, TabRow } from './parts/tabs.tsx';
import { usePending } from './pending-formulas.ts';
import { type Runs, useRuns } from './runs.ts';
import { ask } from './script.ts';
import type { Draft } from './search/draft.ts';
import { SearchTab } from './search/search-tab.tsx';
import type { TabProps } from './tab-props.ts';
import { TablesTab } from './tables/tables-tab.tsx';

interface TabFacts extends TabEntry<Tab> {
  show: (props: TabProps) => JSX.Element;
  /** It does nothing without a connection. */
  needsConnection: boolean;
}

/** The tabs, in their order. */
const TABS: readonly TabFacts[] = [
  { id: 'search', label: 'Search', show: SearchTab, needsConnection: true },
  { id: 'enrich', label: 'Enrich', show: EnrichTab, needsConnection: true },
  { id: 'bulk', label: 'Bulk', show: BulkTab, needsConnection: true },
  { id: 'tables', label: 'Tables', show: TablesTab, needsConnection: false },
  { id: 'activity', label: 'Activity', show: ActivityTab, needsConnection: false },
];

/** Where a run was begun, and goes on. */
const PLACES: Readonly<Record<Progress['kind'], Tab>> = {
  search: 'search',
  enrich: 'enrich',
  bulk: 'bulk',
  refresh: 'tables',
  records: 'tables',
};

function NotConnected(props: Pick<TabProps, 'status' | 'onStatus'>): JSX.Element {
  return (
    <div class="content stack wide">
      <Empty title="Connect to your team">
        <p>Ask your admin for a connection link. You need it once per spreadsheet.</p>
      </Empty>
      <Connect {...props} />
    </div>
  );
}

/** Runs that were left before their end, to go on with or to leave. */
function Unfinished(props: { runs: Runs; onTab: (tab: Tab) => void }): JSX.Element | null {
  const { runs, onTab } = props;
  const left = useAnswer('unfinished', {});
  const deed = useDeed();
  const [gone, setGone] = useState<string[]>([]);
  const all = (left.value ?? []).filter(({ runId }) => !gone.includes(runId));
  if (runs.progress !== undefined || all.length === 0) return null;
  const away = (runId: string): void => setGone([...gone, runId]);
  const goOn = (progress: Progress): void => {
    away(progress.runId);
    onTab(PLACES[progress.kind]);
    runs.goOn(progress);
  };
  return (
    <section class="unfinished" aria-label="Unfinished runs">
      {all.map((progress) => (
        <Notice key={progress.runId} tone="warn">
          <p>
            “{progress.title}” stopped at {count(progress.done)} of {count(progress.total)} rows.
          </p>
          <Row>
            <Button onClick={() => goOn(progress)} label={`Resume: ${progress.title}`}>
              Resume
            </Button>
            <Button
              kind="quiet"
              busy={deed.busy}
              label={`Discard: ${progress.title}`}
              onClick={() =>
                void deed
                  .run('dropRun', { runId: progress.runId })
                  .then((done) => done && away(progress.runId))
              }
            >
              Discard
            </Button>
          </Row>
        </Notice>
      ))}
      <Refused refusal={deed.refusal} />
    </section>
  );
}

/** Rows that became ready and could not be written, told once. */
function NotArrived({ failed, retry, leave }: Arrivals): JSX.Element | null {
  if (failed === undefined) return null;
  return (
    <section class="unfinished" aria-label="Rows not written">
      <Notice tone="error">
        <p>
          The rows of “{failed.arrival.title}” are ready, but the sidebar couldn’t write them.{' '}
          {failed.message}
        </p>
        <Row>
          <Button onClick={retry}>Write rows</Button>
          <Button kind="quiet" onClick={leave}>
            Not now
          </Button>
        </Row>
      </Notice>
    </section>
  );
}

function Tabs(props: {
  status: Status;
  onStatus: (status: Status) => void;
  reload: () => void;
}): JSX.Element {
  const { status } = props;
  const [tab, setTab] = useState<Tab>(status.tab);
  const [version, setVersion] = useState(0);
  const [opened, setOpened] = useState<readonly Tab[]>([tab]);
  const [tableId, setTableId] = useState('');
  const [draft, setDraft] = useState<Draft>();
  const runs = useRuns();
  const visible = useVisible();
  const connected = status.connection !== null && status.failure === undefined;
  const waiting = usePending(connected && runs.progress?.state !== 'running', version);
  const arrivals = useArrivals(connected && visible, runs);
  const onStatus = (changed: Status): void => {
    // What was refused before may go now.
    runs.clearRefusals();
    setVersion((before) => before + 1);
    props.onStatus(changed);
  };
  const open = (wanted: Tab): void => {
    setTab(wanted);
    setOpened((before) => (before.includes(wanted) ? before : [...before, wanted]));
    // Where it can't be remembered, the next opening begins with another tab: nothing to bother anybody with.
    void ask('setTab', { tab: wanted });
  };
  return (
    <StatusVersion.Provider value={version}>
      <ConfirmAbove.Provider value={status.connection?.confirmAbove ?? null}>
        <TabRow label="CDAPI" tabs={TABS} chosen={tab} onChange={open} />
        <Refused refusal={status.failure} onRetry={props.reload} />
        {status.connection !== null && status.unfinished > 0 && <Unfinished runs={runs} onTab={open} />}
        <NotArrived {...arrivals} />
        {TABS.map(({ id, show: Show, needsConnection }) => (
          <TabPanel key={id} id={id} hidden={id !== tab}>
            {!opened.includes(id) ? null : needsConnection && status.connection === null ? (
              <NotConnected status={status} onStatus={onStatus} />
            ) : (
              <Show
                status={status}
                onStatus={onStatus}
                runs={runs}
                waiting={waiting}
                visible={visible}
                draft={draft}
                onDraft={setDraft}
                onReady={arrivals.look}
                shown={id === tab}
                onTab={open}
                tableId={tableId}
                onTables={(table) => {
                  setTableId(table);
                  open('tables');
                }}
              />
            )}
          </TabPanel>
        ))}
      </ConfirmAbove.Provider>
    </StatusVersion.Provider>
  );
}

/** The whole page. */
export function App(): JSX.Element {
  const status = useAnswer('status', {});
  const [last, setLast] = useState<Status>();
  useEffect(() => {
    if (status.value !== undefined) setLast(status.value);
  }, [status.value]);
  if (last !== undefined) return <Tabs status={last} onStatus={setLast} reload={status.reload} />;
  return (
    <>
      <div class="tabs" aria-hidden="true">
        {TABS.map(({ id, label }) => (
          <span key={id} class="tab">
            {label}
          </span>
        ))}
      </div>
      <div class="panel">
        <div class="content stack">
          {status.busy ? (
            <Waiting label="Opening CDAPI" lines={6} />
          ) : (
            <Refused refusal={status.refusal} onRetry={status.reload} />
          )}
        </div>
      </div>
    </>
  );
}
