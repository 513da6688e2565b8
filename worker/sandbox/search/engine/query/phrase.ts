// Phrases: how often terms stand in a document one behind the other, or, with slop, near each other.
import { intersect } from './matches.ts';
import { mergePlaces, type PlacedPostings } from '../codec/positions.ts';

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
  places: Int32Array;
  from: number;
  to: number;
}

/** How often the slots' terms stand exactly at their distances. Leaves `from` where it has looked. */
function exactFrequency(slots: readonly Slot[], windows: readonly Window[]): number {
  const [first] = windows;
  if (first === undefined) return 0;
  const origin = slots[0]?.position ?? 0;
  let frequency = 0;
  for (; first.from < first.to; first.from += 1) {
    const start = (first.places[first.from] ?? 0) - origin;
    let stands = true;
    for (let at = 1; stands && at < windows.length; at += 1) {
      const window = windows[at] ?? first;
      const wanted = start + (slots[at]?.position ?? 0);
      while (window.from < window.to && (window.places[window.from] ?? 0) < wanted) window.from += 1;
      if (window.from === window.to) return frequency;
      stands = window.places[window.from] === wanted;
    }
    if (stands) frequency += 1;
  }
  return frequency;
}

/** One slot of a sloppy phrase, at one of its places. */
interface Walker {
  slot: Slot;
  /** Places that are still to come. */
  ahead: Window;
  /** Where the phrase would begin by the place. */
  position: number;
  /** The others that may stand on its words. */
  rivals: Walker[];
}

/** Moves a slot to its next place. */
function advance(walker: Walker): boolean {
  const { ahead, slot } = walker;
  if (ahead.from >= ahead.to) return false;
  walker.position = (ahead.places[ahead.from] ?? 0) - slot.position;
  ahead.from += 1;
  return true;
}

function isBefore(a: Walker, b: Walker): boolean {
  return a.position < b.position || (a.position === b.position && a.slot.position < b.slot.position);
}

function foremost(walkers: readonly Walker[], except?: Walker): Walker | undefined {
  let found: Walker | undefined;
  for (const walker of walkers) {
    if (walker !== except && (found === undefined || isBefore(walker, found))) found = walker;
  }
  return found;
}

/** One that stands on the same word. */
function rivalOf({ position, slot, rivals }: Walker): Walker | undefined {
  for (const rival of rivals) {
    if (rival.position + rival.slot.position === position + slot.position) return rival;
  }
  return undefined;
}

/** Walks the places of a sloppy phrase in a document, the way Lucene does, so that the same windows count. */
class SloppyWalk {
  readonly #walkers: readonly Walker[];
  #end = 0;

  /** @param windows - of the slots, set anew before each document */
  constructor(slots: readonly Slot[], windows: readonly Window[]) {
    this.#walkers = windows.flatMap((ahead, at) => {
      const slot = slots[at];
      return slot === undefined ? [] : [{ slot, ahead, position: 0, rivals: [] }];
    });
    for (const walker of this.#walkers) {
      walker.rivals = this.#walkers.filter(
        (other) => other !== walker && other.slot.terms.some((term) => walker.slot.terms.includes(term)),
      );
    }
  }

  /** The sum over the matching windows of 1 / (1 + how far its terms are from their places). */
  frequency(slop: number): number {
    if (!this.#start()) return 0;
    let frequency = 0;
    for (;;) {
      const walker = foremost(this.#walkers);
      if (walker === undefined) return frequency;
      const limit = foremost(this.#walkers, walker)?.position ?? 0;
      let length = this.#end - walker.position;
      let more = this.#advance(walker) && this.#separate(walker);
      while (more && walker.position <= limit) {
        length = Math.min(length, this.#end - walker.position);
        more = this.#advance(walker) && this.#separate(walker);
      }
      if (length <= slop) frequency = Math.fround(frequency + Math.fround(1 / (1 + length)));
      if (!more) return frequency;
    }
  }

  /** Puts each slot on its first place, on a word of its own. */
  #start(): boolean {
    this.#end = Number.NEGATIVE_INFINITY;
    for (const walker of this.#walkers) if (!advance(walker)) return false;
    for (let settled = false; !settled; ) {
      settled = true;
      for (const walker of this.#walkers) {
        const rival = rivalOf(walker);
        if (rival === undefined) continue;
        settled = false;
        if (!advance(isBefore(walker, rival) ? walker : rival)) return false;
      }
    }
    for (const { position } of this.#walkers) this.#end = Math.max(this.#end, position);
    return true;
  }

  #advance(walker: Walker): boolean {
    if (!advance(walker)) return false;
    this.#end = Math.max(this.#end, walker.position);
    return true;
  }

  /** No two slots stand on one word: of two that do, the one further in front goes on. */
  #separate(moved: Walker): boolean {
    let walker = moved;
    for (let rival = rivalOf(walker); rival !== undefined; rival = rivalOf(walker)) {
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
export function phraseMatches(
  slots: readonly Slot[],
  postingsOf: (term: string) => PlacedPostings,
  slop: number,
  size: number,
): PhraseMatches {
  const lists = slots.map(({ terms }) => mergePlaces(terms.map(postingsOf), size));
  const candidates = intersect(lists.map((list) => list.docs));
  const windows = lists.map(({ places }): Window => ({ places, from: 0, to: 0 }));
  const sloppy = new SloppyWalk(slots, windows);
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
    const frequency = slop === 0 ? exactFrequency(slots, windows) : sloppy.frequency(slop);
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
