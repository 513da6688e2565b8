// Sends reserved calls. Stores every outcome before a waiter sees it.
import { hashText } from '../../../../shared/lib/hash.ts';
import { logError } from '../../../http/log.ts';
import type { Content } from '../../cache/content.ts';
import { getPurpose, type Report, type ReportedCall } from '../../provider-throttle/types.ts';
import { sendCall } from '../../upstream/send-call.ts';
import type { ProviderResponse, ProviderResult, RateLimitHints, Upstream } from '../../upstream/upstream.ts';
import { buildAnswer, classifyProblem, toThrottleHints } from '../answers/build-answer.ts';
import { getContentKeys, listLinkedKeys, removeErased } from '../answers/content-keys.ts';
import type { Outbox } from '../outbox.ts';
import type { SingleFlightPlatform } from '../platform.ts';
import type { NewAnswer } from '../storage/answer-repository.ts';
import type { SingleFlightStore } from '../storage/store.ts';
import type { ReservationSummary } from '../types.ts';
import type { Call } from './call.ts';
import type { FinalState } from './call-state.ts';
import type { CallReservation } from './credit-reserver.ts';
import type { CallEnding } from './waiter.ts';

/** A call that failed without a charge is retried within this time, with at most this many attempts. */
const RETRY_WITHIN_MS = 15_000;
const MAX_ATTEMPTS = 3;
const RETRY_PAUSE_MS = 400;

/**
 * The outcome of a reserved call.
 * `ended`: its answer or failure is stored.
 * `retry`: it failed without a charge and queues again after the pause; 0 is at once.
 * `withdrawn`: its payer withdrew before it was sent, and the reservation is released.
 */
export type SendResult =
  | { kind: 'ended'; state: FinalState; ending: CallEnding }
  | { kind: 'retry'; pauseMs: number }
  | { kind: 'withdrawn' };

type SenderPlatform = Pick<
  SingleFlightPlatform,
  'now' | 'random' | 'getUpstream' | 'getPseudonyms' | 'lifetime' | 'refuseLinked'
>;

/** Headers of the provider's response, and the call as evidence for the throttle. */
type ResponseInfo = Omit<ProviderResult, 'response'> & { evidence?: ReportedCall };
type Cost = Pick<Report, 'charged' | 'unclear' | 'unclearReservations'>;

const FREE: Cost = { charged: 0, unclear: 0 };

/** Sends calls. Every outcome is in the store when its result is returned. */
export class Sender {
  readonly #store: SingleFlightStore;
  readonly #outbox: Outbox;
  readonly #platform: SenderPlatform;

  constructor(store: SingleFlightStore, outbox: Outbox, platform: SenderPlatform) {
    this.#store = store;
    this.#outbox = outbox;
    this.#platform = platform;
  }

  /** Sends a call unless it has ended or its payer has withdrawn. Never rejects. */
  async send(call: Call, reservation: CallReservation): Promise<SendResult> {
    try {
      const upstream = call.isFinal ? undefined : await this.#getUpstream();
      const evidence = describeCall(call);
      if (upstream === undefined || upstream.identity !== call.identity || call.isFinal) {
        this.#release(call, reservation);
        // While records are imported, the sandbox changes its identity with each batch: the next lookup uses the new one.
        const problem = upstream === undefined ? 'gateway_unavailable' : 'pending';
        const ending = { outcome: 'failed', credits: 0, problem, ...getSummary(reservation) } as const;
        return { kind: 'ended', state: 'refused', ending };
      }
      const { payer } = reservation;
      if (payer.hasLeft && !payer.background) {
        this.#release(call, reservation);
        return { kind: 'withdrawn' };
      }
      this.#markSent(call, reservation);
      const { now } = this.#platform;
      const started = now();
      const { response, ...others } = await sendCall(upstream, call.request, now);
      const info = { ...others, ...(evidence && { evidence: { ...evidence, ms: now() - started } }) };
      return response.kind === 'content'
        ? await this.#handleContent(call, response, reservation, info)
        : this.#handleFailure(call, response, reservation, info);
    } catch (error) {
      return this.#handleError(call, reservation, error);
    }
  }

  /** @returns undefined if no provider is configured or its settings cannot be read */
  async #getUpstream(): Promise<Upstream | undefined> {
    try {
      return await this.#platform.getUpstream();
    } catch (error) {
      logError('provider_settings_read_failed', error);
      return undefined;
    }
  }

  /** Returns the credits and the permit of a call that is not sent. */
  #release(call: Call, reservation: CallReservation): void {
    this.#finish(call, reservation, 0);
    this.#outbox.returnPermit(call.grantedAt);
  }

  /** From here on the provider may charge the call. The mark is stored first, so that a crash leaves it unclear. */
  #markSent(call: Call, { team, id }: CallReservation): void {
    const now = this.#platform.now();
    call.become('sent');
    call.attempts += 1;
    call.sentAt ??= now;
    if (id === undefined) return;
    const { name, credits } = call.request;
    this.#outbox.recordDeliveries();
    this.#store.markSent(name, now, { team, id, credits, ...getGrant(call) });
  }

  async #handleContent(
    call: Call,
    response: Extract<ProviderResponse, { kind: 'content' }>,
    reservation: CallReservation,
    info: ResponseInfo,
  ): Promise<SendResult> {
    const { content } = response;
    const charged = content.kind === 'missing' ? 0 : call.request.credits;
    const ending = await this.#storeContent(call, content, reservation, charged, info);
    this.#report(call, response, info, { charged, unclear: 0 });
    return { kind: 'ended', state: 'answered', ending };
  }

  async #storeContent(
    call: Call,
    content: Content,
    reservation: CallReservation,
    charged: number,
    { callHeaders }: ResponseInfo,
  ): Promise<CallEnding> {
    const { request, identity } = call;
    const { getPseudonyms, lifetime, now } = this.#platform;
    const keys = await getContentKeys(request, content, getPseudonyms, this.#store.hasErasedKeys);
    // No await between this check and the write: an erasure comes before or after both.
    const allowed = removeErased(request, content, keys, (list) => this.#store.findErased(list));
    if (allowed === undefined) {
      this.#finish(call, reservation, charged);
      // Before the wait: a call that is resumed after a restart would be paid again.
      this.#store.backgroundCalls.delete(request.name);
      const linked = listLinkedKeys(request, content, keys, (list) => this.#store.findErased(list));
      this.#store.addErasedKeys([...linked.keys.keys()]);
      await this.#platform.refuseLinked(identity, linked);
      return { outcome: 'failed', credits: charged, problem: 'erased', ...getSummary(reservation) };
    }
    const answer = buildAnswer(request, allowed, identity, now(), lifetime);
    const { envelope, stored, peerNames } = answer;
    this.#finish(call, reservation, charged, stored);
    this.#outbox.addAnswer(request.name, stored, { identity, names: peerNames });
    return {
      outcome: 'fetched',
      credits: charged,
      envelope,
      size: stored.text.length,
      callHeaders,
      ...getSummary(reservation),
    };
  }

  /** Handles a response without content: the call is retried if it was free and still has waiters. */
  #handleFailure(
    call: Call,
    response: Exclude<ProviderResponse, { kind: 'content' }>,
    reservation: CallReservation,
    info: ResponseInfo,
  ): SendResult {
    const { hints, callHeaders } = info;
    const isUnclear = response.kind === 'unclear';
    this.#finish(call, reservation, isUnclear ? 'unclear' : 0);
    this.#report(call, response, info, isUnclear ? getUnclearCost(call, reservation) : FREE);
    const pauseMs = this.#getRetryPause(call, response, hints);
    if (pauseMs !== undefined) return { kind: 'retry', pauseMs };
    const answer = isUnclear ? undefined : response.answer;
    const { retryAfterMs } = hints;
    const ending: CallEnding = {
      outcome: 'failed',
      credits: isUnclear ? call.request.credits : 0,
      problem: classifyProblem(call.request, response),
      callHeaders,
      ...getSummary(reservation),
      ...(answer === undefined ? {} : { answer }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
    return { kind: 'ended', state: isUnclear ? 'unclear' : 'answered', ending };
  }

  /** @returns milliseconds until the call is retried; undefined if it is not */
  #getRetryPause(
    call: Call,
    response: Exclude<ProviderResponse, { kind: 'content' }>,
    { retryAfterMs }: RateLimitHints,
  ): number | undefined {
    if (response.kind !== 'unavailable') return undefined;
    const now = this.#platform.now();
    // The throttle delays permits after a 429, so the call is retried as long as it is wanted.
    if (response.answer?.status === 429) return call.isWanted(now) ? 0 : undefined;
    // Full jitter, so that calls that failed together are not retried together.
    const pauseMs = Math.max(
      retryAfterMs ?? 0,
      this.#platform.random() * RETRY_PAUSE_MS * 2 ** call.attempts,
    );
    const until = (call.sentAt ?? now) + RETRY_WITHIN_MS;
    const mayRetry = call.attempts < MAX_ATTEMPTS && now + pauseMs < until;
    return mayRetry && call.isWanted(now) ? pauseMs : undefined;
  }

  /** Ends a call after an error in our own code. A sent call may have been charged. */
  #handleError(call: Call, reservation: CallReservation, error: unknown): SendResult {
    logError('single_flight_call_failed', error);
    const cost = call.state === 'sent' ? getUnclearCost(call, reservation) : FREE;
    try {
      this.#finish(call, reservation, call.state === 'sent' ? 'unclear' : 0);
    } catch (cause) {
      logError('single_flight_call_failed', cause);
    }
    this.#outbox.report({ outcome: 'unused', ...getGrant(call), ...cost });
    const summary = getSummary(reservation);
    const ending = { outcome: 'failed', credits: cost.unclear, problem: 'internal', ...summary } as const;
    return { kind: 'ended', state: call.state === 'sent' ? 'unclear' : 'refused', ending };
  }

  /** Stores the outcome of a call and its settlement. @param charged - credits */
  #finish(
    { request }: Call,
    { team, id }: CallReservation,
    charged: number | 'unclear',
    answer?: NewAnswer,
  ): void {
    const pending = id === undefined ? undefined : { team, settlement: { id, charged } };
    this.#outbox.recordDeliveries();
    this.#store.finishCall(request.name, this.#platform.now(), pending, answer);
  }

  #report(call: Call, response: ProviderResponse, { hints, evidence }: ResponseInfo, cost: Cost): void {
    this.#outbox.report({
      ...(evidence === undefined ? {} : { call: evidence }),
      outcome: classifyOutcome(response),
      ...toThrottleHints(call.request, response),
      ...getGrant(call),
      ...cost,
      ...hints,
    });
  }
}

const getSummary = ({ summary }: CallReservation): { reserved?: ReservationSummary } =>
  summary === undefined ? {} : { reserved: summary };

const getGrant = ({ grantedAt }: Call): { grantedAt?: number } =>
  grantedAt === undefined ? {} : { grantedAt };

/** Describes a call for the throttle. 32 bits tell questions apart, but not what they are: keys name people. */
function describeCall({ request, grantedTo }: Call): ReportedCall | undefined {
  if (grantedTo === undefined) return undefined;
  const { name, operation, family, credits } = request;
  const question = String(hashText(name));
  return { team: grantedTo, purpose: getPurpose(credits), area: family, question, operation };
}

function getUnclearCost({ request: { credits } }: Call, { team, id }: CallReservation): Cost {
  if (id === undefined) return FREE;
  return { charged: 0, unclear: credits, unclearReservations: [{ team, id, credits }] };
}

function classifyOutcome(response: ProviderResponse): 'answered' | 'failed' | 'rate_limited' {
  if (response.kind === 'unavailable' && response.answer?.status === 429) return 'rate_limited';
  return response.kind === 'unavailable' || response.kind === 'unclear' ? 'failed' : 'answered';
}
