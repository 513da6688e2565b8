// Turns at the gate: calls wait here, team by team, until the gate grants them a turn and a connection is free.
import type { ProblemCode } from '../../../shared/problems.ts';
import { logError } from '../../http/log.ts';
import type { Lane } from '../provider-call.ts';
import type { BlockReason, Permit } from '../provider-throttle/types.ts';
import { type Call, isWanted } from './call.ts';
import type { SingleFlightPlatform } from './platform.ts';

/** Of the six connections that an object may hold open, one stays free for KV. */
const CALLS_AT_ONCE = 5;
/** How long the gate may let us wait for a turn before it says how things stand. */
const TURN_WAIT_MS = 10_000;
/** Before the gate is asked again when it could not be reached or sent us away. */
const PAUSE_MS = 400;

/** Calls that take their turns together: those of one team in one lane, of one price. */
interface Group {
  team: string;
  lane: Lane;
  /** Price of each. */
  credits: number;
  jobs: Call[];
  /** Is a turn being asked for? */
  asking: boolean;
  /** When the next turn is expected, if none was to be had: milliseconds since 1970. */
  retryAt?: number;
}

/** Why no turn is granted for a while: the provider is down, or our own gate can't be reached. */
export interface Outage {
  problem: Extract<ProblemCode, 'provider_unavailable' | 'gateway_unavailable'>;
  retryAfterMs: number;
}

/** What becomes of calls. */
export interface TurnsPlatform
  extends Pick<SingleFlightPlatform, 'now' | 'after' | 'acquirePermits' | 'runInBackground'> {
  /** Its turn has come: each of them holds a connection until {@link Turns.release}. */
  go: (team: string, jobs: Call[]) => Promise<void>;
  /** There is no turn for now; those who wait are told why. */
  down: (job: Call, outage: Outage) => void;
  /** The provider would refuse it like every other. */
  barred: (job: Call, problem: BlockReason, retryAfterMs: number) => void;
  /** Nobody wants it any more. */
  drop: (job: Call) => void;
  /** Turns were granted and are not used. */
  unused: (calls: number, grantedAt?: number) => void;
}

const teamOf = ({ waiters: [{ payer }] }: Call): string => payer.team;
const groupName = ({ lane, credits, team }: Pick<Group, 'lane' | 'credits' | 'team'>): string =>
  `${lane}:${credits}:${team}`;
const groupOf = (job: Call): string =>
  groupName({ lane: job.lane, credits: job.request.credits, team: teamOf(job) });

/** The queues of a flight. */
export class Turns {
  readonly #platform: TurnsPlatform;
  readonly #groups = new Map<string, Group>();
  /** Calls that have their turn and wait for a connection. */
  readonly #ready: Call[] = [];
  /** Connections in use. */
  #used = 0;
  /** Turns that the gate is being asked for. */
  #asked = 0;
  /** While the breaker is open or the gate can't be reached. Milliseconds since 1970. */
  #outage: { problem: Outage['problem']; until: number } | undefined;

  constructor(platform: TurnsPlatform) {
    this.#platform = platform;
  }

  /** Puts a call in the queue of its payer's team. */
  add(job: Call, first = false): void {
    const name = groupOf(job);
    const group = this.#groups.get(name) ?? {
      team: teamOf(job),
      lane: job.lane,
      credits: job.request.credits,
      jobs: [],
      asking: false,
    };
    this.#groups.set(name, group);
    if (first) group.jobs.unshift(job);
    else group.jobs.push(job);
    this.#platform.runInBackground(this.#take(group));
  }

  /** Puts a call that waits in a queue into the one of another lane. */
  move(job: Call, lane: Lane): void {
    const jobs = this.#groups.get(groupOf(job))?.jobs ?? [];
    const at = jobs.indexOf(job);
    if (at === -1) return;
    jobs.splice(at, 1);
    job.lane = lane;
    this.add(job);
  }

  /** Gives the connection of one call back. */
  release(): void {
    this.#used -= 1;
    this.#start();
    for (const group of this.#groups.values()) this.#platform.runInBackground(this.#take(group));
  }

  /** @returns when a turn of such a call is expected, as far as the gate said */
  retryAt(job: Call): number | undefined {
    return this.#groups.get(groupOf(job))?.retryAt;
  }

  /** @returns why there is no turn at this time; undefined where there may be one */
  outage(now: number): Outage | undefined {
    if (this.#outage === undefined || this.#outage.until <= now) return undefined;
    const { problem, until } = this.#outage;
    return { problem, retryAfterMs: until - now };
  }

  async #take(group: Group): Promise<void> {
    if (group.asking) return;
    group.asking = true;
    try {
      // Calls that were asked together are asked for together.
      await Promise.resolve();
      while (this.#tidy(group) > 0) {
        const free = CALLS_AT_ONCE - this.#used - this.#ready.length;
        if (free <= 0) return;
        // Whoever waits at the gate does not keep others from asking it.
        const calls = Math.min(group.jobs.length, Math.max(1, free - this.#asked));
        this.#asked += calls;
        const permit = await this.#acquire(group, calls);
        this.#asked -= calls;
        if (permit === undefined) await this.#unreachable(group);
        else if (permit.granted > 0) this.#granted(group, permit);
        else await this.#none(group, permit);
      }
      this.#groups.delete(groupName(group));
    } finally {
      group.asking = false;
    }
  }

  /** A gate that was just made anew answers when it is asked again. @returns undefined where it can't be reached */
  async #acquire({ team, lane, credits }: Group, calls: number): Promise<Permit | undefined> {
    for (const last of [false, true]) {
      try {
        return await this.#platform.acquirePermits({ team, lane, calls, credits, waitMs: TURN_WAIT_MS });
      } catch (error) {
        logError('gate_unreachable', error, { team, calls, attempt: last ? 2 : 1 });
        if (!last) await this.#platform.after(PAUSE_MS);
      }
    }
    return undefined;
  }

  #granted(group: Group, { granted, grantedAt }: Permit): void {
    delete group.retryAt;
    this.#outage = undefined;
    this.#tidy(group);
    const jobs = group.jobs.splice(0, granted);
    for (const job of jobs) {
      job.going = true;
      if (grantedAt !== undefined) job.grantedAt = grantedAt;
    }
    if (granted > jobs.length) this.#platform.unused(granted - jobs.length, grantedAt);
    this.#ready.push(...jobs);
    this.#start();
  }

  /** Lets calls go that have their turn, as many as there are connections. */
  #start(): void {
    const jobs: Call[] = [];
    while (this.#used < CALLS_AT_ONCE) {
      const job = this.#ready.shift();
      if (job === undefined) break;
      if (this.#isStill(job)) {
        this.#used += 1;
        jobs.push(job);
      } else this.#platform.unused(1, job.grantedAt);
    }
    for (const [team, own] of Map.groupBy(jobs, teamOf))
      this.#platform.runInBackground(this.#platform.go(team, own));
  }

  /** The provider has no turn for us in time, or is down. */
  async #none(group: Group, { retryAt, isBreakerOpen, blockedBy }: Permit): Promise<void> {
    group.retryAt = retryAt;
    const retryAfterMs = Math.max(0, retryAt - this.#platform.now());
    if (blockedBy !== undefined)
      for (const job of group.jobs) this.#platform.barred(job, blockedBy, retryAfterMs);
    if (isBreakerOpen) this.#down(group, { problem: 'provider_unavailable', retryAfterMs });
    if (this.#tidy(group) > 0)
      await this.#platform.after(isBreakerOpen ? Math.max(PAUSE_MS, retryAfterMs) : PAUSE_MS);
  }

  async #unreachable(group: Group): Promise<void> {
    group.retryAt = this.#platform.now() + PAUSE_MS;
    this.#down(group, { problem: 'gateway_unavailable', retryAfterMs: PAUSE_MS });
    if (this.#tidy(group) > 0) await this.#platform.after(PAUSE_MS);
  }

  /** Only calls that nobody waits for stay in the queue. */
  #down(group: Group, outage: Outage): void {
    this.#outage = { problem: outage.problem, until: this.#platform.now() + outage.retryAfterMs };
    for (const job of group.jobs) this.#platform.down(job, outage);
  }

  /** Is the call still to be made? */
  #isStill(job: Call): boolean {
    if (job.over) return false;
    const wanted = isWanted(job, this.#platform.now());
    if (!wanted) this.#platform.drop(job);
    return wanted;
  }

  /** Leaves only calls in a queue that are still to be made, and by its team. @returns how many those are */
  #tidy(group: Group): number {
    const all = group.jobs.filter((job) => this.#isStill(job));
    group.jobs = all.filter((job) => teamOf(job) === group.team);
    for (const job of all) if (teamOf(job) !== group.team) this.add(job);
    return group.jobs.length;
  }
}
