// Normalises websites to hosts, so that every spelling of a website is the same key.
import { hasKnownEnding, toAsciiHost } from './host.ts';
import { invalidKey, type KeyResult } from './result.ts';
import { isProfileHost, isSharedHost } from './shared-hosts.ts';
import { isNumber, looksLikeName, readUrl, removeWrapping } from './text.ts';

const NO_WEBSITE = 'This isn’t a website or e-mail address. Use one such as example.com.';
const NAME = 'This is a company name.';

/** Maximum length of a URL in browsers and in the service. */
const MAX_LENGTH = 2048;

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
/** Host and optional port. Ports are dropped: every port of a host is the same company. */
const AUTHORITY = /^([^\s:@[\]\\]+?)\.?(?::\d{0,5})?$/;
/** RFC 1035 label after IDNA. Hosts can't contain underscores. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/;

/** Tracking parameters. They don't identify a page. */
const TRACKING = /^(?:utm_\w+|ref|source|gclid|fbclid|hl|lang)=/;

/** Checks whether the part after the host points to a page. */
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
 * Normalises a website to its host: without scheme, `www.`, port, path, case and trailing dot; international names as
 * `xn--`. A page on a shared host is rejected, because it belongs to somebody else.
 */
export function normaliseWebsite(text: string): KeyResult {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return invalidKey('This website is too long.');
  const scheme = SCHEME.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return invalidKey(`A website must start with http or https, not ${scheme}.`);
  }
  const rest = trimmed.replace(SCHEME, '').replace(/^\/\//, '');
  const end = rest.search(/[/?#]/);
  const authority = AUTHORITY.exec(end < 0 ? rest : rest.slice(0, end))?.[1];
  if (authority === undefined) return invalidKey(NO_WEBSITE);
  const full = toAsciiHost(authority);
  const labels = full.split('.');
  if (labels.length > 2 && labels[0] === 'www') labels.shift();
  const host = labels.join('.');
  if (labels.length < 2 || host.length > 253 || !labels.every((label) => LABEL.test(label))) {
    return invalidKey(NO_WEBSITE);
  }
  if (!TOP_LABEL.test(labels[labels.length - 1] ?? '')) {
    return invalidKey(NO_WEBSITE);
  }
  if (end >= 0 && pointsToPage(rest.slice(end)) && isSharedHost(host)) {
    return isProfileHost(host)
      ? invalidKey('This is a profile link, not a website.', 'profile')
      : invalidKey(`A page on ${host} is not a company’s website. Use the company’s own domain.`, 'page');
  }
  return { ok: true, kind: 'website', value: host };
}

/**
 * Normalises the website in a cell, whose text may have slips and notes.
 * @returns as {@link normaliseWebsite}; a name with a dot, such as E.ON, is no host
 */
export function normaliseWebsiteCell(text: string): KeyResult {
  const typed = removeWrapping(text);
  const { rest, isUrl } = readUrl(typed);
  const key = normaliseWebsite(rest);
  if (key.ok && (isUrl || hasKnownEnding(key.value))) return key;
  if (/^\d+$/.test(typed)) return invalidKey('This is an ID, not a website.', 'id');
  if (isNumber(typed)) return invalidKey('This is a number, not a website.', 'number');
  if (!isUrl && looksLikeName(typed)) return invalidKey(NAME, 'name');
  return key.ok ? invalidKey(NO_WEBSITE) : key;
}

/** Formats a host so that {@link normaliseWebsiteCell} reads it as the same host. */
export const formatWebsite = (host: string): string => (hasKnownEnding(host) ? host : `https://${host}`);
