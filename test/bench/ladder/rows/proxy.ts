// A bare proxy.
import { plainRow } from '../rows.ts';

export const variant = plainRow('proxy', 'fresh');
