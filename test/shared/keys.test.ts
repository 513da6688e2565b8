// Key normalisation: every spelling of a key gives the same value, and invalid keys get a reason.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractKeys, normaliseWebsite, resolveKey } from '../../shared/keys/index.ts';
import { sharedHosts } from '../../shared/keys/shared-hosts.ts';
import { unicodeText } from '../unicode-text.ts';

const parseHost = (text: string): string | undefined => {
  const key = normaliseWebsite(text);
  return key.ok ? key.value : undefined;
};

describe('an e-mail address', () => {
  const parse = (text: string) => {
    const key = resolveKey('company_clean', 'website', text);
    return key.ok ? key.value : key.reason;
  };

  it.each([
    ['ada@acme.com', 'acme.com'],
    [' Ada.Lovelace+news@Sales.Acme.co.uk ', 'sales.acme.co.uk'],
    ['mailto:ada@www.acme.com', 'acme.com'],
    ['ada@bücher.example', 'xn--bcher-kva.example'],
  ])('%s is looked up by its company: %s', (text, expected) => {
    expect(parse(text)).toBe(expected);
  });

  it.each(['ada@gmail.com', 'ada@yahoo.co.uk', 'Ada@GMX.de', 'ada@proton.me'])(
    '%s names no company',
    (text) => {
      expect(parse(text)).toMatch(/names no company\. Use the company’s website\.$/);
    },
  );

  it.each([
    '@acme.com',
    'ada@',
    'ada@acme',
    'a@b@acme.com',
    'Ada <ada@acme.com>',
    'ada@acme.com, bo@acme.com',
  ])('%j is none', (text) => {
    expect(parse(text)).toMatch(/isn’t a website/);
  });

  it('is no website for clients of the provider', () => {
    expect(parseHost('ada@acme.com')).toBeUndefined();
  });
});

describe('a website', () => {
  it.each([
    ['a.com', 'a.com'],
    ['https://www.A.com/', 'a.com'],
    ['A.COM/path', 'a.com'],
    ['http://a.com:8080/x?y=1#z', 'a.com'],
    ['//a.com', 'a.com'],
    ['  a.com.  ', 'a.com'],
    ['HTTPS://WWW.A.COM?utm_source=x', 'a.com'],
    ['www.com', 'www.com'],
    ['www.www.com', 'www.com'],
    ['shop.a.co.uk', 'shop.a.co.uk'],
    ['https://bücher.example/katalog', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['ＥＸＡＭＰＬＥ.com', 'example.com'],
    ['facebook.com', 'facebook.com'],
    ['https://www.facebook.com/?ref=home', 'facebook.com'],
    ['myshop.blogspot.com/2007/06/x.html', 'myshop.blogspot.com'],
  ])('%s is normalised to %s', (text, expected) => {
    expect(parseHost(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '42',
    '3.14',
    'not a website',
    'Ask John about acme.com',
    'sales@a.com',
    'https://user:secret@a.com/',
    'mailto:sales@a.com',
    'javascript:alert(1)',
    'javascript://a.com/%0aalert(1)',
    'ftp://a.com',
    'localhost',
    '127.0.0.1',
    'http://[::1]/',
    '1.2.3.4:80',
    'a..com',
    '-a.com',
    'a-.com',
    'a.c',
    'a_b.com',
    'a.com:port',
    '#REF!',
    'a.com\u0000',
    `${'a'.repeat(64)}.com`,
    `${'abc.'.repeat(70)}com`,
    'x'.repeat(10_000),
    `https://a.com/${'x'.repeat(10_000)}`,
  ])('%j is rejected', (text) => {
    expect(normaliseWebsite(text)).toEqual({ ok: false, reason: expect.stringMatching(/\.$/) });
  });

  it.each([
    'https://www.producthunt.com/posts/storyline-7',
    'linktr.ee/acme',
    'http://m.facebook.com/acme/',
    'facebook.com/?id=5',
    'facebook.com/#!/acme',
    'https://www.facebook.de/acme',
    'amazon.co.uk/shops/acme',
    'google.com/maps/place/acme',
    'https://web.archive.org/web/2020/acme.com',
  ])('%s is rejected as a page on a shared host', (text) => {
    expect(normaliseWebsite(text)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('company’s own domain'),
    });
  });

  it('normalises every shared host to itself', () => {
    for (const shared of sharedHosts) expect(parseHost(shared)).toBe(shared);
  });

  it('agrees with the URL standard and is idempotent', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['http', 'https'] }), (url) => {
        const value = parseHost(url);
        if (value === undefined) return;
        expect(value).toBe(new URL(url).hostname.replace(/^www\.(?=.*\.)/, ''));
        expect(parseHost(value)).toBe(value);
      }),
      { numRuns: 50 },
    );
  });

  it('agrees with the URL standard on international hosts', () => {
    const letter = fc.constantFrom(...'aäöüßéñçøłżşğαβγбвгあいうカキク漢字한국'.split(''));
    const label = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(label, (name) => {
        expect(parseHost(`${name}.example`)).toBe(new URL(`https://${name}.example`).hostname);
      }),
    );
  });

  it('parses or rejects any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), unicodeText(), fc.webUrl()), (text) => {
        expect(typeof normaliseWebsite(text).ok).toBe('boolean');
      }),
      { numRuns: 200 },
    );
  });
});

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
  ] as const)('company_base, by %s: %s', (by, text, expected) => {
    expect(resolveKey('company_base', by, text)).toEqual({ ok: true, ...expected });
  });

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
  ] as const)('company_base, by %s: %s is rejected', (by, text) => {
    expect(resolveKey('company_base', by, text).ok).toBe(false);
  });

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
      reason: expect.stringContaining('id'),
    });
  });
});

describe('the keys of a record', () => {
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
