// Examines a gateway as Apps Script calls it: whether it answers itself, or something in front of it.

import * as z from 'zod';
import { parseJson } from '../../lib/exact-json.ts';
import { type ProbePlatform, probe } from './probe.ts';
import type { Verdict } from './verdict.ts';

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
