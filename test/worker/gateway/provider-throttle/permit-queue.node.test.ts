// The permit queue: formula calls first, bulk calls not starved, teams in turn, bounded.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lane } from '../../../../worker/gateway/provider-call.ts';
import {
  MAX_WAITING,
  PermitQueue,
  type QueueEntry,
} from '../../../../worker/gateway/provider-throttle/permit-queue.ts';

const createEntry = (team: string, calls: number, lane: Lane = 'formula'): QueueEntry => ({
  team,
  calls,
  lane,
});

function createQueue(...entries: QueueEntry[]): PermitQueue<QueueEntry> {
  const queue = new PermitQueue<QueueEntry>();
  for (const entry of entries) queue.add(entry);
  return queue;
}

/** Takes calls and returns their teams. */
function takeTeams(queue: PermitQueue<QueueEntry>, count: number): string[] {
  return Array.from({ length: count }, () => queue.takeNext()?.team ?? '');
}

describe('teams', () => {
  it('serves a team first in, first out', () => {
    const [first, second] = [createEntry('team', 2), createEntry('team', 1)];
    const queue = createQueue(first, second);
    expect([queue.takeNext(), queue.takeNext(), queue.takeNext(), queue.takeNext()]).toEqual([
      first,
      first,
      second,
      undefined,
    ]);
  });

  it('serves every other team at most once between two calls of a team', () => {
    const team = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ add: fc.record({ team, calls: fc.integer({ min: 1, max: 9 }) }) }),
      fc.constant({ take: true }),
      fc.constant({ take: true }),
      fc.record({ leave: team }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const queue = new PermitQueue<QueueEntry>();
        /** Teams served since a team started waiting or was served. */
        const since = new Map<string, string[]>();
        const waits = (name: string): boolean => [...queue.entries()].some((entry) => entry.team === name);
        for (const entry of steps) {
          if ('add' in entry) {
            if (!waits(entry.add.team)) since.set(entry.add.team, []);
            queue.add(createEntry(entry.add.team, entry.add.calls));
          } else if ('leave' in entry) {
            for (const left of [...queue.entries()].filter(({ team }) => team === entry.leave))
              queue.remove(left);
          } else {
            const served = queue.takeNext();
            if (served === undefined) {
              expect(queue.size).toBe(0);
              continue;
            }
            for (const [name, others] of since)
              if (name !== served.team && waits(name)) others.push(served.team);
            since.set(served.team, []);
          }
          for (const others of since.values()) expect(new Set(others).size).toBe(others.length);
        }
      }),
    );
  });
});

describe('lanes', () => {
  it('serve one bulk call after nine formula calls', () => {
    const queue = createQueue(createEntry('bulk', 100, 'bulk'), createEntry('formula', 100));
    const order = takeTeams(queue, 40);
    expect(order.flatMap((team, at) => (team === 'bulk' ? [at] : []))).toEqual([9, 19, 29, 39]);
  });

  it('count only formula calls served while bulk calls waited', () => {
    const queue = createQueue(createEntry('formula', 100));
    takeTeams(queue, 50);
    queue.add(createEntry('bulk', 5, 'bulk'));
    expect(takeTeams(queue, 10).indexOf('bulk')).toBe(9);
  });
});

describe('countAhead', () => {
  it('predicts the calls before a new one if no others arrive', () => {
    const waiting = fc.array(
      fc.record({
        team: fc.constantFrom('a', 'b', 'c'),
        lane: fc.constantFrom<Lane>('formula', 'bulk'),
        calls: fc.integer({ min: 1, max: 12 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(waiting, fc.nat(20), fc.constantFrom<Lane>('formula', 'bulk'), (entries, taken, lane) => {
        const queue = createQueue(...entries.map((entry) => ({ ...entry })));
        takeTeams(queue, taken);
        const expected = queue.countAhead('a', lane);
        const mine = createEntry('a', 1, lane);
        queue.add(mine);
        let before = 0;
        for (let next = queue.takeNext(); next !== mine; next = queue.takeNext()) before += 1;
        expect(before).toBe(expected);
      }),
    );
  });
});

describe('a full queue', () => {
  it('never exceeds its limit', () => {
    const queue = new PermitQueue<QueueEntry>();
    for (let team = 0; team < 200; team += 1)
      queue.add(createEntry(`team-${team}`, 100_000, team % 2 ? 'bulk' : 'formula'));
    expect(queue.size).toBeGreaterThan(MAX_WAITING * 0.99);
    expect(queue.size).toBeLessThanOrEqual(MAX_WAITING);
    expect(queue.add(createEntry('one more', 10))).toBe(false);
  });

  it('accepts as many calls as fit, and leaves room for other teams and the other lane', () => {
    const queue = new PermitQueue<QueueEntry>();
    const large = createEntry('large', 1_000_000, 'bulk');
    expect(queue.add(large)).toBe(true);
    expect(large.calls).toBe(MAX_WAITING / 2);
    expect(queue.add(createEntry('large', 1, 'bulk'))).toBe(false);
    expect([queue.add(createEntry('large', 1)), queue.add(createEntry('small', 1, 'bulk'))]).toEqual([
      true,
      true,
    ]);
  });
});
