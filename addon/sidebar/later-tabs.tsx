// Entry point of the sidebar's second script: the tabs that the page loads after it has opened.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Table } from '../server/api/index.ts';
import { ActivityTab } from './activity/activity-tab.tsx';
import { BulkTab } from './bulk/bulk-tab.tsx';
import { useSidebar } from './context.ts';
import { SearchTab } from './search/search-tab.tsx';
import { useStoredDraft } from './search/stored-draft.ts';
import { TablesTab } from './tables/tables-tab.tsx';
import { LoadedPanel } from './tabs.tsx';

/** The panels of the tabs that share the input of the search tab, and of the activity tab. */
export function LaterPanels(): JSX.Element {
  const { draft, onDraft } = useStoredDraft(useSidebar().status);
  const [orderAgain, setOrderAgain] = useState<Table>();
  return (
    <>
      <LoadedPanel id="search">
        <SearchTab draft={draft} onDraft={onDraft} />
      </LoadedPanel>
      <LoadedPanel id="bulk">
        <BulkTab search={draft} orderAgain={orderAgain} />
      </LoadedPanel>
      <LoadedPanel id="tables">
        <TablesTab onDraft={onDraft} onOrderAgain={(table) => setOrderAgain({ ...table })} />
      </LoadedPanel>
      <LoadedPanel id="activity">
        <ActivityTab />
      </LoadedPanel>
    </>
  );
}
