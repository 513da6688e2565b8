// Limits an order to rows with enough people or jobs, by a column of counts beside the keys.
import type { JSX } from 'preact';
import type { AtLeast, CandidateColumn } from '../../server/api/index.ts';
import { formatNumber, t } from '../../texts/texts.ts';
import { Select } from '../parts/controls.tsx';

const LIMITS = [1, 2, 3, 5, 10, 15, 20, 25, 50, 100, 250, 500, 1000];

const listCounts = ({ beside = [] }: CandidateColumn): { tableId: string; heading: string }[] =>
  beside.flatMap(({ heading, counts, isFar }) =>
    counts !== undefined && !isFar ? [{ tableId: counts, heading }] : [],
  );

/** Returns the member of an order; empty without a limit, and if the column of counts is gone. */
export const limitByCount = (column: CandidateColumn, atLeast: AtLeast | undefined): { atLeast?: AtLeast } =>
  atLeast && listCounts(column).some(({ tableId }) => tableId === atLeast.tableId) ? { atLeast } : {};

/** Null without a column of counts. */
export function CountLimit(props: {
  column: CandidateColumn;
  value: AtLeast | undefined;
  onChange: (atLeast: AtLeast | undefined) => void;
}): JSX.Element | null {
  const { column, onChange } = props;
  const counts = listCounts(column);
  const { atLeast } = limitByCount(column, props.value);
  if (counts.length === 0) return null;
  return (
    <>
      <Select
        label={t('Only rows with enough')}
        value={atLeast?.tableId ?? ''}
        options={[
          { value: '', label: t('No limit') },
          ...counts.map(({ tableId, heading }) => ({ value: tableId, label: heading })),
        ]}
        onChange={(tableId) => onChange(tableId === '' ? undefined : { tableId, count: atLeast?.count ?? 1 })}
      />
      {atLeast && (
        <Select
          label={t('At least')}
          value={atLeast.count}
          options={LIMITS.map((count) => ({ value: count, label: formatNumber(count) }))}
          onChange={(count) => onChange({ ...atLeast, count })}
        />
      )}
    </>
  );
}
