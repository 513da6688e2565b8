// Without matches: the number of matches without each condition.
import type { JSX } from 'preact';
import type { RelaxedCount } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { formatFieldLabel } from '../../../shared/query/field-labels.ts';
import { getFormFields } from '../../../shared/query/form-fields.ts';
import { formatNumber } from '../format.ts';
import { Notice } from '../parts/basics.tsx';

/** Returns the label of a condition. */
export function getConditionLabel(family: Family, condition: string): string {
  return getFormFields(family).find(({ name }) => name === condition)?.label ?? formatFieldLabel(condition);
}

/** Lists the conditions that exclude all records on their own; null if there is none. */
export function NoMatches(props: { family: Family; without: readonly RelaxedCount[] }): JSX.Element | null {
  const excluding = props.without.filter(({ total }) => total > 0);
  if (excluding.length === 0) return null;
  return (
    <Notice>
      <p>Nothing matches all these conditions.</p>
      <ul>
        {excluding.map(({ condition, total }) => (
          <li key={condition}>
            Without {getConditionLabel(props.family, condition)}: {formatNumber(total)}{' '}
            {total === 1 ? 'match' : 'matches'}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
