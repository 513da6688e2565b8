// Offers to update the table that a search already has, instead of writing it twice.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatCount } from '../../../shared/lib/format-count.ts';
import type { SearchPlan } from '../../server/api/index.ts';
import { formatCredits } from '../format.ts';
import { Hint } from '../parts/basics.tsx';
import { Link, Segments } from '../parts/controls.tsx';
import type { SearchDraft } from './draft.ts';

/** Sets the destination: a new sheet, or the table, whose rows with the same id are updated. */
function setDestination(
  draft: SearchDraft,
  { tableId, columns }: NonNullable<SearchPlan['existing']>,
  where: 'newSheet' | 'table',
): SearchDraft {
  const mode = columns.includes('id') ? 'update' : 'replace';
  const isUpdate = where === 'table';
  return { ...draft, where, isUpdate, ...(isUpdate && { tableId, columns, mode }) };
}

/** Says what becomes of the rows of the table. */
function describeChange(
  mode: SearchDraft['mode'],
  { title, rows }: NonNullable<SearchPlan['target']>,
): string {
  const all = `its ${formatCount(rows, 'row')}`;
  const changes = {
    replace: `replaces ${all}`,
    append: `adds rows below ${all}`,
    update: 'changes rows with the same ID, adds others',
  };
  return `Updates “${title}”: ${changes[mode]}.`;
}

/** The choice between the table and a new sheet; after a bulk order a way to its update. */
export function UpdateChoice(props: {
  draft: SearchDraft;
  plan: SearchPlan | undefined;
  /** Whether the plan is that of the draft, and not of an earlier one. */
  isCurrent: boolean;
  onChange: (draft: SearchDraft) => void;
  onBulk: () => void;
}): JSX.Element | null {
  const { draft, plan: { existing, recordCredits, target } = {}, onChange } = props;
  const { where, mode, isUpdate, columns } = draft;
  useEffect(() => {
    // The same rows twice in a spreadsheet are seldom meant.
    if (!props.isCurrent || existing === undefined || where !== 'newSheet' || isUpdate !== undefined) return;
    if (String(existing.columns) === String(columns)) onChange(setDestination(draft, existing, 'table'));
  });
  if (draft.orderedTitle !== undefined)
    return (
      <Hint>
        “{draft.orderedTitle}” is a bulk order. <Link onClick={props.onBulk}>Update it in Bulk</Link>
      </Hint>
    );
  const change = where === 'table' && target && describeChange(mode, target);
  if (where === 'cursor' || !(existing || change)) return null;
  const { title, credits = 0 } = existing ?? {};
  const price = credits === 0 ? 'is free' : `costs ${recordCredits ? 'up to ' : ''}${formatCredits(credits)}`;
  return (
    <>
      <Hint>{change || `“${title}” has this search. Updating it ${price}.`}</Hint>
      {existing && (
        <Segments
          label="Write to"
          value={where}
          options={[
            { value: 'newSheet', label: 'New sheet' },
            { value: 'table', label: 'Update this table' },
          ]}
          onChange={(to) => onChange(setDestination(draft, existing, to))}
        />
      )}
    </>
  );
}
