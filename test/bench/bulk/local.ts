// As in development, where R2 is emulated inside the same workerd.
import { ingesting } from './ingest.ts';

export const variant = ingesting([], true);
