// Where no heap has more than a deployed Worker may have: V8, which else collects late, has to collect.
import { ingesting } from './ingest.ts';

const WORKER_MEGABYTES = 128;

export const variant = ingesting([`--max-old-space-size=${WORKER_MEGABYTES}`], false);
