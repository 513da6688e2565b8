// What all parts of the page share.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { EnrichOrder, Status, Tab } from '../server/api/index.ts';
import type { Runs } from './runs.ts';

/** A lookup whose price is shown. */
export interface Watched {
  order: EnrichOrder;
  /** @param digest - of its rows and keys now */
  onDigest: (digest: string) => void;
}

export type TablesView = 'tables' | 'formulas' | 'templates';

export interface Sidebar {
  status: Status;
  onStatus: (status: Status) => void;
  /** Version of connection and budget. A change reloads every value. */
  version: number;
  runs: Runs;
  /** Credits that may still be spent; null without a budget. */
  remaining: number | null;
  waiting: number;
  /** Number of formulas on the open sheet that run at a click. */
  offered: number;
  /** The lookup whose rows are checked with the deliveries. */
  watched: { current: Watched | undefined };
  checkDeliveries: () => void;
  visible: boolean;
  tab: Tab;
  /** Tabs that were opened stay mounted and keep their input. */
  opened: readonly Tab[];
  openTab: (tab: Tab) => void;
  /** The table that is expanded in the tables tab. */
  tableId: string;
  openTable: (tableId: string) => void;
  /** What the tables tab lists. */
  tablesView: TablesView;
  setTablesView: (view: TablesView) => void;
  /** Whether this part of the page is shown: in a panel, whether its tab is selected. */
  shown: boolean;
}

/** Null before the status has loaded. */
export const SidebarContext = createContext<Sidebar | null>(null);

/** @throws Error outside the tabs */
export function useSidebar(): Sidebar {
  const sidebar = useContext(SidebarContext);
  if (sidebar === null) throw new Error('The status has not loaded.');
  return sidebar;
}
