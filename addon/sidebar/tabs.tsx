// Tabs with keyboard navigation, and their panels. Source: WAI-ARIA Authoring Practices, "Tabs".
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Tab } from '../server/api/index.ts';
import { type Text, t } from '../texts/texts.ts';
import { Connect } from './activity/connect.tsx';
import { SidebarContext, useSidebar } from './context.ts';
import { Empty } from './parts/basics.tsx';

/** Tabs in display order. All but the first belong to the second script. */
export const TABS = [
  { id: 'enrich', label: 'Enrich' },
  { id: 'search', label: 'Search' },
  { id: 'bulk', label: 'Bulk' },
  { id: 'tables', label: 'Tables' },
  { id: 'activity', label: 'Activity' },
] as const satisfies readonly { id: Tab; label: Text }[];

/** Tabs of no use without a connection. */
const CONNECTED_TABS: readonly Tab[] = ['enrich', 'search', 'bulk'];

const MOVES: Readonly<Record<string, (at: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  Home: () => 0,
  End: () => TABS.length - 1,
};

export function TabRow(): JSX.Element {
  const { tab, openTab, runs } = useSidebar();
  const row = useRef<HTMLDivElement>(null);
  const open = (next: Tab): void => {
    // A tab that opens as part of an action keeps the report.
    if (next !== tab) runs.dispatch({ type: 'reportClosed' });
    openTab(next);
  };
  return (
    <div class="tabs" role="tablist" aria-label="CDAPI" ref={row}>
      {TABS.map(({ id, label }, at) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-selected={id === tab}
          aria-controls={`panel-${id}`}
          tabIndex={id === tab ? 0 : -1}
          onClick={() => open(id)}
          onKeyDown={(event) => {
            const to = MOVES[event.key]?.(at);
            const next = to === undefined ? undefined : TABS.at(to % TABS.length);
            if (next === undefined) return;
            event.preventDefault();
            open(next.id);
            row.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
          }}
        >
          {t(label)}
        </button>
      ))}
    </div>
  );
}

export function TabPanel(props: { id: Tab; children: ComponentChildren }): JSX.Element {
  const { id, children } = props;
  return (
    <div
      class="panel"
      role="tabpanel"
      id={`panel-${id}`}
      aria-labelledby={`tab-${id}`}
      hidden={id !== useSidebar().tab}
    >
      {children}
    </div>
  );
}

function NotConnected(): JSX.Element {
  const { hasCompanyConnection, canConnectAccount } = useSidebar().status;
  return (
    <div class="content stack wide">
      <Empty title={t('Connect to your team')}>
        {!hasCompanyConnection && !canConnectAccount && (
          <p>{t('Ask your admin for a connection link. You need it once per spreadsheet.')}</p>
        )}
      </Empty>
      <Connect />
    </div>
  );
}

/** The panel of a loaded tab. Its content is mounted when the tab is first opened. */
export function LoadedPanel({ id, children }: { id: Tab; children: ComponentChildren }): JSX.Element {
  const sidebar = useSidebar();
  const needsConnection = CONNECTED_TABS.includes(id) && sidebar.status.connection === null;
  return (
    <SidebarContext.Provider value={{ ...sidebar, shown: id === sidebar.tab }}>
      <TabPanel id={id}>
        {sidebar.opened.includes(id) && (needsConnection ? <NotConnected /> : children)}
      </TabPanel>
    </SidebarContext.Provider>
  );
}
