// The app: status, tabs and the run that they share. The second script is loaded once the page is open with its first tab.
import { type JSX, render } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Progress, Status, Tab } from '../server/api/index.ts';
import { setLanguage, t } from '../texts/texts.ts';
import { Welcome } from './activity/connect.tsx';
import { type Sidebar, SidebarContext, type TablesView, useSidebar, type Watched } from './context.ts';
import { useDeliveries } from './deliveries.ts';
import { EnrichTab } from './enrich/enrich-tab.tsx';
import {
  type AsyncValue,
  usePageVisible,
  useReloadOnFocus,
  useReloadWhenShown,
  useReloadWithSheet,
  useScriptAction,
  useScriptValue,
} from './hooks.ts';
import type * as laterTabs from './later-tabs.tsx';
import { SuggestedMerge } from './merge-offer.tsx';
import { ErrorNotice, Loading, Notice, Row, Skeleton } from './parts/basics.tsx';
import { Button } from './parts/controls.tsx';
import { usePendingFormulas } from './pending-formulas.ts';
import { formatResume } from './run-view.tsx';
import { type Runs, useRuns } from './runs.ts';
import { callScript, type ScriptError } from './script.ts';
import { LoadedPanel, TABS, TabPanel, TabRow } from './tabs.tsx';

type LaterTabs = typeof laterTabs;

declare global {
  interface Window {
    cdapiLater?: LaterTabs;
  }
}

const getNotLoaded = (): ScriptError => ({
  ok: false,
  message: t('The sidebar couldn’t load this tab. Close the sidebar and open it again.'),
});

/** Loads the second script while the first tab is shown. It comes from the same build as the page. */
function useLaterTabs(): AsyncValue<LaterTabs> {
  const [loaded, setLoaded] = useState<{ value: LaterTabs | undefined }>();
  const { error, busy, reload } = useScriptValue(
    'laterTabs',
    {},
    {
      onReply: (reply) => {
        if (!reply.ok) return;
        const element = document.createElement('script');
        element.textContent = reply.value;
        document.head.append(element);
        setLoaded({ value: window.cdapiLater });
      },
    },
  );
  const value = loaded?.value;
  // The script failed or was blocked.
  const failed = loaded !== undefined && value === undefined ? getNotLoaded() : undefined;
  return { value, error: error ?? failed, busy, reload };
}

const RUN_TABS: Readonly<Record<Progress['kind'], Tab>> = {
  search: 'search',
  count: 'search',
  enrich: 'enrich',
  bulk: 'bulk',
  refresh: 'tables',
  records: 'tables',
};

function UnfinishedRuns(): JSX.Element | null {
  const { runs, openTab } = useSidebar();
  const unfinished = useScriptValue('unfinished', {});
  const action = useScriptAction();
  const [handled, setHandled] = useState<string[]>([]);
  const all = (unfinished.value ?? []).filter(({ runId }) => !handled.includes(runId));
  if (runs.progress !== undefined || all.length === 0) return null;
  const hide = (runId: string): void => setHandled([...handled, runId]);
  const resume = (progress: Progress): void => {
    hide(progress.runId);
    openTab(RUN_TABS[progress.kind]);
    runs.resume(progress);
  };
  return (
    <section class="unfinished" aria-label={t('Unfinished runs')}>
      {all.map((progress) => (
        <Notice key={progress.runId} tone="warn">
          <p>
            {t('“{title}” stopped at {done} of {total} rows.', {
              title: progress.title,
              done: progress.done,
              total: progress.total,
            })}
          </p>
          <Row>
            <Button onClick={() => resume(progress)} label={`${formatResume(progress)}: ${progress.title}`}>
              {formatResume(progress)}
            </Button>
            <Button
              kind="quiet"
              busy={action.busy}
              label={t('Discard: {title}', { title: progress.title })}
              onClick={() =>
                void action.run('discardRun', { runId: progress.runId }, () => hide(progress.runId))
              }
            >
              {t('Discard')}
            </Button>
          </Row>
        </Notice>
      ))}
      <ErrorNotice error={action.error} />
    </section>
  );
}

/** Asks whether formulas may use the company's connection, where Google does not tell whose spreadsheet this is. */
function AllowFormulas(): JSX.Element | null {
  const { status, onStatus } = useSidebar();
  const action = useScriptAction();
  if (status.mustAllowFormulas === undefined) return null;
  return (
    <section class="unfinished" aria-label={t('Formulas are not connected')}>
      <Notice tone="warn">
        <p>
          {t(
            'Formulas don’t work here yet: Google doesn’t tell whether this spreadsheet belongs to your company. If you allow them, everybody who edits it spends from your company’s budget.',
          )}
        </p>
        <Row>
          <Button busy={action.busy} onClick={() => void action.run('connectCompany', {}, onStatus)}>
            {t('Allow formulas here')}
          </Button>
        </Row>
        <ErrorNotice error={action.error} />
      </Notice>
    </section>
  );
}

/** Formulas that run at a click: their price has to be confirmed, or there are credits again. */
function OfferedFormulas(): JSX.Element | null {
  const { offered, tab, tablesView, setTablesView, openTab } = useSidebar();
  const [dismissed, setDismissed] = useState(0);
  const isShown = tab === 'tables' && tablesView === 'formulas';
  if (offered === 0 || offered === dismissed || isShown) return null;
  const show = (): void => {
    setTablesView('formulas');
    openTab('tables');
  };
  return (
    <section class="unfinished" aria-label={t('Formulas that wait for you')}>
      <Notice tone="warn">
        <p>
          {offered === 1
            ? t('1 formula on this sheet waits for your click.')
            : t('{offered} formulas on this sheet wait for your click.', { offered })}
        </p>
        <Row>
          <Button onClick={show}>{offered === 1 ? t('Show price') : t('Show prices')}</Button>
          <Button kind="quiet" onClick={() => setDismissed(offered)}>
            {t('Not now')}
          </Button>
        </Row>
      </Notice>
    </section>
  );
}

function UnwrittenRows({ failed, retry, dismiss }: ReturnType<typeof useDeliveries>): JSX.Element | null {
  if (failed === undefined) return null;
  return (
    <section class="unfinished" aria-label={t('Rows not written')}>
      <Notice tone="error">
        <p>
          {t('The rows of “{title}” are ready, but the sidebar couldn’t write them. {message}', {
            title: failed.delivery.title,
            message: failed.message,
          })}
        </p>
        <Row>
          <Button onClick={retry}>{t('Write rows')}</Button>
          <Button kind="quiet" onClick={dismiss}>
            {t('Not now')}
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
  const { ends, message } = runs.state;
  useReloadWhenShown(connection !== null, `${ends} ${message?.sentence} ${waiting}`, reload);
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
  const [tablesView, setTablesView] = useState<TablesView>('tables');
  const runs = useRuns();
  const visible = usePageVisible();
  const connected = status.connection !== null && status.failure === undefined;
  const isPolling = connected && runs.progress?.state !== 'running';
  // Formulas may have run again.
  const { waiting, offered } = usePendingFormulas(isPolling, `${version} ${runs.state.message?.sentence}`);
  const remaining = useRemaining(status, runs, waiting);
  const watched = useRef<Watched | undefined>(undefined);
  const deliveries = useDeliveries(connected && visible, runs, watched);
  const openTab = (next: Tab): void => {
    setTab(next);
    setOpened((current) => (current.includes(next) ? current : [...current, next]));
    // A failure only affects which tab opens next time.
    void callScript('setTab', { tab: next });
  };
  const sidebar: Sidebar = {
    status,
    onStatus: (changed) => {
      runs.dispatch({ type: 'errorsCleared' });
      setVersion((current) => current + 1);
      props.onStatus(changed);
    },
    version,
    runs,
    remaining,
    waiting,
    offered,
    watched,
    checkDeliveries: deliveries.checkNow,
    visible,
    tab,
    opened,
    openTab,
    tableId,
    tablesView,
    setTablesView,
    openTable: (table) => {
      setTablesView('tables');
      setTableId(table);
      openTab('tables');
    },
    shown: true,
  };
  return (
    <SidebarContext.Provider value={sidebar}>
      <TabRow />
      <ErrorNotice error={status.failure} onRetry={props.reload} />
      {status.connection !== null && status.unfinished > 0 && <UnfinishedRuns />}
      <AllowFormulas />
      <UnwrittenRows {...deliveries} />
      {connected && <OfferedFormulas />}
      {connected && <SuggestedMerge />}
      <LoadedPanel id="enrich">
        <EnrichTab />
      </LoadedPanel>
      {later.value === undefined ? (
        // Without a connection, too: the values of a form would be lost when the tab replaces it.
        TABS.slice(1).map(({ id }) => (
          <TabPanel key={id} id={id}>
            <div class="content stack wide">
              <Loading of={later} label={t('Loading the tab')} lines={6} />
            </div>
          </TabPanel>
        ))
      ) : (
        <later.value.LaterPanels />
      )}
    </SidebarContext.Provider>
  );
}

function App(): JSX.Element {
  const [last, setLast] = useState<Status>();
  const show = (shown: Status): void => {
    const { language } = shown;
    if (language !== undefined) {
      setLanguage(() => language);
      document.documentElement.lang = language.locale;
    }
    setLast(shown);
  };
  const status = useScriptValue(
    'status',
    { withTexts: true },
    { onReply: (reply) => reply.ok && show(reply.value) },
  );
  const later = useLaterTabs();
  if (last?.connection?.isNew) return <Welcome connection={last.connection} onStatus={setLast} />;
  if (last !== undefined)
    return <Tabs status={last} later={later} onStatus={setLast} reload={status.reload} />;
  return (
    <>
      <div class="tabs" aria-hidden="true">
        {TABS.map(({ id, label }) => (
          <span key={id} class="tab">
            {t(label)}
          </span>
        ))}
      </div>
      <div class="panel">
        <div class="content stack">
          {status.busy ? (
            <Skeleton label={t('Opening CDAPI')} lines={6} />
          ) : (
            <ErrorNotice error={status.error} onRetry={status.reload} />
          )}
        </div>
      </div>
    </>
  );
}

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no #app.');
render(<App />, root);
