// One call for many askers. A question that is known is answered at once; one that is on its way is joined; any other takes
// its turn, is sent, and its answer is given to all who wait.
import { LRUCache } from 'lru-cache';
import { readEnvelope } from '../envelope.ts';
import type { FlightEdges } from './edges.ts';
import { type Ending, type Job, type Seat, takeSeat } from './job.ts';
import type { Outbox } from './outbox.ts';
import { cut } from './result.ts';
import { Sending } from './sending.ts';
import type { FlightStore, KeptAnswer } from './store.ts';
import { Turns } from './turns.ts';
import type { Ask, Asked, FlightProblem, FlightRow, WantedCall } from './types.ts';

/** An answer is kept this long, since KV may take a minute to tell everyone and an unclear call is not to be repeated. */
const KEEP_MS = 600_000;
/** A failure is told to all who ask within this time, so that a failing provider is not asked by everyone. */
const FAILURE_MS = 3_000;
/** Calls that go on without anybody waiting are given up after this time. */
const STANDING_MS = 900_000;
const MAX_JOBS = 10_000;
/** KV tells everyone within a minute. */
const LESSON_MS = 120_000;
/** In characters. */
const LESSONS_MAX_SIZE = 2_000_000;

/** The questions of one shard. Forgotten with the object: who waits and what failed; everything else is in the store. */
export class Flight {
  readonly #store: FlightStore;
  readonly #outbox: Outbox;
  readonly #edges: FlightEdges;
  readonly #turns: Turns;
  readonly #jobs = new Map<string, Job>();
  readonly #failures = new Map<string, { ending: Ending; until: number }>();
  /** What other flights heard of records that are asked for here too, until KV is sure to have it. */
  readonly #lessons: LRUCache<string, KeptAnswer>;

  constructor(store: FlightStore, outbox: Outbox, edges: FlightEdges) {
    this.#store = store;
    this.#outbox = outbox;
    this.#edges = edges;
    this.#lessons = new LRUCache({
      maxSize: LESSONS_MAX_SIZE,
      ttl: LESSON_MS,
      perf: edges,
      ttlResolution: 0,
    });
    const sending = new Sending(store, outbox, {
      ...edges,
      end: (job, ending) => this.#end(job, ending),
      refuse: (job, problem) => this.#refuse(job, problem),
      again: (job) => this.#turns.add(job, true),
      release: () => this.#turns.release(),
    });
    this.#turns = new Turns({
      ...edges,
      go: (team, jobs) => sending.go(team, jobs),
      down: (job, retryAfterMs) =>
        this.#end(job, { outcome: 'failed', credits: 0, problem: 'provider_unavailable', retryAfterMs }),
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
  async ask({ identity, calls, payer, lane, waitMs, background, fields }: Ask): Promise<Asked> {
    const erased = await this.#erased(calls);
    const now = this.#edges.now();
    const rows = new Map<string, FlightRow>();
    const taken: { job: Job; seat: Seat }[] = [];
    for (const call of calls) {
      const { name } = call;
      const known = erased.has(name) ? failed(name, 'erased') : this.#known(call, now);
      if (known !== undefined) rows.set(name, known);
      else if (waitMs === 0 && !background) rows.set(name, { name, outcome: 'unknown', credits: 0 });
      else {
        const seat = takeSeat(payer, background);
        const job = this.#join(call, identity, lane, seat, now);
        if (job === undefined) rows.set(name, failed(name, 'rate_limited'));
        else taken.push({ job, seat });
      }
    }
    if (taken.length > 0) this.#edges.wake(background ? now : now + KEEP_MS);
    await this.#all(
      taken.map(({ seat }) => seat),
      waitMs,
    );
    for (const { job, seat } of taken) {
      seat.left = true;
      const { name } = job.call;
      rows.set(name, seat.ending === undefined ? this.#pending(job) : { ...seat.ending, name });
    }
    return {
      rows: calls.flatMap(({ name }) => {
        const row = rows.get(name);
        if (row === undefined) return [];
        return ['envelope' in row ? { ...row, envelope: cut(row.envelope, fields) } : row];
      }),
    };
  }

  /**
   * Takes up what went on when the object ended, waits until it is done or so much time has passed, and forgets what is
   * old.
   * @returns whether there is anything left that time will change
   */
  async resume(waitMs: number): Promise<boolean> {
    const now = this.#edges.now();
    for (const { call, payer, identity } of this.#store.standing(now - STANDING_MS)) {
      if (!this.#jobs.has(call.name)) this.#join(call, identity, 'bulk', takeSeat(payer, true), now);
    }
    this.#outbox.flush();
    await this.#all(
      [...this.#jobs.values()].flatMap(({ seats }) => seats),
      waitMs,
    );
    this.#store.forget(this.#edges.now() - KEEP_MS);
    return !this.#store.isEmpty();
  }

  /** Waits until the calls of all seats have ended, or so much time has passed. */
  async #all(seats: readonly Seat[], waitMs: number): Promise<void> {
    const over = new AbortController();
    await Promise.race([
      Promise.all(seats.map(({ ended }) => ended)),
      this.#edges.after(waitMs, over.signal),
    ]);
    over.abort();
  }

  /** @returns the names of calls whose key is refused for ever */
  async #erased(calls: readonly WantedCall[]): Promise<Set<string>> {
    if (!this.#store.anyErased) return new Set();
    const pseudonyms = await this.#edges.pseudonyms();
    const names = await Promise.all(
      calls.map(async ({ key, name }) =>
        key !== undefined && this.#store.isErased([await pseudonyms.ofKey(key)]) ? [name] : [],
      ),
    );
    return new Set(names.flat());
  }

  /** Keeps an answer that another flight heard. */
  learn(name: string, kept: KeptAnswer): void {
    this.#lessons.set(name, kept, { size: kept.text.length });
  }

  /** Forgets what was answered under these names, and refuses keys from now on. @returns how many were forgotten */
  erase(pseudonyms: readonly string[], names: readonly string[]): number {
    for (const name of names) this.#lessons.delete(name);
    return this.#store.erase(pseudonyms, names);
  }

  #known({ name, since }: WantedCall, now: number): FlightRow | undefined {
    const own = this.#store.answer(name);
    const lesson = this.#lessons.get(name);
    const kept = own === undefined || (lesson?.fetchedAt ?? 0) > own.fetchedAt ? (lesson ?? own) : own;
    const envelope = kept && kept.fetchedAt >= since ? readEnvelope(kept.text, now) : undefined;
    if (kept !== undefined && envelope !== undefined) {
      return { name, outcome: 'hit', credits: 0, envelope, size: kept.text.length };
    }
    if (this.#store.isUnclear(name, now - KEEP_MS)) return failed(name, 'provider_unclear');
    const failure = this.#failures.get(name);
    return failure === undefined || failure.until <= now
      ? undefined
      : { ...failure.ending, credits: 0, name };
  }

  #pending(job: Job): FlightRow {
    const retryAt = this.#turns.retryAt(job);
    const wait = retryAt === undefined ? {} : { retryAfterMs: Math.max(0, retryAt - this.#edges.now()) };
    return { name: job.call.name, outcome: 'pending', credits: 0, ...wait };
  }

  #join(call: WantedCall, identity: string, lane: Job['lane'], seat: Seat, now: number): Job | undefined {
    const joined = this.#jobs.get(call.name);
    if (joined === undefined && this.#jobs.size >= MAX_JOBS) return undefined;
    if (seat.background) this.#store.stand({ call, payer: seat.payer, identity, askedAt: now });
    if (joined !== undefined) {
      joined.seats.push(seat);
      return joined;
    }
    const job: Job = { call, identity, lane, seats: [seat], startedAt: now, tries: 0, over: false };
    this.#jobs.set(call.name, job);
    this.#turns.add(job);
    return job;
  }

  /** The payer may not pay: whoever waits behind takes the lead. */
  #refuse(job: Job, problem: FlightProblem): void {
    const { team, token } = job.seats[0].payer;
    const pays = ({ payer }: Seat): boolean => payer.team === team && payer.token === token;
    for (const seat of job.seats.filter(pays)) seat.end({ outcome: 'failed', credits: 0, problem });
    const [next, ...others] = job.seats.filter((seat) => !pays(seat) && (seat.background || !seat.left));
    this.#store.fall(job.call.name);
    if (next === undefined) {
      this.#drop(job);
      return;
    }
    job.seats = [next, ...others];
    this.#turns.add(job, true);
  }

  #drop(job: Job): void {
    job.over = true;
    this.#jobs.delete(job.call.name);
  }

  #end(job: Job, ending: Ending): void {
    const { name } = job.call;
    this.#drop(job);
    this.#store.fall(name);
    if (ending.outcome === 'failed') this.#noteFailure(name, ending);
    const [leader, ...others] = job.seats;
    leader.end(ending);
    const shared = ending.outcome === 'fetched' ? { ...ending, outcome: 'coalesced' as const } : ending;
    for (const seat of others) seat.end({ ...shared, credits: 0 });
  }

  #noteFailure(name: string, ending: Ending): void {
    const now = this.#edges.now();
    for (const [known, { until }] of this.#failures) if (until <= now) this.#failures.delete(known);
    this.#failures.set(name, { ending, until: now + FAILURE_MS });
  }
}

function failed(name: string, problem: FlightProblem): FlightRow {
  return { name, outcome: 'failed', credits: 0, problem };
}
