// Judges findings: what they mean and what to do.

import * as z from 'zod';
import { parseJson } from '../../lib/exact-json.ts';
import type { Findings, SearchAnswer } from './examine.ts';
import { type ConnectionFailure, type ProbePlatform, probe } from './probe.ts';

export interface Verdict {
  ok: boolean;
  /** One sentence. */
  verdict: string;
  /** What to do; null if nothing. */
  fix: string | null;
  /** Problems that do not prevent work. */
  warnings: string[];
}

const fail = (verdict: string, fix: string): Verdict => ({ ok: false, verdict, fix, warnings: [] });

/** A larger clock difference breaks times that the provider sends. */
const MAX_CLOCK_S = 60;

/** What a connection failure means at a host, and what to do. */
const connectionVerdicts: Readonly<Record<ConnectionFailure, readonly [verdict: string, fix: string]>> = {
  dns: [
    'The name {host} can’t be looked up (DNS).',
    'Check the spelling of CDAPI_BASE_URL, and that this machine reaches the internet.',
  ],
  refused: [
    'Nobody listens at {host}.',
    'Check the host and port of CDAPI_BASE_URL, and that no firewall blocks the connection.',
  ],
  tls: [
    'No secure connection to {host} can be made (TLS).',
    'Check that the address speaks https and that its certificate is for this name and not expired.',
  ],
  timeout: [
    '{host} does not answer in time.',
    'Try again. If it persists, ask the provider whether the service is up and accepts this machine.',
  ],
  broken: [
    'The connection to {host} broke.',
    'Try again. If it persists, look for a proxy or firewall that closes connections.',
  ],
};

/** @returns what does not work, and what to do; undefined if address and key work */
function findFailure(
  { trouble, redirected, key, searches, balance }: Findings,
  host: string,
): readonly [verdict: string, fix: string] | undefined {
  if (trouble !== null) {
    const [verdict, fix] = connectionVerdicts[trouble.kind];
    return [verdict.replace('{host}', host), fix];
  }
  const answers = Object.values(searches).flatMap((styles) => Object.values(styles));
  const areAll = (...expected: readonly SearchAnswer[]): boolean =>
    key === null && answers.every((answer) => expected.includes(answer));
  const failures: readonly (readonly [isSo: boolean, verdict: string, fix: string])[] = [
    [
      redirected !== null,
      `The address redirects (status ${redirected}). Redirects are not followed: they would receive the key.`,
      'Set CDAPI_BASE_URL to the address that the provider names, with https and /cdapi at its end.',
    ],
    [
      key === 'refused',
      'The provider refuses the key.',
      'Copy the key again from the provider’s platform (API Keys) into CDAPI_KEY; look for one that expired.',
    ],
    [
      answers.includes('unpaid') || (balance !== null && balance <= 0),
      'The key works, but its account has no credits left.',
      'Buy credits from the provider. Cached records remain available.',
    ],
    [
      areAll('limited'),
      'The provider rejects every call because of its rate limit.',
      'Stop what else uses this key, or wait a minute and try again.',
    ],
    [
      areAll('down', 'limited'),
      'The provider answers only with server errors.',
      'Try again later, or ask the provider whether the service is up.',
    ],
    [
      areAll('no'),
      'No family can be searched: the address is wrong, or the plan includes no family.',
      'Check that CDAPI_BASE_URL ends in /cdapi as the provider gives it, then ask the provider what the plan includes.',
    ],
    [
      key === null,
      'The address answers, but it is not the data service.',
      'Check CDAPI_BASE_URL: it ends in /cdapi and leads to the service itself, not to a page.',
    ],
  ];
  const found = failures.find(([isSo]) => isSo);
  return found && [found[1], found[2]];
}

function listWarnings({ clock_ahead_s, rate_limit_per_s, searches }: Findings): string[] {
  const failing = Object.entries(searches).filter(([, styles]) =>
    Object.values(styles).some((answer) => answer === 'down' || answer === 'limited' || answer === 'odd'),
  );
  return [
    ...(clock_ahead_s !== null && Math.abs(clock_ahead_s) > MAX_CLOCK_S
      ? [`The clocks differ by ${Math.abs(clock_ahead_s)} s: synchronize this machine with a time server.`]
      : []),
    ...(rate_limit_per_s === null
      ? ['The provider does not report its rate limit: set PROVIDER_RATE_PER_S to that of your plan.']
      : []),
    ...(failing.length > 0
      ? [`Not answered as expected: ${failing.map(([family]) => family).join(', ')}. Try again.`]
      : []),
  ];
}

/** Judges findings. @param address - the provider's address */
export function judgeFindings(findings: Findings, address: string): Verdict {
  const failure = findFailure(findings, new URL(address).host);
  if (failure !== undefined) return fail(...failure);
  const verdict = 'The address and the key work.';
  return { ok: true, verdict, fix: null, warnings: listWarnings(findings) };
}

/** How UrlFetchApp introduces itself. Only the addresses that it calls from can't be imitated. */
const APPS_SCRIPT = 'Mozilla/5.0 (compatible; Google-Apps-Script; beanserver; +https://script.google.com)';

const BLOCKED =
  'Something in front of the gateway answers programs with a web page, usually the bot protection of its domain: formulas fail.';
const EXEMPT =
  'Exempt the gateway’s host from bot protection: docs/deploy.md, “Custom domain”. Then run this command again.';
const FROM_GOOGLE =
  'Bot protection may still treat Google’s servers differently. npm run addon:check -- ADDRESS tries it from Google Sheets.';

const healthSchema = z.looseObject({ status: z.string() });

const isHealth = (text: string): boolean => healthSchema.safeParse(parseJson(text)).success;

/**
 * Examines a gateway. Free: it calls the gateway only.
 * @param address - its origin
 */
export async function examineGateway(address: string, platform: ProbePlatform): Promise<Verdict> {
  const result = await probe(`${address}/health`, { headers: { 'user-agent': APPS_SCRIPT } }, platform);
  if ('failure' in result)
    return fail(`${address} gives no answer: ${result.failure} (${result.code}).`, 'Check the address.');
  const { status, headers, text = '' } = result;
  if (status === 200 && isHealth(text))
    return { ok: true, verdict: `${address} answers as a gateway.`, fix: null, warnings: [FROM_GOOGLE] };
  // https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
  const isBlocked = headers.get('cf-mitigated') !== null || text.trimStart().startsWith('<');
  return isBlocked
    ? fail(BLOCKED, EXEMPT)
    : fail(`${address} is no gateway: /health answers ${status}.`, 'Check the address.');
}
