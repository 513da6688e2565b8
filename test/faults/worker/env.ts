// The bindings of the Workers under test: those of a deployment, and what the harness adds.
import type { Env } from '../../../worker/env.ts';
import type { Probe } from './probe.ts';

/** Bindings that the harness gives to each of its Workers. */
export interface FaultsEnv extends Env {
  PROBE: DurableObjectNamespace<Probe>;
  /** Where to POST notes; anything where no test reads them. */
  DIARY: string;
}
