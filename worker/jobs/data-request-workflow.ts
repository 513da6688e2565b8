// The deployed Workflow of data requests, with the listeners of registered tables and alerts.
import { DataRequestWorkflow as BaseDataRequestWorkflow } from '../data-requests/workflow.ts';
import type { Env } from '../env.ts';
import type { Platform } from '../gateway/platform.ts';
import { systemClock } from '../lib/clock.ts';
import { dataRequestListener } from '../tables/data-request-listener.ts';

/** Runs one data request, and notifies registered tables and alerts of its end. */
export class DataRequestWorkflow<E extends Env = Env> extends BaseDataRequestWorkflow<E> {
  constructor(ctx: ExecutionContext, env: E, platform: Platform<E> = systemClock) {
    super(ctx, env, platform, dataRequestListener);
  }
}
