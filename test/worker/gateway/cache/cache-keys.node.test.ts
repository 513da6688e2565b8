// Cache names and KV keys: unique, and short enough for KV.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { familyNames, keyFormats } from '../../../../shared/families/index.ts';
import { resolveKey } from '../../../../shared/keys/index.ts';
import {
  createPageName,
  createVerbatimKey,
  getCacheKeys,
  parseFamily,
  type RecordKey,
  toCacheName,
  toLookupKvKey,
} from '../../../../worker/gateway/cache/cache-keys.ts';
import { unicodeText } from '../../../unicode-text.ts';

const KV_MAX_BYTES = 512;
const countBytes = (text: string): number => new TextEncoder().encode(text).length;
const IDENTITY = 'sandbox-4294967296';
const text = fc.oneof(
  unicodeText({ maxLength: 3000 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom('a.com', '7', 'x'.repeat(100), 'é'.repeat(100), '🙂'.repeat(50)),
);

describe('a KV key', () => {
  it('of any valid key is short enough', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...familyNames),
        fc.constantFrom(...keyFormats),
        (typed, family, by) => {
          const resolved = resolveKey(family, by, typed);
          if (!resolved.ok) return;
          const key = { family, kind: resolved.kind, value: resolved.value };
          expect(countBytes(toLookupKvKey(IDENTITY, key))).toBeLessThanOrEqual(KV_MAX_BYTES);
        },
      ),
    );
  });

  it('of a verbatim key is short enough and unique', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (first, second) => {
        const kvKeys = await Promise.all(
          [first, second, undefined].map(async (typed) =>
            toLookupKvKey(IDENTITY, await createVerbatimKey('employee_multi_source', typed)),
          ),
        );
        for (const kvKey of kvKeys) expect(countBytes(kvKey)).toBeLessThanOrEqual(KV_MAX_BYTES);
        // Texts that are sent as the same bytes are the same key.
        const isSame = first.toWellFormed() === second.toWellFormed();
        expect(new Set(kvKeys).size).toBe(isSame ? 2 : 3);
      }),
    );
  });

  it('contains the kind of key, so that a numeric name is not an id', () => {
    const names = (['id', 'shorthand_name', 'website', 'verbatim'] as const).map((kind) =>
      toCacheName({ family: 'company_base', kind, value: '7' }),
    );
    expect(new Set(names).size).toBe(4);
  });
});

describe('a record', () => {
  const website: RecordKey = { family: 'company_clean', kind: 'website', value: 'a.com' };
  const acme = { id: 7, websites_professional_network: 'https://x.com/company/acme' };

  it('is also cached under a website that the provider says is its alone', () => {
    const record = { ...acme, websites_main: 'https://www.acme.example/about', unique_website: true };
    const aliases = (family: RecordKey['family']) =>
      getCacheKeys({ family, kind: 'id', value: '7' }, record).map(({ kind, value }) => `${kind}:${value}`);
    expect(aliases('company_clean')).toEqual(expect.arrayContaining(['website:acme.example']));
    // Records of other data sets are not looked up by website.
    expect(aliases('company_base').join()).not.toContain('website');
  });

  it.each([
    ['website', 'a.com', ['website:a.com', 'shorthand_name:acme']],
    ['id', '7', ['shorthand_name:acme']],
    ['shorthand_name', 'acme', ['shorthand_name:acme']],
    // A merged record: the old id becomes an alias.
    ['id', '6', ['id:6', 'shorthand_name:acme']],
  ] as const)('requested by %s %s is cached under its id, with the aliases %o', (kind, value, aliases) => {
    const names = getCacheKeys({ family: 'company_clean', kind, value }, acme).map(toCacheName);
    expect(names).toEqual(['id:7', ...aliases].map((name) => `company_clean:${name}`));
  });

  it.each([undefined, null, '', 0, -1, 1.5, 'x', {}, '99999999999999999999'])(
    'with the id %o is cached under the requested key',
    (id) => {
      expect(toCacheName(getCacheKeys(website, { id })[0])).toBe(toCacheName(website));
    },
  );
});

it('a page has a name for each team, operation, family and query, without the query itself', async () => {
  const names = await Promise.all([
    createPageName('one', 'search', 'job_base', 'query'),
    createPageName('two', 'search', 'job_base', 'query'),
    createPageName('one', 'preview', 'job_base', 'query'),
    createPageName('one', 'search', 'company_base', 'query'),
    createPageName('one', 'search', 'job_base', 'other'),
  ]);
  expect(new Set(names).size).toBe(5);
  expect(names.join()).not.toContain('query');
});

it('a cache name tells its family', async () => {
  for (const family of familyNames) {
    expect(parseFamily(toCacheName({ family, kind: 'website', value: 'job_base:a.com' }))).toBe(family);
    expect(parseFamily(await createPageName('team: company_base', 'preview', family, 'query'))).toBe(family);
  }
});
