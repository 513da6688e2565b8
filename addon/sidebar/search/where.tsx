// Where the rows of a search go, how many, and under which name.
import type { JSX } from 'preact';
import { previewMaxPage, previewPageSize } from '../../../shared/preview-items.ts';
import type { WriteMode } from '../../server/api.ts';
import { useAnswer } from '../hooks.ts';
import { Choice, Fold, Refused, Select, TextField, Waiting } from '../parts/basics.tsx';
import { originOptions } from '../parts/origin.ts';
import { count, placeLabel } from '../words.ts';
import { type Draft, titleOf } from './order.ts';

const PAGES = [1, 2, 3, 5, 10, 25, previewMaxPage];

function ExistingTable(props: { draft: Draft; onChange: (draft: Draft) => void }): JSX.Element {
  const { draft, onChange } = props;
  const tables = useAnswer('tables', {});
  if (tables.value === undefined && tables.busy) return <Waiting label="Loading tables" lines={1} />;
  const fitting = (tables.value ?? []).filter(
    ({ kind, family, gone, frozen }) =>
      kind === 'search' && family === draft.family && gone === undefined && !frozen,
  );
  if (fitting.length === 0) {
    return (
      <>
        <Refused refusal={tables.refusal} onRetry={tables.reload} />
        {tables.refusal === undefined && (
          <p class="hint">No table of this kind of record is here yet. Write to a new sheet first.</p>
        )}
      </>
    );
  }
  const chosen = fitting.find(({ id }) => id === draft.tableId);
  const modes: { value: WriteMode; label: string; disabled?: boolean }[] = [
    { value: 'replace', label: 'Replace its rows' },
    { value: 'append', label: 'Add below' },
    {
      value: 'update',
      label: 'Update rows of the same id, add new ones',
      disabled: chosen?.hasIds === false,
    },
  ];
  return (
    <>
      <Select
        label="Table"
        value={draft.tableId}
        options={[
          { value: '', label: 'Choose …' },
          ...fitting.map(({ id, title, sheet, range }) => ({
            value: id,
            label: `${title} (${placeLabel(sheet, range)})`,
          })),
        ]}
        onChange={(tableId) => {
          const table = fitting.find(({ id }) => id === tableId);
          const mode = table?.hasIds === false && draft.mode === 'update' ? 'replace' : draft.mode;
          onChange({ ...draft, tableId, mode, columns: table?.columns ?? draft.columns });
        }}
      />
      <Choice
        label="Rows that are there"
        value={draft.mode}
        options={modes}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
    </>
  );
}

/** Rows, place, name, and what says where rows come from. */
export function Where(props: { draft: Draft; onChange: (draft: Draft) => void }): JSX.Element {
  const { draft, onChange } = props;
  return (
    <>
      <Select
        label="Rows"
        value={String(draft.pages)}
        options={PAGES.map((pages) => ({
          value: String(pages),
          label: `First ${count(pages * previewPageSize)}`,
        }))}
        onChange={(pages) => onChange({ ...draft, pages: Number(pages) })}
      />
      <Choice
        label="Where to"
        value={draft.where}
        options={[
          { value: 'newSheet', label: 'A new sheet' },
          { value: 'cursor', label: 'At the cursor' },
          { value: 'table', label: 'A table that is here' },
        ]}
        onChange={(where) => onChange({ ...draft, where })}
      />
      {draft.where === 'table' && <ExistingTable draft={draft} onChange={onChange} />}
      <Fold title="Name and origin">
        <TextField
          label="Name"
          value={draft.title}
          placeholder={titleOf({ ...draft, title: '' })}
          maxLength={100}
          onInput={(title) => onChange({ ...draft, title })}
        />
        <Select
          label="Say where each row comes from"
          value={draft.provenance}
          options={originOptions}
          onChange={(value) => {
            const chosen = originOptions.find((one) => one.value === value);
            if (chosen !== undefined) onChange({ ...draft, provenance: chosen.value });
          }}
        />
      </Fold>
    </>
  );
}
