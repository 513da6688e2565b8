// The formulas that look up records: which family, and how their keys are spelt.
import { type Family, families, familyNames, type KeyFormat } from '../../shared/families/index.ts';
import { getLookupKinds } from '../../shared/operations.ts';

/** What a formula looks up unless `options` has a variant. */
export interface RecordFormula {
  family: Family;
  by: KeyFormat;
}

export const recordFormulas = {
  CDAPI_ENRICH: { family: 'company_clean', by: 'website' },
  CDAPI_COMPANY: { family: 'company_base', by: 'auto' },
  CDAPI_EMPLOYEE: { family: 'employee_clean', by: 'auto' },
  CDAPI_JOB: { family: 'job_base', by: 'auto' },
  CDAPI_POST: { family: 'employee_post', by: 'auto' },
} as const satisfies Readonly<Record<string, RecordFormula>>;

export type RecordFormulaName = keyof typeof recordFormulas;

/** Tells whether a function looks up records. */
export const isRecordFormula = (name: string): name is RecordFormulaName =>
  Object.keys(recordFormulas).includes(name);

/**
 * Resolves the `variant` option to a family of the same subject.
 * @param variant - `base`, `clean`, `multi-source`, or undefined for the default
 * @throws Error that lists the variants with this kind of lookup
 */
export function resolveVariant({ family, by }: RecordFormula, variant: string | undefined): Family {
  if (variant === undefined) return family;
  const { subject } = families[family];
  const offered = familyNames.filter(
    (name) =>
      families[name].subject === subject &&
      (by === 'auto' || getLookupKinds(name).some((kind) => kind === by)),
  );
  const results = offered.find((name) => families[name].variant === variant);
  if (results !== undefined) return results;
  const names = offered.map((name) => families[name].variant).join(' or ');
  throw new Error(`variant=${variant.slice(0, 40)} is not available here: use ${names}.`);
}
