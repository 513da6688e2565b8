// One record a call.
import { single } from '../sizes.ts';

export const variant = single;
