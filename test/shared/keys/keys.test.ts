// Ids, names and profile URLs as keys, what other cells are, and the keys of a record.
import { describe, expect, it } from 'vitest';
import { extractKeys, resolveKey } from '../../../shared/keys/index.ts';

describe('a key', () => {
  it.each([
    ['auto', '42', { kind: 'id', value: '42' }],
    ['id', '9223372036854775807', { kind: 'id', value: '9223372036854775807' }],
    [
      'auto',
      'https://www.professional-network.example/company/Acme-Labs/about?x=1',
      { kind: 'shorthand_name', value: 'acme-labs' },
    ],
    ['url', 'professional-network.example/company/Acme', { kind: 'shorthand_name', value: 'acme' }],
    ['url', 'https://network.example/company/caf%C3%A9', { kind: 'shorthand_name', value: 'café' }],
    ['auto', 'monday.com', { kind: 'shorthand_name', value: 'monday.com' }],
    ['url', 'https://network.example/de/company/acme', { kind: 'shorthand_name', value: 'acme' }],
    ['url', 'https://www.linkedin.com/school/acme/', { kind: 'shorthand_name', value: 'acme' }],
    ['url', 'de.linkedin.com/company/acme', { kind: 'shorthand_name', value: 'acme' }],
    ['url', 'https://www.linkedin.com/comm/company/acme', { kind: 'shorthand_name', value: 'acme' }],
    ['url', 'https://www.linkedin.com/mwlite/company/acme', { kind: 'shorthand_name', value: 'acme' }],
    ['auto', 'https://linkedin.com/m/company/acme', { kind: 'shorthand_name', value: 'acme' }],
    ['auto', 'https://network.example/company/acme,', { kind: 'shorthand_name', value: 'acme' }],
    ['auto', 'https://network.example/company/acme).', { kind: 'shorthand_name', value: 'acme' }],
    ['auto', '"https://network.example/company/acme"', { kind: 'shorthand_name', value: 'acme' }],
    ['auto', 'https://network.example/company/acme&trk=people', { kind: 'shorthand_name', value: 'acme' }],
    ['auto', 'https:\\\\network.example\\company\\acme', { kind: 'shorthand_name', value: 'acme' }],
    [
      'auto',
      '\u200ehttps://network.example/company/ac\u2060me\u202c',
      { kind: 'shorthand_name', value: 'acme' },
    ],
    ['shorthand_name', 'ac%E2%80%8Bme\u200e', { kind: 'shorthand_name', value: 'acme' }],
    ['auto', '\u20664711\u2069', { kind: 'id', value: '4711' }],
    ['id', '47\u200b11\ufe0f', { kind: 'id', value: '4711' }],
  ] as const)('company_base, by %s: %s', (by, text, expected) => {
    expect(resolveKey('company_base', by, text)).toEqual({ ok: true, ...expected });
  });

  it.each(['E.ON', 'J.Crewe', 's.oliver', 'Node.js'])(
    'of a profile is no name with a dot, unless the text is declared or a link: %s',
    (name) => {
      for (const family of ['company_base', 'employee_clean'] as const)
        expect(resolveKey(family, 'auto', name)).toMatchObject({ ok: false, is: 'name' });
      const key = { ok: true, kind: 'shorthand_name', value: name.toLowerCase() };
      expect(resolveKey('company_base', 'shorthand_name', name)).toEqual(key);
      expect(resolveKey('company_base', 'auto', `https://network.example/company/${name}`)).toEqual(key);
    },
  );

  it.each([
    ['id', '0'],
    ['id', '007'],
    ['id', '-1'],
    ['id', '1e3'],
    ['id', '12345678901234567890'],
    ['url', 'https://acme.example/about'],
    ['url', 'https://network.example/in/jane'],
    ['url', 'acme'],
    ['shorthand_name', 'two words'],
    ['shorthand_name', 'a/b'],
    ['shorthand_name', '42'],
    ['url', 'https://network.example/company/42'],
    ['url', 'https://acme.example/about/company/airbnb'],
    ['shorthand_name', '..'],
    ['shorthand_name', '\ud800'],
    ['website', 'acme.example'],
    ['auto', 'https://acme.example/about'],
    ['auto', 'https://www.acme.example/company/about-us'],
    ['url', 'https://www.acme.example/company/about-us'],
    ['url', 'https://acme.example/de/company/team'],
    ['url', 'https://linkedin.com.acme.example/company/acme'],
    ['url', 'https://acme.example/https://network.example/company/acme'],
    ['auto', 'https://network.example/in/jane'],
    ['auto', '4711.0'],
    ['auto', '1.23457E+15'],
    ['auto', '4,711'],
    ['auto', "'4711"],
    ['auto', '4 711'],
    ['auto', 'Acme Inc'],
    ['shorthand_name', '4711.0'],
    ['shorthand_name', '4,711'],
    ['id', '4711.0'],
  ] as const)('company_base, by %s: %s is rejected', (by, text) => {
    expect(resolveKey('company_base', by, text).ok).toBe(false);
  });

  it.each([
    ['company_base', 'url', 'https://acme.example/company/about-us', 'website'],
    ['company_base', 'auto', 'https://acme.example/company/about-us', 'website'],
    ['company_base', 'url', 'Acme Inc', 'name'],
    ['company_base', 'id', 'Acme', 'name'],
    ['company_base', 'auto', 'Acme Inc', 'name'],
    ['company_base', 'url', 'https://network.example/in/jane', 'profile'],
    ['company_base', 'id', '4711.0', 'number'],
    ['employee_clean', 'auto', 'https://acme.example/in/contact', 'website'],
    ['employee_clean', 'auto', 'https://network.example/company/acme', 'profile'],
    ['job_base', 'website', 'acme.example', 'website'],
  ] as const)('of %s, by %s: %s is instead a %s', (family, by, text, is) => {
    expect(resolveKey(family, by, text)).toMatchObject({ ok: false, is });
  });

  it.each(['company', 'school', 'showcase', 'in', 'pub'])(
    'is the host of a website with /%s/ in its path, not a profile',
    (segment) => {
      for (const path of [segment, `de/${segment}`, `m/${segment}`])
        expect(resolveKey('company_clean', 'auto', `https://www.acme.example/${path}/about-us`)).toEqual({
          ok: true,
          kind: 'website',
          value: 'acme.example',
        });
    },
  );

  it('of a family without profiles is not parsed from a profile URL', () => {
    expect(resolveKey('employee_post', 'auto', 'https://acme.example/x').ok).toBe(false);
  });

  it('of company_clean may be a website', () => {
    expect(resolveKey('company_clean', 'auto', 'https://acme.example/about')).toEqual({
      ok: true,
      kind: 'website',
      value: 'acme.example',
    });
    expect(resolveKey('job_base', 'website', 'acme.example')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('an ID'),
    });
  });
});

describe('the keys of a record', () => {
  it('are the names in its profile URLs on any host, because the service does not name the network', () => {
    expect(
      extractKeys('company_clean', {
        websites_professional_network: 'https://www.other-network.test/company/acme',
      }).shorthand_name,
    ).toEqual(['acme']);
  });

  it('are the hosts of its websites and its shorthand names, the canonical one first', () => {
    expect(
      extractKeys('company_clean', {
        websites_main: 'facebook.com/acme',
        websites_main_original: 'http://www.acme.example/',
        websites_professional_network_canonical: 'https://network.example/company/acme',
      }),
    ).toEqual({ website: ['acme.example'], shorthand_name: ['acme'] });
    expect(
      extractKeys('company_base', {
        canonical_shorthand_name: 'acme',
        company_shorthand_name: 'Acme',
        website: null,
      }),
    ).toEqual({ website: [], shorthand_name: ['acme'] });
    expect(
      extractKeys('employee_clean', {
        shorthand_names: ['jane', 'jane-doe'],
        websites_professional_network: 'https://network.example/in/jane',
      }).shorthand_name,
    ).toEqual(['jane', 'jane-doe']);
    expect(
      extractKeys('employee_base', { shorthand_name: 'j', shorthand_names: [{ shorthand_name: 'old-j' }] })
        .shorthand_name,
    ).toEqual(['j', 'old-j']);
    expect(
      extractKeys('employee_clean', {
        shorthand_names: ['2020'],
        websites_professional_network: 'https://network.example/in/1999',
      }).shorthand_name,
    ).toEqual(['1999', '2020']);
    expect(extractKeys('company_base', { website: 7 })).toEqual({ website: [], shorthand_name: [] });
  });
});
