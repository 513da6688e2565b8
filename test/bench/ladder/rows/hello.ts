// A bare Worker.
import { plainRow } from '../rows.ts';

export const variant = plainRow('hello', 'memory');
