// The circuit breaker: opens by failure ratio, probes one call at a time, and closes after three.
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../../../worker/gateway/provider-throttle/circuit-breaker.ts';
import { START } from '../single-flight/clock.ts';

const createBreaker = (random = 0): CircuitBreaker => new CircuitBreaker(() => random, START);

let questions = 0;
const createQuestion = (): string => `question ${questions++}`;

/** Records an outcome for each letter: a new question that failed (`f`) or was answered (`a`). */
function record(breaker: CircuitBreaker, outcomes: string, at = START, isConfirmed = false): void {
  for (const letter of outcomes) {
    const outcome = letter === 'f' ? 'failed' : 'answered';
    breaker.recordOutcome(outcome, createQuestion(), at, at, isConfirmed);
  }
}

/** Creates a breaker that opens at the start. */
function createOpenBreaker(random = 0): CircuitBreaker {
  const breaker = createBreaker(random);
  record(breaker, 'ffffffffff');
  return breaker;
}

/** Records the failure of a call that was granted before the start. */
function recordLateFailure(breaker: CircuitBreaker, now: number): void {
  breaker.recordOutcome('failed', createQuestion(), START - 100, now);
}

const getStateName = (breaker: CircuitBreaker, at: number): string => breaker.getState(at).state;

describe('a closed breaker', () => {
  it.each([
    ['stays closed below ten outcomes', 'fffffffff', 'closed'],
    ['opens at ten, half of them failed', 'aaaaafffff', 'open'],
    ['stays closed below a half', 'aaaaaaffff'.repeat(5), 'closed'],
    ['opens at half of many', 'af'.repeat(30), 'open'],
  ])('%s', (_, outcomes, expected) => {
    const breaker = createBreaker();
    record(breaker, outcomes);
    expect(getStateName(breaker, START)).toBe(expected);
  });

  it('counts the last outcome of a repeated question', () => {
    const breaker = createBreaker();
    record(breaker, 'ffffaaaa');
    for (let time = 0; time < 20; time += 1) breaker.recordOutcome('failed', 'repeated', START, START);
    breaker.recordOutcome('answered', 'repeated', START, START);
    record(breaker, 'a');
    expect(getStateName(breaker, START)).toBe('closed');
    breaker.recordOutcome('failed', 'repeated', START, START);
    expect(getStateName(breaker, START)).toBe('open');
  });

  it('opens at three outcomes if the provider fails for another team, too', () => {
    const breaker = createBreaker();
    record(breaker, 'af', START, true);
    expect(getStateName(breaker, START)).toBe('closed');
    record(breaker, 'f', START, true);
    expect(getStateName(breaker, START)).toBe('open');
  });

  it('ignores outcomes older than 20 seconds', () => {
    const breaker = createBreaker();
    record(breaker, 'fffffffff');
    record(breaker, 'f', START + 20_000);
    expect(getStateName(breaker, START + 20_000)).toBe('closed');
    const other = createBreaker();
    record(other, 'fffffffff');
    record(other, 'f', START + 19_999);
    expect(getStateName(other, START + 19_999)).toBe('open');
  });

  it('ignores 429 and unused permits', () => {
    const breaker = createBreaker();
    for (let call = 0; call < 50; call += 1) {
      breaker.recordOutcome('rate_limited', createQuestion(), START, START);
      breaker.recordOutcome('unused', createQuestion(), START, START);
    }
    record(breaker, 'fffffffff');
    expect(getStateName(breaker, START)).toBe('closed');
    record(breaker, 'f');
    expect(getStateName(breaker, START)).toBe('open');
  });
});

describe('an open breaker', () => {
  it('allows nothing for five seconds, then one probe', () => {
    const breaker = createOpenBreaker();
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
  breaker.recordOutcome(outcome, createQuestion(), at, at + 50);
}

describe('a half open breaker', () => {
  it('closes after three answered probes and starts counting again', () => {
    const breaker = createOpenBreaker();
    for (const ms of [5_000, 5_100, 5_200]) probe(breaker, 'answered', START + ms);
    expect(breaker.getState(START + 5_300)).toEqual({ state: 'closed', since: START + 5_250 });
    record(breaker, 'fffff', START + 5_300);
    // Calls that were granted before it opened do not count any more.
    for (let late = 0; late < 20; late += 1) recordLateFailure(breaker, START + 5_300);
    expect(getStateName(breaker, START + 5_300)).toBe('closed');
  });

  it('doubles its open time with each failed probe, up to a minute', () => {
    const breaker = createOpenBreaker();
    let at = START + 5_000;
    for (const seconds of [10, 20, 40, 60, 60]) {
      probe(breaker, 'failed', at);
      expect(breaker.getRetryAt(at + 50)).toBe(at + 50 + seconds * 1_000);
      at += 50 + seconds * 1_000;
    }
  });

  it('requires three answered probes in a row', () => {
    const breaker = createOpenBreaker();
    probe(breaker, 'answered', START + 5_000);
    probe(breaker, 'answered', START + 5_100);
    probe(breaker, 'failed', START + 5_200);
    const again = START + 15_250;
    probe(breaker, 'answered', again);
    probe(breaker, 'answered', again + 100);
    expect(getStateName(breaker, again + 200)).toBe('half_open');
    probe(breaker, 'answered', again + 200);
    expect(getStateName(breaker, again + 300)).toBe('closed');
  });

  it('ignores calls granted before it opened', () => {
    const breaker = createOpenBreaker();
    breaker.countAllowed(START + 5_000);
    breaker.recordGrant(START + 5_000);
    record(breaker, 'aaa', START + 4_000);
    for (let late = 0; late < 5; late += 1) recordLateFailure(breaker, START + 5_010);
    expect(breaker.getState(START + 5_020)).toEqual({ state: 'half_open', since: START + 5_000 });
    expect(breaker.countAllowed(START + 5_020)).toBe(0);
  });

  it.each(['rate_limited', 'unused'] as const)('sends another probe after one that ended %s', (outcome) => {
    const breaker = createOpenBreaker();
    breaker.countAllowed(START + 5_000);
    breaker.recordGrant(START + 5_000);
    breaker.recordOutcome(outcome, 'q', START + 5_000, START + 5_050);
    expect(getStateName(breaker, START + 5_050)).toBe('half_open');
    expect(breaker.countAllowed(START + 5_050)).toBe(1);
  });

  it('treats a probe without a report as failed after 30 seconds', () => {
    const breaker = createOpenBreaker();
    breaker.countAllowed(START + 5_000);
    breaker.recordGrant(START + 5_000);
    expect(breaker.countAllowed(START + 34_999)).toBe(0);
    expect(breaker.getState(START + 35_000)).toEqual({ state: 'open', since: START + 35_000 });
    expect(breaker.countAllowed(START + 45_000)).toBe(1);
    const unwatched = createOpenBreaker();
    unwatched.countAllowed(START + 5_000);
    unwatched.recordGrant(START + 5_000);
    expect(unwatched.countAllowed(START + 3_600_000)).toBe(1);
  });
});
