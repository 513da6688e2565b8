// Judges findings: what they mean and what to do.

import * as z from 'zod';
import { parseJson } from '../../lib/exact-json.ts';
import type { Findings, SearchAnswer } from './examine.ts';
import type { ConnectionFailure } from './probe.ts';
import { type ProbePlatform, probe } from './probe.ts';

export interface Verdict {
  ok: boolean;
  /** One sentence. */
  verdict: string;
  /** What to do; null if nothing. */
  fix: string | null;
  /** Problems that do not prevent work. */
  warnings: string[];
}

/** A larger clock difference breaks times that the provider sends. */
const MAX_CLOCK_S = 60;

type FailedVerdict = { verdict: string; fix: string };

const connectionVerdicts: Readonly<Record<ConnectionFailure, (host: string) => FailedVerdict>> = {
  dns: (host) => ({
    verdict: `The name ${host} can’t be looked up (DNS).`,
    fix: 'Check the spelling of CDAPI_BASE_URL, and that this machine reaches the internet.',
  }),
  refused: (host) => ({
    verdict: `Nobody listens at ${host}.`,
    fix: 'Check the host and port of CDAPI_BASE_URL, and that no firewall blocks the connection.',
  }),
  tls: (host) => ({
    verdict: `No secure connection to ${host} can be made (TLS).`,
    fix: 'Check that the address speaks https and that its certificate is for this name and not expired.',
  }),
  timeout: (host) => ({
    verdict: `${host} does not answer in time.`,
    fix: 'Try again. If it persists, ask the provider whether the service is up and accepts this machine.',
  }),
  broken: (host) => ({
    verdict: `The connection to ${host} broke.`,
    fix: 'Try again. If it persists, look for a proxy or firewall that closes connections.',
  }),
};

function findFailure(
  { trouble, redirected, key, searches, balance }: Findings,
  host: string,
): FailedVerdict | undefined {
  if (trouble !== null) return connectionVerdicts[trouble.kind](host);
  if (redirected !== null) {
    return {
      verdict: `The address redirects (status ${redirected}). Redirects are not followed: they would receive the key.`,
      fix: 'Set CDAPI_BASE_URL to the address that the provider names, with https and /cdapi at its end.',
    };
  }
  if (key === 'refused') {
    return {
      verdict: 'The provider refuses the key.',
      fix: 'Copy the key again from the provider’s platform (API Keys) into CDAPI_KEY; look for one that expired.',
    };
  }
  const answers = Object.values(searches).flatMap((styles) => Object.values(styles));
  if (answers.includes('unpaid') || (balance !== null && balance <= 0)) {
    return {
      verdict: 'The key works, but its account has no credits left.',
      fix: 'Buy credits from the provider. Cached records remain available.',
    };
  }
  const areAll = (...expected: readonly SearchAnswer[]): boolean =>
    answers.every((answer) => expected.includes(answer));
  if (key === null) {
    if (areAll('limited')) {
      return {
        verdict: 'The provider rejects every call because of its rate limit.',
        fix: 'Stop what else uses this key, or wait a minute and try again.',
      };
    }
    if (areAll('down', 'limited')) {
      return {
        verdict: 'The provider answers only with server errors.',
        fix: 'Try again later, or ask the provider whether the service is up.',
      };
    }
    if (areAll('no')) {
      return {
        verdict: 'No family can be searched: the address is wrong, or the plan includes no family.',
        fix: 'Check that CDAPI_BASE_URL ends in /cdapi as the provider gives it, then ask the provider what the plan includes.',
      };
    }
    return {
      verdict: 'The address answers, but it is not the data service.',
      fix: 'Check CDAPI_BASE_URL: it ends in /cdapi and leads to the service itself, not to a page.',
    };
  }
  return undefined;
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
  if (failure !== undefined) return { ok: false, ...failure, warnings: [] };
  return {
    ok: true,
    verdict: 'The address and the key work.',
    fix: null,
    warnings: listWarnings(findings),
  };
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
  const bad = (verdict: string, fix: string): Verdict => ({ ok: false, verdict, fix, warnings: [] });
  if ('failure' in result)
    return bad(`${address} gives no answer: ${result.failure} (${result.code}).`, 'Check the address.');
  const { status, headers, text = '' } = result;
  if (status === 200 && isHealth(text))
    return { ok: true, verdict: `${address} answers as a gateway.`, fix: null, warnings: [FROM_GOOGLE] };
  // https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
  const isBlocked = headers.get('cf-mitigated') !== null || text.trimStart().startsWith('<');
  return isBlocked
    ? bad(BLOCKED, EXEMPT)
    : bad(`${address} is no gateway: /health answers ${status}.`, 'Check the address.');
}
