// What is left after calls, from what the ledger said: “a released reservation must show up at once”.
import { describe, expect, it } from 'vitest';
import type { FlightRow, WantedCall } from '../../../worker/gateway/flight/types.ts';
import { remainingAfter } from '../../../worker/gateway/remaining.ts';

const PRICE = 10;

function call(name: string): WantedCall {
  return {
    name,
    operation: 'enrich',
    family: 'company_clean',
    method: 'GET',
    path: `/${name}`,
    credits: PRICE,
    since: 0,
  };
}

/** A row that cost so much; what was left when its price was held, and how much was held with it. */
function row(credits: number, remaining?: number | null, held = PRICE): Omit<FlightRow, 'name'> {
  return {
    outcome: 'failed',
    problem: 'provider_unavailable',
    credits,
    ...(remaining === undefined ? {} : { reserved: { remaining, held } }),
  } as Omit<FlightRow, 'name'>;
}

function left(rows: readonly Omit<FlightRow, 'name'>[], cancelId?: string) {
  const calls = rows.map((_, at) => call(String(at)));
  const answered = new Map(rows.map((own, at) => [String(at), { ...own, name: String(at) } as FlightRow]));
  return remainingAfter({ calls, ...(cancelId === undefined ? {} : { cancelId }) }, answered);
}

describe('what is left', () => {
  it('is what was left before, where nothing was found', () => expect(left([row(0, 90)])).toBe(100));

  it('is what was held for, where it was charged', () => expect(left([row(10, 90)])).toBe(90));

  it('of calls held one after the other is what was left before the first, less what they cost', () =>
    expect(left([row(0, 90), row(10, 80), row(0, 70)])).toBe(90));

  it('of calls held together is the same', () =>
    expect(left([row(0, 70, 30), row(10, 70, 30), row(0, 70, 30)])).toBe(90));

  it('is not more than the ledger said last, where others spend meanwhile', () =>
    expect(left([row(10, 90), row(10, 30)])).toBe(30));

  it('counts calls that go on, not those that were withdrawn', () => {
    const rows = [row(10, 90), { outcome: 'pending', credits: 0 } as const];
    expect(left(rows)).toBe(80);
    expect(left(rows, 'cancel')).toBe(90);
  });

  it('is unlimited where no cap is set, and unknown where nothing was held', () => {
    expect(left([row(10, null)])).toBeNull();
    expect(left([row(0)])).toBeUndefined();
  });
});
