// Turns at the gate: five calls at once, no team in the way of another, nobody asked for in vain.
import { describe, expect, it } from 'vitest';
import type { Lane } from '../../../../worker/gateway/call.ts';
import { type Job, takeSeat } from '../../../../worker/gateway/flight/job.ts';
import { Turns } from '../../../../worker/gateway/flight/turns.ts';
import type { Acquire, Permit } from '../../../../worker/gateway/gate/types.ts';
import { loggedErrors } from '../../logged-errors.ts';
import { Clock } from './clock.ts';
import { enrich, IDENTITY, payer } from './world.ts';

/** One who asks the gate and waits. */
interface Asker extends Acquire {
  answer: (permit: Permit) => void;
  fail: (error: Error) => void;
}

/** Turns, and what comes of calls. */
class Bench {
  readonly clock = new Clock();
  readonly askers: Asker[] = [];
  readonly gone: Job[] = [];
  readonly told: [what: string, website: string, detail?: unknown][] = [];
  unused = 0;
  /** Grants at once what is asked. */
  generous = false;
  readonly turns = new Turns({
    now: () => this.clock.now,
    after: (ms, signal) => this.clock.after(ms, signal),
    background: (work) => void work,
    acquire: (acquire) => {
      if (this.generous) return Promise.resolve(this.permit(acquire.calls));
      const { promise, resolve, reject } = Promise.withResolvers<Permit>();
      const asker = {
        ...acquire,
        answer: (permit: Permit) => {
          this.askers.splice(this.askers.indexOf(asker), 1);
          resolve(permit);
        },
        fail: (error: Error) => {
          this.askers.splice(this.askers.indexOf(asker), 1);
          reject(error);
        },
      };
      this.askers.push(asker);
      return promise;
    },
    go: async (_team, jobs) => void this.gone.push(...jobs),
    down: (job, outage) => {
      this.told.push(['down', job.call.name, outage]);
      for (const seat of job.seats) if (!seat.left) seat.left = true;
      if (!job.seats.some(({ background }) => background)) job.over = true;
    },
    barred: (job, problem, retryAfterMs) => {
      this.told.push(['barred', problem, retryAfterMs]);
      job.over = true;
    },
    drop: (job) => {
      this.told.push(['drop', job.call.name]);
      job.over = true;
    },
    unused: (calls) => {
      this.unused += calls;
    },
  });
  #websites = 0;

  permit(granted: number, more: Partial<Permit> = {}): Permit {
    const { now } = this.clock;
    return { granted, retryAt: now, open: false, ...(granted > 0 ? { grantedAt: now } : {}), ...more };
  }

  /** Puts so many calls of a team in the queue. */
  add(team: string, calls: number, lane: Lane = 'formula', background = false): Job[] {
    return Array.from({ length: calls }, () => {
      const job: Job = {
        call: enrich(`a${this.#websites++}.com`),
        identity: IDENTITY,
        lane,
        seats: [takeSeat(payer(team), background, 0)],
        startedAt: this.clock.now,
        tries: 0,
        going: false,
        sent: false,
        over: false,
      };
      this.turns.add(job);
      return job;
    });
  }

  /** Promises that follow one another. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }

  async pass(ms: number): Promise<void> {
    this.clock.moveTo(this.clock.now + ms);
    await this.settle();
  }

  /** Ends so many calls, oldest first. */
  async end(calls: number): Promise<Job[]> {
    const ended = this.gone.splice(0, calls);
    for (const job of ended) job.over = true;
    for (const _ of ended) this.turns.release();
    await this.settle();
    return ended;
  }

  /** The teams of those who ask the gate. */
  get asking(): string[] {
    return this.askers.map(({ team, calls }) => `${team} ${calls}`);
  }

  asker(team: string): Asker {
    const asker = this.askers.find((one) => one.team === team);
    if (asker === undefined) throw new Error(`${team} does not ask`);
    return asker;
  }
}

const teamOf = (job: Job): string => job.seats[0].payer.team;

describe('connections', () => {
  it('are five at once, however many turns there are', async () => {
    const bench = new Bench();
    bench.generous = true;
    bench.add('one', 12);
    await bench.settle();
    expect(bench.gone).toHaveLength(5);
    await bench.end(2);
    expect(bench.gone).toHaveLength(5);
    for (let left = 10; left > 0; left -= 1) await bench.end(1);
    expect(bench.gone).toHaveLength(0);
    expect(bench.unused).toBe(0);
  });

  it('go to every team in turn where the provider is slow', async () => {
    const bench = new Bench();
    bench.generous = true;
    bench.add('many', 40, 'bulk');
    await bench.settle();
    bench.add('few', 4);
    await bench.settle();
    const order: string[] = [];
    while (bench.gone.length > 0) order.push(...(await bench.end(1)).map(teamOf));
    expect(order).toHaveLength(44);
    // Behind the five that were there first, no call of the small team waits for more than two of the large one.
    expect(order.lastIndexOf('few')).toBeLessThan(5 + 3 * 4);
  });

  it('that a team waits for at the gate are not kept from others', async () => {
    const bench = new Bench();
    bench.add('bulk', 100, 'bulk');
    await bench.settle();
    expect(bench.asking).toEqual(['bulk 5']);
    bench.add('formula', 3);
    await bench.settle();
    expect(bench.asking).toEqual(['bulk 5', 'formula 1']);
    bench.asker('formula').answer(bench.permit(1));
    await bench.settle();
    expect(bench.gone.map(teamOf)).toEqual(['formula']);
  });

  it('that are short let a granted call wait, and its turn is not lost', async () => {
    const bench = new Bench();
    bench.add('one', 5);
    await bench.settle();
    const [other] = bench.add('other', 1);
    await bench.settle();
    bench.asker('one').answer(bench.permit(5));
    bench.asker('other').answer(bench.permit(1));
    await bench.settle();
    expect(bench.gone.map(teamOf)).toEqual(['one', 'one', 'one', 'one', 'one']);
    await bench.end(1);
    expect(bench.gone.at(-1)).toBe(other);
    expect(bench.unused).toBe(0);
  });
});

describe('a turn', () => {
  it('is asked for once for calls that come together, and again for what was not granted', async () => {
    const bench = new Bench();
    bench.add('one', 3);
    await bench.settle();
    expect(bench.asking).toEqual(['one 3']);
    bench.asker('one').answer(bench.permit(2));
    await bench.settle();
    expect(bench.gone).toHaveLength(2);
    expect(bench.asking).toEqual(['one 1']);
  });

  it('comes sooner to background work that somebody comes to look at', async () => {
    const bench = new Bench();
    const [, , job] = bench.add('team', 3, 'bulk');
    await bench.settle();
    if (job !== undefined) bench.turns.move(job, 'formula');
    await bench.settle();
    expect(bench.askers.map(({ lane, calls }) => [lane, calls])).toEqual([
      ['bulk', 3],
      ['formula', 1],
    ]);
    for (const asker of [...bench.askers]) asker.answer(bench.permit(asker.calls));
    await bench.settle();
    expect(bench.gone).toHaveLength(3);
    expect(bench.unused).toBe(1);
  });
});

describe('where the gate has no turn', () => {
  it('it is asked again after a pause, and tells when a turn is expected', async () => {
    const bench = new Bench();
    const [job] = bench.add('one', 1);
    await bench.settle();
    bench.asker('one').answer(bench.permit(0, { retryAt: bench.clock.now + 7000 }));
    await bench.settle();
    expect(job && bench.turns.retryAt(job)).toBe(bench.clock.now + 7000);
    expect(bench.asking).toEqual([]);
    await bench.pass(400);
    expect(bench.asking).toEqual(['one 1']);
    bench.asker('one').answer(bench.permit(1));
    await bench.settle();
    expect(job && bench.turns.retryAt(job)).toBeUndefined();
  });

  // "Our own object is unreachable" and "the provider is down" are different problems. (issue 14, 5)
  it('a gate that can’t be reached is told to those who wait, and work in the background goes on later', async () => {
    const lines = loggedErrors();
    const bench = new Bench();
    bench.add('waits', 1);
    bench.add('behind', 1, 'bulk', true);
    await bench.settle();
    for (const time of [0, 400]) {
      await bench.pass(time);
      for (const asker of [...bench.askers]) asker.fail(new Error('gone'));
      await bench.settle();
    }
    const outage = { problem: 'gateway_unavailable', retryAfterMs: 400 };
    expect(bench.told.map(([what, , detail]) => [what, detail])).toEqual([
      ['down', outage],
      ['down', outage],
    ]);
    expect(bench.turns.outage(bench.clock.now)).toEqual(outage);
    expect(lines).toMatchObject(
      [1, 1, 2, 2].map((attempt) => ({ event: 'gate_unreachable', attempt, error: 'Error' })),
    );
    await bench.pass(400);
    expect(bench.asking).toEqual(['behind 1']);
    bench.asker('behind').answer(bench.permit(1));
    await bench.settle();
    expect(bench.gone.map(teamOf)).toEqual(['behind']);
  });

  it('an open breaker is told to those who wait, with when it may be better, and the rest stays', async () => {
    const bench = new Bench();
    bench.add('one', 1);
    const [behind] = bench.add('one', 1, 'formula', true);
    if (behind !== undefined) behind.seats[0].left = true;
    await bench.settle();
    bench.asker('one').answer(bench.permit(0, { open: true, retryAt: bench.clock.now + 5000 }));
    await bench.settle();
    const outage = { problem: 'provider_unavailable', retryAfterMs: 5000 };
    expect(bench.told.filter(([, name]) => name !== behind?.call.name)).toEqual([
      ['down', expect.any(String), outage],
    ]);
    expect(bench.turns.outage(bench.clock.now)).toEqual(outage);
    await bench.pass(4999);
    expect(bench.asking).toEqual([]);
    await bench.pass(1);
    expect(bench.turns.outage(bench.clock.now)).toBeUndefined();
    bench.asker('one').answer(bench.permit(1));
    await bench.settle();
    expect(bench.gone).toEqual([behind]);
  });

  it('a queue that is full is not asked without a pause', async () => {
    const bench = new Bench();
    bench.add('one', 1);
    await bench.settle();
    for (let time = 0; time < 10; time += 1) {
      expect(bench.askers).toHaveLength(1);
      bench.asker('one').answer(bench.permit(0));
      await bench.settle();
      expect(bench.askers).toHaveLength(0);
      await bench.pass(400);
    }
  });
});
