// Tells the provider's API keys apart without disclosing them.
import { sha256Hex } from '../../lib/hash.ts';

/** Too short to find a key by it, and long enough for the two keys of a rotation. */
const LENGTH = 8;

/** Returns a name of an API key: the beginning of its hash. It is not stored. */
export async function identifyKey(apiKey: string): Promise<string> {
  return (await sha256Hex(apiKey)).slice(0, LENGTH);
}
