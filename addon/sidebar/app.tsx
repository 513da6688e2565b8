// The shell: how the spreadsheet stands, the tabs, and the run that all of them share.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Progress, Status, Tab } from '../server/api/index.ts';
import { ActivityTab } from './activity/activity-tab.tsx';
import { Connect } from './activity/connect.tsx';
import { BulkTab } from './bulk/bulk-tab.tsx';
import { type Deliveries, useDeliveries } from './deliveries.ts';
import { ConfirmAboveContext } from './dock.tsx';
import { EnrichTab } from './enrich/enrich-tab.tsx';
import { formatNumber } from './format.ts';
import { StatusVersionContext, usePageVisible, useScriptAction, useScriptValue } from './hooks.ts';
import { Empty, ErrorNotice, Notice, Row, Skeleton } from './parts/basics.tsx';
import { Button } from './parts/controls.tsx';
import { type TabEntry, TabPanel, TabRow } from './parts/tabs.tsx';
import { usePendingFormulas } from './pending-formulas.ts';
import { type Runs, useRuns } from './runs.ts';
import { callScript } from './script.ts';
import type { SearchDraft } from './search/draft.ts';
import { SearchTab } from './search/search-tab.tsx';
import type { TabProps } from './tab-props.ts';
import { TablesTab } from './tables/tables-tab.tsx';

interface TabDefinition extends TabEntry<Tab> {
  show: (props: TabProps) => JSX.Element;
  /** It does nothing without a connection. */
  needsConnection: boolean;
}

/** The tabs, in their order. */
const TABS: readonly TabDefinition[] = [
  { id: 'search', label: 'Search', show: SearchTab, needsConnection: true },
  { id: 'enrich', label: 'Enrich', show: EnrichTab, needsConnection: true },
  { id: 'bulk', label: 'Bulk', show: BulkTab, needsConnection: true },
  { id: 'tables', label: 'Tables', show: TablesTab, needsConnection: false },
  { id: 'activity', label: 'Activity', show: ActivityTab, needsConnection: false },
];

/** Where a run was begun, and goes on. */
const TAB_OF_RUN: Readonly<Record<Progress['kind'], Tab>> = {
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
function UnfinishedRuns(props: { runs: Runs; onTab: (tab: Tab) => void }): JSX.Element | null {
  const { runs, onTab } = props;
  const left = useScriptValue('unfinished', {});
  const deed = useScriptAction();
  const [gone, setGone] = useState<string[]>([]);
  const all = (left.value ?? []).filter(({ runId }) => !gone.includes(runId));
  if (runs.progress !== undefined || all.length === 0) return null;
  const away = (runId: string): void => setGone([...gone, runId]);
  const goOn = (progress: Progress): void => {
    away(progress.runId);
    onTab(TAB_OF_RUN[progress.kind]);
    runs.resume(progress);
  };
  return (
    <section class="unfinished" aria-label="Unfinished runs">
      {all.map((progress) => (
        <Notice key={progress.runId} tone="warn">
          <p>
            “{progress.title}” stopped at {formatNumber(progress.done)} of {formatNumber(progress.total)}{' '}
            rows.
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
                  .run('discardRun', { runId: progress.runId })
                  .then((done) => done && away(progress.runId))
              }
            >
              Discard
            </Button>
          </Row>
        </Notice>
      ))}
      <ErrorNotice refusal={deed.refusal} />
    </section>
  );
}

/** Rows that became ready and could not be written, told once. */
function UnwrittenRows({ failed, retry, dismiss }: Deliveries): JSX.Element | null {
  if (failed === undefined) return null;
  return (
    <section class="unfinished" aria-label="Rows not written">
      <Notice tone="error">
        <p>
          The rows of “{failed.delivery.title}” are ready, but the sidebar couldn’t write them.{' '}
          {failed.message}
        </p>
        <Row>
          <Button onClick={retry}>Write rows</Button>
          <Button kind="quiet" onClick={dismiss}>
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
  const [draft, setDraft] = useState<SearchDraft>();
  const runs = useRuns();
  const visible = usePageVisible();
  const connected = status.connection !== null && status.failure === undefined;
  const waiting = usePendingFormulas(connected && runs.progress?.state !== 'running', version);
  const deliveries = useDeliveries(connected && visible, runs);
  const onStatus = (changed: Status): void => {
    // What was refused before may go now.
    runs.clearErrors();
    setVersion((before) => before + 1);
    props.onStatus(changed);
  };
  const open = (wanted: Tab): void => {
    setTab(wanted);
    setOpened((before) => (before.includes(wanted) ? before : [...before, wanted]));
    // Where it can't be remembered, the next opening begins with another tab: nothing to bother anybody with.
    void callScript('setTab', { tab: wanted });
  };
  return (
    <StatusVersionContext.Provider value={version}>
      <ConfirmAboveContext.Provider value={status.connection?.confirmAbove ?? null}>
        <TabRow label="CDAPI" tabs={TABS} chosen={tab} onChange={open} />
        <ErrorNotice refusal={status.failure} onRetry={props.reload} />
        {status.connection !== null && status.unfinished > 0 && <UnfinishedRuns runs={runs} onTab={open} />}
        <UnwrittenRows {...deliveries} />
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
                onReady={deliveries.checkNow}
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
      </ConfirmAboveContext.Provider>
    </StatusVersionContext.Provider>
  );
}

/** The whole page. */
export function App(): JSX.Element {
  const status = useScriptValue('status', {});
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
            <Skeleton label="Opening CDAPI" lines={6} />
          ) : (
            <ErrorNotice refusal={status.refusal} onRetry={status.reload} />
          )}
        </div>
      </div>
    </>
  );
}
