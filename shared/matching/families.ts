// The families whose companies can be found by name.
import type { Family } from '../families/names.ts';

export const matchFamilies = [
  'company_clean',
  'company_base',
  'company_multi_source',
] as const satisfies readonly Family[];
export type MatchFamily = (typeof matchFamilies)[number];

/** Checks whether companies of a family can be found by name. */
export const isMatchFamily = (family: Family): family is MatchFamily =>
  matchFamilies.some((each) => each === family);
