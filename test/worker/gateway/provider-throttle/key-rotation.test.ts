// The provider's key is rotated: for a while, objects of the version before still send the old one.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import type { DevelopmentEnv } from '../../../../worker/env.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { getProviderThrottle } from '../../../../worker/gateway/provider-throttle/provider-throttle-object.ts';
import { SingleFlightObject } from '../../../../worker/gateway/single-flight/single-flight-object.ts';
import { createRemoteUpstream } from '../../../../worker/gateway/upstream/configured-upstream.ts';
import { identifyKey } from '../../../../worker/gateway/upstream/redact-key.ts';
import { testPlatform, withRateLimit } from '../../platform.ts';
import { buildPayer, companyResponse, enrichCall } from '../single-flight/builders.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const BASE_URL = 'https://rotated.example/cdapi';
const [OLD, NEW] = ['OldKeyOfTheProvider0123456789abc', 'NewKeyOfTheProvider0123456789abc'];
const TEAM = 'rotating';

/** Looks a company up through an object of a Worker with a key. @returns its outcome */
async function lookUp(website: string, apiKey: string) {
  const { identity } = await createRemoteUpstream(BASE_URL, apiKey);
  return runInDurableObject(env.SINGLE_FLIGHT.getByName(`rotation ${apiKey}`), async (_, state) => {
    const settings: DevelopmentEnv = { ...env, CDAPI_BASE_URL: BASE_URL, CDAPI_KEY: apiKey };
    const object = new SingleFlightObject(state, settings, testPlatform);
    const { rows } = await object.fetchCalls({
      identity,
      calls: [enrichCall(website)],
      payer: buildPayer(TEAM),
      lane: 'formula',
      waitMs: 20_000,
      background: false,
    });
    return rows[0];
  });
}

it('calls with the new key are sent at once, although the revoked old one is refused', async () => {
  await getLedger(env, TEAM).setBudget({});
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) =>
    new Request(input).headers.get('apikey') === NEW
      ? withRateLimit(companyResponse('1.com'))
      : Response.json({ message: 'Unauthorized' }, { status: 401 }),
  );
  expect(await lookUp('1.com', OLD)).toMatchObject({ outcome: 'failed', problem: 'provider_refused' });
  const { identity } = await createRemoteUpstream(BASE_URL, OLD);
  const throttle = getProviderThrottle(env, identity);
  const request = { team: TEAM, purpose: 'search', lane: 'bulk', calls: 1, credits: 0, waitMs: 0 } as const;
  const key = await identifyKey(OLD);
  await expect.poll(() => throttle.acquire({ ...request, key })).toMatchObject({ granted: 0 });
  expect(await lookUp('1.com', NEW)).toMatchObject({ outcome: 'fetched', credits: 10 });
});
