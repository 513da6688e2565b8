// The app: status, tabs and the run that they share.
import type { JSX } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../../shared/lib/format-count.ts';
import type { Progress, Status, Tab } from '../server/api/index.ts';
import { Connect } from './activity/connect.tsx';
import { Welcome } from './activity/welcome.tsx';
import { type Deliveries, useDeliveries, type Watched } from './deliveries.ts';
import { ConfirmAboveContext, RemainingContext } from './dock.tsx';
import { EnrichTab } from './enrich/enrich-tab.tsx';
import {
  type AsyncValue,
  StatusVersionContext,
  usePageVisible,
  useReloadOnFocus,
  useReloadWhenShown,
  useReloadWithSheet,
  useScriptAction,
  useScriptValue,
} from './hooks.ts';
import { type LaterTabs, useLaterTabs } from './later.ts';
import { SuggestedMerge } from './merge-offer.tsx';
import { Empty, ErrorNotice, HelpUrlContext, Loading, Notice, Row, Skeleton } from './parts/basics.tsx';
import { Button } from './parts/controls.tsx';
import { type TabEntry, TabPanel, TabRow } from './parts/tabs.tsx';
import { usePendingFormulas } from './pending-formulas.ts';
import { getChangeKey, type Runs, useRuns } from './runs.ts';
import { callScript } from './script.ts';
import type { TabProps } from './tab-props.ts';

/** Tabs in display order. All but the first belong to the second script. */
const TABS: readonly TabEntry<Tab>[] = [
  { id: 'enrich', label: 'Enrich' },
  { id: 'search', label: 'Search' },
  { id: 'bulk', label: 'Bulk' },
  { id: 'tables', label: 'Tables' },
  { id: 'activity', label: 'Activity' },
];
const LATER_TABS = TABS.slice(1);

/** Tabs of no use without a connection. */
const CONNECTED_TABS: readonly Tab[] = ['enrich', 'search', 'bulk'];

/** The tab of each kind of run. */
const RUN_TABS: Readonly<Record<Progress['kind'], Tab>> = {
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
        {!props.status.hasCompanyConnection && !props.status.canConnectAccount && (
          <p>Ask your admin for a connection link. You need it once per spreadsheet.</p>
        )}
      </Empty>
      <Connect {...props} />
    </div>
  );
}

/** Lists unfinished runs to resume or discard. */
function UnfinishedRuns(props: { runs: Runs; onTab: (tab: Tab) => void }): JSX.Element | null {
  const { runs, onTab } = props;
  const unfinished = useScriptValue('unfinished', {});
  const action = useScriptAction();
  const [handled, setHandled] = useState<string[]>([]);
  const all = (unfinished.value ?? []).filter(({ runId }) => !handled.includes(runId));
  if (runs.progress !== undefined || all.length === 0) return null;
  const hide = (runId: string): void => setHandled([...handled, runId]);
  const resume = (progress: Progress): void => {
    hide(progress.runId);
    onTab(RUN_TABS[progress.kind]);
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
            <Button onClick={() => resume(progress)} label={`Resume: ${progress.title}`}>
              Resume
            </Button>
            <Button
              kind="quiet"
              busy={action.busy}
              label={`Discard: ${progress.title}`}
              onClick={() =>
                void action
                  .run('discardRun', { runId: progress.runId })
                  .then((reply) => reply && hide(progress.runId))
              }
            >
              Discard
            </Button>
          </Row>
        </Notice>
      ))}
      <ErrorNotice error={action.error} />
    </section>
  );
}

/** Asks whether formulas may use the company's connection, where Google does not tell whose spreadsheet this is. */
function AllowFormulas({ status, onStatus }: Pick<TabProps, 'status' | 'onStatus'>): JSX.Element | null {
  const action = useScriptAction();
  if (status.mustAllowFormulas === undefined) return null;
  return (
    <section class="unfinished" aria-label="Formulas are not connected">
      <Notice tone="warn">
        <p>
          Formulas don’t work here yet: Google doesn’t tell whether this spreadsheet belongs to your company.
          If you allow them, everybody who edits it spends from your company’s budget.
        </p>
        <Row>
          <Button
            busy={action.busy}
            onClick={() =>
              void action.run('connectCompany', {}).then((changed) => changed && onStatus(changed))
            }
          >
            Allow formulas here
          </Button>
        </Row>
        <ErrorNotice error={action.error} />
      </Notice>
    </section>
  );
}

/** Reports a delivery that could not be written. */
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

/**
 * Reads the remaining credits again after runs, when waiting formulas have completed, on focus, and while the person
 * works in the sheet: formulas and colleagues spend, too.
 */
function useRemaining({ connection }: Status, runs: Runs, waiting: number): number | null {
  const [remaining, setRemaining] = useState<number | null>(null);
  const { runId, credits = 0 } = runs.progress ?? {};
  const last = useRef({ runId, credits });
  useEffect(() => {
    // The charges of a run count before the budget has been read again.
    const charged = last.current.runId === runId ? credits - last.current.credits : 0;
    last.current = { runId, credits };
    if (charged > 0) setRemaining((left) => left && Math.max(0, left - charged));
  }, [runId, credits]);
  useEffect(() => setRemaining(connection?.remaining ?? null), [connection]);
  const reload = useCallback(() => {
    void callScript('status', {}).then((reply) => {
      if (reply.ok && reply.value.connection) setRemaining(reply.value.connection.remaining);
    });
  }, []);
  useReloadWhenShown(connection !== null, `${getChangeKey(runs)} ${waiting}`, reload);
  useReloadOnFocus(connection !== null, reload);
  useReloadWithSheet(connection !== null, reload);
  return remaining;
}

function Tabs(props: {
  status: Status;
  later: AsyncValue<LaterTabs>;
  onStatus: (status: Status) => void;
  reload: () => void;
}): JSX.Element {
  const { status, later } = props;
  const [tab, setTab] = useState<Tab>(status.tab);
  const [version, setVersion] = useState(0);
  const [opened, setOpened] = useState<readonly Tab[]>([tab]);
  const [tableId, setTableId] = useState('');
  const runs = useRuns();
  const visible = usePageVisible();
  const connected = status.connection !== null && status.failure === undefined;
  const waiting = usePendingFormulas(connected && runs.progress?.state !== 'running', version);
  const remaining = useRemaining(status, runs, waiting);
  const watched = useRef<Watched | undefined>(undefined);
  const deliveries = useDeliveries(connected && visible, runs, watched);
  const onStatus = (changed: Status): void => {
    // Earlier errors may be outdated.
    runs.clearErrors();
    setVersion((current) => current + 1);
    props.onStatus(changed);
  };
  const open = (next: Tab): void => {
    setTab(next);
    setOpened((current) => (current.includes(next) ? current : [...current, next]));
    // A failure only affects which tab opens next time.
    void callScript('setTab', { tab: next });
  };
  const renderPanel = (id: Tab, renderContent: (props: TabProps) => JSX.Element): JSX.Element => (
    <TabPanel key={id} id={id} hidden={id !== tab}>
      {!opened.includes(id) ? null : CONNECTED_TABS.includes(id) && status.connection === null ? (
        <NotConnected status={status} onStatus={onStatus} />
      ) : (
        renderContent({
          status,
          onStatus,
          runs,
          waiting,
          watched,
          visible,
          onReady: deliveries.checkNow,
          shown: id === tab,
          onTab: open,
          tableId,
          onTables: (table) => {
            setTableId(table);
            open('tables');
          },
        })
      )}
    </TabPanel>
  );
  return (
    <StatusVersionContext.Provider value={version}>
      <ConfirmAboveContext.Provider value={status.connection?.confirmAbove ?? null}>
        <RemainingContext.Provider value={remaining}>
          <HelpUrlContext.Provider value={status.helpUrl}>
            <TabRow
              label="CDAPI"
              tabs={TABS}
              chosen={tab}
              onChange={(next) => {
                // A tab that opens as part of an action keeps the report.
                if (next !== tab) runs.closeReport();
                open(next);
              }}
            />
            <ErrorNotice error={status.failure} onRetry={props.reload} />
            {status.connection !== null && status.unfinished > 0 && (
              <UnfinishedRuns runs={runs} onTab={open} />
            )}
            <AllowFormulas status={status} onStatus={onStatus} />
            <UnwrittenRows {...deliveries} />
            {connected && <SuggestedMerge runs={runs} shown={tab === 'activity'} />}
            {renderPanel('enrich', (shared) => (
              <EnrichTab {...shared} />
            ))}
            {later.value === undefined ? (
              // Without a connection, too: what is typed into a form would be lost when the tab replaces it.
              LATER_TABS.map(({ id }) => (
                <TabPanel key={id} id={id} hidden={id !== tab}>
                  <div class="content stack wide">
                    <Loading of={later} label="Loading the tab" lines={6} />
                  </div>
                </TabPanel>
              ))
            ) : (
              <later.value.LaterPanels lastSearch={status.lastSearch} renderPanel={renderPanel} />
            )}
          </HelpUrlContext.Provider>
        </RemainingContext.Provider>
      </ConfirmAboveContext.Provider>
    </StatusVersionContext.Provider>
  );
}

export function App(): JSX.Element {
  const status = useScriptValue('status', {});
  const later = useLaterTabs();
  const [last, setLast] = useState<Status>();
  useEffect(() => {
    if (status.value !== undefined) setLast(status.value);
  }, [status.value]);
  if (last?.connection?.isNew) return <Welcome connection={last.connection} onStatus={setLast} />;
  if (last !== undefined)
    return <Tabs status={last} later={later} onStatus={setLast} reload={status.reload} />;
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
            <ErrorNotice error={status.error} onRetry={status.reload} />
          )}
        </div>
      </div>
    </>
  );
}
