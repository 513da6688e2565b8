// The Durable Object of the provider throttle: one for each provider.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type MetricsPoint, writeMetrics } from '../../http/metrics.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { getObject } from '../../lib/objects.ts';
import { readConfiguredRate } from './pace.ts';
import { ProviderThrottle } from './provider-throttle.ts';
import { ThrottleStore } from './store.ts';
import {
  type BreakerState,
  DATA_REQUESTS_AREA,
  type Permit,
  type PermitRequest,
  type ProviderThrottleService,
  type Report,
  type ReportResult,
  type ReservationRef,
  type ThrottleState,
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

export function getProviderThrottle(env: Env, identity: string): ReturnType<Env['PROVIDER_THROTTLE']['get']> {
  return getObject(env, env.PROVIDER_THROTTLE, identity);
}

function classifyOutcome({ outcome, accessRefused, unpaidCredits, unclear }: Report): string {
  if (accessRefused !== undefined) return 'access_refused';
  if (unpaidCredits !== undefined) return 'out_of_credits';
  return unclear > 0 ? 'unclear' : outcome;
}

/** Returns the data point of a report; none if nothing was sent. Unclear credits count as charged, as in the ledger. */
function toMetricsPoints(report: Report): MetricsPoint[] {
  const { call, charged, unclear } = report;
  if (call === undefined) return [];
  const { team, area, operation = '', ms = 0 } = call;
  return [
    {
      event: 'provider_call',
      team,
      operation,
      family: area === DATA_REQUESTS_AREA ? '' : area,
      outcome: classifyOutcome(report),
      ms,
      credits: charged + unclear,
    },
  ];
}
