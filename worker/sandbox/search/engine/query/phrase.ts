// Phrases: how often terms stand in a document one behind the other, or, with slop, near each other.

import { mergePositions, type PositionPostings } from '../codec/positions.ts';
import { intersect } from './matches.ts';

/** A place of a phrase: the terms of which any may stand there. */
export interface Slot {
  /** Where it is in the phrase. */
  position: number;
  terms: readonly string[];
}

/** Documents with a phrase, ascending, and how often each has it; a sloppy occurrence counts less than one. */
export interface PhraseMatches {
  docs: Int32Array;
  frequencies: Float32Array;
  lengths: Uint8Array;
}

/** The places of a slot in one document: a part of a list. */
interface Window {
  positions: Int32Array;
  from: number;
  to: number;
}

/** How often the slots' terms stand exactly at their distances. Leaves `from` where it has looked. */
function countExact(slots: readonly Slot[], windows: readonly Window[]): number {
  const [first] = windows;
  if (first === undefined) return 0;
  const origin = slots[0]?.position ?? 0;
  let frequency = 0;
  for (; first.from < first.to; first.from += 1) {
    const start = (first.positions[first.from] ?? 0) - origin;
    let stands = true;
    for (let at = 1; stands && at < windows.length; at += 1) {
      const window = windows[at] ?? first;
      const wanted = start + (slots[at]?.position ?? 0);
      while (window.from < window.to && (window.positions[window.from] ?? 0) < wanted) window.from += 1;
      if (window.from === window.to) return frequency;
      stands = window.positions[window.from] === wanted;
    }
    if (stands) frequency += 1;
  }
  return frequency;
}

/** One slot of a sloppy phrase, at one of its places. */
interface SlotCursor {
  slot: Slot;
  /** Places that are still to come. */
  remaining: Window;
  /** Where the phrase would begin by the place. */
  position: number;
  /** The others that may stand on its words. */
  conflicting: SlotCursor[];
}

/** Moves a slot to its next place. */
function advance(walker: SlotCursor): boolean {
  const { remaining, slot } = walker;
  if (remaining.from >= remaining.to) return false;
  walker.position = (remaining.positions[remaining.from] ?? 0) - slot.position;
  remaining.from += 1;
  return true;
}

function isBefore(a: SlotCursor, b: SlotCursor): boolean {
  return a.position < b.position || (a.position === b.position && a.slot.position < b.slot.position);
}

function findFirst(walkers: readonly SlotCursor[], except?: SlotCursor): SlotCursor | undefined {
  let found: SlotCursor | undefined;
  for (const walker of walkers) {
    if (walker !== except && (found === undefined || isBefore(walker, found))) found = walker;
  }
  return found;
}

/** One that stands on the same word. */
function findConflict({ position, slot, conflicting }: SlotCursor): SlotCursor | undefined {
  for (const rival of conflicting) {
    if (rival.position + rival.slot.position === position + slot.position) return rival;
  }
  return undefined;
}

/** Walks the places of a sloppy phrase in a document, the way Lucene does, so that the same windows count. */
class SloppyMatcher {
  readonly #cursors: readonly SlotCursor[];
  #end = 0;

  /** @param windows - of the slots, set anew before each document */
  constructor(slots: readonly Slot[], windows: readonly Window[]) {
    this.#cursors = windows.flatMap((remaining, at) => {
      const slot = slots[at];
      return slot === undefined ? [] : [{ slot, remaining, position: 0, conflicting: [] }];
    });
    for (const walker of this.#cursors) {
      walker.conflicting = this.#cursors.filter(
        (other) => other !== walker && other.slot.terms.some((term) => walker.slot.terms.includes(term)),
      );
    }
  }

  /** The sum over the matching windows of 1 / (1 + how far its terms are from their places). */
  frequency(slop: number): number {
    if (!this.#start()) return 0;
    let frequency = 0;
    for (;;) {
      const walker = findFirst(this.#cursors);
      if (walker === undefined) return frequency;
      const limit = findFirst(this.#cursors, walker)?.position ?? 0;
      let length = this.#end - walker.position;
      let more = this.#advance(walker) && this.#resolveConflicts(walker);
      while (more && walker.position <= limit) {
        length = Math.min(length, this.#end - walker.position);
        more = this.#advance(walker) && this.#resolveConflicts(walker);
      }
      if (length <= slop) frequency = Math.fround(frequency + Math.fround(1 / (1 + length)));
      if (!more) return frequency;
    }
  }

  /** Puts each slot on its first place, on a word of its own. */
  #start(): boolean {
    this.#end = Number.NEGATIVE_INFINITY;
    for (const walker of this.#cursors) if (!advance(walker)) return false;
    for (let settled = false; !settled; ) {
      settled = true;
      for (const walker of this.#cursors) {
        const rival = findConflict(walker);
        if (rival === undefined) continue;
        settled = false;
        if (!advance(isBefore(walker, rival) ? walker : rival)) return false;
      }
    }
    for (const { position } of this.#cursors) this.#end = Math.max(this.#end, position);
    return true;
  }

  #advance(walker: SlotCursor): boolean {
    if (!advance(walker)) return false;
    this.#end = Math.max(this.#end, walker.position);
    return true;
  }

  /** No two slots stand on one word: of two that do, the one further in front goes on. */
  #resolveConflicts(moved: SlotCursor): boolean {
    let walker = moved;
    for (let rival = findConflict(walker); rival !== undefined; rival = findConflict(walker)) {
      walker = isBefore(walker, rival) ? walker : rival;
      if (!this.#advance(walker)) return false;
    }
    return true;
  }
}

/**
 * Finds the documents that have a phrase.
 * @param slots - at least one, in the order of the phrase
 * @param postingsOf - the documents and places of a term
 * @param slop - how far the terms may be from their places, together
 * @param size - all documents are below
 */
export function matchPhrase(
  slots: readonly Slot[],
  postingsOf: (term: string) => PositionPostings,
  slop: number,
  size: number,
): PhraseMatches {
  const lists = slots.map(({ terms }) => mergePositions(terms.map(postingsOf), size));
  const candidates = intersect(lists.map((list) => list.docs));
  const windows = lists.map(({ positions }): Window => ({ positions, from: 0, to: 0 }));
  const sloppy = new SloppyMatcher(slots, windows);
  const at = new Int32Array(lists.length);
  const frequencies = new Float32Array(candidates.length);
  const lengths = new Uint8Array(candidates.length);
  const found = candidates.filter((doc, candidate) => {
    for (const [slot, { docs, starts }] of lists.entries()) {
      let place = at[slot] ?? 0;
      while ((docs[place] ?? doc) < doc) place += 1;
      at[slot] = place;
      const window = windows[slot];
      if (window === undefined) continue;
      window.from = starts[place] ?? 0;
      window.to = starts[place + 1] ?? 0;
    }
    const frequency = slop === 0 ? countExact(slots, windows) : sloppy.frequency(slop);
    frequencies[candidate] = frequency;
    lengths[candidate] = lists[0]?.lengths[at[0] ?? 0] ?? 0;
    return frequency > 0;
  });
  return {
    docs: found,
    lengths: lengths.filter((_, candidate) => (frequencies[candidate] ?? 0) > 0),
    frequencies: frequencies.filter((frequency) => frequency > 0),
  };
}
