// The columns of a search: those of previews, and those of full records with their price. Sample rows before anything is bought.
import { Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hasPreviewField, listSearchColumns } from '../../../shared/families/previews.ts';
import { getPreviewPrice, getRecordPrice } from '../../../shared/operations.ts';
import { formatFieldLabel } from '../../texts/labels.ts';
import { t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { formatCredits } from '../format.ts';
import { getCurrentValue, useReloadWhenShown, useScriptValue } from '../hooks.ts';
import { Disclosure, Hint, Loading } from '../parts/basics.tsx';
import { ColumnPicker } from '../parts/column-picker.tsx';
import { parseDraft, type SearchDraft } from './draft.ts';

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
  const price = t('+{credits} a row', { credits: formatCredits(getRecordPrice(family)) });
  const isOfRecords = (name: string): boolean => !isPreviewOnly && !hasPreviewField(family, name);
  const hint = t('Columns marked {price} share one full record. It is free if your team already bought it.', {
    price,
  });
  const hasMarked = columns.some(isOfRecords);
  return (
    <Disclosure title={t('Columns')} aside={String(columns.length)} onExpand={() => setExpanded(true)}>
      <ColumnPicker
        label={t('Columns, in order')}
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

/** Names each value, because empty ones are left out. */
function SampleRow({ columns, row }: { columns: readonly string[]; row: readonly string[] }): JSX.Element {
  return (
    <dl>
      {columns.map(
        (path, at) =>
          row[at] && (
            <Fragment key={path}>
              <dt>{formatFieldLabel(path)}</dt>
              <dd>{row[at]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

export function SampleRows({ draft }: { draft: SearchDraft }): JSX.Element {
  const { runs } = useSidebar();
  const { family, columns } = draft;
  const [expanded, setExpanded] = useState(false);
  const { query } = parseDraft(draft);
  const sample = useScriptValue('sampleRows', expanded && query ? { family, query, columns } : undefined, {
    typed: true,
  });
  // A run may have bought some.
  useReloadWhenShown(true, runs.state.ends, sample.reload);
  const rows = getCurrentValue(sample)?.rows;
  return (
    <Disclosure title={t('Sample rows')} aside={t('free')} onExpand={() => setExpanded(true)}>
      <Loading of={sample} label={t('Looking for sample rows')} />
      <ul class="sample">
        {rows?.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity.
          <li key={at}>
            <SampleRow columns={columns} row={row} />
          </li>
        ))}
      </ul>
      {rows && (
        <Hint>
          {rows.length > 0
            ? t('From records that your team already bought.')
            : t('Your team has none of the first 100 matches yet.')}{' '}
          {t('A page of 20 new rows costs {credits}.', { credits: formatCredits(getPreviewPrice(family)) })}
        </Hint>
      )}
    </Disclosure>
  );
}
