// Entry point of the sidebar's second script: the tabs that the page loads after it has opened.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Tab, Table } from '../server/api/index.ts';
import { ActivityTab } from './activity/activity-tab.tsx';
import { BulkTab } from './bulk/bulk-tab.tsx';
import { SearchTab } from './search/search-tab.tsx';
import { useStoredDraft } from './search/stored-draft.ts';
import type { TabProps } from './tab-props.ts';
import { TablesTab } from './tables/tables-tab.tsx';

/**
 * Shows the panels of the tabs that share the input of the search tab, and of the activity tab.
 * @param props - `lastSearch`: the stored search; `renderPanel`: renders a tab's panel around its content
 */
export function LaterPanels(props: {
  lastSearch: string | undefined;
  renderPanel: (tab: Tab, renderContent: (props: TabProps) => JSX.Element) => JSX.Element;
}): JSX.Element {
  const { lastSearch, renderPanel } = props;
  const [draft, onDraft] = useStoredDraft(lastSearch);
  const [orderAgain, setOrderAgain] = useState<Table>();
  return (
    <>
      {renderPanel('search', (tab) => (
        <SearchTab {...tab} draft={draft} onDraft={onDraft} />
      ))}
      {renderPanel('bulk', (tab) => (
        <BulkTab {...tab} draft={draft} orderAgain={orderAgain} />
      ))}
      {renderPanel('tables', (tab) => (
        <TablesTab {...tab} onDraft={onDraft} onOrderAgain={(table) => setOrderAgain({ ...table })} />
      ))}
      {renderPanel('activity', (tab) => (
        <ActivityTab {...tab} />
      ))}
    </>
  );
}
