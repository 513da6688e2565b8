// Names the conditions that were entered for other records and don’t apply to these.
import type { JSX } from 'preact';
import { familyLabels } from '../../../shared/families/registry.ts';
import { StatusText } from '../parts/basics.tsx';
import type { SearchDraft } from './draft.ts';
import { getConditionLabel } from './no-matches.tsx';

/** `Conditions that don’t apply to jobs: Employees, Founded. Switch back to use them.` Null if all apply. */
export function LeftOutConditions({
  draft: { family, carried },
}: {
  draft: SearchDraft;
}): JSX.Element | null {
  const left = carried.filter(({ shownAs }) => shownAs === undefined);
  if (left.length === 0) return null;
  const { group, plural } = familyLabels[family];
  const isOtherSubject = left.some((each) => familyLabels[each.family].group !== group);
  const labels = left.map((each) => getConditionLabel(each.family, each.condition.name));
  return (
    <StatusText>
      Conditions that don’t apply to {isOtherSubject ? plural : 'this data set'}: {labels.join(', ')}. Switch
      back to use them.
    </StatusText>
  );
}
