// Under random requests, responses, failures and crashes, no charge is made twice or lost, and no response is late.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildCall, buildPayer, companyResponse, enrichCall, notFoundResponse } from './builders.ts';
import { type PendingResponse, type SingleFlightHarness, withHarness } from './harness.ts';

const KEEP_MS = 600_000;
const WAIT_MS = 25_000;

/** Calls by the key that the provider sees. `a1.com` and `1` are the same record. */
const calls = {
  'a1.com': enrichCall('a1.com'),
  'b2.com': enrichCall('b2.com'),
  'c3.com': enrichCall('c3.com'),
  '1': buildCall('company_clean', 'id', '1'),
  d: buildCall('company_clean', 'shorthand_name', 'd'),
} as const;
type Key = keyof typeof calls;
const keys: Key[] = ['a1.com', 'b2.com', 'c3.com', '1', 'd'];

const respondWithRecord = (key: string) => companyResponse(key === '1' ? 'a1.com' : key);
const responses = {
  record: respondWithRecord,
  missing: () => notFoundResponse(),
  refused: () => Response.json({ detail: [{ loc: ['query'], msg: 'x', type: 'y' }] }, { status: 422 }),
  rateLimited: () => Response.json({ message: 'API rate limit exceeded' }, { status: 429 }),
  unavailable: () => new Response('', { status: 503 }),
  unreadable: () => new Response('<html>'),
} as const;
type ResponseKind = keyof typeof responses | 'timeout';

const budgets = ['over_budget', 'wait', 'reserved'] as const;
type Budget = (typeof budgets)[number];
type Step =
  | { do: 'request'; keys: Key[]; team: string; background: boolean; waitMs: number; younger: boolean }
  | { do: 'respond'; index: number; kind: ResponseKind }
  | { do: 'setBudget'; team: string; budget: Budget }
  | { do: 'loseLedger'; request: 'reserve' | 'settle'; loss: 'before' | 'after' }
  | { do: 'setThrottle'; mode: 'grant' | 'fail' | 'open' | 'full' | 'one' }
  | { do: 'setKv'; isDown: boolean }
  | { do: 'setD1'; isDown: boolean }
  | { do: 'advance'; ms: number }
  | { do: 'crash' };

const step = <Kind extends Step['do']>(
  kind: Kind,
  fields: { [Name in Exclude<keyof Extract<Step, { do: Kind }>, 'do'>]: fc.Arbitrary<unknown> },
  weight = 1,
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<Step>,
});
const team = fc.constantFrom('one', 'two');
const requestStep = (waitMs: fc.Arbitrary<number>, background: fc.Arbitrary<boolean>) =>
  step(
    'request',
    {
      keys: fc.uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 5 }),
      team,
      background,
      waitMs,
      younger: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    },
    6,
  );
const kinds = [
  'record',
  'record',
  'missing',
  'refused',
  'rateLimited',
  'unavailable',
  'unreadable',
  'timeout',
];
const commonSteps = [
  step('respond', { index: fc.nat({ max: 4 }), kind: fc.constantFrom(...kinds) }, 8),
  step('advance', { ms: fc.constantFrom(10, 500, 3100, 20_000) }, 3),
  step('setBudget', { team, budget: fc.constantFrom(...budgets) }),
  step('loseLedger', {
    request: fc.constantFrom('reserve', 'settle'),
    loss: fc.constantFrom('before', 'after'),
  }),
  step('setThrottle', { mode: fc.constantFrom('grant', 'grant', 'fail', 'open', 'full', 'one') }),
  step('setKv', { isDown: fc.boolean() }),
  step('setD1', { isDown: fc.boolean() }),
];
const crash = step('crash', {});

/** Runs steps and throws as soon as a call is sent that must not be sent, or a response is late. */
class Simulation {
  hasCrashed = false;
  readonly requests: { pending: PendingResponse; dueAt: number; isLost: boolean }[] = [];
  readonly #harness: SingleFlightHarness;
  readonly #budgets = new Map<string, Budget>();
  /** Calls that must not be sent again: they are in flight, answered or unclear. */
  readonly #closed = new Map<string, { at: number; isAnswered: boolean }>();
  /** Keys that were requested younger than they are. */
  readonly #younger = new Set<string>();
  #waits = 0;

  constructor(harness: SingleFlightHarness) {
    this.#harness = harness;
    const { provider, ledgers, clock } = harness;
    const fetch = provider.fetch.bind(provider);
    provider.fetch = (request) => {
      const response = fetch(request);
      this.#checkSent(provider.sent.at(-1)?.key ?? '', clock.now);
      return response;
    };
    ledgers.decide = (payingTeam) => {
      const budget = this.#budgets.get(payingTeam);
      if (budget !== 'wait') return budget;
      // Open reservations end after a while.
      this.#waits += 1;
      return this.#waits % 3 === 0 ? 'reserved' : 'wait';
    };
  }

  #checkSent(key: string, now: number): void {
    const closed = this.#closed.get(key);
    const isClosed = closed !== undefined && now - closed.at < KEEP_MS;
    if (isClosed && !(closed.isAnswered && this.#younger.has(key))) {
      throw new Error(`${key} was sent again after ${now - closed.at} ms`);
    }
    if (this.#harness.ledgers.unsettled < 1) throw new Error(`${key} was sent without a reservation`);
    this.#closed.set(key, { at: now, isAnswered: false });
  }

  async run(steps: readonly Step[]): Promise<void> {
    const { clock } = this.#harness;
    for (const each of steps) {
      await this.#runStep(each);
      await this.#harness.flush();
      const late = this.requests.find(
        ({ pending: { rows, error }, isLost, dueAt }) =>
          !isLost && dueAt < clock.now && rows === undefined && error === undefined,
      );
      if (late !== undefined) throw new Error(`a response is ${clock.now - late.dueAt} ms late`);
    }
    await this.#recover();
  }

  async #runStep(each: Step): Promise<void> {
    const { clock, provider, ledgers, throttle, kv } = this.#harness;
    const refused = { granted: 0, retryAt: clock.now, isBreakerOpen: false };
    switch (each.do) {
      case 'request': {
        const since = each.younger ? clock.now : 0;
        if (each.younger) for (const key of each.keys) this.#younger.add(key);
        const { background, waitMs } = each;
        const requested = each.keys.map((key) => ({ ...calls[key], since }));
        const options = { payer: buildPayer(each.team), background, waitMs };
        const pending = this.#harness.request(requested, options);
        this.requests.push({ pending, dueAt: clock.now + waitMs, isLost: false });
        return;
      }
      case 'respond': {
        const sent = provider.open[each.index % Math.max(1, provider.open.length)];
        if (sent !== undefined) this.#respond(sent, each.kind);
        return;
      }
      case 'setBudget':
        this.#budgets.set(each.team, each.budget);
        return;
      case 'loseLedger':
        ledgers.losses[each.request].push(each.loss);
        return;
      case 'setThrottle':
        throttle.decide = ({ calls: count }) => {
          const { now } = clock;
          if (each.mode === 'fail') throw new Error('the throttle is unreachable');
          if (each.mode === 'open') return { ...refused, retryAt: now + 2000, isBreakerOpen: true };
          if (each.mode === 'full') return { ...refused, retryAt: now + 1000 };
          if (each.mode === 'grant') return undefined;
          return { ...refused, granted: Math.min(1, count), grantedAt: now, retryAt: now };
        };
        return;
      case 'setKv':
        kv.isDown = each.isDown;
        return;
      case 'setD1':
        this.#harness.isD1Down = each.isDown;
        return;
      case 'advance':
        return this.#harness.advance(each.ms);
      case 'crash':
        for (const request of this.requests) request.isLost ||= request.pending.rows === undefined;
        this.hasCrashed = true;
        this.#harness.crash();
    }
  }

  #respond(sent: SingleFlightHarness['provider']['sent'][number], kind: ResponseKind): void {
    const { now } = this.#harness.clock;
    if (kind === 'record' || kind === 'missing') this.#closed.set(sent.key, { at: now, isAnswered: true });
    else if (kind !== 'unreadable' && kind !== 'timeout') this.#closed.delete(sent.key);
    if (kind === 'timeout') sent.fail(new DOMException('', 'TimeoutError'));
    else sent.answer(responses[kind](sent.key));
  }

  /** Ends all failures and answers all calls. */
  async #recover(): Promise<void> {
    const { throttle, ledgers, provider, kv } = this.#harness;
    throttle.decide = () => undefined;
    ledgers.losses = { reserve: [], settle: [] };
    this.#budgets.clear();
    kv.isDown = false;
    this.#harness.isD1Down = false;
    for (let round = 0; round < 4; round += 1) {
      for (const sent of [...provider.open]) this.#respond(sent, 'record');
      await this.#harness.advance(8000);
    }
  }

  /** Credits of all responses. */
  get reportedCredits(): number {
    return this.requests
      .flatMap(({ pending }) => pending.rows ?? [])
      .reduce((sum, { credits }) => sum + credits, 0);
  }
}

/** Checks a property after random steps. */
const checkProperty = (
  steps: fc.WeightedArbitrary<Step>[],
  check: (simulation: Simulation, harness: SingleFlightHarness) => void,
) =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...steps), { minLength: 5, maxLength: 25 }), (each) =>
      withHarness(async (harness) => {
        const simulation = new Simulation(harness);
        await simulation.run(each);
        check(simulation, harness);
      }),
    ),
    { numRuns: 10, endOnFailure: true },
  );

it('sends no call again that may have been charged, and books every charge, whatever fails', () =>
  checkProperty(
    [requestStep(fc.constantFrom(0, 500, WAIT_MS), fc.boolean()), ...commonSteps, crash],
    (simulation, { ledgers, provider, store, sql }) => {
      expect(ledgers.spent).toBeGreaterThanOrEqual(provider.charged * 10);
      expect(simulation.reportedCredits).toBeLessThanOrEqual(ledgers.spent);
      expect([store.listSettlements().size, store.hasPendingWork()]).toEqual([0, false]);
      expect(sql.exec('SELECT * FROM purchases').toArray()).toEqual([]);
      if (!simulation.hasCrashed) expect(ledgers.unsettled).toBe(0);
    },
  ));

it('reports every credit to the requests that wait, and settles exactly those, without crashes', () =>
  checkProperty(
    [requestStep(fc.constant(3_600_000), fc.constant(false)), ...commonSteps],
    (simulation, { ledgers, throttle }) => {
      expect(simulation.requests.every(({ pending }) => pending.rows ?? pending.error)).toBe(true);
      expect(simulation.reportedCredits).toBe(ledgers.spent);
      expect([ledgers.unsettled, throttle.openPermits]).toEqual([0, 0]);
    },
  ));
