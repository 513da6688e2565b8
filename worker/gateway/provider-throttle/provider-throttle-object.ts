// The Durable Object of the provider throttle: one for each provider.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type MetricsPoint, writeMetrics } from '../../http/metrics.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { getObject } from '../../lib/objects.ts';
import { toMetricsPoints } from './call-metrics.ts';
import { readConfiguredRate } from './pace.ts';
import { ProviderThrottle } from './provider-throttle.ts';
import { ThrottleStore } from './store.ts';
import type {
  BreakerState,
  Permit,
  PermitRequest,
  ProviderThrottleService,
  Report,
  ReportResult,
  ReservationRef,
  ThrottleState,
} from './types.ts';

/** Exposes a {@link ProviderThrottle} over RPC. */
export class ProviderThrottleObject extends DurableObject<Env> implements ProviderThrottleService {
  readonly #throttle: ProviderThrottle;
  /** State of the breaker in the last data point. */
  #breaker: BreakerState = 'closed';

  constructor(ctx: DurableObjectState, env: Env, platform: Clock = systemClock) {
    super(ctx, env);
    this.#throttle = new ProviderThrottle(platform, new ThrottleStore(ctx.storage), readConfiguredRate(env));
  }

  acquire(request: PermitRequest): Promise<Permit> {
    return this.#throttle.acquire(request);
  }

  report(reports: Report[]): ReportResult {
    const result = this.#throttle.report(reports);
    this.#writeMetrics(reports);
    return result;
  }

  #writeMetrics(reports: readonly Report[]): void {
    if (this.env.METRICS === undefined) return;
    const { state } = this.#throttle.getState().breaker;
    const change: MetricsPoint[] = state === this.#breaker ? [] : [{ event: 'breaker', outcome: state }];
    this.#breaker = state;
    writeMetrics(this.env, [...change, ...reports.flatMap(toMetricsPoints)]);
  }

  acknowledge(references: ReservationRef[]): void {
    this.#throttle.acknowledge(references);
  }

  getState(): ThrottleState {
    return this.#throttle.getState();
  }
}

/** Returns the throttle of a provider by the provider's identity. */
export function getProviderThrottle(env: Env, identity: string): ReturnType<Env['PROVIDER_THROTTLE']['get']> {
  return getObject(env, env.PROVIDER_THROTTLE, identity);
}
