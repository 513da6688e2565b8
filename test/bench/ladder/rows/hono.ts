// A Worker with Hono.
import { plainRow } from '../rows.ts';

export const variant = plainRow('hono', 'memory');
