// Planned searches, and decisions between candidates.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Candidate,
  type CandidateFacts,
  decide,
  type SearchHit,
} from '../../../shared/matching/decide.ts';
import { planSearches, searchKinds } from '../../../shared/matching/plan.ts';

const kinds = (name: string, country?: string): string[] =>
  planSearches('company_clean', { name, country }).map(({ kind }) => kind);

describe('the searches for a name', () => {
  it.each([
    ['CircuitHub', ['phrase', 'spelling']],
    ['CircuitHub, Inc.', ['exact', 'phrase', 'spelling']],
    ['Acme Foods', ['phrase', 'spelling', 'abbreviation', 'partial']],
    ['!!!', []],
    ['', []],
  ])('%j: %j', (name, expected) => {
    expect(kinds(name)).toEqual(expected);
  });

  it('are limited to a country first', () => {
    expect(kinds('CircuitHub', 'UK')).toEqual(['phrase', 'spelling', 'elsewhere']);
    const searches = planSearches('company_base', { name: 'CircuitHub', country: 'UK', city: 'London' });
    const filters = searches.map(({ query }) =>
      JSON.stringify(query).includes('headquarters_country_parsed'),
    );
    expect(filters).toEqual([true, true, false]);
    expect(JSON.stringify(searches[0]?.query)).toContain('"headquarters_city":{"query":"London"}');
  });

  it('look for long forms and beginnings of abbreviations', () => {
    const abbreviation = planSearches('company_clean', { name: 'Acme Intl. Mach.' }).find(
      ({ kind }) => kind === 'abbreviation',
    );
    const query = JSON.stringify(abbreviation?.query);
    expect(query).toContain('"international"');
    expect(query).toContain('{"prefix":{"name":{"value":"mach"}}}');
  });

  it('can be planned for any text, from precise to vague', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.option(fc.string(), { nil: undefined }),
        (name, country) => {
          const planned = planSearches('company_clean', { name, country });
          const order = planned.map(({ kind }) => searchKinds.indexOf(kind));
          expect(order).toEqual(order.toSorted((a, b) => a - b));
          expect(JSON.stringify(planned).length).toBeLessThan(30_000);
        },
      ),
    );
  });
});

const phrase: SearchHit = { kind: 'phrase', total: 1 };
const candidate = (id: string, facts?: CandidateFacts, hit = phrase): Candidate => ({ id, hit, facts });
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
  it.each<[SearchHit, string]>([
    [{ kind: 'exact', total: 1 }, 'match'],
    [{ kind: 'phrase', total: 1 }, 'match'],
    [{ kind: 'phrase', total: 2 }, 'ambiguous'],
    [{ kind: 'spelling', total: 1 }, 'ambiguous'],
    [{ kind: 'abbreviation', total: 1 }, 'ambiguous'],
  ])('%j: %s', (hit, expected) => {
    expect(state({ name: 'Acme' }, [candidate('1', undefined, hit)])).toBe(expected);
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
