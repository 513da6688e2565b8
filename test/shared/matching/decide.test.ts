// Decisions between candidates.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Candidate,
  type CandidateFacts,
  decide,
  defaultThreshold,
  type SearchHit,
} from '../../../shared/matching/decide.ts';
import { searchKinds } from '../../../shared/matching/plan.ts';

const byName: SearchHit = { kind: 'name', total: 1 };
const candidate = (id: string, facts?: CandidateFacts, hit = byName): Candidate => ({ id, hit, facts });
const state = (...args: Parameters<typeof decide>): string => decide(...args).state;

describe('a decision with known names', () => {
  it('matches the same name', () => {
    const found = decide({ name: 'Acme Foods Ltd' }, [
      candidate('1', { name: 'Acme Labs' }),
      candidate('2', { name: 'ACME Foods' }),
    ]);
    expect(found).toMatchObject({ state: 'match', confidence: 1 });
    expect(found.candidates[0]?.id).toBe('2');
  });

  it('is ambiguous between companies of the same name, the larger one first', () => {
    const found = decide({ name: 'Acme' }, [
      candidate('1', { name: 'Acme', size: '11-50 employees' }),
      candidate('2', { name: 'Acme Inc', size: '1,001-5,000 employees' }),
    ]);
    expect(found.state).toBe('ambiguous');
    expect(found.candidates.map(({ id }) => id)).toEqual(['2', '1']);
  });

  it('tells companies of the same name apart by their country, in any spelling', () => {
    const candidates = [
      candidate('1', { name: 'Acme', country: 'United States' }),
      candidate('2', { name: 'Acme', country: 'United Kingdom' }),
    ];
    const found = decide({ name: 'Acme', country: 'UK' }, candidates);
    expect(found.state).toBe('match');
    expect(found.candidates[0]?.id).toBe('2');
    expect(state({ name: 'Acme' }, candidates)).toBe('ambiguous');
  });

  it.each(['n/a', 'N/A', '-', 'Unknown', 'EMEA', 'NA', 'Austria/Germany'])(
    'ignores the country %s',
    (country) => {
      const record = candidate('1', { name: 'Acme', country: 'France' });
      expect(decide({ name: 'Acme', country }, [record]).confidence).toBe(1);
    },
  );

  it.each(['München', 'Munich', 'Monaco di Baviera', 'MUENCHEN'])('knows the city %s', (city) => {
    const candidates = [
      candidate('1', { name: 'Acme', city: 'Munich' }),
      candidate('2', { name: 'Acme', city: 'Berlin' }),
    ];
    expect(decide({ name: 'Acme', city }, candidates).candidates[0]?.id).toBe('1');
    expect(state({ name: 'Acme', city: 'n/a' }, candidates)).toBe('ambiguous');
  });

  it.each<[string, CandidateFacts, string]>([
    ['Acme Deutschland GmbH', { name: 'Acme', country: 'Germany' }, 'match'],
    ['Acme Deutschland GmbH', { name: 'Acme', country: 'United States' }, 'ambiguous'],
    ['Acme Deutschland GmbH', { name: 'Acme' }, 'ambiguous'],
    ['Acme Deutschland GmbH', { name: 'Acme Germany', country: 'Germany' }, 'match'],
    ['Acme - Berlin', { name: 'Acme', country: 'Germany' }, 'match'],
    ['Acme - Berlin', { name: 'Acme', country: 'Germany', city: 'Berlin' }, 'match'],
    ['Acme - Berlin', { name: 'Acme', country: 'Germany', city: 'Munich' }, 'ambiguous'],
    ['Acme - Berlin', { name: 'Acme' }, 'ambiguous'],
    ['Acme Berlin', { name: 'Acme', country: 'Germany' }, 'ambiguous'],
    ['Acme Berlin', { name: 'Acme', country: 'Germany', city: 'Berlin' }, 'match'],
    ['Acme Berlin', { name: 'Acme Hamburg', country: 'Germany' }, 'ambiguous'],
    ['Acme', { name: 'Acme France', country: 'France' }, 'ambiguous'],
  ])('takes the place in %s into account: %j', (name, facts, expected) => {
    expect(state({ name }, [candidate('1', facts)])).toBe(expected);
  });

  it('corrects a word only if all candidates agree on it', () => {
    const right = candidate('1', { name: 'Honeydue' });
    const query = { name: 'Honydue' };
    expect(state(query, [right])).toBe('match');
    expect(state(query, [right, candidate('2', { name: 'Honeydue Labs' })])).toBe('match');
    expect(state(query, [right, candidate('2', { name: 'Honpydue Labs' })])).toBe('ambiguous');
    expect(state({ name: 'Honeydue' }, [right, candidate('2', { name: 'Honpydue Labs' })])).toBe('match');
    // The other correction may be no match itself.
    const mistyped = candidate('3', { name: 'Hansdon' });
    expect(state({ name: 'Hansson' }, [mistyped])).toBe('match');
    expect(state({ name: 'Hansson' }, [mistyped, candidate('4', { name: 'Hanson' })])).toBe('ambiguous');
  });

  it('prefers the company with the same legal form', () => {
    const candidates = [candidate('1', { name: 'Acme GmbH' }), candidate('2', { name: 'Acme AG' })];
    expect(decide({ name: 'Acme AG' }, candidates)).toMatchObject({
      state: 'match',
      candidates: [{ id: '2' }, {}],
    });
    expect(state({ name: 'Acme' }, candidates)).toBe('ambiguous');
  });

  it('does not match the same name in another country', () => {
    expect(
      state({ name: 'Acme', country: 'GB' }, [candidate('1', { name: 'Acme', country: 'France' })]),
    ).toBe('ambiguous');
  });

  it('believes initials that are the website', () => {
    const facts = { name: 'International Business Machines', website: 'https://www.ibm.com/us' };
    expect(state({ name: 'IBM' }, [candidate('1', facts)])).toBe('match');
    expect(state({ name: 'IBM' }, [candidate('1', { name: facts.name })])).toBe('ambiguous');
  });

  it('does not offer a company with another name', () => {
    const found = decide({ name: 'Acme Foods' }, [candidate('1', { name: 'Globex' })]);
    expect(found).toEqual({ state: 'none', confidence: 0, candidates: [] });
  });

  it('accepts less above a lower threshold', () => {
    const candidates = [candidate('1', { name: 'Acme Labs' })];
    expect(state({ name: 'Acme Foods' }, candidates)).toBe('ambiguous');
    expect(state({ name: 'Acme Foods' }, candidates, 0.6)).toBe('match');
  });
});

describe('a decision without known names', () => {
  it('is no match, even if only one record has the name', () => {
    const found = decide({ name: 'Acme' }, [candidate('1', undefined, byName)]);
    expect(found.state).toBe('ambiguous');
    expect(found.confidence).toBeGreaterThanOrEqual(defaultThreshold);
  });

  it.each<SearchHit>([
    { kind: 'name', total: 2 },
    { kind: 'spelling', total: 1 },
    { kind: 'abbreviation', total: 1 },
  ])('is uncertain after %j', (hit) => {
    const found = decide({ name: 'Acme' }, [candidate('1', undefined, hit)]);
    expect(found.confidence).toBeLessThan(defaultThreshold);
  });

  it('is none without candidates', () => {
    expect(state({ name: 'Acme' }, [])).toBe('none');
  });
});

it('never matches below the threshold, and orders candidates by confidence', () => {
  const facts = fc.record({
    name: fc.constantFrom('Acme', 'Acme Foods', 'Acme Labs', 'Globex', 'Amce Foods'),
  });
  const hit = fc.record({ kind: fc.constantFrom(...searchKinds), total: fc.integer({ min: 1, max: 9 }) });
  const candidates = fc
    .array(fc.tuple(fc.option(facts, { nil: undefined }), hit), { maxLength: 6 })
    .map((all) => all.map(([known, found], at) => candidate(String(at), known, found)));
  fc.assert(
    fc.property(candidates, fc.double({ min: 0.5, max: 1, noNaN: true }), (all, threshold) => {
      const found = decide({ name: 'Acme Foods' }, all, threshold);
      const confidences = found.candidates.map(({ confidence }) => confidence);
      expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
      expect(found.confidence).toBe(confidences[0] ?? 0);
      if (found.state === 'match') expect(found.confidence).toBeGreaterThanOrEqual(threshold);
      expect(found.state === 'none').toBe(confidences.length === 0);
    }),
  );
});
