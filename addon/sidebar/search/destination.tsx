// Number of rows, destination, name and source column of a search.
import type { JSX } from 'preact';
import { accountColumn } from '../../../shared/accounts.ts';
import { previewMaxPage, previewPageSize } from '../../../shared/families/previews.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import type { Table } from '../../server/api/index.ts';
import { Disclosure } from '../parts/basics.tsx';
import { Checkbox, Select, TextField } from '../parts/controls.tsx';
import { DestinationChoice } from '../parts/destination.tsx';
import { SourceSelect } from '../parts/source-select.tsx';
import { RowsPerCompany } from './accounts.tsx';
import { canLeaveOutKnown, getTitle, type SearchDraft } from './draft.ts';

const PAGE_COUNTS = [1, 2, 3, 5, 10, 25, previewMaxPage];
const TABLE_KINDS = ['search'];

/** Returns the columns of a table that its search fills. */
export const getTableColumns = ({ columns, accounts }: Table): string[] =>
  columns.filter((path) => accounts === undefined || path !== accountColumn);

export function SearchDestination(props: {
  draft: SearchDraft;
  onChange: (draft: SearchDraft) => void;
}): JSX.Element {
  const { draft } = props;
  const { accounts } = draft;
  const put = (change: Partial<SearchDraft>): void => props.onChange({ ...draft, ...change });
  return (
    <>
      {accounts === undefined ? (
        <Select
          label="Rows"
          value={String(draft.pages)}
          options={PAGE_COUNTS.map((pages) => ({
            value: String(pages),
            label: `First ${formatNumber(pages * previewPageSize)} rows`,
          }))}
          onChange={(pages) => put({ pages: Number(pages) })}
        />
      ) : (
        <RowsPerCompany
          value={accounts.perCompany}
          onChange={(perCompany) => put({ accounts: { ...accounts, perCompany } })}
        />
      )}
      <DestinationChoice
        place={draft}
        family={draft.family}
        kinds={TABLE_KINDS}
        isAtCompanies={accounts !== undefined}
        onChange={(place, table) =>
          put({
            ...place,
            isUpdate: false,
            columns: table === undefined ? draft.columns : getTableColumns(table),
          })
        }
      />
      {canLeaveOutKnown(draft) && (
        <Checkbox
          label="Leave out rows already in this table"
          hint="Then every bought page has new rows only."
          checked={draft.leaveOutKnown}
          onChange={(leaveOutKnown) => put({ leaveOutKnown })}
        />
      )}
      <Disclosure title="Name and source">
        <TextField
          label="Name"
          value={draft.title}
          placeholder={getTitle({ ...draft, title: '' })}
          maxLength={100}
          onInput={(title) => put({ title })}
        />
        <SourceSelect value={draft.provenance} onChange={(provenance) => put({ provenance })} />
      </Disclosure>
    </>
  );
}
