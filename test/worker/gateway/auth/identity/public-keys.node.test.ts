// Public keys of a sign-in service: fetched, cached within bounds, rotated, and unreachable.
import { beforeEach, expect, it } from 'vitest';
import {
  type KeysPlatform,
  PublicKeys,
  REFETCH_AFTER_MS,
} from '../../../../../worker/gateway/auth/identity/public-keys.ts';
import { ProblemError } from '../../../../../worker/http/problem-error.ts';
import { GoogleIdentity, KEYS_URL } from '../../../../google-identity.ts';
import { captureErrorLog } from '../../../logged-errors.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let now = 0;
let google: GoogleIdentity;
let keys: PublicKeys;

/** Everything but the network and the timer. */
const platform: Omit<KeysPlatform, 'fetch' | 'sleep'> = {
  now: () => now,
  timeout: () => new AbortController().signal,
  failureCode: 'google_call_failed',
  createUnavailable: () => new ProblemError('google_unavailable'),
};

function createKeys(fetch = google.fetch): PublicKeys {
  return new PublicKeys(KEYS_URL, {
    ...platform,
    sleep: async (ms) => {
      now += ms;
    },
    fetch,
  });
}

beforeEach(async () => {
  captureErrorLog();
  now = Date.UTC(2026, 10, 23);
  google = await GoogleIdentity.create(() => now);
  keys = createKeys();
});

it('are fetched once while they are fresh', async () => {
  for (let at = 0; at < 5; at += 1) expect(await keys.find(google.keyId)).toBeInstanceOf(CryptoKey);
  // Google allows 20,000 seconds.
  now += 20_000_000 - 1;
  await keys.find(google.keyId);
  expect(google.requests).toBe(1);
  now += 1;
  await keys.find(google.keyId);
  expect(google.requests).toBe(2);
});

it.each([
  ['no-store', 5 * MINUTE_MS],
  ['public, max-age=1', 5 * MINUTE_MS],
  ['max-age=999999999', 24 * HOUR_MS],
])('are kept within bounds with the header %s', async (header, ms) => {
  google.cacheControl = header;
  await keys.find(google.keyId);
  now += ms - 1;
  await keys.find(google.keyId);
  expect(google.requests).toBe(1);
  now += 1;
  await keys.find(google.keyId);
  expect(google.requests).toBe(2);
});

it('are fetched again when Google rotates them', async () => {
  await keys.find(google.keyId);
  const former = google.keyId;
  await google.rotate();
  expect(await keys.find(google.keyId)).toBeUndefined();
  now += REFETCH_AFTER_MS;
  expect(await keys.find(google.keyId)).toBeInstanceOf(CryptoKey);
  expect(await keys.find(former)).toBeInstanceOf(CryptoKey);
  await google.rotate();
  now += REFETCH_AFTER_MS;
  await keys.find(google.keyId);
  // Google has withdrawn it.
  expect(await keys.find(former)).toBeUndefined();
});

it('survive an hour without Google, no longer', async () => {
  await keys.find(google.keyId);
  google.isDown = true;
  now += 20_000_000 + HOUR_MS - 1;
  expect(await keys.find(google.keyId)).toBeInstanceOf(CryptoKey);
  now += 1;
  await expect(keys.find(google.keyId)).rejects.toMatchObject({ problem: { code: 'google_unavailable' } });
  google.isDown = false;
  now += REFETCH_AFTER_MS;
  expect(await keys.find(google.keyId)).toBeInstanceOf(CryptoKey);
});

it.each<[string, () => Response]>([
  ['a redirect', () => Response.redirect('https://evil.example/keys')],
  ['an error', () => new Response('{}', { status: 500 })],
  ['a page', () => new Response('<html>')],
  ['no keys', () => Response.json({ keys: [] })],
  ['too many keys', () => Response.json({ keys: Array(100).fill({}) })],
  ['a shared secret', () => Response.json({ keys: [{ kid: 'a', kty: 'oct', alg: 'HS256', k: 'c2VjcmV0' }] })],
  ['an endless answer', () => new Response('x'.repeat(100_000))],
])('are not taken from %s', async (_, answer) => {
  google.answer = answer;
  await expect(keys.find('a')).rejects.toMatchObject({ problem: { code: 'google_unavailable' } });
  expect(google.requests).toBe(1);
});

it('are fetched by one of several requests, and the others wait for it', async () => {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  keys = new PublicKeys(KEYS_URL, {
    ...platform,
    // The answer comes while the others poll.
    sleep: () => {
      release();
      return new Promise((resolve) => setTimeout(resolve));
    },
    fetch: async (url, init) => {
      await gate;
      return google.fetch(url, init);
    },
  });
  const found = Promise.all(Array.from({ length: 10 }, () => keys.find(google.keyId)));
  expect((await found).every((key) => key instanceof CryptoKey)).toBe(true);
  expect(google.requests).toBe(1);
});
