// The sample companies that the suites of the sample look at.
import { companies, SAMPLE_SEED, type SampleCompany } from '../../../worker/provider/sample/companies.ts';
import { REFERENCE_S } from '../../../worker/provider/sample/data/catalogue.ts';
import { dateText } from '../../../worker/provider/sample/dates.ts';

/** How many there are. */
export const COUNT = 2000;
export const SAMPLE: readonly SampleCompany[] = [...companies({ seed: SAMPLE_SEED, count: COUNT })];
/** The last day on which anything in them happened. */
export const LAST_DAY = dateText(REFERENCE_S - 1);

/** The share of companies, per mille, for which something holds. */
export function perMille(holds: (company: SampleCompany) => boolean): number {
  return Math.round((SAMPLE.filter(holds).length * 1000) / COUNT);
}

/** All texts that people wrote, of one company. */
export function prose({ clean }: SampleCompany): string[] {
  return [
    clean.description,
    clean.enriched_summary,
    clean.metadata_title,
    clean.metadata_description,
    ...(clean.updates ?? []).map((update) => update.description),
    ...clean.specialities,
  ].filter((text) => text != null);
}
