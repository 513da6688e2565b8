// Parsers of fields, options, families and counts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isBlank,
  parseCount,
  parseFamily,
  parseFields,
  parseOptions,
  RECORD_OPTIONS,
} from '../../../../addon/functions/arguments/options.ts';
import { familyNames } from '../../../../shared/families/index.ts';
import { parseFieldPath } from '../../../../shared/query/field-paths.ts';
import { cell, getOutcome, isSentence } from './arbitrary-cells.ts';

const argument = fc.oneof(cell, fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { maxLength: 4 }));
const name = fc.stringMatching(/^[a-z_]{1,12}$/);
const path = fc
  .tuple(name, fc.array(fc.oneof(name, fc.nat(99)), { maxLength: 3 }))
  .map(([head, rest]) =>
    rest.reduce<string>(
      (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`),
      head,
    ),
  );

describe('fields', () => {
  it('are parsed in order from text and ranges', () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 8 }), (paths) => {
        expect(parseFields(paths.join(' , '))).toEqual(paths);
        expect(parseFields([paths])).toEqual(paths);
        expect(parseFields(paths.map((each) => [each, '']))).toEqual(paths);
      }),
    );
  });

  it('from any value are paths, undefined, or an error sentence', () => {
    fc.assert(
      fc.property(argument, (given) => {
        const outcome = getOutcome(() => parseFields(given));
        if ('sentence' in outcome) expect(outcome.sentence).toSatisfy(isSentence);
        else for (const each of outcome.value ?? []) expect(parseFieldPath(each)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('options', () => {
  it('are parsed in any order, case and spacing', () => {
    const part = fc.constantFrom(
      'header',
      'max_age=90s',
      'variant=base',
      'max_credits=50',
      'any_fields',
      'refresh=3',
    );
    fc.assert(
      fc.property(fc.uniqueArray(part, { minLength: 1 }), fc.boolean(), (parts, upper) => {
        const text = parts.map((each) => ` ${upper ? each.toUpperCase() : each} `).join(',');
        expect(parseOptions(text, RECORD_OPTIONS)).toEqual({
          header: parts.includes('header'),
          anyFields: parts.includes('any_fields'),
          ...(parts.includes('max_age=90s') ? { maxAgeS: 90 } : {}),
          ...(parts.includes('variant=base') ? { variant: 'base' } : {}),
          ...(parts.includes('max_credits=50') ? { maxCredits: 50 } : {}),
        });
      }),
    );
  });

  it('from any value are parsed or rejected with a sentence', () => {
    fc.assert(
      fc.property(argument, (given) => {
        const outcome = getOutcome(() => parseOptions(given, RECORD_OPTIONS));
        if ('sentence' in outcome) expect(outcome.sentence).toSatisfy(isSentence);
        else expect(outcome.value.maxAgeS ?? 0).toSatisfy(Number.isSafeInteger);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    'max_age',
    'max_age=7',
    'max_age=-1d',
    'max_age=1.5d',
    'header=yes',
    'any_fields=1',
    'max_credits',
    'max_credits=-1',
    'max_credits=1.5',
    'max_credits=a',
    'variant=',
    'refresh',
    'refresh=now',
    'heading',
    '=1+1',
  ])('reject %s', (text) => {
    expect(() => parseOptions(text, RECORD_OPTIONS)).toThrow(
      'is not an option: use header, max_age=7d, variant=base, max_credits=100, any_fields or refresh=1.',
    );
  });
});

describe('a family', () => {
  it('is parsed with any case, spaces or hyphens', () => {
    fc.assert(
      fc.property(fc.constantFrom(...familyNames), fc.constantFrom(' ', '-', '_'), (family, between) => {
        const spelt = ` ${family.replaceAll('_', between).toUpperCase()} `;
        expect(parseFamily(spelt)).toBe(family);
      }),
    );
  });

  it('is rejected with a suggestion if it is unknown', () => {
    fc.assert(
      fc.property(
        cell.filter((given) => !isBlank(given)),
        (given) => {
          const outcome = getOutcome(() => parseFamily(given));
          if ('value' in outcome) return;
          const meant = /did you mean (\w+)\?$/.exec(outcome.sentence)?.[1];
          expect(familyNames).toContain(meant);
          expect(outcome.sentence).toSatisfy(isSentence);
        },
      ),
    );
  });
});

describe('a count', () => {
  it('is a whole number within bounds, or rejected', () => {
    fc.assert(
      fc.property(cell, fc.integer({ min: 1, max: 10_000 }), (given, most) => {
        const outcome = getOutcome(() => parseCount(given, 'The limit', most, 1));
        if ('sentence' in outcome) {
          expect(outcome.sentence).toBe(`The limit is a whole number from 1 to ${most}.`);
        } else {
          expect(outcome.value).toSatisfy(Number.isInteger);
          expect(outcome.value).toBeGreaterThanOrEqual(1);
          expect(outcome.value).toBeLessThanOrEqual(most);
        }
      }),
    );
    expect(parseCount('25', 'The limit', 30, 1)).toBe(25);
  });
});
