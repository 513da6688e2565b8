// What routes for records and erasures need of a request.
import type { Family } from '../../../shared/families/index.ts';
import { namesPerson } from '../../../shared/keys/email.ts';
import { resolveKey } from '../../../shared/keys/index.ts';
import type { RecordKey } from '../../gateway/cache/cache-keys.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { systemClock } from '../../lib/clock.ts';
import type { ErasureContext } from '../../privacy/erasure-run.ts';
import type { RouteContext } from './route.ts';

/** @throws ProblemError `not_configured` */
export async function createErasureContext({
  env,
  getProvider,
  evictAnswers,
  now,
}: RouteContext): Promise<ErasureContext> {
  const { identity } = await getProvider();
  const { sleep } = systemClock;
  return {
    env,
    identity,
    now: () => now,
    sleep,
    evict: (names) => evictAnswers(identity, names),
  };
}

/**
 * Normalises a key of any kind. An e-mail address is none: whoever erases a person must not erase the company.
 * @throws ProblemError `invalid_key`
 */
export function parseKey(family: Family, text: string): RecordKey {
  if (namesPerson(text)) throw new ProblemError('invalid_key', 'An e-mail address is no key of a record.');
  const key = resolveKey(family, 'auto', text);
  if (!key.ok) throw new ProblemError('invalid_key', key.reason);
  return { family, kind: key.kind, value: key.value };
}
