// Where nothing matches: how many match without each of the conditions.
import type { JSX } from 'preact';
import type { RelaxedCount } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { formatFieldLabel, getFormFields } from '../../../shared/query/form-fields.ts';
import { formatNumber } from '../format.ts';
import { Notice } from '../parts/basics.tsx';

function getConditionLabel(family: Family, condition: string): string {
  return getFormFields(family).find(({ name }) => name === condition)?.label ?? formatFieldLabel(condition);
}

/** A list of the conditions that leave nothing over; nothing where no single one does. */
export function NoMatches(props: { family: Family; without: readonly RelaxedCount[] }): JSX.Element | null {
  const some = props.without.filter(({ total }) => total > 0);
  if (some.length === 0) return null;
  return (
    <Notice>
      <p>Nothing matches all these conditions.</p>
      <ul>
        {some.map(({ condition, total }) => (
          <li key={condition}>
            Without {getConditionLabel(props.family, condition)}: {formatNumber(total)}{' '}
            {total === 1 ? 'match' : 'matches'}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
