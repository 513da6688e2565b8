// The queue of calls that wait for a permit.
import { type Lane, lanes } from '../provider-call.ts';

export const MAX_WAITING = 5_000;
/** While bulk calls wait, one of them follows after so many formula calls, so that bulk never starves. */
const FORMULA_CALLS_PER_BULK_CALL = 9;

/** An entry of the queue: calls of one request. */
export interface QueueEntry {
  readonly team: string;
  readonly lane: Lane;
  /** Calls that still wait. */
  calls: number;
}

/** The entries of one team in one lane, first in, first out. */
interface TeamQueue<E extends QueueEntry> {
  entries: E[];
  calls: number;
}

/**
 * A fair queue with two lanes. Formula calls go before bulk calls, except every tenth. Within a lane the teams take turns with
 * one call each, however many calls a team has.
 */
export class PermitQueue<E extends QueueEntry> {
  /** Queues by lane and team. The team whose turn it is comes first. */
  readonly #teams: Record<Lane, Map<string, TeamQueue<E>>> = { formula: new Map(), bulk: new Map() };
  readonly #waiting: Record<Lane, number> = { formula: 0, bulk: 0 };
  /** Formula calls served in a row while bulk calls waited. */
  #formulasInARow = 0;

  get size(): number {
    return this.#waiting.formula + this.#waiting.bulk;
  }

  /** Iterates over the entries in no particular order. */
  *entries(): Generator<E> {
    for (const lane of lanes) for (const queue of this.#teams[lane].values()) yield* queue.entries;
  }

  /**
   * Adds as many calls of an entry as fit. A team may take up to half of the free places, so that others get places.
   * @returns whether any call was added
   */
  add(entry: E): boolean {
    const teams = this.#teams[entry.lane];
    const queue = teams.get(entry.team) ?? { entries: [], calls: 0 };
    const calls = Math.min(entry.calls, Math.floor((MAX_WAITING - this.size - queue.calls) / 2));
    if (calls < 1) return false;
    entry.calls = calls;
    queue.entries.push(entry);
    queue.calls += calls;
    this.#waiting[entry.lane] += calls;
    teams.set(entry.team, queue);
    return true;
  }

  /**
   * Takes the next call from the queue.
   * @returns its entry, which leaves the queue with its last call
   */
  takeNext(): E | undefined {
    const lane = this.#nextLane();
    const teams = this.#teams[lane];
    const [first] = teams;
    if (first === undefined) return undefined;
    const [team, queue] = first;
    const [entry] = queue.entries;
    if (entry === undefined) return undefined;
    this.#formulasInARow = lane === 'bulk' || this.#waiting.bulk === 0 ? 0 : this.#formulasInARow + 1;
    entry.calls -= 1;
    queue.calls -= 1;
    this.#waiting[lane] -= 1;
    if (entry.calls === 0) queue.entries.shift();
    // Moves the team to the end of its lane.
    teams.delete(team);
    if (queue.entries.length > 0) teams.set(team, queue);
    return entry;
  }

  #nextLane(): Lane {
    if (this.#waiting.formula === 0) return 'bulk';
    const isBulkDue = this.#waiting.bulk > 0 && this.#formulasInARow >= FORMULA_CALLS_PER_BULK_CALL;
    return isBulkDue ? 'bulk' : 'formula';
  }

  /** Removes an entry with its remaining calls. */
  remove(entry: E): void {
    const teams = this.#teams[entry.lane];
    const queue = teams.get(entry.team);
    const index = queue?.entries.indexOf(entry) ?? -1;
    if (queue === undefined || index === -1) return;
    queue.entries.splice(index, 1);
    queue.calls -= entry.calls;
    this.#waiting[entry.lane] -= entry.calls;
    if (queue.entries.length === 0) teams.delete(entry.team);
  }

  /** Returns how many calls would go before a new call of a team, if no others arrive. */
  countAhead(team: string, lane: Lane): number {
    const ahead = this.#teams[lane].get(team)?.calls ?? 0;
    let inLane = ahead;
    // Teams whose turn comes before this team's get one call more.
    let perTeam = ahead + 1;
    for (const [other, { calls }] of this.#teams[lane]) {
      if (other === team) perTeam = ahead;
      else inLane += Math.min(calls, perTeam);
    }
    const row = this.#formulasInARow;
    return lane === 'bulk'
      ? inLane + Math.min(this.#waiting.formula, (inLane + 1) * FORMULA_CALLS_PER_BULK_CALL - row)
      : inLane + Math.min(this.#waiting.bulk, Math.floor((inLane + row) / FORMULA_CALLS_PER_BULK_CALL));
  }
}
