// The breaker: opens by ratio, lets one probe at a time through, closes after three.
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../../../worker/gateway/provider-throttle/circuit-breaker.ts';
import { START } from './throttle-harness.ts';

const closed = (random = 0): CircuitBreaker => new CircuitBreaker(() => random, START);

function hear(breaker: CircuitBreaker, outcomes: string, at = START): void {
  for (const letter of outcomes) breaker.recordOutcome(letter === 'f' ? 'failed' : 'answered', at, at);
}

/** A breaker that opened at the start. */
function opened(random = 0): CircuitBreaker {
  const breaker = closed(random);
  hear(breaker, 'ffffffffff');
  return breaker;
}

const stateOf = (breaker: CircuitBreaker, at: number): string => breaker.getState(at).state;

describe('a closed breaker', () => {
  it.each([
    ['stays closed below ten outcomes', 'fffffffff', 'closed'],
    ['opens at ten, half of them failed', 'aaaaafffff', 'open'],
    ['stays closed below a half', 'aaaaaaffff'.repeat(5), 'closed'],
    ['opens at half of many', 'af'.repeat(30), 'open'],
  ])('%s', (_, outcomes, expected) => {
    const breaker = closed();
    hear(breaker, outcomes);
    expect(stateOf(breaker, START)).toBe(expected);
  });

  it('forgets outcomes after 20 seconds', () => {
    const breaker = closed();
    hear(breaker, 'fffffffff');
    hear(breaker, 'f', START + 20_000);
    expect(stateOf(breaker, START + 20_000)).toBe('closed');
    const other = closed();
    hear(other, 'fffffffff');
    hear(other, 'f', START + 19_999);
    expect(stateOf(other, START + 19_999)).toBe('open');
  });

  it('does not count 429 and unused permits, neither way', () => {
    const breaker = closed();
    for (let call = 0; call < 50; call += 1) {
      breaker.recordOutcome('rate_limited', START, START);
      breaker.recordOutcome('unused', START, START);
    }
    hear(breaker, 'fffffffff');
    expect(stateOf(breaker, START)).toBe('closed');
    hear(breaker, 'f');
    expect(stateOf(breaker, START)).toBe('open');
  });
});

describe('an open breaker', () => {
  it('lets nothing through for five seconds, then one probe', () => {
    const breaker = opened();
    expect(breaker.getRetryAt(START)).toBe(START + 5_000);
    expect([0, 4_999, 5_000].map((ms) => breaker.countAllowed(START + ms))).toEqual([0, 0, 1]);
    expect(breaker.getState(START + 6_000)).toEqual({ state: 'half_open', since: START + 5_000 });
  });
});

/** Sends a probe and reports it. */
function probe(breaker: CircuitBreaker, outcome: 'answered' | 'failed', at: number): void {
  expect(breaker.countAllowed(at)).toBe(1);
  breaker.recordGrant(at);
  expect(breaker.countAllowed(at)).toBe(0);
  breaker.recordOutcome(outcome, at, at + 50);
}

describe('a half open breaker', () => {
  it('closes after three answered probes, one after the other, and begins to count anew', () => {
    const breaker = opened();
    for (const ms of [5_000, 5_100, 5_200]) probe(breaker, 'answered', START + ms);
    expect(breaker.getState(START + 5_300)).toEqual({ state: 'closed', since: START + 5_250 });
    hear(breaker, 'fffff', START + 5_300);
    expect(stateOf(breaker, START + 5_300)).toBe('closed');
  });

  it('opens for twice the time with each failed probe, up to a minute', () => {
    const breaker = opened();
    let at = START + 5_000;
    for (const seconds of [10, 20, 40, 60, 60]) {
      probe(breaker, 'failed', at);
      expect(breaker.getRetryAt(at + 50)).toBe(at + 50 + seconds * 1_000);
      at += 50 + seconds * 1_000;
    }
  });

  it('wants its three in a row', () => {
    const breaker = opened();
    probe(breaker, 'answered', START + 5_000);
    probe(breaker, 'answered', START + 5_100);
    probe(breaker, 'failed', START + 5_200);
    const again = START + 15_250;
    probe(breaker, 'answered', again);
    probe(breaker, 'answered', again + 100);
    expect(stateOf(breaker, again + 200)).toBe('half_open');
    probe(breaker, 'answered', again + 200);
    expect(stateOf(breaker, again + 300)).toBe('closed');
  });

  it('does not take calls of before for its probe', () => {
    const breaker = opened();
    breaker.countAllowed(START + 5_000);
    breaker.recordGrant(START + 5_000);
    hear(breaker, 'aaa', START + 4_000);
    for (let late = 0; late < 5; late += 1) breaker.recordOutcome('failed', START - 100, START + 5_010);
    expect(breaker.getState(START + 5_020)).toEqual({ state: 'half_open', since: START + 5_000 });
    expect(breaker.countAllowed(START + 5_020)).toBe(0);
  });

  it('does not count calls of before against a provider that is back', () => {
    const breaker = opened();
    for (const ms of [5_000, 5_100, 5_200]) probe(breaker, 'answered', START + ms);
    for (let late = 0; late < 20; late += 1) breaker.recordOutcome('failed', START - 100, START + 5_300);
    expect(stateOf(breaker, START + 5_300)).toBe('closed');
  });

  it.each(['rate_limited', 'unused'] as const)('sends another probe if one ended %s', (outcome) => {
    const breaker = opened();
    breaker.countAllowed(START + 5_000);
    breaker.recordGrant(START + 5_000);
    breaker.recordOutcome(outcome, START + 5_000, START + 5_050);
    expect(stateOf(breaker, START + 5_050)).toBe('half_open');
    expect(breaker.countAllowed(START + 5_050)).toBe(1);
  });

  it('takes a probe that nobody reports for failed after 30 seconds, also when nobody looked meanwhile', () => {
    const breaker = opened();
    breaker.countAllowed(START + 5_000);
    breaker.recordGrant(START + 5_000);
    expect(breaker.countAllowed(START + 34_999)).toBe(0);
    expect(breaker.getState(START + 35_000)).toEqual({ state: 'open', since: START + 35_000 });
    expect(breaker.countAllowed(START + 45_000)).toBe(1);
    const unwatched = opened();
    unwatched.countAllowed(START + 5_000);
    unwatched.recordGrant(START + 5_000);
    expect(unwatched.countAllowed(START + 3_600_000)).toBe(1);
  });
});
