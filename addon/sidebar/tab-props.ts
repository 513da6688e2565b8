// Props of every tab.
import type { Status, Tab, Table } from '../server/api/index.ts';
import type { Runs } from './runs.ts';
import type { SearchDraft } from './search/draft.ts';

export interface TabProps {
  status: Status;
  onStatus: (status: Status) => void;
  runs: Runs;
  /** Whether the tab is selected. Opened tabs stay mounted and keep their input. */
  shown: boolean;
  /** Whether the page is visible. */
  visible: boolean;
  /** Input of the search tab; undefined if it is empty. */
  draft: SearchDraft | undefined;
  onDraft: (draft: SearchDraft) => void;
  /** Checks for deliveries at once. */
  onReady: () => void;
  /** Number of formulas that wait for rows. */
  waiting: number;
  /** Opens another tab. */
  onTab: (tab: Tab) => void;
  /** Opens the tables tab with a table expanded. */
  onTables: (tableId: string) => void;
  /** The expanded table. */
  tableId: string;
  /** Opens the bulk tab with the order of a table filled in. */
  onOrderAgain: (table: Table) => void;
  /** The table whose order is filled in. */
  orderAgain: Table | undefined;
}
