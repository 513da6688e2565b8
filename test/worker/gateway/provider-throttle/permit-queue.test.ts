// The queue: formulas first but never alone, teams in turn, room for everybody, bounded.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lane } from '../../../../worker/gateway/provider-call.ts';
import {
  MAX_WAITING,
  PermitQueue,
  type QueueEntry,
} from '../../../../worker/gateway/provider-throttle/permit-queue.ts';

const place = (team: string, calls: number, lane: Lane = 'formula'): QueueEntry => ({ team, calls, lane });

function queueOf(...places: QueueEntry[]): PermitQueue<QueueEntry> {
  const queue = new PermitQueue<QueueEntry>();
  for (const one of places) queue.add(one);
  return queue;
}

/** Teams in the order of their turns. */
function turns(queue: PermitQueue<QueueEntry>, count: number): string[] {
  return Array.from({ length: count }, () => queue.takeNext()?.team ?? '');
}

describe('teams', () => {
  it('are served in the order in which they asked, within a team', () => {
    const [first, second] = [place('team', 2), place('team', 1)];
    const queue = queueOf(first, second);
    expect([queue.takeNext(), queue.takeNext(), queue.takeNext(), queue.takeNext()]).toEqual([
      first,
      first,
      second,
      undefined,
    ]);
  });

  it('never wait for more than one turn of each other team between two of their own', () => {
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
        /** Turns of the others since a team came to wait or had its turn. */
        const since = new Map<string, string[]>();
        const waits = (name: string): boolean => [...queue.entries()].some((one) => one.team === name);
        for (const one of steps) {
          if ('add' in one) {
            if (!waits(one.add.team)) since.set(one.add.team, []);
            queue.add(place(one.add.team, one.add.calls));
          } else if ('leave' in one) {
            for (const left of [...queue.entries()].filter(({ team: of }) => of === one.leave))
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
  it('let formulas go before bulk, and bulk have one turn in ten', () => {
    const queue = queueOf(place('bulk', 100, 'bulk'), place('formula', 100));
    const order = turns(queue, 40);
    expect(order.flatMap((team, at) => (team === 'bulk' ? [at] : []))).toEqual([9, 19, 29, 39]);
  });

  it('owe bulk nothing for turns at which it did not wait', () => {
    const queue = queueOf(place('formula', 100));
    turns(queue, 50);
    queue.add(place('bulk', 5, 'bulk'));
    expect(turns(queue, 10).indexOf('bulk')).toBe(9);
  });
});

describe('how many go before', () => {
  it('is what comes to pass if nobody else asks', () => {
    const waiting = fc.array(
      fc.record({
        team: fc.constantFrom('a', 'b', 'c'),
        lane: fc.constantFrom<Lane>('formula', 'bulk'),
        calls: fc.integer({ min: 1, max: 12 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(waiting, fc.nat(20), fc.constantFrom<Lane>('formula', 'bulk'), (places, taken, lane) => {
        const queue = queueOf(...places.map((one) => ({ ...one })));
        turns(queue, taken);
        const expected = queue.countAhead('a', lane);
        const mine = place('a', 1, lane);
        queue.add(mine);
        let before = 0;
        for (let next = queue.takeNext(); next !== mine; next = queue.takeNext()) before += 1;
        expect(before).toBe(expected);
      }),
    );
  });
});

describe('a full queue', () => {
  it('never holds more than its bound, whoever comes', () => {
    const queue = new PermitQueue<QueueEntry>();
    for (let team = 0; team < 200; team += 1)
      queue.add(place(`team-${team}`, 100_000, team % 2 ? 'bulk' : 'formula'));
    expect(queue.size).toBeGreaterThan(MAX_WAITING * 0.99);
    expect(queue.size).toBeLessThanOrEqual(MAX_WAITING);
    expect(queue.add(place('one more', 10))).toBe(false);
  });

  it('takes in as many calls as fit, and leaves room for other teams and the other lane', () => {
    const queue = new PermitQueue<QueueEntry>();
    const large = place('large', 1_000_000, 'bulk');
    expect(queue.add(large)).toBe(true);
    expect(large.calls).toBe(MAX_WAITING / 2);
    expect(queue.add(place('large', 1, 'bulk'))).toBe(false);
    expect([queue.add(place('large', 1)), queue.add(place('small', 1, 'bulk'))]).toEqual([true, true]);
  });
});
