// The names under which answers are remembered: one for each question, short enough for KV.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { familyNames, keyFormats } from '../../../../shared/families/index.ts';
import { resolveKey } from '../../../../shared/keys/index.ts';
import {
  createPageName,
  createVerbatimKey,
  getCacheKeys,
  getKvPrefixes,
  type RecordKey,
  toCacheName,
  toLookupKvKey,
  toPageKvKey,
  toRecordKvKey,
} from '../../../../worker/gateway/cache/cache-keys.ts';

const KV_MAX_BYTES = 512;
const bytes = (text: string): number => new TextEncoder().encode(text).length;
const IDENTITY = 'sandbox-4294967296';
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3000 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom('a.com', '7', 'x'.repeat(100), 'é'.repeat(100), '🙂'.repeat(50)),
);

describe('a name', () => {
  it('of any key that can be read fits KV, wherever it stands', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...familyNames),
        fc.constantFrom(...keyFormats),
        (typed, family, by) => {
          const read = resolveKey(family, by, typed);
          if (!read.ok) return;
          const key = { family, kind: read.kind, value: read.value };
          expect(bytes(toLookupKvKey(IDENTITY, key))).toBeLessThanOrEqual(KV_MAX_BYTES);
        },
      ),
    );
  });

  it('of a key that only the provider can read fits KV, and no two have the same', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        const names = await Promise.all(
          [one, other, undefined].map(async (typed) =>
            toLookupKvKey(IDENTITY, await createVerbatimKey('employee_multi_source', typed)),
          ),
        );
        for (const name of names) expect(bytes(name)).toBeLessThanOrEqual(KV_MAX_BYTES);
        // Texts that can't be sent apart are one question.
        const sent = [one, other].map((typed) => typed.toWellFormed());
        expect(new Set(names).size).toBe(sent[0] === sent[1] ? 2 : 3);
      }),
    );
  });

  it('tells the kind of key, so that a name of digits is never an id', () => {
    const names = (['id', 'shorthand_name', 'website', 'verbatim'] as const).map((kind) =>
      toCacheName({ family: 'company_base', kind, value: '7' }),
    );
    expect(new Set(names).size).toBe(4);
  });
});

describe('a record', () => {
  const website: RecordKey = { family: 'company_clean', kind: 'website', value: 'a.com' };

  it('is remembered under its id, found by what was asked and by its shorthand name', () => {
    const record = { id: 7, websites_professional_network: 'https://x.com/company/acme' };
    expect(getCacheKeys(website, record).map(toCacheName)).toEqual([
      'company_clean:id:7',
      'company_clean:website:a.com',
      'company_clean:shorthand_name:acme',
    ]);
  });

  it('that was asked by its id, or by its shorthand name, is not led to from there twice', () => {
    const record = { id: 7, websites_professional_network: 'https://x.com/company/acme' };
    const by = (kind: 'id' | 'shorthand_name', value: string) =>
      getCacheKeys({ family: 'company_clean', kind, value }, record).map(toCacheName);
    expect(by('id', '7')).toEqual(['company_clean:id:7', 'company_clean:shorthand_name:acme']);
    expect(by('shorthand_name', 'acme')).toEqual(['company_clean:id:7', 'company_clean:shorthand_name:acme']);
  });

  it('that was merged is led to by its old id, in the place where ids are looked up', () => {
    const old: RecordKey = { family: 'job_base', kind: 'id', value: '6' };
    const keys = getCacheKeys(old, { id: '7' });
    expect(keys.map((key) => toLookupKvKey('i', key))).toEqual([
      'record:i:job_base:id:7',
      'record:i:job_base:id:6',
    ]);
  });

  it.each([undefined, null, '', 0, -1, 1.5, 'x', {}, '99999999999999999999'])(
    'with %o for an id is remembered under the key that was asked',
    (id) => {
      expect(toCacheName(getCacheKeys(website, { id })[0])).toBe(toCacheName(website));
    },
  );
});

describe('a page', () => {
  it('is named by team, operation, family and question', async () => {
    const names = await Promise.all([
      createPageName('one', 'search', 'job_base', 'q'),
      createPageName('two', 'search', 'job_base', 'q'),
      createPageName('one', 'preview', 'job_base', 'q'),
      createPageName('one', 'search', 'company_base', 'q'),
      createPageName('one', 'search', 'job_base', 'r'),
    ]);
    expect(new Set(names).size).toBe(5);
    expect(await createPageName('one', 'search', 'job_base', 'q')).toBe(names[0]);
    expect(names.join()).not.toContain('"q"');
  });

  it('of a preview stands where an erasure looks', async () => {
    const name = await createPageName('team', 'preview', 'job_base', 'q');
    expect(toPageKvKey('i', name).startsWith(getKvPrefixes('i', 'job_base').previews)).toBe(true);
  });
});

it('an erasure looks where the records and aliases of a family are, and at no other family’s', () => {
  const { records, aliases } = getKvPrefixes('i', 'company_base');
  expect(toRecordKvKey('i', 'company_base:id:7').startsWith(records)).toBe(true);
  expect(
    toLookupKvKey('i', { family: 'company_base', kind: 'website', value: 'a.com' }).startsWith(aliases),
  ).toBe(true);
  for (const family of familyNames.filter((name) => name !== 'company_base')) {
    expect(toLookupKvKey('i', { family, kind: 'id', value: '7' }).startsWith(records)).toBe(false);
  }
});
