// Select of what to find, and of the data set that describes it.
import type { JSX } from 'preact';
import type { Prices } from '../../../shared/families/definition.ts';
import { type Family, familyLabels, prices } from '../../../shared/families/registry.ts';
import { type Text, t, translate } from '../../texts/texts.ts';
import { formatCredits } from '../format.ts';
import { Disclosure } from './basics.tsx';
import { Select } from './controls.tsx';

/** What a price buys. */
const UNITS = { record: '{credits} a record', preview: '{credits} a page' } as const satisfies Record<
  keyof Prices,
  Text
>;

export function FamilySelect(props: {
  label: string;
  value: Family;
  families: readonly Family[];
  price: keyof Prices;
  onChange: (family: Family) => void;
}): JSX.Element {
  const { value, families, price } = props;
  const { group, dataSet } = familyLabels[value];
  const groups = [...new Set(families.map((family) => familyLabels[family].group))];
  const dataSets = families.filter((family) => familyLabels[family].group === group);
  const formatPrice = (family: Family): string =>
    t(UNITS[price], { credits: formatCredits(prices[family][price]) });
  const chooseGroup = (name: string): void => {
    const family = families.find((each) => familyLabels[each].group === name);
    if (family !== undefined) props.onChange(family);
  };
  return (
    <>
      {groups.length > 1 && (
        <Select
          label={props.label}
          value={group}
          options={groups.map((name) => ({ value: name, label: translate(name) }))}
          onChange={chooseGroup}
        />
      )}
      {dataSets.length > 1 && (
        <Disclosure title={t('Data: {dataSet}', { dataSet: translate(dataSet) })} aside={formatPrice(value)}>
          <Select
            label={t('Data set')}
            value={value}
            options={dataSets.map((family) => ({
              value: family,
              label: `${translate(familyLabels[family].dataSet)} · ${formatPrice(family)}`,
            }))}
            onChange={props.onChange}
          />
        </Disclosure>
      )}
    </>
  );
}
