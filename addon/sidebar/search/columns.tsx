// The columns of a search: those of previews, and those of full records with their price.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hasPreviewField, listSearchColumns } from '../../../shared/families/previews.ts';
import { getRecordPrice } from '../../../shared/operations.ts';
import { formatCredits } from '../format.ts';
import { useScriptValue } from '../hooks.ts';
import { Disclosure, Hint } from '../parts/basics.tsx';
import { ColumnPicker } from '../parts/column-picker.tsx';
import type { SearchDraft } from './draft.ts';

export function SearchColumns(props: {
  draft: SearchDraft;
  onChange: (draft: SearchDraft) => void;
}): JSX.Element {
  const { draft, onChange } = props;
  const { family, columns, accounts } = draft;
  const [expanded, setExpanded] = useState(false);
  const isPreviewOnly = accounts !== undefined;
  const records = useScriptValue('fields', expanded && !isPreviewOnly ? { family } : undefined);
  const ofRecords = isPreviewOnly ? [] : (records.value?.columns ?? []);
  const price = `+${formatCredits(getRecordPrice(family))} a row`;
  const isOfRecords = (name: string): boolean => !isPreviewOnly && !hasPreviewField(family, name);
  const hint = `Columns marked ${price} share one full record. It is free if your team already bought it.`;
  const hasMarked = columns.some(isOfRecords);
  return (
    <Disclosure title="Columns" aside={String(columns.length)} onExpand={() => setExpanded(true)}>
      <ColumnPicker
        label="Columns, in order"
        columns={listSearchColumns(
          family,
          ofRecords.map(({ name }) => name),
        )}
        chosen={columns}
        getNote={(name) => (isOfRecords(name) ? price : undefined)}
        hint={isPreviewOnly || hasMarked ? undefined : hint}
        onChange={(chosen) => onChange({ ...draft, columns: chosen })}
      />
      {hasMarked && <Hint>{hint}</Hint>}
    </Disclosure>
  );
}
