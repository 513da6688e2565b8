// The import where no heap has more than a deployed Worker may have: V8, which else collects late, has to collect.
import { importing } from './instance.ts';

const WORKER_MEGABYTES = 128;

export const variant = importing([`--max-old-space-size=${WORKER_MEGABYTES}`]);
