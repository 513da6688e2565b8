// 1 record a call.
import { lookupOf } from '../sizes.ts';

export const variant = lookupOf(1);
