// One call for many askers. A question that is known is answered at once; one that is on its way is joined; any other takes
// its turn, is sent, and its answer is given to all who wait.
import { decodeEnvelope } from '../cache/envelope.ts';
import type { ErasedAnswers, StoredAnswer } from './answer-repository.ts';
import { projectEnvelope } from './build-answer.ts';
import {
  BACKGROUND_LIMIT_MS,
  type Call,
  type CallEnding,
  createWaiter,
  isWanted,
  lead,
  type Waiter,
} from './call.ts';
import { Cancellations } from './cancellations.ts';
import { FailureCache, toFailedResult, toOutageFailure } from './failure-cache.ts';
import type { Outbox } from './outbox.ts';
import { PeerAnswers } from './peer-answers.ts';
import { type Outage, Turns } from './permit-queue.ts';
import type { SingleFlightPlatform } from './platform.ts';
import { Sending } from './sender.ts';
import type { SingleFlightStore } from './store.ts';
import type {
  CallProblem,
  CallRequest,
  CallResult,
  SingleFlightRequest,
  SingleFlightResponse,
} from './types.ts';

/** An answer is kept this long, since KV may take a minute to tell everyone and an unclear call is not to be repeated. */
const KEEP_MS = 600_000;
/** Calls on their way, and characters of their bodies. */
const MAX_JOBS = 10_000;
const MAX_BODIES = 20_000_000;
/** A call at the provider ends within ten seconds (send), and its settlement is written soon after. */
const SENT_WAIT_MS = 12_000;
/** What could not be told or stored is tried again after this time. */
export const AGAIN_MS = 5_000;

/** The questions of one shard. Forgotten with the object: who waits and what failed; everything else is in the store. */
export class SingleFlight {
  readonly #store: SingleFlightStore;
  readonly #outbox: Outbox;
  readonly #platform: SingleFlightPlatform;
  readonly #turns: Turns;
  readonly #jobs = new Map<string, Call>();
  #bodies = 0;
  readonly #failures: FailureCache;
  readonly #lessons: PeerAnswers;
  readonly #cancellations: Cancellations;

  constructor(store: SingleFlightStore, outbox: Outbox, platform: SingleFlightPlatform) {
    this.#store = store;
    this.#outbox = outbox;
    this.#platform = platform;
    this.#lessons = new PeerAnswers(platform.now);
    this.#failures = new FailureCache(platform.now);
    this.#cancellations = new Cancellations(platform.now);
    const sending = new Sending(store, outbox, {
      ...platform,
      end: (job, ending) => this.#end(job, ending),
      refuse: (job, problem) => this.#refuse(job, problem),
      again: (job) => this.#queue(job),
      withdrawn: (job) => {
        if (isWanted(job, platform.now())) this.#queue(job);
        else this.#drop(job);
      },
      release: () => this.#turns.release(),
    });
    this.#turns = new Turns({
      ...platform,
      go: (team, jobs) => sending.go(team, jobs),
      down: (job, outage) => this.#down(job, outage),
      barred: (job, problem, retryAfterMs) =>
        this.#end(job, { outcome: 'failed', credits: 0, problem, retryAfterMs }),
      drop: (job) => this.#drop(job),
      unused: (calls, grantedAt) => {
        const report = { outcome: 'unused' as const, charged: 0, unclear: 0 };
        for (let left = calls; left > 0; left -= 1) {
          outbox.report(grantedAt === undefined ? report : { ...report, grantedAt });
        }
      },
    });
  }

  /**
   * Answers calls. Each is made once, whoever else asks for it; the first who asked pays.
   */
  async fetchCalls({
    identity,
    calls,
    payer,
    lane,
    waitMs,
    background,
    cancelId,
    fields,
  }: SingleFlightRequest): Promise<SingleFlightResponse> {
    const erased = await this.#erased(calls);
    // Nothing below waits before the calls have their seats: a cancellation comes before this line or finds the seats.
    const isCancelled = cancelId !== undefined && this.#cancellations.has(payer.team, cancelId);
    const mayBuy = (waitMs > 0 || background) && !isCancelled;
    const now = this.#platform.now();
    const rows = new Map<string, CallResult>();
    const taken: { job: Call; seat: Waiter }[] = [];
    const outage = waitMs > 0 ? this.#turns.outage(now) : undefined;
    for (const call of calls) {
      const { name } = call;
      const known = erased.has(name) ? toFailedResult(name, 'erased') : this.#known(call, now);
      if (known !== undefined) rows.set(name, known);
      else if (!mayBuy) rows.set(name, this.#unknown(call));
      else if (outage !== undefined) rows.set(name, { ...toOutageFailure(outage), name });
      else {
        const seat = createWaiter(payer, background, call.since, cancelId);
        const job = this.#join(call, identity, lane, seat, now);
        if (job === undefined) rows.set(name, toFailedResult(name, 'rate_limited'));
        else taken.push({ job, seat });
      }
    }
    if (taken.length > 0) this.#platform.scheduleAlarm(background ? now : now + KEEP_MS);
    await this.#all(
      taken.map(({ seat }) => seat),
      waitMs,
    );
    if (cancelId !== undefined) await this.#sent(taken);
    for (const { job, seat } of taken) {
      seat.left = true;
      const { name } = job.request;
      rows.set(name, seat.ending === undefined ? this.#pending(job) : { ...seat.ending, name });
    }
    return {
      rows: calls.flatMap(({ name }) => {
        const row = rows.get(name);
        if (row === undefined) return [];
        return ['envelope' in row ? { ...row, envelope: projectEnvelope(row.envelope, fields) } : row];
      }),
    };
  }

  /**
   * Takes up what went on when the object ended, waits until it is done or so much time has passed, and forgets what is
   * old.
   * @returns when there is more to do, milliseconds since 1970; undefined where there is nothing
   */
  async resume(waitMs: number): Promise<number | undefined> {
    const now = this.#platform.now();
    for (const { call, payer, requestedAt } of this.#store.backgroundCalls.list(now - BACKGROUND_LIMIT_MS)) {
      if (this.#jobs.has(call.name)) continue;
      this.#join(
        call,
        this.#store.identity ?? '',
        'bulk',
        createWaiter(payer, true, call.since),
        requestedAt,
      );
    }
    this.#outbox.flush();
    const wanted = [...this.#jobs.values()].filter((job) => isWanted(job, now));
    await this.#all(
      wanted.flatMap(({ waiters }) => waiters),
      waitMs,
    );
    this.#outbox.recordDeliveries();
    this.#store.deleteExpired(this.#platform.now() - KEEP_MS);
    if (this.#store.hasPendingWork()) return this.#platform.now() + AGAIN_MS;
    const oldest = this.#store.getOldestTime();
    return oldest === undefined ? undefined : oldest + KEEP_MS + 1;
  }

  /** Waits until the calls of all seats have ended, or so much time has passed. */
  async #all(seats: readonly Waiter[], waitMs: number): Promise<void> {
    if (seats.length === 0 || waitMs <= 0) return;
    const over = new AbortController();
    await Promise.race([
      Promise.all(seats.map(({ ended }) => ended)),
      this.#platform.after(waitMs, over.signal),
    ]);
    over.abort();
  }

  /** Waits for calls that are at the provider; the others are withdrawn. */
  async #sent(taken: readonly { job: Call; seat: Waiter }[]): Promise<void> {
    for (const { job, seat } of taken) {
      if (job.sent) seat.isDue = true;
      else this.#withdraw(job, [seat]);
    }
    await this.#all(
      taken.flatMap(({ seat }) => (seat.isDue ? [seat] : [])),
      SENT_WAIT_MS,
    );
  }

  /**
   * Withdraws the calls of a cancelled request that have not been sent. A call that somebody else waits for goes on.
   * @param team - the payer's: nobody cancels the calls of another team
   * @returns how many calls were withdrawn
   */
  cancelCalls(team: string, cancelId: string): number {
    this.#cancellations.add(team, cancelId);
    let withdrawn = 0;
    for (const job of this.#jobs.values()) {
      if (job.sent) continue;
      const own = job.waiters.filter(
        (seat) => seat.cancelId === cancelId && seat.payer.team === team && !seat.left,
      );
      this.#withdraw(job, own);
      withdrawn += own.length;
    }
    return withdrawn;
  }

  #withdraw(job: Call, seats: readonly Waiter[]): void {
    for (const seat of seats) seat.withdraw();
    // A call that has its turn is dropped when it would be sent.
    if (seats.length > 0 && !job.going && !job.over && !isWanted(job, this.#platform.now())) this.#drop(job);
  }

  /** @returns the names of calls whose key is refused for ever */
  async #erased(calls: readonly CallRequest[]): Promise<Set<string>> {
    await this.#store.loadErased(this.#platform.listErasedKeys);
    if (!this.#store.anyErased) return new Set();
    const pseudonyms = await this.#platform.getPseudonyms();
    const names = await Promise.all(
      calls.map(async ({ key, name }) =>
        key !== undefined && this.#store.isErased([await pseudonyms.forKey(key)]) ? [name] : [],
      ),
    );
    return new Set(names.flat());
  }

  /** Keeps an answer that another flight heard. Who waits for a turn to ask the same has it without. */
  acceptAnswer(name: string, kept: StoredAnswer): void {
    if (this.#store.isErased(kept.pseudonyms.flat())) return;
    this.#lessons.set(name, kept);
    const job = this.#jobs.get(name);
    if (job === undefined || job.going || job.waiters.some(({ since }) => since > kept.fetchedAt)) return;
    const envelope = decodeEnvelope(kept.text, this.#platform.now());
    if (envelope === undefined) return;
    this.#end(job, { outcome: 'coalesced', credits: 0, envelope, size: kept.text.length });
  }

  /**
   * Forgets every answer about someone and what was answered under some names, and refuses keys from now on.
   */
  erase(pseudonyms: readonly string[], names: readonly string[]): ErasedAnswers {
    this.#lessons.erase(pseudonyms, names);
    for (const name of pseudonyms.length === 0 ? [] : names) {
      const job = this.#jobs.get(name);
      if (job !== undefined) this.#end(job, { outcome: 'failed', credits: 0, problem: 'erased' });
    }
    return this.#store.erase(pseudonyms, names);
  }

  #known({ name, since }: CallRequest, now: number): CallResult | undefined {
    const own = this.#store.answers.find(name);
    const lesson = this.#lessons.get(name);
    const kept = (lesson?.fetchedAt ?? 0) > (own?.fetchedAt ?? 0) ? lesson : own;
    const envelope = kept && kept.fetchedAt >= since ? decodeEnvelope(kept.text, now) : undefined;
    if (kept !== undefined && envelope !== undefined) {
      const outcome = envelope.freshUntil > now ? 'hit' : 'stale';
      return { name, outcome, credits: 0, envelope, size: kept.text.length };
    }
    if (this.#store.isUnclear(name, now - KEEP_MS)) return toFailedResult(name, 'provider_unclear');
    const failure = this.#failures.get(name);
    return failure && { ...failure, name };
  }

  /** What one hears who does not wait and wants nothing to be bought. */
  #unknown({ name }: CallRequest): CallResult {
    const job = this.#jobs.get(name);
    return job === undefined ? { name, outcome: 'unknown', credits: 0 } : this.#pending(job);
  }

  #pending(job: Call): CallResult {
    const retryAt = this.#turns.retryAt(job);
    const wait = retryAt === undefined ? {} : { retryAfterMs: Math.max(0, retryAt - this.#platform.now()) };
    return { name: job.request.name, outcome: 'pending', credits: 0, ...wait };
  }

  /** @param startedAt - when it was first asked: milliseconds since 1970 */
  #join(
    call: CallRequest,
    identity: string,
    lane: Call['lane'],
    seat: Waiter,
    startedAt: number,
  ): Call | undefined {
    const joined = this.#jobs.get(call.name);
    const length = call.body?.length ?? 0;
    const full = this.#jobs.size >= MAX_JOBS || this.#bodies + length > MAX_BODIES;
    if (joined === undefined && full) return undefined;
    if (seat.background) this.#store.backgroundCalls.add({ call, payer: seat.payer, requestedAt: startedAt });
    if (joined !== undefined) {
      joined.waiters.push(seat);
      // Whoever looks at a cell does not wait behind work in the background.
      if (lane === 'formula' && joined.lane === 'bulk') this.#turns.move(joined, lane);
      return joined;
    }
    const job: Call = {
      request: call,
      identity,
      lane,
      waiters: [seat],
      startedAt,
      tries: 0,
      going: false,
      sent: false,
      over: false,
    };
    this.#jobs.set(call.name, job);
    this.#bodies += length;
    this.#queue(job, false);
    return job;
  }

  #queue(job: Call, first = true): void {
    job.going = false;
    job.sent = false;
    for (const seat of job.waiters) if (seat.isDue) seat.withdraw();
    this.#turns.add(job, first);
  }

  /** The payer may not pay: whoever waits behind takes the lead. */
  #refuse(job: Call, problem: CallProblem): void {
    if (job.over) return;
    const { team, token } = job.waiters[0].payer;
    const pays = ({ payer }: Waiter): boolean => payer.team === team && payer.token === token;
    for (const seat of job.waiters.filter(pays)) seat.end({ outcome: 'failed', credits: 0, problem });
    this.#leave(
      job,
      job.waiters.filter((seat) => !pays(seat)),
    );
    if (!job.over) this.#queue(job);
  }

  /** Those who wait are told why there is no turn; what was asked for later stays. */
  #down(job: Call, outage: Outage): void {
    const ending = toOutageFailure(outage);
    const waiting = job.waiters.filter(({ left }) => !left);
    if (waiting.length === 0) return;
    this.#failures.set(job.request.name, ending);
    for (const seat of waiting) seat.end(ending);
    this.#leave(
      job,
      job.waiters.filter(({ left }) => left),
    );
  }

  /** Leaves a call to some of its seats; where none of them wants it, it is given up. */
  #leave(job: Call, seats: readonly Waiter[]): void {
    const heir = seats.find(({ background }) => background);
    this.#store.backgroundCalls.delete(job.request.name);
    if (!lead(job, seats, this.#platform.now())) this.#drop(job);
    else if (heir !== undefined) {
      this.#store.backgroundCalls.add({ call: job.request, payer: heir.payer, requestedAt: job.startedAt });
    }
  }

  #drop(job: Call): void {
    const { name, body } = job.request;
    job.over = true;
    this.#jobs.delete(name);
    this.#bodies -= body?.length ?? 0;
    this.#store.backgroundCalls.delete(name);
  }

  #end(job: Call, ending: CallEnding): void {
    if (job.over) return;
    this.#drop(job);
    const [leader, ...others] = job.waiters;
    leader.end(ending);
    // What the leader may still spend is nobody else's business.
    const { reserved: _, ...told } = ending;
    // Whether there are credits for a call is for the gate to say, by its price and what is left.
    const isUnpaid = told.outcome === 'failed' && told.problem === 'provider_out_of_credits';
    if (told.outcome === 'failed' && !isUnpaid) this.#failures.set(job.request.name, told);
    const shared = told.outcome === 'fetched' ? { ...told, outcome: 'coalesced' as const } : told;
    for (const seat of others) seat.end({ ...shared, credits: 0 });
  }
}
