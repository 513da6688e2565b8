// Websites as keys: every spelling of a host gives the same value, and invalid ones get a reason.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAsciiHost } from '../../../shared/keys/host.ts';
import { formatKey, type NotKey, normaliseWebsite, resolveKey } from '../../../shared/keys/index.ts';
import { sharedHosts } from '../../../shared/keys/shared-hosts.ts';
import { unicodeText } from '../../unicode-text.ts';

const parseHost = (text: string): string | undefined => {
  const key = normaliseWebsite(text);
  return key.ok ? key.value : undefined;
};

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
    expect(normaliseWebsite(text)).toMatchObject({ ok: false, reason: expect.stringMatching(/\.$/) });
    expect(resolveKey('company_clean', 'website', text).ok).toBe(
      text === 'sales@a.com' || text === 'mailto:sales@a.com',
    );
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

  it.each([
    ['ΣΊΣΥΦΟΣ.example', 'xn--pxalm1bzcd.example'],
    ['STRAẞE.example', 'xn--strae-oqa.example'],
    ['☺️.example', 'xn--74h.example'],
    ['İstanbul.example', 'xn--istanbul-3sf.example'],
    ['ﬁrma.example', 'firma.example'],
    ['Ａｃｍｅ｡example', 'acme.example'],
    ['ac\u00adme.example', 'acme.example'],
    ['نامه\u200cای.example', 'xn--mgba3gch31f060k.example'],
    ['क्\u200dष.example', 'xn--11bu7j4d.example'],
    ['שלום.example', 'xn--9dbne9b.example'],
    ['ᾳ.example', 'xn--mxa2d.example'],
  ])('%s is the host that browsers open', (text) => {
    expect(parseHost(text)).toBe(new URL(`https://${text}`).hostname);
  });

  it.each(['acme⒈example', 'a\u2ff0b.example', '\u0301a.example', 'aא.example', 'אa.example', '1א.example'])(
    '%j is rejected as by browsers',
    (text) => {
      expect(() => new URL(`https://${text}`)).toThrow();
      expect(parseHost(text)).toBeUndefined();
    },
  );

  it('is never another host than in browsers, whatever the characters', () => {
    const different: string[] = [];
    for (let point = 0x80; point < 0x110000; point += point < 0x3000 ? 1 : 7) {
      const sign = String.fromCodePoint(point);
      if (/\p{C}|\p{Default_Ignorable_Code_Point}/u.test(sign)) continue;
      for (const host of [`${sign}.example`, `a${sign}b.example`]) {
        const parsed = toAsciiHost(host);
        if (
          parsed !== '' &&
          URL.canParse(`https://${host}`) &&
          new URL(`https://${host}`).hostname !== parsed
        )
          different.push(host);
      }
    }
    expect(different).toEqual([]);
  });

  it('loses invisible characters anywhere, also those that browsers reject', () => {
    const invisible = fc.constantFrom(
      ...'\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\u3164\ufe0f\ufeff\uffa0',
    );
    fc.assert(
      fc.property(fc.array(fc.nat(20)), invisible, (places, sign) => {
        const letters = [...'https://acme.example'];
        for (const at of places) letters.splice(at, 0, sign);
        const text = letters.join('');
        expect(resolveKey('company_clean', 'website', text)).toMatchObject({ value: 'acme.example' });
      }),
    );
  });

  it.each([
    '"acme.example"',
    '“acme.example”',
    '(acme.example)',
    'acme.example (new)',
    'acme.example [old site]',
    '<https://acme.example>',
    'acme.example;',
    'acme.example,',
    'https//acme.example',
    'https:\\\\acme.example',
    'http:\\\\www.acme.example\\about',
    'https:/acme.example',
    'http:acme.example',
    'https;//acme.example',
    'https://http://acme.example/',
    '\u200eacme.example',
    '\u2066acme.example\u2069',
    'acme.example\ufe0f',
  ])('in a cell may have slips and notes: %s', (text) => {
    expect(resolveKey('company_clean', 'website', text)).toMatchObject({ value: 'acme.example' });
    expect(resolveKey('company_clean', 'auto', text)).toMatchObject({ value: 'acme.example' });
  });

  it.each([
    ['E.Ondra', 'name'],
    ['J.Crewe', 'name'],
    ['Dr.Oetken', 'name'],
    ['Node.js', 'name'],
    ['@home Interiors', 'name'],
    ['Nordlys A/S', 'name'],
    ['AC/DC', 'name'],
    ['Acme', 'name'],
    ['Acme Inc.', 'name'],
    ['例え。テスト', 'name'],
    ['4711', 'id'],
    ["'4711", 'id'],
    ['4711.0', 'number'],
    ['1.23457E+15', 'number'],
    ['4,711', 'number'],
    ['https://network.example/company/acme', 'profile'],
    ['www.linkedin.com/in/ada', 'profile'],
    ['facebook.com/acme', 'page'],
    ['acme.example or acme.test', 'other'],
    ['Ask Ada about acme.com', 'other'],
    ['a..com', 'other'],
    ['', 'other'],
  ] as const satisfies (readonly [string, NotKey])[])('%j is none in a cell: %s', (text, is) => {
    expect(resolveKey('company_clean', 'website', text)).toMatchObject({ ok: false, is });
  });

  it.each([
    'acme.example',
    'acme.test',
    'acme.io',
    'acme.co.uk',
    'acme.みんな',
    'https://acme.newending',
    'www.acme.newending',
  ])('may end in a known domain, or in any behind a scheme or www: %s', (text) => {
    const key = resolveKey('company_clean', 'website', text);
    expect(key.ok).toBe(true);
    if (key.ok) expect(resolveKey('company_clean', 'website', formatKey(key))).toEqual(key);
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
