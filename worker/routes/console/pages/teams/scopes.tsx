// Scopes of tokens and people: fields, and descriptions in words.
import { alertsScope } from '../../../../../shared/alerts-scope.ts';
import { familyNames } from '../../../../../shared/families/names.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { operations } from '../../../../../shared/operations.ts';
import { Choices, readChoices } from '../../components/form.tsx';
import type { FormValues } from '../../context.ts';

const operationLabels: Readonly<Record<string, string>> = {
  collect: 'Look up by id or profile',
  enrich: 'Look up by website',
  search: 'Search',
  preview: 'Preview rows',
  bulk: 'Bulk orders',
  [alertsScope]: 'Change alert addresses',
};

const operationOptions = [...new Set([...operations.map(({ name }) => name), alertsScope])].map(
  (name) => [name, operationLabels[name] ?? name] as const,
);

interface Scopes {
  families: readonly string[] | null;
  operations: readonly string[] | null;
}

/** Renders the choice of data and operations. */
export const ScopeFields = ({ families, operations: chosen }: Scopes) => (
  <details>
    <summary>Limit to some data or operations</summary>
    <Choices
      legend="Data"
      name="families"
      options={familyNames.map((name) => [name, familyLabels[name].name] as const)}
      values={families ?? []}
      hint="None chosen: all."
    />
    <Choices
      legend="Operations"
      name="operations"
      options={operationOptions}
      values={chosen ?? []}
      hint="None chosen: all."
    />
  </details>
);

/** Reads the chosen scopes; null is all. */
export const readScopes = (form: FormValues): Scopes => ({
  families: readChoices(form, 'families'),
  operations: readChoices(form, 'operations'),
});

/** Describes scopes: `All data · Search, Bulk orders`. */
export function describeScopes({ families, operations: allowed }: Scopes): string {
  const data = familyNames.filter((name) => families?.includes(name)).map((name) => familyLabels[name].name);
  const names = allowed?.map((name) => operationLabels[name] ?? name);
  return `${families === null ? 'All data' : data.join('; ')} · ${names === undefined ? 'all operations' : names.join(', ')}`;
}
