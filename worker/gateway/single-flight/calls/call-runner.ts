// Runs a call from its permit to its settlement: permit → reservation → provider → settlement.

import { toOutageFailure } from '../answers/failure.ts';
import type { KnownResults } from '../answers/known-results.ts';
import type { Outbox } from '../outbox.ts';
import type { SingleFlightPlatform } from '../platform.ts';
import type { SingleFlightStore } from '../storage/store.ts';
import type { CallProblem } from '../types.ts';
import type { Call } from './call.ts';
import { type Admission, CallQueue, type Outage } from './call-queue.ts';
import type { CallRegistry } from './call-registry.ts';
import type { FinalState } from './call-state.ts';
import { CreditReserver } from './credit-reserver.ts';
import { Sender } from './sender.ts';
import type { CallEnding, Waiter } from './waiter.ts';

interface RunnerContext {
  store: SingleFlightStore;
  outbox: Outbox;
  platform: SingleFlightPlatform;
  results: KnownResults;
  calls: CallRegistry;
}

export class CallRunner {
  readonly queue: CallQueue;
  readonly #context: RunnerContext;
  readonly #reserver: CreditReserver;
  readonly #sender: Sender;

  constructor(context: RunnerContext) {
    const { store, outbox, platform } = context;
    this.#context = context;
    this.queue = new CallQueue(platform, outbox);
    this.#reserver = new CreditReserver(store, platform);
    this.#sender = new Sender(store, outbox, platform);
  }

  /** Runs a call from permit to settlement. It queues again if its payer may not pay or if it is retried. */
  async run(call: Call): Promise<void> {
    let admission = this.queue.wait(call);
    while (!call.isFinal) {
      const admitted = await admission;
      if (admitted.kind !== 'granted') {
        this.#handleAdmission(call, admitted);
        if (!call.isFinal) admission = this.queue.wait(call);
        continue;
      }
      const pauseMs = await this.#reserveAndSend(call);
      // Before the release, so that an immediate retry comes before other calls.
      if (!call.isFinal && pauseMs === 0) admission = this.#requeue(call);
      this.queue.release();
      if (pauseMs === 0) continue;
      await this.#context.platform.sleep(pauseMs);
      admission = this.#requeue(call);
    }
  }

  /** Reserves the credits of a permitted call and sends it. @returns milliseconds until it queues again, if it has to */
  async #reserveAndSend(call: Call): Promise<number> {
    const attempt = await this.#reserver.reserve(call);
    if (attempt.kind === 'refused') {
      this.#context.outbox.returnPermit(call.grantedAt);
      this.#refusePayer(call, attempt.problem);
      return 0;
    }
    if (!call.isFinal) call.become('reserved');
    const result = await this.#sender.send(call, attempt.reservation);
    if (result.kind === 'retry') return result.pauseMs;
    if (result.kind === 'ended') this.endForAll(call, result.state, result.ending);
    else if (!call.pruneWaiters(this.#context.platform.now())) this.discard(call, 'cancelled');
    return 0;
  }

  #requeue(call: Call): Promise<Admission> {
    call.become('queued');
    for (const waiter of call.waiters) if (waiter.isDue) waiter.withdraw();
    return this.queue.wait(call, true);
  }

  #handleAdmission(call: Call, admission: Exclude<Admission, { kind: 'granted' }>): void {
    if (call.isFinal) return;
    if (admission.kind === 'outage') this.#announceOutage(call, admission.outage);
    else if (admission.kind === 'blocked') {
      const { problem, retryAfterMs } = admission;
      this.#refuseTeam(call, { outcome: 'failed', credits: 0, problem, retryAfterMs });
    } else if (!call.pruneWaiters(this.#context.platform.now())) this.discard(call, 'cancelled');
    else if (call.state !== 'queued') call.become('queued');
  }

  /**
   * Fails the waiters of the payer's team. The call stays queued for other teams, whose calls may pass, and for callers that
   * have left and want it in the background.
   */
  #announceOutage(call: Call, outage: Outage): void {
    const { team } = call.leader.payer;
    const isOther = ({ payer }: Waiter): boolean => payer.team !== team;
    const waiting = call.waiters.filter((waiter) => !waiter.hasLeft && !isOther(waiter));
    const others = call.waiters.filter(isOther);
    if (waiting.length + others.length === 0) return;
    for (const waiter of waiting) waiter.end(toOutageFailure(outage));
    const left = call.waiters.filter((waiter) => waiter.hasLeft && !isOther(waiter));
    this.#continueFor(call, [...others, ...left]);
  }

  /** Fails the waiters of the payer's team. A waiter of another team becomes the payer. */
  #refuseTeam(call: Call, failure: CallEnding): void {
    const { team } = call.leader.payer;
    this.#refuseWaiters(call, ({ payer }) => payer.team === team, failure);
  }

  /** Fails the waiters of a payer that may not pay. The next waiter becomes the payer. */
  #refusePayer(call: Call, problem: CallProblem): void {
    if (call.isFinal) return;
    const { team, token, budget } = call.leader.payer;
    const pays = ({ payer }: Waiter): boolean =>
      payer.team === team && payer.token === token && payer.budget?.account === budget?.account;
    this.#refuseWaiters(call, pays, { outcome: 'failed', credits: 0, problem });
  }

  #refuseWaiters(call: Call, isRefused: (waiter: Waiter) => boolean, failure: CallEnding): void {
    for (const waiter of call.waiters.filter(isRefused)) waiter.end(failure);
    this.#continueFor(
      call,
      call.waiters.filter((waiter) => !isRefused(waiter)),
    );
  }

  /** Continues a call for some of its waiters; drops it if none of them wants it. */
  #continueFor(call: Call, waiters: readonly Waiter[]): void {
    const { backgroundCalls } = this.#context.store;
    const heir = waiters.find(({ background }) => background);
    backgroundCalls.delete(call.request.name);
    if (!call.keepWaiters(waiters, this.#context.platform.now())) this.discard(call, 'refused');
    else if (heir !== undefined) {
      backgroundCalls.add({ call: call.request, payer: heir.payer, requestedAt: call.startedAt });
    }
  }

  /** Ends a call and gives all its waiters the result. */
  endForAll(call: Call, state: FinalState, ending: CallEnding): void {
    if (call.isFinal) return;
    call.become(state);
    this.endWaiters(call, ending);
  }

  /** Ends a call whose waiters already have a result or have left. */
  discard(call: Call, state: FinalState): void {
    if (call.isFinal) return;
    call.become(state);
    this.#remove(call);
  }

  #remove(call: Call): void {
    if (this.#context.calls.delete(call)) this.#context.store.backgroundCalls.delete(call.request.name);
  }

  /** Ends all waiters of a call. Only the leader is charged. */
  endWaiters(call: Call, ending: CallEnding): void {
    this.#remove(call);
    const [leader, ...others] = call.waiters;
    leader?.end(ending);
    // Only the leader may see its remaining credits.
    const { reserved: _, ...common } = ending;
    // A lack of credits depends on the price of a call: the throttle decides for each one.
    const isUnpaid = common.outcome === 'failed' && common.problem === 'provider_out_of_credits';
    if (common.outcome === 'failed' && !isUnpaid) this.#context.results.addFailure(call.request.name, common);
    const shared = common.outcome === 'fetched' ? { ...common, outcome: 'coalesced' as const } : common;
    for (const waiter of others) waiter.end({ ...shared, credits: 0 });
  }
}
