// Reads the company's website from an e-mail address.
import { createDigestSet } from './digest-set.ts';
import { mailHostDigests } from './known-hosts.ts';
import { invalidKey, type KeyResult } from './result.ts';
import { removeInvisible, removeWrapping } from './text.ts';
import { normaliseWebsite, normaliseWebsiteCell } from './website.ts';

/** An address behind a name: `Jane Doe <jane@example.com>`. */
const NAMED = /^[^<>]*<([^<>]*)>[^<>]*$/;
const AT_SIGN = /[@＠﹫]/;
const MAILTO = /^mailto:([^?]*)(?:\?.*)?$/i;
const EMAIL = /^[^\s@＠﹫:/?#,;<>]+[@＠﹫]([^\s@＠﹫:/?#,;<>]+)$/;

/** Hosts of mail services with a domain in most countries. Others are in the digests. */
const NATIONAL_MAIL =
  /^(?:aol|fastmail|gmx|hotmail|live|msn|outlook|posteo|yahoo|yandex|ymail)(?:\.(?:co|com|net|ne|org))?\.[a-z]{2,3}$/;

const isListed = createDigestSet(mailHostDigests);

/** Checks whether anybody has an address at a host: at a mail service, an internet provider, a disposable host or a relay. */
function isMailHost(host: string): boolean {
  const labels = host.split('.');
  const parents = labels.map((_, at) => `*.${labels.slice(at).join('.')}`);
  return NATIONAL_MAIL.test(host) || isListed(host) || parents.some(isListed);
}

/** An address, with spaces or not, or a handle alone. A sign before a word is part of a name: `@home Interiors`. */
const PERSON = /\S[@＠﹫]|[@＠﹫]\s*\S+\.\S|^[@＠﹫]\S*$/;

/** Checks whether a text may be the address of a person, which no search may contain. */
export const namesPerson = (text: string): boolean => PERSON.test(removeInvisible(text));

/** Reads the host of an e-mail address, undefined if the text is none. */
function readMailHost(text: string): string | undefined {
  const named = NAMED.exec(text)?.[1] ?? '';
  const address = removeWrapping(AT_SIGN.test(named) ? named : text);
  return EMAIL.exec(removeWrapping(MAILTO.exec(address)?.[1] ?? address))?.[1];
}

/**
 * Normalises a cell with a website or an e-mail address to the host of a company.
 * @param text - a bare domain, a URL or an e-mail address; nothing before the `@` is part of the result
 */
export function normaliseWebsiteOrEmail(text: string): KeyResult {
  const host = readMailHost(text);
  if (host === undefined) return normaliseWebsiteCell(text);
  const key = normaliseWebsite(host);
  return key.ok && isMailHost(key.value)
    ? invalidKey(`An address at ${key.value} names no company. Use the company’s website.`, 'mail')
    : key;
}
