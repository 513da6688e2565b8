// A sample that its suites look at.
import { dayText, REFERENCE_S } from '../../../worker/commands/sample/dates.ts';
import {
  type Records,
  SAMPLE_SEED,
  type SampleFamily,
  sample,
} from '../../../worker/commands/sample/index.ts';

export const COMPANIES = 600;
/** The last day on which anything in it happened. */
export const LAST_DAY = dayText(REFERENCE_S - 1);

/** All records of a sample, by family. */
export function collect(options: { seed?: number; companies: number; families?: readonly SampleFamily[] }) {
  const records: { [Family in SampleFamily]: Records[Family][] } = {
    company_clean: [],
    company_base: [],
    employee_clean: [],
    employee_base: [],
    job_base: [],
    employee_post: [],
  };
  for (const { family, record } of sample({ seed: SAMPLE_SEED, ...options })) {
    const list: object[] = records[family];
    list.push(record);
  }
  return records;
}

export const all = collect({ companies: COMPANIES });
export const companies = all.company_clean.map((clean, index) => ({ clean, base: all.company_base[index] }));
export const people = all.employee_clean.map((clean, index) => ({ clean, base: all.employee_base[index] }));
export const companyById = new Map(all.company_clean.map((company) => [company.id, company]));
export const personByUrl = new Map(all.employee_clean.map((one) => [one.websites_professional_network, one]));

/** The share, in percent, for which something holds. */
export function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return (items.filter(holds).length * 100) / items.length;
}
