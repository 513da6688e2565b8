// All checks, in the order of a run.
import type { Check } from '../check.ts';
import { CELL_CHECKS } from './cells.ts';
import { FORMULA_CHECKS } from './formulas.ts';
import { LOCALE_CHECKS } from './locales.ts';
import { METADATA_CHECKS } from './metadata.ts';
import { NETWORK_CHECKS } from './network.ts';
import { OBSTACLE_CHECKS } from './obstacles.ts';
import { SCRIPT_CHECKS } from './script.ts';
import { OWNER_CHECK, STORE_CHECKS } from './stores.ts';
import { TRIGGER_CHECKS } from './triggers.ts';

export const CHECKS: readonly Check[] = [
  OWNER_CHECK,
  ...SCRIPT_CHECKS,
  ...STORE_CHECKS,
  ...CELL_CHECKS,
  ...METADATA_CHECKS,
  ...OBSTACLE_CHECKS,
  ...FORMULA_CHECKS,
  ...LOCALE_CHECKS,
  ...TRIGGER_CHECKS,
  ...NETWORK_CHECKS,
];
