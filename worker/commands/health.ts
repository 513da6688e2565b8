// Asks an instance whether it is there.
import type { Session } from './session.ts';

const PATIENCE_MS = 2_000;

async function isOk(url: string, headers: Record<string, string>): Promise<boolean> {
  try {
    return (await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) })).ok;
  } catch {
    return false;
  }
}

/**
 * Tells whether an instance answers.
 * @param url - its address
 */
export function answers(url: string): Promise<boolean> {
  return isOk(`${url}/health`, {});
}

/** Tells whether an instance answers, and takes this session's key. */
export function takesKey({ url, provider_key }: Session): Promise<boolean> {
  return isOk(`${url}/provider/status`, { apikey: provider_key });
}
