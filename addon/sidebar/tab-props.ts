// Props of tabs.
import type { Status, Tab } from '../server/api/index.ts';
import type { Watched } from './deliveries.ts';
import type { Runs } from './runs.ts';
import type { SearchDraft } from './search/draft.ts';

/** Access to the input of the search tab. */
export interface DraftProps {
  /** Undefined if it is empty. */
  draft: SearchDraft | undefined;
  onDraft: (draft: SearchDraft) => void;
}

/** Props of every tab. */
export interface TabProps {
  status: Status;
  onStatus: (status: Status) => void;
  runs: Runs;
  /** Whether the tab is selected. Opened tabs stay mounted and keep their input. */
  shown: boolean;
  /** Whether the page is visible. */
  visible: boolean;
  /** Checks for deliveries at once. */
  onReady: () => void;
  /** The lookup whose rows are checked with the deliveries. */
  watched: { current: Watched | undefined };
  /** Number of formulas that wait for rows. */
  waiting: number;
  /** Opens another tab. */
  onTab: (tab: Tab) => void;
  /** Opens the tables tab with a table expanded. */
  onTables: (tableId: string) => void;
  /** The expanded table. */
  tableId: string;
}
