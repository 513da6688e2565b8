// 10 records a call.
import { lookupOf } from '../sizes.ts';

export const variant = lookupOf(10);
