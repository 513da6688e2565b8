// How flights are reached: one question to each that is concerned, once more where one died.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { fetchCalls } from '../../../../worker/gateway/single-flight/client.ts';
import type {
  SingleFlightRequest,
  SingleFlightResponse,
} from '../../../../worker/gateway/single-flight/types.ts';
import { captureErrorLog } from '../../logged-errors.ts';
import { enrich, IDENTITY, payer } from './harness.ts';

/** Flights that answer as a test says, and what they were asked. */
function flights(
  answer: (
    name: string,
    ask: SingleFlightRequest,
    time: number,
  ) => SingleFlightResponse | Promise<SingleFlightResponse>,
) {
  const asked: [flight: string, calls: string[]][] = [];
  const erased: [flight: string, names: string[]][] = [];
  const stub = (name: string) => ({
    fetchCalls: async (ask: SingleFlightRequest) => {
      const time = asked.filter(([other]) => other === name).length;
      asked.push([name, ask.calls.map((call) => call.name)]);
      return answer(name, ask, time);
    },
    erase: async (_pseudonyms: string[], names: string[]) => {
      erased.push([name, names]);
      return { answers: 1, kvKeys: [name], pseudonyms: ['key'] };
    },
  });
  const SINGLE_FLIGHT = new Proxy(env.SINGLE_FLIGHT, {
    get: (target, name) => (name === 'getByName' ? stub : Reflect.get(target, name)),
  });
  return { env: { ...env, SINGLE_FLIGHT }, asked, erased };
}

const asking = (websites: string[]): SingleFlightRequest => ({
  identity: IDENTITY,
  calls: websites.map((website) => enrich(website)),
  payer: payer('team'),
  lane: 'formula',
  waitMs: 0,
  background: false,
});
const rowsOf = ({ calls }: SingleFlightRequest): SingleFlightResponse => ({
  rows: calls.map(({ name }) => ({ name, outcome: 'unknown', credits: 0 })),
});
const many = Array.from({ length: 1000 }, (_, at) => `a${at}.com`);

describe('a batch', () => {
  it('of a thousand keys is one question to each of 64 flights at most, and each key is asked of one', async () => {
    const world = flights((_name, ask) => rowsOf(ask));
    const rows = await fetchCalls(world.env, asking(many));
    expect(rows.size).toBe(1000);
    expect(world.asked.length).toBeLessThanOrEqual(64);
    expect(new Set(world.asked.map(([flight]) => flight)).size).toBe(world.asked.length);
    const sizes = world.asked.map(([, calls]) => calls.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1000);
    // Evenly enough that no flight has several times its part.
    expect(Math.max(...sizes)).toBeLessThan(4 * (1000 / 64));
  });
});

describe('a flight that died', () => {
  it('twice has its keys failed, and the others are answered', async () => {
    const lines = captureErrorLog();
    let first: string | undefined;
    const world = flights((name, ask) => {
      first ??= name;
      if (name === first) throw new Error('The object was evicted.');
      return rowsOf(ask);
    });
    const rows = await fetchCalls(world.env, asking(many));
    const lost = world.asked.find(([flight]) => flight === first)?.[1] ?? [];
    expect(world.asked.filter(([flight]) => flight === first)).toHaveLength(2);
    for (const name of lost) {
      expect(rows.get(name)).toEqual({ name, outcome: 'failed', credits: 0, problem: 'gateway_unavailable' });
    }
    expect([...rows.values()].filter(({ outcome }) => outcome === 'unknown')).toHaveLength(
      1000 - lost.length,
    );
    expect(lines).toMatchObject([1, 2].map((attempt) => ({ event: 'single_flight_unreachable', attempt })));
  });
});
