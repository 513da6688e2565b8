// Reads the company's website from an e-mail address.
import { invalidKey, type KeyResult } from './result.ts';
import { normaliseWebsite } from './website.ts';

const EMAIL = /^(?:mailto:)?[^\s@:/?#,;<>]+@([^\s@:/?#,;<>]+)$/i;

/** Hosts where anybody has an address. */
const PERSONAL_HOST =
  /^(?:(?:gmx|hotmail|live|outlook|yahoo|ymail)(?:\.[a-z]{2,3}){1,2}|(?:126|163|aol|fastmail|gmail|googlemail|icloud|mac|mail|me|msn|naver|proton|protonmail|qq|rediffmail|rocketmail|yandex|zoho)\.com|(?:daum|comcast|att|verizon)\.net|(?:libero|tin|virgilio)\.it|(?:orange|free|laposte|sfr|wanadoo)\.(?:fr|net)|(?:mail|bk|inbox|list|yandex)\.ru|(?:web|t-online|freenet)\.de|proton\.me|pm\.me|hey\.com|uol\.com\.br|bol\.com\.br|btinternet\.com|sky\.com)$/;

/** Checks whether a text may be the address of a person, which no search may contain. */
export const namesPerson = (text: string): boolean => /[@＠﹫]/.test(text);

/**
 * Normalises a website or an e-mail address to the host of a company.
 * @param text - a bare domain, a URL or an e-mail address; nothing before the `@` is part of the result
 */
export function normaliseWebsiteOrEmail(text: string): KeyResult {
  const domain = EMAIL.exec(text.trim())?.[1];
  const key = normaliseWebsite(domain ?? text);
  if (domain === undefined || !key.ok || !PERSONAL_HOST.test(key.value)) return key;
  return invalidKey(`An address at ${key.value} names no company. Use the company’s website.`);
}
