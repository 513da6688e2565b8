// A bare KV.get.
import { plainRow } from '../rows.ts';

export const variant = plainRow('kv', 'kv');
