// The isolate's side of usage: calls are summed up by team until they are handed over to its ledger.
import { type CallOutcome, callOutcomes, type Usage } from './types.ts';

/** What one team's calls came to. */
interface TeamUsage {
  /** By token, family and operation. */
  byKind: Map<string, Usage>;
  /** When the timer rings that hands them over, milliseconds since 1970; undefined if none was set. */
  ringsAt: number | undefined;
}

/** A timer that has not rung so long after its time never will: the request that had set it is gone. */
const LOST_MS = 5_000;

/** Counters that have not been handed over yet. */
export class UsageBuffer {
  readonly #teams = new Map<string, TeamUsage>();

  #of(team: string): TeamUsage {
    const known = this.#teams.get(team);
    if (known !== undefined) return known;
    const sums: TeamUsage = { byKind: new Map(), ringsAt: undefined };
    this.#teams.set(team, sums);
    return sums;
  }

  /** Adds calls. */
  add(team: string, usage: Usage): void {
    const { byKind } = this.#of(team);
    const kind = `${usage.token} ${usage.family} ${usage.operation}`;
    const before = byKind.get(kind);
    byKind.set(kind, before === undefined ? usage : sum(before, usage));
  }

  /**
   * Hands over what there is. If that fails it is kept for the next time; so what the ledger took though its answer was
   * lost is counted twice.
   * @returns what handing over answered
   */
  async flush<T>(team: string, give: (usages: Usage[]) => Promise<T>): Promise<T> {
    const usages = [...this.#of(team).byKind.values()];
    this.#of(team).byKind.clear();
    try {
      return await give(usages);
    } catch (error) {
      for (const usage of usages) this.add(team, usage);
      throw error;
    }
  }

  /** Is there something to hand over? */
  hasUsage(team: string): boolean {
    return this.#of(team).byKind.size > 0;
  }

  /**
   * Takes the one timer that a team has, unless it is taken.
   * @param now - milliseconds since 1970
   * @param ms - how long until it rings
   * @returns whether the caller is to set it
   */
  claimTimer(team: string, now: number, ms: number): boolean {
    const sums = this.#of(team);
    if (sums.ringsAt !== undefined && now < sums.ringsAt + LOST_MS) return false;
    sums.ringsAt = now + ms;
    return true;
  }

  /** The timer has rung. */
  releaseTimer(team: string): void {
    this.#of(team).ringsAt = undefined;
  }
}

function sum(one: Usage, other: Usage): Usage {
  const outcomes: Partial<Record<CallOutcome, number>> = { ...one.outcomes };
  for (const outcome of callOutcomes) {
    const more = other.outcomes[outcome];
    if (more !== undefined) outcomes[outcome] = (outcomes[outcome] ?? 0) + more;
  }
  return {
    ...one,
    outcomes,
    saved: one.saved + other.saved,
    latencyMs: one.latencyMs + other.latencyMs,
  };
}
