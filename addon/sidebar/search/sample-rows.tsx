// Sample rows of a search before anything is bought.
import { Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getPreviewPrice } from '../../../shared/operations.ts';
import { formatFieldLabel } from '../../../shared/query/field-labels.ts';
import { useSidebar } from '../context.ts';
import { formatCredits } from '../format.ts';
import { getCurrentValue, useReloadWhenShown, useScriptValue } from '../hooks.ts';
import { Disclosure, Hint, Loading } from '../parts/basics.tsx';
import { parseDraft, type SearchDraft } from './draft.ts';

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
    <Disclosure title="Sample rows" aside="free" onExpand={() => setExpanded(true)}>
      <Loading of={sample} label="Looking for sample rows" />
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
            ? 'From records that your team already bought.'
            : 'Your team has none of the first 100 matches yet.'}{' '}
          A page of 20 new rows costs {formatCredits(getPreviewPrice(family))}.
        </Hint>
      )}
    </Disclosure>
  );
}
