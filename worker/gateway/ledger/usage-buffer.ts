// Collects an isolate's usage by team until it is sent to the ledger.
import { createHistogram, emptyHistogram, findRange } from '../../lib/latency-histogram.ts';
import { type CallUsage, callOutcomes, type Usage } from './types.ts';

/** Usage that grows in place: this happens for every cache hit. */
interface UsageSum extends Usage {
  durations: number[];
}

interface TeamUsage {
  /** By token, family, operation, source and spreadsheet. */
  byKind: Map<string, UsageSum>;
  /** When the flush timer is due, milliseconds since 1970; undefined without a timer. */
  timerDueAt: number | undefined;
}

/** A timer that is overdue by this time never fires: the request that set it is gone. */
const TIMER_LOST_MS = 5_000;

/** Kinds of a team beyond which spreadsheets are no longer told apart. */
const MAX_KINDS = 500;

/** Usage that was not sent yet. */
export class UsageBuffer {
  readonly #teams = new Map<string, TeamUsage>();

  #getTeam(team: string): TeamUsage {
    const known = this.#teams.get(team);
    if (known !== undefined) return known;
    const usage: TeamUsage = { byKind: new Map(), timerDueAt: undefined };
    this.#teams.set(team, usage);
    return usage;
  }

  add(team: string, token: string, usage: CallUsage): void {
    const sum = this.#getSum(team, token, usage);
    const calls = addTo(sum, usage);
    const range = findRange(usage.latencyMs);
    sum.durations[range] = (sum.durations[range] ?? 0) + calls;
  }

  #getSum(team: string, token: string, usage: CallUsage): UsageSum {
    const { byKind } = this.#getTeam(team);
    // Callers choose spreadsheets, so that there may be any number.
    const spreadsheet = byKind.size < MAX_KINDS ? usage.spreadsheet : undefined;
    const kind = `${token} ${usage.family} ${usage.operation} ${usage.source} ${spreadsheet}`;
    const known = byKind.get(kind);
    if (known !== undefined) return known;
    const durations = [...emptyHistogram];
    const sum: UsageSum = { ...usage, spreadsheet, token, outcomes: {}, saved: 0, latencyMs: 0, durations };
    byKind.set(kind, sum);
    return sum;
  }

  /**
   * Sends the collected usage. If that fails, keeps it for the next flush. Usage whose response was lost is therefore counted
   * twice.
   * @returns the result of `send`
   */
  async flush<T>(team: string, send: (usages: Usage[]) => Promise<T>): Promise<T> {
    const { byKind } = this.#getTeam(team);
    const usages = [...byKind.values()];
    byKind.clear();
    try {
      return await send(usages);
    } catch (error) {
      for (const usage of usages) {
        const sum = this.#getSum(team, usage.token, usage);
        addTo(sum, usage);
        sum.durations = sum.durations.map((calls, range) => calls + (usage.durations[range] ?? 0));
      }
      throw error;
    }
  }

  hasUsage(team: string): boolean {
    return this.#getTeam(team).byKind.size > 0;
  }

  /**
   * Claims the flush timer of a team. A team has at most one.
   * @param ms - duration of the timer
   * @returns whether the caller must set the timer
   */
  claimTimer(team: string, now: number, ms: number): boolean {
    const usage = this.#getTeam(team);
    if (usage.timerDueAt !== undefined && now < usage.timerDueAt + TIMER_LOST_MS) return false;
    usage.timerDueAt = now + ms;
    return true;
  }

  releaseTimer(team: string): void {
    this.#getTeam(team).timerDueAt = undefined;
  }
}

/** Adds everything but durations. @returns the number of calls */
function addTo(sum: UsageSum, { outcomes, saved, latencyMs }: CallUsage): number {
  let calls = 0;
  for (const outcome of callOutcomes) {
    const count = outcomes[outcome];
    if (count === undefined) continue;
    sum.outcomes[outcome] = (sum.outcomes[outcome] ?? 0) + count;
    calls += count;
  }
  sum.saved += saved;
  sum.latencyMs += latencyMs;
  return calls;
}

export function countCalls({ outcomes }: Pick<Usage, 'outcomes'>): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/**
 * Creates the usage of a request, whose calls all took as long as the request.
 * @param token - id of the token
 */
export function createUsage(token: string, usage: CallUsage): Usage {
  return { ...usage, token, durations: createHistogram(countCalls(usage), usage.latencyMs) };
}
