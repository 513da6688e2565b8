// Number of rows, destination, name and source column of a search.
import type { JSX } from 'preact';
import { previewMaxPage, previewPageSize } from '../../../shared/families/previews.ts';
import { formatNumber } from '../format.ts';
import { Disclosure } from '../parts/basics.tsx';
import { Select, TextField } from '../parts/controls.tsx';
import { DestinationChoice } from '../parts/destination.tsx';
import { SourceSelect } from '../parts/source-select.tsx';
import { getTitle, type SearchDraft } from './draft.ts';

const PAGE_COUNTS = [1, 2, 3, 5, 10, 25, previewMaxPage];
const TABLE_KINDS = ['search'];

export function SearchDestination(props: {
  draft: SearchDraft;
  onChange: (draft: SearchDraft) => void;
}): JSX.Element {
  const { draft } = props;
  const put = (change: Partial<SearchDraft>): void => props.onChange({ ...draft, ...change });
  return (
    <>
      <Select
        label="Rows"
        value={String(draft.pages)}
        options={PAGE_COUNTS.map((pages) => ({
          value: String(pages),
          label: `First ${formatNumber(pages * previewPageSize)} rows`,
        }))}
        onChange={(pages) => put({ pages: Number(pages) })}
      />
      <DestinationChoice
        place={draft}
        family={draft.family}
        kinds={TABLE_KINDS}
        onChange={(place, table) => put({ ...place, columns: table?.columns ?? draft.columns })}
      />
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
