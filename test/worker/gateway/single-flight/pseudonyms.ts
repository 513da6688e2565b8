// The deployment's names for people, as a test expects them.
import { env } from 'cloudflare:workers';
import { Pseudonyms } from '../../../../worker/gateway/refusal-list/pseudonyms.ts';

/** @returns pseudonyms of keys: subject, kind, value */
export async function pseudonymsOf(...keys: [string, string, string][]): Promise<string[]> {
  const maker = await Pseudonyms.load(env.DB);
  return Promise.all(keys.map((parts) => maker.create(parts.join(':'))));
}
