// Who waits for a turn, and whose turn it is.
import { type Lane, lanes } from '../provider-call.ts';

/** More calls than this never wait at once. */
export const MAX_WAITING = 5_000;
/** So many formulas go before one call in the background; it never waits for all of them. */
const FORMULAS_FOR_EACH_BULK = 9;

/** A place in the queue. */
export interface QueueEntry {
  readonly team: string;
  readonly lane: Lane;
  /** Calls that still wait for their turn. */
  calls: number;
}

/** The places of one team in one lane, first come, first served. */
interface TeamQueue<P extends QueueEntry> {
  places: P[];
  calls: number;
}

/**
 * The queue: formulas before bulk, but for each tenth turn; within a lane the teams take turns, one call each, however
 * many calls a team has.
 */
export class PermitQueue<P extends QueueEntry> {
  /** By lane and team; the team whose turn it is comes first. */
  readonly #lines: Record<Lane, Map<string, TeamQueue<P>>> = { formula: new Map(), bulk: new Map() };
  readonly #waiting: Record<Lane, number> = { formula: 0, bulk: 0 };
  /** Turns of formulas while bulk waited. */
  #formulasInARow = 0;

  /** Calls that wait. */
  get size(): number {
    return this.#waiting.formula + this.#waiting.bulk;
  }

  /** Those who wait, in no particular order. */
  *entries(): Generator<P> {
    for (const lane of lanes) for (const line of this.#lines[lane].values()) yield* line.places;
  }

  /**
   * Takes a place in for as many of its calls as fit. A team's line may be as long as what it leaves free, so that there
   * is room for others.
   * @returns whether there was room for any
   */
  add(place: P): boolean {
    const lines = this.#lines[place.lane];
    const line = lines.get(place.team) ?? { places: [], calls: 0 };
    const calls = Math.min(place.calls, Math.floor((MAX_WAITING - this.size - line.calls) / 2));
    if (calls < 1) return false;
    place.calls = calls;
    line.places.push(place);
    line.calls += calls;
    this.#waiting[place.lane] += calls;
    lines.set(place.team, line);
    return true;
  }

  /**
   * Gives the next turn to one call.
   * @returns the place that it belongs to, which is gone from the queue if no call of it is left
   */
  takeNext(): P | undefined {
    const lane = this.#nextLane();
    const lines = this.#lines[lane];
    const [first] = lines;
    if (first === undefined) return undefined;
    const [team, line] = first;
    const [place] = line.places;
    if (place === undefined) return undefined;
    this.#formulasInARow = lane === 'bulk' || this.#waiting.bulk === 0 ? 0 : this.#formulasInARow + 1;
    place.calls -= 1;
    line.calls -= 1;
    this.#waiting[lane] -= 1;
    if (place.calls === 0) line.places.shift();
    lines.delete(team);
    if (line.places.length > 0) lines.set(team, line);
    return place;
  }

  #nextLane(): Lane {
    if (this.#waiting.formula === 0) return 'bulk';
    return this.#waiting.bulk > 0 && this.#formulasInARow >= FORMULAS_FOR_EACH_BULK ? 'bulk' : 'formula';
  }

  /** Takes a place out with what is left of it. */
  remove(place: P): void {
    const lines = this.#lines[place.lane];
    const line = lines.get(place.team);
    const at = line?.places.indexOf(place) ?? -1;
    if (line === undefined || at === -1) return;
    line.places.splice(at, 1);
    line.calls -= place.calls;
    this.#waiting[place.lane] -= place.calls;
    if (line.places.length === 0) lines.delete(place.team);
  }

  /** @returns how many calls go before one that such a team asks for now, if nobody else comes */
  countAhead(team: string, lane: Lane): number {
    const own = this.#lines[lane].get(team)?.calls ?? 0;
    let inLane = own;
    /** Teams whose turn comes before its team's have one more. */
    let each = own + 1;
    for (const [other, { calls }] of this.#lines[lane]) {
      if (other === team) each = own;
      else inLane += Math.min(calls, each);
    }
    const row = this.#formulasInARow;
    return lane === 'bulk'
      ? inLane + Math.min(this.#waiting.formula, (inLane + 1) * FORMULAS_FOR_EACH_BULK - row)
      : inLane + Math.min(this.#waiting.bulk, Math.floor((inLane + row) / FORMULAS_FOR_EACH_BULK));
  }
}
