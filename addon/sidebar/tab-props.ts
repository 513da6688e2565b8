// What the shell gives to each tab.
import type { Status, Tab } from '../server/api/index.ts';
import type { Runs } from './runs.ts';
import type { SearchDraft } from './search/draft.ts';

export interface TabProps {
  status: Status;
  /** Puts a newer status in its place. */
  onStatus: (status: Status) => void;
  runs: Runs;
  /** It is in front: tabs that were opened stay, so that nothing that was filled in is lost. */
  shown: boolean;
  /** Somebody sees the page. */
  visible: boolean;
  /** What is filled into the search tab; undefined where nothing is yet. */
  draft: SearchDraft | undefined;
  onDraft: (draft: SearchDraft) => void;
  /** Something may have become ready for tables of this spreadsheet. */
  onReady: () => void;
  /** Formulas that wait for rows. */
  waiting: number;
  /** Opens another tab. */
  onTab: (tab: Tab) => void;
  /** Opens the tables with one of them unfolded. */
  onTables: (tableId: string) => void;
  /** The table to unfold. */
  tableId: string;
}
