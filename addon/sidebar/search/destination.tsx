// Number of rows, destination, name and source column of a search; the choice to update the table that has it already.
import type { JSX } from 'preact';
import { accountColumn, maxRowsPerAccount } from '../../../shared/accounts.ts';
import { previewMaxPage, previewPageSize } from '../../../shared/families/previews.ts';
import { formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import type { SearchPlan, Table, WriteMode } from '../../server/api/index.ts';
import { useSidebar } from '../context.ts';
import { formatCredits } from '../format.ts';
import { Disclosure, Hint } from '../parts/basics.tsx';
import { Checkbox, Link, Segments, Select, SourceSelect, TextField } from '../parts/controls.tsx';
import { DestinationChoice } from '../parts/destination.tsx';
import { canLeaveOutKnown, getTitle, type SearchDraft, updateTable } from './draft.ts';

const PAGE_COUNTS = [1, 2, 3, 5, 10, 25, previewMaxPage];
const ROW_COUNTS = [1, 2, 3, 5, 10, 20, 50, maxRowsPerAccount];

export const getTableColumns = ({ columns, accounts }: Table): string[] =>
  columns.filter((path) => accounts === undefined || path !== accountColumn);

export function NameField(props: {
  label: string;
  draft: SearchDraft;
  onChange: (draft: SearchDraft) => void;
}): JSX.Element {
  const { label, draft, onChange } = props;
  return (
    <TextField
      label={label}
      value={draft.title}
      placeholder={getTitle({ ...draft, title: '' })}
      maxLength={100}
      onInput={(title) => onChange({ ...draft, title })}
    />
  );
}

export function SearchDestination(props: {
  draft: SearchDraft;
  onChange: (draft: SearchDraft) => void;
}): JSX.Element {
  const { draft } = props;
  const { family, accounts, destination } = draft;
  const isAtCompanies = accounts !== undefined;
  const put = (change: Partial<SearchDraft>): void => props.onChange({ ...draft, ...change });
  return (
    <>
      {accounts === undefined ? (
        <Select
          label="Rows"
          value={draft.pages}
          options={PAGE_COUNTS.map((pages) => ({
            value: pages,
            label: `First ${formatNumber(pages * previewPageSize)} rows`,
          }))}
          onChange={(pages) => put({ pages })}
        />
      ) : (
        <Select
          label="Rows for each company"
          value={accounts.perCompany}
          options={ROW_COUNTS.map((count) => ({ value: count, label: `At most ${count}` }))}
          onChange={(perCompany) => put({ accounts: { ...accounts, perCompany } })}
        />
      )}
      <DestinationChoice
        key={`${family} ${isAtCompanies} ${draft.savedId}`}
        place={destination}
        family={family}
        kind="search"
        isAtCompanies={isAtCompanies}
        onChange={(place, table) =>
          put({ destination: place, ...(table && { columns: getTableColumns(table) }) })
        }
      />
      {'tableId' in destination && canLeaveOutKnown(draft) && (
        <Checkbox
          label="Leave out rows already in this table"
          hint="Then every bought page has new rows only."
          checked={destination.leaveOutKnown === true}
          onChange={(leaveOutKnown) => put({ destination: { ...destination, leaveOutKnown } })}
        />
      )}
      <Disclosure title="Name and source">
        <NameField label="Name" draft={draft} onChange={props.onChange} />
        <SourceSelect value={draft.provenance} onChange={(provenance) => put({ provenance })} />
      </Disclosure>
    </>
  );
}

function describeChange(mode: WriteMode, { title, rows }: NonNullable<SearchPlan['target']>): string {
  const all = `its ${formatCount(rows, 'row')}`;
  const changes = {
    replace: `replaces ${all}`,
    append: `adds rows below ${all}`,
    update: 'changes rows with the same ID, adds others',
  };
  return `Updates “${title}”: ${changes[mode]}.`;
}

/** The choice between the table that has the search already and a new sheet; after a bulk order a way to its update. */
export function UpdateChoice(props: {
  draft: SearchDraft;
  plan: SearchPlan | undefined;
  onChange: (draft: SearchDraft) => void;
}): JSX.Element | null {
  const { draft, plan: { existing, target } = {}, onChange } = props;
  const { destination, orderedTitle } = draft;
  const { openTab } = useSidebar();
  if (orderedTitle !== undefined)
    return (
      <Hint>
        “{orderedTitle}” is a bulk order. <Link onClick={() => openTab('bulk')}>Update it in Bulk</Link>
      </Hint>
    );
  const change = 'tableId' in destination && target && describeChange(destination.mode, target);
  if (destination.kind === 'cursor' || !(existing || change)) return null;
  const { title, credits = 0, isMaximum } = existing ?? {};
  const price = credits === 0 ? 'is free' : `costs ${isMaximum ? 'up to ' : ''}${formatCredits(credits)}`;
  return (
    <div class="target">
      <Hint>{change || `“${title}” has this search. Updating it ${price}.`}</Hint>
      {existing && (
        <Segments
          label="Write to"
          value={destination.kind === 'newSheet' ? 'newSheet' : 'table'}
          options={[
            { value: 'newSheet', label: 'New sheet' },
            { value: 'table', label: 'Update this table' },
          ]}
          onChange={(to) =>
            onChange(
              to === 'table'
                ? updateTable(draft, existing)
                : { ...draft, destination: { kind: 'newSheet', isChosen: true } },
            )
          }
        />
      )}
    </div>
  );
}
