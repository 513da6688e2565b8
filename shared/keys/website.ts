// Normalises a website to its host, so that every spelling of one website is one key.
import { toASCII } from 'punycode/punycode.es6.js';
import { invalidKey, type KeyResult } from './result.ts';
import { isSharedHost } from './shared-hosts.ts';

/** Longer than any address that a browser or the service takes. */
const MAX_LENGTH = 2048;

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
/** Port numbers are dropped: another port of a host is the same company. */
const AUTHORITY = /^([^\s:@[\]\\]+?)\.?(?::\d{0,5})?$/;
/** RFC 1035 labels, as they stand after IDNA; the underscore is not a host's. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/;
const NOT_ASCII = /[^\0-\x7f]/;

/** Lower case, one spelling of letters and of the dots that IDNA takes (UTS 46), then ASCII; '' where it can't be. */
function asciiHost(host: string): string {
  const folded = host.toLowerCase();
  if (!NOT_ASCII.test(folded)) return folded;
  try {
    const text = folded.normalize('NFKC').replace(/[\u00ad\u200b\u2060\ufeff]/g, '');
    return toASCII(text.toLowerCase().normalize('NFC'));
  } catch {
    return '';
  }
}

/** Parameters that say where a visitor came from, and nothing of the page. */
const TRACKING = /^(?:utm_\w+|ref|source|gclid|fbclid|hl|lang)=/;

/** Tells whether what follows a host names one of its pages. */
function pointsToPage(rest: string): boolean {
  const [beforeHash = '', ...hash] = rest.split('#');
  const [path = '', ...query] = beforeHash.split('?');
  const parameters = query.join('?').split('&');
  return (
    path.replace(/\/+/g, '') !== '' ||
    hash.join('') !== '' ||
    parameters.some((parameter) => parameter !== '' && !TRACKING.test(parameter))
  );
}

/**
 * Normalises a website: without scheme, `www.`, port, path, case and trailing dot; international names as `xn--`.
 * @param text - a bare domain or a full URL, as a person typed it
 * @returns the host, or why it is none. On hosts that many share a path is somebody else's page and is refused.
 */
export function normaliseWebsite(text: string): KeyResult {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return invalidKey('It is too long to be a website.');
  const scheme = SCHEME.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return invalidKey(`A website starts with http or https, not ${scheme}.`);
  }
  const rest = trimmed.replace(SCHEME, '').replace(/^\/\//, '');
  const end = rest.search(/[/?#]/);
  const authority = AUTHORITY.exec(end < 0 ? rest : rest.slice(0, end))?.[1];
  if (authority === undefined) return invalidKey('It is not a website such as example.com.');
  const full = asciiHost(authority);
  const labels = full.split('.');
  if (labels.length > 2 && labels[0] === 'www') labels.shift();
  const host = labels.join('.');
  if (labels.length < 2 || host.length > 253 || !labels.every((label) => LABEL.test(label))) {
    return invalidKey('It is not a website such as example.com.');
  }
  if (!TOP_LABEL.test(labels[labels.length - 1] ?? '')) {
    return invalidKey('It is not a website such as example.com.');
  }
  if (end >= 0 && pointsToPage(rest.slice(end)) && isSharedHost(host)) {
    return invalidKey(`A page on ${host} is not a company’s website: give the company’s own domain.`);
  }
  return { ok: true, kind: 'website', value: host };
}
