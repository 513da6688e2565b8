// The way of a call whose turn has come: its price is held by the payer's ledger, the last thing before it is sent; what
// is heard is written down before anybody is told.
import { logError } from '../../http/log.ts';
import type { Content } from '../cache/envelope.ts';
import type { Reservation, ReserveResult as Reservations, ReserveOutcome } from '../ledger/types.ts';
import type { Report } from '../provider-throttle/types.ts';
import type { Pseudonyms } from '../refusal-list/pseudonyms.ts';
import { sendCall } from '../upstream/send-call.ts';
import type { ProviderResponse, ProviderResult, RateLimitHints, Upstream } from '../upstream/upstream.ts';
import { buildAnswer, classifyProblem, toThrottleHints } from './build-answer.ts';
import { type Call, type CallEnding, isWanted, type Waiter } from './call.ts';
import { getContentKeys, removeErased } from './content-keys.ts';
import type { Outbox } from './outbox.ts';
import type { SingleFlightPlatform } from './platform.ts';
import type { SingleFlightStore } from './store.ts';
import type { CallProblem, CallRequest, ReservationSummary } from './types.ts';

/** A call ends within ten seconds, and with it the hold that others wait for. */
const RESERVE_WAIT_MS = 12_000;
/** A call that failed and cost nothing is sent again within this time, at most so often. */
const RETRY_WITHIN_MS = 15_000;
const MAX_TRIES = 3;
const RETRY_PAUSE_MS = 400;

/** What becomes of a call. */
export interface SendingPlatform
  extends Pick<
    SingleFlightPlatform,
    | 'now'
    | 'after'
    | 'random'
    | 'newId'
    | 'getUpstream'
    | 'reserve'
    | 'getPseudonyms'
    | 'lifetime'
    | 'runInBackground'
  > {
  /** It has ended for everyone. */
  end: (job: Call, ending: CallEnding) => void;
  /** Its payer may not pay. */
  refuse: (job: Call, problem: CallProblem) => void;
  /** It is to be sent again. */
  again: (job: Call) => void;
  /** The waiter whose team would have paid has withdrawn; nothing was sent. */
  withdrawn: (job: Call) => void;
  /** Its connection is free. */
  release: () => void;
}

/** A price that is held for a call: absent where the call is free. */
interface Held {
  team: string;
  /** The waiter whose team pays. */
  leader: Waiter;
  id?: string;
  reserved?: ReservationSummary;
}

/** What the provider said beside an answer. */
type Said = Omit<ProviderResult, 'response'>;

/** Sends the calls of a flight. */
export class Sending {
  readonly #store: SingleFlightStore;
  readonly #outbox: Outbox;
  readonly #platform: SendingPlatform;

  constructor(store: SingleFlightStore, outbox: Outbox, platform: SendingPlatform) {
    this.#store = store;
    this.#outbox = outbox;
    this.#platform = platform;
  }

  /** Has prices held and sends what is held for. */
  async go(team: string, jobs: readonly Call[]): Promise<void> {
    for (const job of jobs.filter(({ request }) => request.credits === 0)) {
      this.#send(job, { team, leader: job.waiters[0] });
    }
    let open = jobs.filter(({ request }) => request.credits > 0);
    while (open.length > 0) {
      const paying = open.map((job) => ({ job, leader: job.waiters[0] }));
      const asked = await this.#reservations(paying);
      const reserved = asked && (await this.#hold(team, asked));
      const waiting: Call[] = [];
      paying.forEach(({ job, leader }, at) => {
        const outcome = reserved?.outcomes[at];
        const id = asked?.[at]?.id;
        if (reserved === undefined || outcome === undefined || id === undefined)
          this.#refuse(job, 'gateway_unavailable');
        else if (outcome === 'held') {
          const held = heldFor(leader.payer.token, asked, reserved.outcomes);
          this.#send(job, { team, leader, id, reserved: { remaining: reserved.remaining, held } });
        } else if (outcome !== 'wait') this.#refuse(job, outcome);
        else if (!job.over && isWanted(job, this.#platform.now())) waiting.push(job);
        else this.#refuse(job, 'pending');
      });
      open = waiting;
    }
  }

  #refuse(job: Call, problem: CallProblem): void {
    this.#unused(job);
    this.#platform.refuse(job, problem);
    this.#platform.release();
  }

  #unused(job: Call): void {
    this.#outbox.report({ outcome: 'unused', charged: 0, unclear: 0, ...grantOf(job) });
  }

  /** @returns undefined where nobody can be named, since D1 can't be read */
  async #reservations(paying: readonly { job: Call; leader: Waiter }[]): Promise<Reservation[] | undefined> {
    try {
      const pseudonyms = await this.#platform.getPseudonyms();
      return await Promise.all(
        paying.map(async ({ job: { request }, leader }) => ({
          id: this.#platform.newId(),
          token: leader.payer.token,
          operation: request.operation,
          family: request.family,
          subject: await subjectOf(pseudonyms, request),
          credits: request.credits,
        })),
      );
    } catch (error) {
      logError('not_reserved', error);
      return undefined;
    }
  }

  /** Asks twice: a reservation of the same id is made once. */
  async #hold(team: string, asked: Reservation[]): Promise<Reservations | undefined> {
    for (const last of [false, true]) {
      try {
        return await this.#platform.reserve(team, asked, RESERVE_WAIT_MS);
      } catch (error) {
        logError('reservation_failed', error, { team, calls: asked.length, attempt: last ? 2 : 1 });
        if (last) for (const { id } of asked) this.#store.addSettlement(team, { id, charged: 0 });
      }
    }
    return undefined;
  }

  #send(job: Call, held: Held): void {
    const sent = this.#sendAndHear(job, held).catch((error: unknown) => this.#broken(job, held, error));
    this.#platform.runInBackground(sent.finally(() => this.#platform.release()));
  }

  /** Something of ours failed on the way: nobody knows whether the call was charged. */
  #broken(job: Call, held: Held, error: unknown): void {
    logError('flight_broken', error);
    if (job.over) return;
    const cost = unclearOf(job, held);
    this.#platform.end(job, {
      outcome: 'failed',
      credits: cost.unclear,
      problem: 'internal',
      ...reservedIn(held),
    });
    this.#ended(job, held, 'unclear');
    this.#outbox.report({ outcome: 'unused', ...grantOf(job), ...cost });
  }

  async #sendAndHear(job: Call, held: Held): Promise<void> {
    const { request } = job;
    const { now } = this.#platform;
    const upstream = job.over ? undefined : await this.#upstream();
    if (upstream === undefined || upstream.identity !== job.identity || job.over) {
      this.#ended(job, held, 0);
      this.#unused(job);
      // While records are imported, the sandbox becomes another provider with each batch: the next lookup asks that one.
      const problem = upstream === undefined ? 'gateway_unavailable' : 'pending';
      this.#platform.end(job, { outcome: 'failed', credits: 0, problem, ...reservedIn(held) });
      return;
    }
    if (held.leader.left && !held.leader.background) {
      this.#ended(job, held, 0);
      this.#unused(job);
      this.#platform.withdrawn(job);
      return;
    }
    job.sent = true;
    job.tries += 1;
    job.sentAt ??= now();
    if (held.id !== undefined) {
      const { id, team } = held;
      this.#outbox.recordDeliveries();
      this.#store.markSent(request.name, now(), { team, id, credits: request.credits, ...grantOf(job) });
    }
    const { response, ...said } = await sendCall(upstream, request, now);
    const { hints } = said;
    if (response.kind === 'content') {
      const charged = response.content.kind === 'missing' ? 0 : request.credits;
      await this.#content(job, response.content, held, charged, said);
      this.#report(job, response, hints, { charged, unclear: 0 });
      return;
    }
    const isUnclear = response.kind === 'unclear';
    this.#ended(job, held, isUnclear ? 'unclear' : 0);
    this.#nothing(job, response, held, said);
    this.#report(job, response, hints, isUnclear ? unclearOf(job, held) : { charged: 0, unclear: 0 });
  }

  #report(
    job: Call,
    heard: ProviderResponse,
    signs: RateLimitHints,
    cost: Pick<Report, 'charged' | 'unclear'>,
  ): void {
    this.#outbox.report({
      outcome: outcomeOf(heard),
      ...toThrottleHints(job.request, heard),
      ...grantOf(job),
      ...cost,
      ...signs,
    });
  }

  /** @returns undefined where no provider is configured, or its settings can't be read */
  async #upstream(): Promise<Upstream | undefined> {
    try {
      return await this.#platform.getUpstream();
    } catch (error) {
      logError('provider_settings_unread', error);
      return undefined;
    }
  }

  #ended(
    { request }: Call,
    { team, id }: Held,
    charged: number | 'unclear',
    kept?: Parameters<SingleFlightStore['finishCall']>[3],
  ): void {
    const owed = id === undefined ? undefined : { team, settlement: { id, charged } };
    this.#outbox.recordDeliveries();
    this.#store.finishCall(request.name, this.#platform.now(), owed, kept);
  }

  async #content(
    job: Call,
    content: Content,
    held: Held,
    charged: number,
    { callHeaders }: Said,
  ): Promise<void> {
    const { request, identity } = job;
    const keys = await getContentKeys(request, content, this.#platform.getPseudonyms);
    // From here to where it is written down nothing waits: an erasure comes before or after.
    const seen = removeErased(content, keys, (pseudonyms) => this.#store.isErased(pseudonyms));
    if (seen === undefined) {
      this.#ended(job, held, charged);
      if (keys.requested !== undefined) this.#store.addErasedKeys([keys.requested]);
      this.#platform.end(job, {
        outcome: 'failed',
        credits: charged,
        problem: 'erased',
        ...reservedIn(held),
      });
      return;
    }
    const now = this.#platform.now();
    const { envelope, stored, peerNames } = buildAnswer(
      request,
      seen.content,
      seen.who,
      identity,
      now,
      this.#platform.lifetime,
    );
    this.#ended(job, held, charged, stored);
    this.#outbox.addAnswer(request.name, stored, { identity, names: peerNames });
    this.#platform.end(job, {
      outcome: 'fetched',
      credits: charged,
      envelope,
      size: stored.text.length,
      callHeaders,
      ...reservedIn(held),
    });
  }

  #nothing(
    job: Call,
    heard: Exclude<ProviderResponse, { kind: 'content' }>,
    held: Held,
    { hints, callHeaders }: Said,
  ): void {
    const { request, tries } = job;
    const now = this.#platform.now();
    const { retryAfterMs } = hints;
    const answer = heard.kind === 'unclear' ? undefined : heard.answer;
    // The gate makes those wait that were too fast; they cost nothing and are sent again as long as somebody wants it.
    const limited = answer?.status === 429;
    // Full jitter: those who failed together come back apart.
    const pauseMs = Math.max(retryAfterMs ?? 0, this.#platform.random() * RETRY_PAUSE_MS * 2 ** tries);
    const until = (job.sentAt ?? now) + RETRY_WITHIN_MS;
    const failing = heard.kind === 'unavailable' && tries < MAX_TRIES && now + pauseMs < until;
    if ((limited || failing) && isWanted(job, now)) {
      this.#platform.runInBackground(this.#again(job, limited ? 0 : pauseMs));
      return;
    }
    this.#platform.end(job, {
      outcome: 'failed',
      credits: heard.kind === 'unclear' ? request.credits : 0,
      problem: classifyProblem(request, heard),
      callHeaders,
      ...reservedIn(held),
      ...(answer === undefined ? {} : { answer }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }

  async #again(job: Call, pauseMs: number): Promise<void> {
    if (pauseMs > 0) await this.#platform.after(pauseMs);
    if (!job.over) this.#platform.again(job);
  }
}

const reservedIn = ({ reserved }: Held): { reserved?: ReservationSummary } =>
  reserved === undefined ? {} : { reserved };

/** Credits that were held for calls of a token. */
function heldFor(
  token: string,
  asked: readonly Reservation[] | undefined,
  outcomes: readonly ReserveOutcome[],
): number {
  const own = (asked ?? []).filter((each, at) => each.token === token && outcomes[at] === 'held');
  return own.reduce((sum, { credits }) => sum + credits, 0);
}

function grantOf({ grantedAt }: Call): { grantedAt?: number } {
  return grantedAt === undefined ? {} : { grantedAt };
}

function unclearOf(
  { request: { credits } }: Call,
  { team, id }: Held,
): Pick<Report, 'charged' | 'unclear' | 'unclearReservations'> {
  if (id === undefined) return { charged: 0, unclear: 0 };
  return { charged: 0, unclear: credits, unclearReservations: [{ team, id, credits }] };
}

function outcomeOf(heard: ProviderResponse): 'answered' | 'failed' | 'rate_limited' {
  if (heard.kind === 'unavailable' && heard.answer?.status === 429) return 'rate_limited';
  return heard.kind === 'unavailable' || heard.kind === 'unclear' ? 'failed' : 'answered';
}

/** What the ledger writes of a call. */
function subjectOf(pseudonyms: Pseudonyms, { key, name }: CallRequest): Promise<string> {
  return key === undefined ? pseudonyms.create(name) : pseudonyms.forKey(key);
}
