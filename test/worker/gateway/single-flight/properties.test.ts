// Whoever asks, answers, fails, refuses, waits or dies, in any order: nothing is sent twice that may have been charged, all
// that was charged is booked, and nobody is left without an answer.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  call,
  company,
  enrich,
  missing,
  type PendingResponse,
  payer,
  type SingleFlightHarness,
  withHarness,
} from './harness.ts';

const KEEP_MS = 600_000;
const WAIT_MS = 25_000;

/** Two websites and the id of one and the same record; the rest are strangers. */
const calls = [
  enrich('a1.com'),
  enrich('b2.com'),
  enrich('c3.com'),
  call('company_clean', 'id', '1'),
  call('company_clean', 'shorthand_name', 'd'),
];
const keyOf = ['a1.com', 'b2.com', 'c3.com', '1', 'd'];

const answers = {
  record: (key: string) => company(key === '1' ? 'a1.com' : key),
  missing: () => missing(),
  refused: () => Response.json({ detail: [{ loc: ['query'], msg: 'x', type: 'y' }] }, { status: 422 }),
  limited: () => Response.json({ message: 'API rate limit exceeded' }, { status: 429 }),
  down: () => new Response('', { status: 503 }),
  garbled: () => new Response('<html>'),
} as const;

const nth = fc.nat({ max: 4 });
const team = fc.constantFrom('one', 'two');
const loss = fc.constantFrom('before' as const, 'after' as const);

type Step =
  | { do: 'ask'; keys: number[]; team: string; background: boolean; waitMs: number; younger: boolean }
  | { do: 'answer'; nth: number; with: keyof typeof answers | 'nothing' }
  | { do: 'budget'; team: string; outcome: 'over_budget' | 'wait' | 'held' }
  | { do: 'lose'; what: 'reserve' | 'settle'; how: 'before' | 'after' }
  | { do: 'gate'; answer: 'grants' | 'fails' | 'open' | 'full' | 'one' }
  | { do: 'kv'; failing: boolean }
  | { do: 'd1'; down: boolean }
  | { do: 'pass'; ms: number }
  | { do: 'kill' };

const ask = (waitMs: number): fc.Arbitrary<Step> =>
  fc.record({
    do: fc.constant('ask'),
    keys: fc.uniqueArray(nth, { minLength: 1, maxLength: 5 }),
    team,
    background: fc.boolean(),
    waitMs: fc.constantFrom(0, 500, waitMs),
    younger: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
const answer: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('answer'),
  nth,
  with: fc.constantFrom(
    'record' as const,
    'record' as const,
    'missing' as const,
    'refused' as const,
    'limited' as const,
    'down' as const,
    'garbled' as const,
    'nothing' as const,
  ),
});
const pass: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('pass'),
  ms: fc.constantFrom(10, 500, 3100, 20_000),
});
const trouble: fc.Arbitrary<Step>[] = [
  fc.record({
    do: fc.constant('budget'),
    team,
    outcome: fc.constantFrom('over_budget' as const, 'wait' as const, 'held' as const),
  }),
  fc.record({
    do: fc.constant('lose'),
    what: fc.constantFrom('reserve' as const, 'settle' as const),
    how: loss,
  }),
  fc.record({
    do: fc.constant('gate'),
    answer: fc.constantFrom(
      'grants' as const,
      'grants' as const,
      'fails' as const,
      'open' as const,
      'full' as const,
      'one' as const,
    ),
  }),
  fc.record({ do: fc.constant('kv'), failing: fc.boolean() }),
  fc.record({ do: fc.constant('d1'), down: fc.boolean() }),
];
const kill: fc.Arbitrary<Step> = fc.record({ do: fc.constant('kill') });

/** What is known of a name from what went over the wire. */
interface Known {
  /** Since when nobody may send it again: it is on its way, was answered or is unclear. */
  closedAt?: number;
  answered: boolean;
}

/** Watches what is sent and refuses what must not be. */
class Watch {
  readonly #world: SingleFlightHarness;
  readonly #known = new Map<string, Known>();
  readonly askings: { asking: PendingResponse; dueAt: number; killed: boolean }[] = [];
  /** Credits of rows that were told. */
  told = 0;
  lost = false;

  constructor(world: SingleFlightHarness) {
    this.#world = world;
    const { fetch } = world.provider;
    world.provider.fetch = (request, now) => {
      const sent = fetch.call(world.provider, request, now);
      const key = world.provider.sent.at(-1)?.key ?? '';
      const known = this.#known.get(key);
      const closed = known?.closedAt !== undefined && now - known.closedAt < KEEP_MS;
      if (closed && !(known.answered && this.younger.has(key))) {
        throw new Error(`${key} was sent again after ${now - (known.closedAt ?? 0)} ms`);
      }
      if (world.ledgers.unsettled < 1) throw new Error(`${key} was sent and nothing is held`);
      this.#known.set(key, { closedAt: now, answered: false });
      return sent;
    };
  }

  /** Keys that somebody wanted younger than they were. */
  readonly younger = new Set<string>();

  answered(key: string, how: keyof typeof answers | 'nothing'): void {
    const charged = how === 'record' || how === 'missing';
    if (charged) this.#known.set(key, { closedAt: this.#world.clock.now, answered: true });
    else if (how !== 'garbled' && how !== 'nothing') this.#known.delete(key);
  }
}

async function run(world: SingleFlightHarness, steps: readonly Step[]): Promise<Watch> {
  const watch = new Watch(world);
  const budgets = new Map<string, 'over_budget' | 'wait' | 'held'>();
  let waits = 0;
  world.ledgers.judge = (of) => {
    const outcome = budgets.get(of);
    if (outcome !== 'wait') return outcome;
    // Open holds are resolved in the end.
    waits += 1;
    return waits % 3 === 0 ? 'held' : 'wait';
  };
  const { clock, provider } = world;
  const refusal = { granted: 0, retryAt: clock.now, isBreakerOpen: false };
  for (const step of steps) {
    switch (step.do) {
      case 'ask': {
        const since = step.younger ? clock.now : 0;
        if (step.younger) for (const at of step.keys) watch.younger.add(keyOf[at] ?? '');
        const asked = step.keys.flatMap((at) => calls[at] ?? []).map((one) => ({ ...one, since }));
        const { background, waitMs } = step;
        const asking = world.ask(asked, { payer: payer(step.team), background, waitMs });
        watch.askings.push({ asking, dueAt: clock.now + waitMs, killed: false });
        break;
      }
      case 'answer': {
        const sent = provider.open[step.nth % Math.max(1, provider.open.length)];
        if (sent === undefined) break;
        watch.answered(sent.key, step.with);
        if (step.with === 'nothing') sent.fail(new DOMException('', 'TimeoutError'));
        else sent.answer(answers[step.with](sent.key));
        break;
      }
      case 'budget':
        budgets.set(step.team, step.outcome);
        break;
      case 'lose':
        world.ledgers.losses[step.what].push(step.how);
        break;
      case 'gate':
        world.gate.answer = ({ calls: wanted }) => {
          const { now } = clock;
          if (step.answer === 'fails') throw new Error('the gate is gone');
          if (step.answer === 'open') return { ...refusal, retryAt: now + 2000, isBreakerOpen: true };
          if (step.answer === 'full') return { ...refusal, retryAt: now + 1000 };
          if (step.answer === 'grants') return undefined;
          return { granted: Math.min(1, wanted), grantedAt: now, retryAt: now, isBreakerOpen: false };
        };
        break;
      case 'kv':
        world.kv.failing = step.failing;
        break;
      case 'd1':
        world.d1 = step.down ? 'down' : 'up';
        break;
      case 'pass':
        await world.pass(step.ms);
        break;
      case 'kill':
        for (const entry of watch.askings) entry.killed ||= entry.asking.rows === undefined;
        watch.lost = true;
        world.kill();
        break;
    }
    await world.settle();
    const late = watch.askings.filter(
      ({ asking, killed, dueAt }) =>
        !killed && dueAt < clock.now && asking.rows === undefined && asking.error === undefined,
    );
    if (late.length > 0) throw new Error(`no answer at ${clock.now - (late[0]?.dueAt ?? 0)} ms`);
  }
  // In the end everything works, and all calls are answered.
  Object.assign(world.gate, { answer: () => undefined });
  Object.assign(world.ledgers.losses, { reserve: [], settle: [] });
  budgets.clear();
  world.kv.failing = false;
  world.d1 = 'up';
  for (let round = 0; round < 4; round += 1) {
    for (const sent of [...provider.open]) {
      watch.answered(sent.key, 'record');
      sent.answer(answers.record(sent.key));
    }
    await world.pass(8000);
  }
  return watch;
}

const settings = { numRuns: 25, endOnFailure: true };

describe('a flight', () => {
  it('sends nothing again that may have been charged, and books all that was, whatever fails', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: ask(WAIT_MS) },
      { weight: 8, arbitrary: answer },
      { weight: 3, arbitrary: pass },
      ...trouble,
      kill,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) =>
        withHarness(async (world) => {
          const watch = await run(world, steps);
          const { ledgers, provider, store } = world;
          // Never less than the provider charged, and nothing is left open.
          expect(ledgers.spent).toBeGreaterThanOrEqual(provider.charged * 10);
          expect(store.listSettlements().size).toBe(0);
          expect(store.hasPendingWork()).toBe(false);
          if (!watch.lost) expect(ledgers.unsettled).toBe(0);
          const { stay } = { stay: world.sql.exec('SELECT * FROM sent').toArray() };
          expect(stay).toEqual([]);
          // Whoever was answered was told of no more credits than were booked.
          const told = watch.askings.flatMap(({ asking }) => asking.rows ?? []);
          expect(told.reduce((sum, { credits }) => sum + credits, 0)).toBeLessThanOrEqual(ledgers.spent);
        }),
      ),
      settings,
    );
  });

  it('tells those who wait of every credit, and settles exactly that, where nobody leaves or dies', async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: ask(3_600_000).map((one) => ({ ...one, background: false, waitMs: 3_600_000 })),
      },
      { weight: 8, arbitrary: answer },
      { weight: 3, arbitrary: pass },
      ...trouble,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), (steps) =>
        withHarness(async (world) => {
          const watch = await run(world, steps);
          const rows = watch.askings.flatMap(({ asking }) => asking.rows ?? []);
          expect(watch.askings.every(({ asking }) => asking.rows ?? asking.error)).toBe(true);
          expect(rows.reduce((sum, { credits }) => sum + credits, 0)).toBe(world.ledgers.spent);
          expect([world.ledgers.unsettled, world.gate.out]).toEqual([0, 0]);
        }),
      ),
      settings,
    );
  });
});
