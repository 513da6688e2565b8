// Scopes of tokens and people: fields, and descriptions in words.
import { alertsScope } from '../../../../../shared/alerts-scope.ts';
import { familyNames } from '../../../../../shared/families/names.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { Choices, readChoices } from '../../components/form.tsx';
import { operationLabels } from '../../components/texts.ts';
import type { FormValues } from '../../context.ts';

const scopeLabels: Readonly<Record<string, string>> = {
  ...operationLabels,
  [alertsScope]: 'Change alert addresses',
};

interface Scopes {
  families: readonly string[] | null;
  operations: readonly string[] | null;
}

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
      options={Object.entries(scopeLabels)}
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
  const names = allowed?.map((name) => scopeLabels[name] ?? name);
  return `${families === null ? 'All data' : data.join('; ')} · ${names === undefined ? 'all operations' : names.join(', ')}`;
}
