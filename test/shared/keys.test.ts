// Key normalisation: every spelling of a key gives the same value, and invalid keys get a reason.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesPerson } from '../../shared/keys/email.ts';
import { toAsciiHost } from '../../shared/keys/host.ts';
import {
  extractKeys,
  formatKey,
  type NotKey,
  normaliseWebsite,
  resolveKey,
} from '../../shared/keys/index.ts';
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
    ['mailto:ada@acme.com?subject=Hi&cc=bo@acme.org', 'acme.com'],
    ['ada@bücher.example', 'xn--bcher-kva.example'],
    ['Ada <ada@acme.com>', 'acme.com'],
    ['Ada Lovelace <mailto:ada@acme.com>', 'acme.com'],
    ['"Lovelace, Ada" <ada@acme.com>', 'acme.com'],
    ['<ada@acme.com>', 'acme.com'],
    ['ada@acme.com;', 'acme.com'],
    ['ada@acme.com,', 'acme.com'],
    ['ada@acme.com>', 'acme.com'],
    ['ada@acme.com.', 'acme.com'],
    ['“ada@acme.com”', 'acme.com'],
    ["'ada@acme.com'", 'acme.com'],
    ['ada@acme.com (work)', 'acme.com'],
    ['ada＠acme.com', 'acme.com'],
    ['\u200bada@acme.com\u200e', 'acme.com'],
    ['ada@acme.newending', 'acme.newending'],
  ])('%s is looked up by its company: %s', (text, expected) => {
    expect(parse(text)).toBe(expected);
  });

  it.each([
    ...[
      'gmail.com',
      'yahoo.co.uk',
      'GMX.de',
      'proton.me',
      'live.no',
      'posteo.is',
      'outlook.com.br',
      'wp.pl',
      'vp.pl',
    ],
    ...[
      'o2.pl',
      'seznam.cz',
      'centrum.sk',
      'freemail.hu',
      'abv.bg',
      'ukr.net',
      'mail.ru',
      'inbox.lv',
      'otenet.gr',
    ],
    ...[
      'bluewin.ch',
      'hispeed.ch',
      'a1.net',
      'chello.at',
      'vodafone.de',
      'ewetel.net',
      't-online.de',
      'bbox.fr',
    ],
    ...[
      'laposte.net',
      'tim.it',
      'virgilio.it',
      'movistar.es',
      'netcabo.pt',
      'ziggo.nl',
      'telenet.be',
      'proximus.be',
    ],
    ...[
      'comhem.se',
      'online.no',
      'stofanet.dk',
      'saunalahti.fi',
      'simnet.is',
      'btinternet.com',
      'sky.com',
      'eircom.net',
    ],
    ...[
      'cox.net',
      'spectrum.net',
      'sbcglobal.net',
      'socal.rr.com',
      'shaw.ca',
      'sasktel.net',
      'uol.com.br',
      'vtr.net',
    ],
    ...[
      'bigpond.com',
      'iinet.net.au',
      'xtra.co.nz',
      'naver.com',
      'qq.com',
      '163.com',
      'docomo.ne.jp',
      'hinet.net',
    ],
    ...[
      'rediffmail.com',
      'bsnl.in',
      'walla.co.il',
      'bezeqint.net',
      'mweb.co.za',
      'superonline.com',
      'singnet.com.sg',
    ],
    ...[
      'mailinator.com',
      'yopmail.com',
      'guerrillamail.com',
      '10minutemail.com',
      'trashmail.com',
      'sharklasers.com',
    ],
    ...[
      'privaterelay.appleid.com',
      'duck.com',
      'mozmail.com',
      'ada.mozmail.com',
      'simplelogin.com',
      'ada.anonaddy.com',
    ],
  ])('at %s names no company', (host) => {
    expect(resolveKey('company_clean', 'website', `Ada <ada@${host}>`)).toEqual({
      ok: false,
      is: 'mail',
      reason: `An address at ${host.toLowerCase()} names no company. Use the company’s website.`,
    });
  });

  it.each(['wp.pl', 'sky.com', 'yahoo.com', 'mailinator.com'])(
    'is no reason to reject %s as a website, because a company has it',
    (host) => {
      expect(parse(host)).toBe(host);
    },
  );

  it.each([
    '@acme.com',
    'ada@',
    'ada@acme',
    'a@b@acme.com',
    'ada@acme.com, bo@acme.com',
    'Ada <ada@acme.com>, Bo <bo@acme.com>',
    'https://ada:secret@acme.com/',
  ])('%j is none', (text) => {
    expect(parse(text)).toMatch(/isn’t a website/);
  });

  it('is no website for clients of the provider', () => {
    expect(parseHost('ada@acme.com')).toBeUndefined();
  });

  it.each([
    ...[
      'ada@acme.com',
      'ada @ acme.com',
      'Ada <ada@acme.com>',
      'write to ada@acme',
      'ada＠acme.com',
      '@ada',
      '\u200b@ada',
    ],
    ...['sales @acme.com', 'ada\u200b@acme.com'],
  ])('%s names a person', (text) => {
    expect(namesPerson(text)).toBe(true);
  });

  it.each(['@home Interiors', 'Lunch @ Work', 'Acme Inc.', ''])('%j names no person', (text) => {
    expect(namesPerson(text)).toBe(false);
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
