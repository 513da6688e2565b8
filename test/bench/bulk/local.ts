// As in development, where R2 and D1 are emulated inside the same workerd.
import { ingesting } from './ingest.ts';

export const variant = ingesting([], true);
