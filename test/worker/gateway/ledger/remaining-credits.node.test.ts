// The credits that remain after calls: “a released reservation must show up at once”.
import { describe, expect, it } from 'vitest';
import { computeRemainingCredits } from '../../../../worker/gateway/ledger/remaining-credits.ts';
import type { CallRequest, CallResult } from '../../../../worker/gateway/single-flight/types.ts';

const PRICE = 10;

function call(name: string): CallRequest {
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

/** Creates a result with its cost, and what the ledger answered to its reservation. */
function row(credits: number, remaining?: number | null, together = PRICE): Omit<CallResult, 'name'> {
  return {
    outcome: 'failed',
    problem: 'provider_unavailable',
    credits,
    ...(remaining === undefined ? {} : { reserved: { remaining, credits: together } }),
  } as Omit<CallResult, 'name'>;
}

function remaining(rows: readonly Omit<CallResult, 'name'>[], cancelId?: string) {
  const calls = rows.map((_, at) => call(String(at)));
  const results = new Map(rows.map((row, at) => [String(at), { ...row, name: String(at) } as CallResult]));
  return computeRemainingCredits({ calls, ...(cancelId === undefined ? {} : { cancelId }) }, results);
}

describe('computeRemainingCredits', () => {
  const pending = { outcome: 'pending', credits: 0 } as const;

  it.each<[string, Omit<CallResult, 'name'>[], number | null | undefined]>([
    ['returns the credits of a call that found nothing', [row(0, 90)], 100],
    ['subtracts the cost of a charged call', [row(10, 90)], 90],
    ['counts reservations in sequence', [row(0, 90), row(10, 80), row(0, 70)], 90],
    ['counts reservations made together', [row(0, 70, 30), row(10, 70, 30), row(0, 70, 30)], 90],
    ['never exceeds the last answer of the ledger if others spend meanwhile', [row(10, 90), row(10, 30)], 30],
    ['subtracts pending calls', [row(10, 90), pending], 80],
    ['is null without a cap', [row(10, null)], null],
    ['is undefined if nothing was reserved', [row(0)], undefined],
  ])('%s', (_, rows, expected) => {
    expect(remaining(rows)).toBe(expected);
  });

  it('does not subtract cancelled calls', () => expect(remaining([row(10, 90), pending], 'cancel')).toBe(90));
});
