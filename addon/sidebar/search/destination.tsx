// Where the rows of a search go, how many, and under which name.
import type { JSX } from 'preact';
import { previewMaxPage, previewPageSize } from '../../../shared/families/previews.ts';
import { count } from '../format.ts';
import { Fold } from '../parts/basics.tsx';
import { Select, TextField } from '../parts/controls.tsx';
import { WhereTo } from '../parts/destination.tsx';
import { OriginSelect } from '../parts/source-select.tsx';
import { type Draft, titleOf } from './draft.ts';

const PAGES = [1, 2, 3, 5, 10, 25, previewMaxPage];
const KINDS = ['search'];

/** Rows, place, name, and what says where rows come from. */
export function Where(props: { draft: Draft; onChange: (draft: Draft) => void }): JSX.Element {
  const { draft } = props;
  const put = (change: Partial<Draft>): void => props.onChange({ ...draft, ...change });
  return (
    <>
      <Select
        label="Rows"
        value={String(draft.pages)}
        options={PAGES.map((pages) => ({
          value: String(pages),
          label: `First ${count(pages * previewPageSize)} rows`,
        }))}
        onChange={(pages) => put({ pages: Number(pages) })}
      />
      <WhereTo
        place={draft}
        family={draft.family}
        kinds={KINDS}
        onChange={(place, table) => put({ ...place, columns: table?.columns ?? draft.columns })}
      />
      <Fold title="Name and source">
        <TextField
          label="Name"
          value={draft.title}
          placeholder={titleOf({ ...draft, title: '' })}
          maxLength={100}
          onInput={(title) => put({ title })}
        />
        <OriginSelect value={draft.provenance} onChange={(provenance) => put({ provenance })} />
      </Fold>
    </>
  );
}
