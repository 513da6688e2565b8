// What is left after calls, from what the ledger said: “a released reservation must show up at once”.
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

/** A row that cost so much; what was left when its price was held, and how much was held with it. */
function row(credits: number, remaining?: number | null, held = PRICE): Omit<CallResult, 'name'> {
  return {
    outcome: 'failed',
    problem: 'provider_unavailable',
    credits,
    ...(remaining === undefined ? {} : { reserved: { remaining, held } }),
  } as Omit<CallResult, 'name'>;
}

function left(rows: readonly Omit<CallResult, 'name'>[], cancelId?: string) {
  const calls = rows.map((_, at) => call(String(at)));
  const answered = new Map(rows.map((own, at) => [String(at), { ...own, name: String(at) } as CallResult]));
  return computeRemainingCredits({ calls, ...(cancelId === undefined ? {} : { cancelId }) }, answered);
}

describe('what is left', () => {
  const pending = { outcome: 'pending', credits: 0 } as const;

  it.each<[string, Omit<CallResult, 'name'>[], number | null | undefined]>([
    ['is what was left before, where nothing was found', [row(0, 90)], 100],
    ['is what was held for, where it was charged', [row(10, 90)], 90],
    [
      'of calls held one after the other is as before the first, less their cost',
      [row(0, 90), row(10, 80), row(0, 70)],
      90,
    ],
    ['of calls held together is the same', [row(0, 70, 30), row(10, 70, 30), row(0, 70, 30)], 90],
    ['is not more than the ledger said last, where others spend meanwhile', [row(10, 90), row(10, 30)], 30],
    ['counts calls that go on', [row(10, 90), pending], 80],
    ['is unlimited where no cap is set', [row(10, null)], null],
    ['is unknown where nothing was held', [row(0)], undefined],
  ])('%s', (_, rows, expected) => {
    expect(left(rows)).toBe(expected);
  });

  it('does not count calls that were withdrawn', () =>
    expect(left([row(10, 90), pending], 'cancel')).toBe(90));
});
