// Failures of calls as results: for a caller, or for a call that gets no permit.
import type { Outage } from '../calls/call-queue.ts';
import type { CallEnding } from '../calls/waiter.ts';
import type { CallProblem, CallResult } from '../types.ts';

export type CallFailure = Extract<CallEnding, { outcome: 'failed' }>;

/** Converts an outage, for a call that gets no permit. */
export function toOutageFailure(outage: Outage): CallFailure {
  return { outcome: 'failed', credits: 0, ...outage };
}

export function toFailedResult(name: string, problem: CallProblem): CallResult {
  return { name, outcome: 'failed', credits: 0, problem };
}
