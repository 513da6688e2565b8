// Number of rows, destination, name and source column of a search; the choice to update the table that has it already.
import type { JSX } from 'preact';
import { accountColumn, maxRowsPerAccount } from '../../../shared/accounts.ts';
import { previewMaxPage, previewPageSize } from '../../../shared/families/previews.ts';
import type { SearchPlan, Table, WriteMode } from '../../server/api/index.ts';
import { formatCount, t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { formatCredits } from '../format.ts';
import { Disclosure, Hint } from '../parts/basics.tsx';
import { Checkbox, Link, Segments, Select, SourceSelect, TextField } from '../parts/controls.tsx';
import { DestinationChoice } from '../parts/destination.tsx';
import { canExcludeExisting, getTitle, type SearchDraft, updateTable } from './draft.ts';

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
          label={t('Rows')}
          value={draft.pages}
          options={PAGE_COUNTS.map((pages) => ({
            value: pages,
            label: t('First {rows} rows', { rows: pages * previewPageSize }),
          }))}
          onChange={(pages) => put({ pages })}
        />
      ) : (
        <Select
          label={t('Rows for each company')}
          value={accounts.perCompany}
          options={ROW_COUNTS.map((count) => ({ value: count, label: t('At most {count}', { count }) }))}
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
      {'tableId' in destination && canExcludeExisting(draft) && (
        <Checkbox
          label={t('Leave out rows already in this table')}
          hint={t('Then every bought page has new rows only.')}
          checked={destination.excludeExisting === true}
          onChange={(excludeExisting) => put({ destination: { ...destination, excludeExisting } })}
        />
      )}
      <Disclosure title={t('Name and source')}>
        <NameField label={t('Name')} draft={draft} onChange={props.onChange} />
        <SourceSelect value={draft.provenance} onChange={(provenance) => put({ provenance })} />
      </Disclosure>
    </>
  );
}

function describeChange(mode: WriteMode, { title, rows }: NonNullable<SearchPlan['target']>): string {
  const table = { title, rows: formatCount(rows, 'row') };
  const changes = {
    replace: t('Updates “{title}”: replaces its {rows}.', table),
    append: t('Updates “{title}”: adds rows below its {rows}.', table),
    update: t('Updates “{title}”: changes rows with the same ID, adds others.', { title }),
  };
  return changes[mode];
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
        {t('“{title}” is a bulk order.', { title: orderedTitle })}{' '}
        <Link onClick={() => openTab('bulk')}>{t('Update it in Bulk')}</Link>
      </Hint>
    );
  const change = 'tableId' in destination && target && describeChange(destination.mode, target);
  if (destination.kind === 'cursor' || !(existing || change)) return null;
  const { title = '', credits = 0, isMaximum } = existing ?? {};
  const price = `${isMaximum ? t('up to ') : ''}${formatCredits(credits)}`;
  return (
    <div class="target">
      <Hint>
        {change ||
          (credits === 0
            ? t('“{title}” has this search. Updating it is free.', { title })
            : t('“{title}” has this search. Updating it costs {price}.', { title, price }))}
      </Hint>
      {existing && (
        <Segments
          label={t('Write to')}
          value={destination.kind === 'newSheet' ? 'newSheet' : 'table'}
          options={[
            { value: 'newSheet', label: t('New sheet') },
            { value: 'table', label: t('Update this table') },
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
