// A sample that its suites look at.
import { formatDay, REFERENCE_S } from '../../../worker/commands/sample/dates.ts';
import {
  generateSample,
  type RecordsByFamily,
  SAMPLE_SEED,
  type SampleFamily,
} from '../../../worker/commands/sample/index.ts';

export const COMPANIES = 600;
/** The last day on which anything in it happened. */
export const LAST_DAY = formatDay(REFERENCE_S - 1);

/** All records of a sample, by family. */
export function collectSample(options: {
  seed?: number;
  companies: number;
  families?: readonly SampleFamily[];
}) {
  const collected: { [Family in SampleFamily]: RecordsByFamily[Family][] } = {
    company_clean: [],
    company_base: [],
    employee_clean: [],
    employee_base: [],
    job_base: [],
    employee_post: [],
  };
  for (const { family, record } of generateSample({ seed: SAMPLE_SEED, ...options })) {
    const list: object[] = collected[family];
    list.push(record);
  }
  return collected;
}

export const records = collectSample({ companies: COMPANIES });
export const companies = records.company_clean.map((clean, index) => ({
  clean,
  base: records.company_base[index],
}));
export const people = records.employee_clean.map((clean, index) => ({
  clean,
  base: records.employee_base[index],
}));
export const companyById = new Map(records.company_clean.map((company) => [company.id, company]));
export const personByUrl = new Map(
  records.employee_clean.map((one) => [one.websites_professional_network, one]),
);

/** The share, in percent, for which something holds. */
export function percentOf<T>(items: readonly T[], predicate: (item: T) => boolean): number {
  return (items.filter(predicate).length * 100) / items.length;
}
