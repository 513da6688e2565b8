// Sample companies: fictional, seeded, the same on every machine, each a pure function of seed and number.
import { baseOf } from './base.ts';
import { cleanOf } from './clean.ts';
import { factsAt } from './facts.ts';
import type { CompanyBase, CompanyClean } from './types.ts';

/** The seed of the sample data that comes with the embedded provider. */
export const SAMPLE_SEED = 20_261_101;

/** One company in both variants. */
export interface SampleCompany {
  clean: CompanyClean;
  base: CompanyBase;
}

/**
 * Company number `index`. It is the same whatever other companies are made, and identifiers grow with the index.
 *
 * @param seed a whole number; other seeds give other companies
 * @param index the number of the company, from 0 to 9,999,999
 * @returns both variants of its record, in agreement with each other
 * @throws `RangeError` when the index is out of range
 */
export function companyAt(seed: number, index: number): SampleCompany {
  if (!Number.isInteger(index) || index < 0 || index > 9_999_999) {
    throw new RangeError(`there is no sample company number ${index}`);
  }
  const facts = factsAt(seed, index);
  return { clean: cleanOf(facts), base: baseOf(facts) };
}

/**
 * Sample companies one after the other; nothing is kept in memory.
 *
 * @param options the seed, and how many companies there are to be
 * @returns a generator of companies, in the order of their identifiers
 */
export function* companies(options: {
  seed: number;
  count: number;
}): Generator<SampleCompany, void, undefined> {
  for (let index = 0; index < options.count; index += 1) yield companyAt(options.seed, index);
}
