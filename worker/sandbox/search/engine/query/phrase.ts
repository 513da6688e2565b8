// Matches phrases: counts how often terms occur in sequence, or near each other with slop.

import { findEnd } from '../index/order.ts';
import type { Postings, TermIndex } from '../index/term-index.ts';
import { intersect } from './matches.ts';

/** A position of a phrase and the terms that may occur there. */
export interface Slot {
  position: number;
  ranks: readonly number[];
}

/** Documents with a phrase, ascending, and their frequencies; a sloppy match counts less than 1. */
export interface PhraseMatches {
  docs: Int32Array;
  frequencies: Float32Array;
}

/** The positions of a slot in one document: a part of an array. */
interface Window {
  positions: Int32Array;
  from: number;
  to: number;
}

/** Counts the exact occurrences of a phrase. Advances the windows. */
function countExact(slots: readonly Slot[], windows: readonly Window[]): number {
  const [first] = windows;
  if (first === undefined) return 0;
  const origin = slots[0]?.position ?? 0;
  let frequency = 0;
  for (; first.from < first.to; first.from += 1) {
    const start = (first.positions[first.from] ?? 0) - origin;
    let isMatch = true;
    for (let at = 1; isMatch && at < windows.length; at += 1) {
      const window = windows[at] ?? first;
      const expected = start + (slots[at]?.position ?? 0);
      while (window.from < window.to && (window.positions[window.from] ?? 0) < expected) window.from += 1;
      if (window.from === window.to) return frequency;
      isMatch = window.positions[window.from] === expected;
    }
    if (isMatch) frequency += 1;
  }
  return frequency;
}

/** A slot of a sloppy phrase and its current position. */
interface SlotCursor {
  slot: Slot;
  /** Positions after the current one. */
  remaining: Window;
  /** Start of the phrase if the slot's term is at its current position. */
  position: number;
  /** Slots with a common term, which could occupy the same word. */
  conflicting: SlotCursor[];
}

/** Moves a slot to its next position. */
function advanceCursor(cursor: SlotCursor): boolean {
  const { remaining, slot } = cursor;
  if (remaining.from >= remaining.to) return false;
  cursor.position = (remaining.positions[remaining.from] ?? 0) - slot.position;
  remaining.from += 1;
  return true;
}

function isBefore(a: SlotCursor, b: SlotCursor): boolean {
  return a.position < b.position || (a.position === b.position && a.slot.position < b.slot.position);
}

function findFirst(cursors: readonly SlotCursor[], except?: SlotCursor): SlotCursor | undefined {
  let result: SlotCursor | undefined;
  for (const cursor of cursors) {
    if (cursor !== except && (result === undefined || isBefore(cursor, result))) result = cursor;
  }
  return result;
}

/** Finds a slot on the same word. */
function findConflict({ position, slot, conflicting }: SlotCursor): SlotCursor | undefined {
  for (const conflict of conflicting) {
    if (conflict.position + conflict.slot.position === position + slot.position) return conflict;
  }
  return undefined;
}

/** Matches a sloppy phrase in a document by Lucene's algorithm, so that the same windows count. */
class SloppyMatcher {
  readonly #cursors: readonly SlotCursor[];
  #end = 0;

  /** @param windows - the slots' windows; the caller sets them for each document */
  constructor(slots: readonly Slot[], windows: readonly Window[]) {
    this.#cursors = windows.flatMap((remaining, at) => {
      const slot = slots[at];
      return slot === undefined ? [] : [{ slot, remaining, position: 0, conflicting: [] }];
    });
    for (const cursor of this.#cursors) {
      cursor.conflicting = this.#cursors.filter(
        (other) => other !== cursor && other.slot.ranks.some((rank) => cursor.slot.ranks.includes(rank)),
      );
    }
  }

  /** Returns the sum of 1 / (1 + distance) over the matching windows. */
  computeFrequency(slop: number): number {
    if (!this.#moveToStart()) return 0;
    let frequency = 0;
    for (;;) {
      const cursor = findFirst(this.#cursors);
      if (cursor === undefined) return frequency;
      const limit = findFirst(this.#cursors, cursor)?.position ?? 0;
      let length = this.#end - cursor.position;
      let hasMore = this.#advance(cursor) && this.#resolveConflicts(cursor);
      while (hasMore && cursor.position <= limit) {
        length = Math.min(length, this.#end - cursor.position);
        hasMore = this.#advance(cursor) && this.#resolveConflicts(cursor);
      }
      if (length <= slop) frequency = Math.fround(frequency + Math.fround(1 / (1 + length)));
      if (!hasMore) return frequency;
    }
  }

  /** Moves each slot to its first position, so that no two share a word. */
  #moveToStart(): boolean {
    this.#end = Number.NEGATIVE_INFINITY;
    for (const cursor of this.#cursors) if (!advanceCursor(cursor)) return false;
    for (let isSettled = false; !isSettled; ) {
      isSettled = true;
      for (const cursor of this.#cursors) {
        const conflict = findConflict(cursor);
        if (conflict === undefined) continue;
        isSettled = false;
        if (!advanceCursor(isBefore(cursor, conflict) ? cursor : conflict)) return false;
      }
    }
    for (const { position } of this.#cursors) this.#end = Math.max(this.#end, position);
    return true;
  }

  #advance(cursor: SlotCursor): boolean {
    if (!advanceCursor(cursor)) return false;
    this.#end = Math.max(this.#end, cursor.position);
    return true;
  }

  /** Resolves slots on the same word: the earlier one advances. */
  #resolveConflicts(moved: SlotCursor): boolean {
    let cursor = moved;
    for (let conflict = findConflict(cursor); conflict !== undefined; conflict = findConflict(cursor)) {
      cursor = isBefore(cursor, conflict) ? cursor : conflict;
      if (!this.#advance(cursor)) return false;
    }
    return true;
  }
}

/** Merges the postings of several terms as if they were one term. */
function mergePostings(lists: readonly Postings[]): Postings {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only;
  const byDoc = new Map<number, number[]>();
  for (const { docs, starts, positions } of lists) {
    for (const [at, doc] of docs.entries()) {
      const merged = byDoc.get(doc) ?? [];
      merged.push(...positions.subarray(starts[at], starts[at + 1]));
      byDoc.set(doc, merged);
    }
  }
  const docs = Int32Array.from(byDoc.keys()).sort();
  const positions: number[] = [];
  const starts = [0];
  for (const doc of docs) {
    positions.push(...(byDoc.get(doc) ?? []).sort((a, b) => a - b));
    starts.push(positions.length);
  }
  return { docs, starts: Int32Array.from(starts), positions: Int32Array.from(positions) };
}

/**
 * Finds the documents with a phrase.
 * @param slots - at least one, in the order of the phrase
 * @param slop - maximum total distance of the terms from their positions
 */
export function matchPhrase(slots: readonly Slot[], field: TermIndex, slop: number): PhraseMatches {
  const lists = slots.map(({ ranks }) => mergePostings(ranks.map((rank) => field.getPostings(rank))));
  const windows = lists.map(({ positions }): Window => ({ positions, from: 0, to: 0 }));
  const sloppy = new SloppyMatcher(slots, windows);
  const found: { doc: number; frequency: number }[] = [];
  for (const doc of intersect(lists.map((list) => list.docs))) {
    for (const [slot, { docs, starts }] of lists.entries()) {
      const window = windows[slot];
      if (window === undefined) continue;
      const at = findEnd(docs, (other) => other < doc);
      window.from = starts[at] ?? 0;
      window.to = starts[at + 1] ?? 0;
    }
    const frequency = slop === 0 ? countExact(slots, windows) : sloppy.computeFrequency(slop);
    if (frequency > 0) found.push({ doc, frequency });
  }
  return {
    docs: Int32Array.from(found, ({ doc }) => doc),
    frequencies: Float32Array.from(found, ({ frequency }) => frequency),
  };
}
