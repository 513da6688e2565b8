// Without matches: the number of matches without each condition.
import type { JSX } from 'preact';
import type { RelaxedCount } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import type { FormCondition } from '../../../shared/query/form-query.ts';
import { findSimilarValue, getKnownValues, isKnownValue } from '../../../shared/query/known-values.ts';
import { getFormFields } from '../../texts/form-fields.ts';
import { formatFieldLabel } from '../../texts/labels.ts';
import { formatCount, t } from '../../texts/texts.ts';
import { Notice } from '../parts/basics.tsx';
import { Link } from '../parts/controls.tsx';
import { toNoun } from './condition-inputs.tsx';

export function getConditionLabel(family: Family, condition: string): string {
  return getFormFields(family).find(({ name }) => name === condition)?.label ?? formatFieldLabel(condition);
}

/** `Country: 6 matches`. */
const formatRelaxed = (family: Family, { condition, total }: RelaxedCount): string =>
  `${getConditionLabel(family, condition)}: ${formatCount(total, 'match', 'matches')}`;

/** Operators and patterns of text conditions. */
const EXPRESSION = /["()*]|\b(?:AND|OR|NOT)\b/;

/** `No such country: Untied Kingdom. Did you mean United Kingdom?` Empty if all are known. */
function describeUnknownCountries(family: Family, { name, values, comparison }: FormCondition): string[] {
  if (!/country/.test(name) || comparison !== undefined || getKnownValues(name).length === 0) return [];
  return values
    .filter((text) => text.trim() !== '' && !EXPRESSION.test(text) && !isKnownValue(name, text))
    .map((text) => {
      const similar = findSimilarValue(name, text);
      const noun = toNoun({ label: getConditionLabel(family, name) });
      const known = similar === undefined ? '' : ` ${t('Did you mean {similar}?', { similar })}`;
      return `${t('No such {noun}: {text}.', { noun, text: text.trim() })}${known}`;
    });
}

/**
 * Says what to do without matches: `Nothing matches. Without Country: 6 matches.`
 * @param conditions - of the form
 */
export function formatNoMatches(
  family: Family,
  without: readonly RelaxedCount[],
  conditions: readonly FormCondition[],
): string {
  const [unknown] = conditions.flatMap((condition) => describeUnknownCountries(family, condition));
  if (unknown !== undefined) return t('Nothing matches. {unknown}', { unknown });
  const [best] = [...without].sort((a, b) => b.total - a.total);
  if (best === undefined) return t('Nothing matches. Remove a condition or try other words.');
  if (best.total === 0) return t('Nothing matches, whichever condition you remove. Remove two or more.');
  return t('Nothing matches. Without {relaxed}.', { relaxed: formatRelaxed(family, best) });
}

/** Lists the conditions that exclude all records on their own; null if there is none. */
export function NoMatches(props: {
  family: Family;
  without: readonly RelaxedCount[];
  conditions: readonly FormCondition[];
  onRemove: (name: string) => void;
}): JSX.Element | null {
  const { family, conditions, onRemove } = props;
  const excluding = props.without.filter(({ total }) => total > 0);
  if (excluding.length === 0) return null;
  return (
    <Notice>
      <p>{t('Nothing matches all these conditions.')}</p>
      <ul>
        {excluding.map(({ condition, total }) => (
          <li key={condition}>
            {t('Without {relaxed}', { relaxed: formatRelaxed(family, { condition, total }) })}{' '}
            {conditions.some(({ name }) => name === condition) && (
              <Link
                label={t('Remove the condition {conditionLabel}', {
                  conditionLabel: getConditionLabel(family, condition),
                })}
                onClick={() => onRemove(condition)}
              >
                {t('Remove')}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
