// Turns at the gate: calls wait here, team by team, until the gate grants them a turn and a connection is free.
import type { Lane } from '../call.ts';
import type { Bar, Permit } from '../gate/types.ts';
import type { FlightEdges } from './edges.ts';
import { isWanted, type Job } from './job.ts';

/** Of the six connections that an object may hold open, one stays free for KV. */
const CALLS_AT_ONCE = 5;
/** How long the gate may let us wait for a turn before it says how things stand. */
const TURN_WAIT_MS = 10_000;
/** Before the gate is asked again when it could not be reached or sent us away. */
const PAUSE_MS = 400;

/** Calls that take their turns together: those of one team in one lane. */
interface Group {
  team: string;
  lane: Lane;
  jobs: Job[];
  /** Is a turn being asked for? */
  asking: boolean;
  /** When the next turn is expected, if none was to be had: milliseconds since 1970. */
  retryAt?: number;
}

/** What becomes of calls. */
export interface TurnsEdges extends Pick<FlightEdges, 'now' | 'after' | 'acquire' | 'background'> {
  /** Its turn has come: each of them holds a connection until {@link Turns.release}. */
  go: (team: string, jobs: Job[]) => Promise<void>;
  /** The provider is down; those who wait are told. */
  down: (job: Job, retryAfterMs: number) => void;
  /** The provider would refuse it like every other. */
  barred: (job: Job, problem: Bar, retryAfterMs: number) => void;
  /** Nobody wants it any more. */
  drop: (job: Job) => void;
  /** Turns were granted and are not used. */
  unused: (calls: number, grantedAt?: number) => void;
}

const nameOf = ({ lane, seats: [{ payer }] }: Job): string => `${lane}:${payer.team}`;

/** The queues of a flight. */
export class Turns {
  readonly #edges: TurnsEdges;
  readonly #groups = new Map<string, Group>();
  /** Connections in use or promised. */
  #calls = 0;

  constructor(edges: TurnsEdges) {
    this.#edges = edges;
  }

  /** Puts a call in the queue of its payer's team. */
  add(job: Job, first = false): void {
    const name = nameOf(job);
    const group = this.#groups.get(name) ?? {
      team: job.seats[0].payer.team,
      lane: job.lane,
      jobs: [],
      asking: false,
    };
    this.#groups.set(name, group);
    if (first) group.jobs.unshift(job);
    else group.jobs.push(job);
    this.#edges.background(this.#take(group));
  }

  /** Gives the connection of one call back. */
  release(): void {
    this.#calls -= 1;
    for (const group of this.#groups.values()) this.#edges.background(this.#take(group));
  }

  /** @returns when a turn of such a call is expected, as far as the gate said */
  retryAt(job: Job): number | undefined {
    return this.#groups.get(nameOf(job))?.retryAt;
  }

  async #take(group: Group): Promise<void> {
    if (group.asking) return;
    group.asking = true;
    try {
      // Calls that were asked together are asked for together.
      await Promise.resolve();
      while (this.#tidy(group) > 0) {
        const calls = Math.min(CALLS_AT_ONCE - this.#calls, group.jobs.length);
        if (calls <= 0) return;
        this.#calls += calls;
        const permit = await this.#acquire(group, calls);
        this.#tidy(group);
        const jobs = group.jobs.splice(0, permit.granted);
        for (const job of jobs) if (permit.grantedAt !== undefined) job.grantedAt = permit.grantedAt;
        this.#calls -= calls - jobs.length;
        if (permit.granted > jobs.length) this.#edges.unused(permit.granted - jobs.length, permit.grantedAt);
        if (permit.granted === 0) await this.#none(group, permit);
        else delete group.retryAt;
        if (jobs.length > 0) this.#edges.background(this.#edges.go(group.team, jobs));
      }
      this.#groups.delete(`${group.lane}:${group.team}`);
    } finally {
      group.asking = false;
    }
  }

  async #acquire({ team, lane }: Group, calls: number): Promise<Permit> {
    try {
      return await this.#edges.acquire({ team, lane, calls, waitMs: TURN_WAIT_MS });
    } catch {
      return { granted: 0, retryAt: this.#edges.now() + PAUSE_MS, open: true };
    }
  }

  /** The provider has no turn for us in time, or is down: then only calls that nobody waits for stay in the queue. */
  async #none(group: Group, { retryAt, open, barred }: Permit): Promise<void> {
    group.retryAt = retryAt;
    const retryAfterMs = Math.max(0, retryAt - this.#edges.now());
    if (barred !== undefined) for (const job of group.jobs) this.#edges.barred(job, barred, retryAfterMs);
    if (!open) return;
    for (const job of group.jobs) {
      if (job.seats.some(({ left }) => !left)) this.#edges.down(job, retryAfterMs);
    }
    if (this.#tidy(group) > 0) await this.#edges.after(Math.max(PAUSE_MS, retryAfterMs));
  }

  /** @returns how many calls are left */
  #tidy(group: Group): number {
    group.jobs = group.jobs.filter((job) => {
      if (!job.over && !isWanted(job)) this.#edges.drop(job);
      return !job.over;
    });
    return group.jobs.length;
  }
}
