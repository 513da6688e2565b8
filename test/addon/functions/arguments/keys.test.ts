// Parser of keys.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getCellTexts } from '../../../../addon/dev/host/sheets/locales.ts';
import { listDistinctKeys, parseKeys } from '../../../../addon/functions/arguments/keys.ts';
import { familyNames } from '../../../../shared/families/index.ts';
import { resolveKey } from '../../../../shared/keys/index.ts';
import { cell } from './arbitrary-cells.ts';

const family = fc.constantFrom(...familyNames);
const spelling = fc.constantFrom('auto' as const, 'website' as const);

describe('keys', () => {
  it('are parsed from any rows, one per row', () => {
    const range = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(family, spelling, range, (name, by, rows) => {
        const keys = parseKeys(rows, name, by);
        expect(keys).toHaveLength(rows.length);
        keys.forEach((key, at) => {
          const blank = rows[at]?.every(
            (each) => each === null || each === undefined || !String(each).trim(),
          );
          expect(key.kind === 'blank').toBe(blank);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('are sent in an equivalent spelling', () => {
    const text = fc.oneof(
      fc.webUrl(),
      fc.domain(),
      fc.stringMatching(/^[a-z0-9.%-]{1,20}$/),
      fc.stringMatching(/^[a-z0-9.%-]{1,20}$/).map((name) => `https://network.example/company/${name}`),
      fc.nat().map(String),
    );
    const finished = text.filter((given) => !given.endsWith('...'));
    fc.assert(
      fc.property(family, spelling, finished, (name, by, given) => {
        const [key] = parseKeys(given, name, by);
        const meant = resolveKey(name, by, given);
        if (key?.kind === 'key') expect(resolveKey(name, by, key.text)).toEqual(meant);
        else expect(meant.ok).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['en_US', 'de_DE', 'es_ES', 'ja_JP', 'ru_RU'])(
    'are no cells that load or failed in %s',
    (locale) => {
      const texts = Object.values(getCellTexts(locale));
      for (const name of familyNames) {
        const keys = parseKeys(
          texts.map((each) => [each]),
          name,
          'auto',
        );
        expect(keys).toEqual(
          texts.map((given) => ({
            kind: 'word',
            word: '#INVALID_KEY',
            rejected: { given, is: expect.any(String), reason: expect.stringMatching(/\.$/) },
          })),
        );
      }
    },
  );

  it('with the same meaning are sent once', () => {
    const rows = parseKeys(
      [['https://www.A.com/'], ['a.com'], ['A.COM/path'], [''], ['b.com']],
      'company_clean',
      'website',
    );
    expect(listDistinctKeys(rows)).toEqual(['a.com', 'b.com']);
  });
});
