// Entry point of the sidebar's second script: the tabs that the page loads after it has opened.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ActivityTab } from './activity/activity-tab.tsx';
import { BulkTab } from './bulk/bulk-tab.tsx';
import { emptyBulkInput, toBulkDraft } from './bulk/draft.ts';
import { useSidebar } from './context.ts';
import { SearchTab } from './search/search-tab.tsx';
import { useStoredDraft } from './search/stored-draft.ts';
import { TablesTab } from './tables/tables-tab.tsx';
import { LoadedPanel } from './tabs.tsx';

/** The panels of the tabs that share the input of the search tab, and of the activity tab. */
export function LaterPanels(): JSX.Element {
  const { draft, onDraft } = useStoredDraft(useSidebar().status);
  const [bulk, onBulk] = useState(emptyBulkInput);
  return (
    <>
      <LoadedPanel id="search">
        <SearchTab draft={draft} onDraft={onDraft} />
      </LoadedPanel>
      <LoadedPanel id="bulk">
        <BulkTab search={draft} input={bulk} onInput={onBulk} />
      </LoadedPanel>
      <LoadedPanel id="tables">
        <TablesTab
          onDraft={onDraft}
          onOrderAgain={(table) => onBulk({ view: 'new', draft: toBulkDraft(table) })}
        />
      </LoadedPanel>
      <LoadedPanel id="activity">
        <ActivityTab />
      </LoadedPanel>
    </>
  );
}
