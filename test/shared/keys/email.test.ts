// E-mail addresses as keys: whose company they name, and which name none.
import { describe, expect, it } from 'vitest';
import { namesPerson } from '../../../shared/keys/email.ts';
import { normaliseWebsite, resolveKey } from '../../../shared/keys/index.ts';

const parseHost = (text: string): string | undefined => {
  const key = normaliseWebsite(text);
  return key.ok ? key.value : undefined;
};

/** Hosts of private addresses, in many countries, and of addresses that hide or expire. */
const PRIVATE_HOSTS = `
  gmail.com yahoo.co.uk GMX.de proton.me live.no posteo.is outlook.com.br wp.pl vp.pl o2.pl seznam.cz centrum.sk
  freemail.hu abv.bg ukr.net mail.ru inbox.lv otenet.gr bluewin.ch hispeed.ch a1.net chello.at vodafone.de
  ewetel.net t-online.de bbox.fr laposte.net tim.it virgilio.it movistar.es netcabo.pt ziggo.nl telenet.be
  proximus.be comhem.se online.no stofanet.dk saunalahti.fi simnet.is btinternet.com sky.com eircom.net cox.net
  spectrum.net sbcglobal.net socal.rr.com shaw.ca sasktel.net uol.com.br vtr.net bigpond.com iinet.net.au
  xtra.co.nz naver.com qq.com 163.com docomo.ne.jp hinet.net rediffmail.com bsnl.in walla.co.il bezeqint.net
  mweb.co.za superonline.com singnet.com.sg mailinator.com yopmail.com guerrillamail.com 10minutemail.com
  trashmail.com sharklasers.com privaterelay.appleid.com duck.com mozmail.com ada.mozmail.com simplelogin.com
  ada.anonaddy.com
`
  .trim()
  .split(/\s+/);

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

  it.each(PRIVATE_HOSTS)('at %s names no company', (host) => {
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
