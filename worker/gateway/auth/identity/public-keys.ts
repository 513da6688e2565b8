// Public keys of a sign-in service, which sign identity tokens. Fetches are bounded whatever clients send.
import { errors, importJWK, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import * as z from 'zod';
import { type FailureCode, logError } from '../../../http/log.ts';
import type { ProblemError } from '../../../http/problem-error.ts';
import { readText } from '../../../http/read-body.ts';
import type { Platform } from '../../platform.ts';

/** Clock, timer and network of the key fetches, and how failures are reported. */
export interface KeysPlatform extends Pick<Platform, 'now' | 'sleep'> {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Creates a signal that aborts after the given milliseconds. */
  timeout: (ms: number) => AbortSignal;
  /** Logged when the service does not answer. */
  failureCode: FailureCode;
  /** Creates the problem of a caller when no keys could be fetched. */
  createUnavailable: () => ProblemError;
}

/** The shortest time between two fetches of an isolate. A token with an unknown key id causes at most one in this time. */
export const REFETCH_AFTER_MS = 30_000;
const TIMEOUT_MS = 5_000;
const POLL_MS = 50;
const MIN_FRESH_MS = 5 * 60_000;
const MAX_FRESH_MS = 24 * 3_600_000;
/** While the service does not answer, the last keys are used for this time after they have expired. */
const GRACE_MS = 3_600_000;
const MAX_BYTES = 64 * 1024;
const MAX_KEYS = 20;

const keySchema = z.object({
  kid: z.string().min(1),
  kty: z.literal('RSA'),
  alg: z.literal('RS256'),
  n: z.string(),
  e: z.string(),
});
const responseSchema = z.object({ keys: z.array(z.unknown()).min(1).max(MAX_KEYS) });

/** Reads `max-age` of a Cache-Control header, in milliseconds within our bounds. */
function readFreshMs(cacheControl: string | null): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1] ?? '0';
  return Math.min(MAX_FRESH_MS, Math.max(MIN_FRESH_MS, Number(seconds) * 1000));
}

async function importKeys(body: unknown): Promise<Map<string, CryptoKey>> {
  const keys = new Map<string, CryptoKey>();
  for (const candidate of responseSchema.parse(body).keys) {
    const { data } = keySchema.safeParse(candidate);
    const key = data === undefined ? undefined : await importJWK(data, 'RS256');
    if (data !== undefined && key instanceof CryptoKey) keys.set(data.kid, key);
  }
  if (keys.size === 0) throw new Error('The answer has no RSA key.');
  return keys;
}

/** The keys by their id, cached as long as the service allows. */
export class PublicKeys {
  readonly #url: string;
  readonly #platform: KeysPlatform;
  #keys: ReadonlyMap<string, CryptoKey> = new Map();
  #freshUntil = 0;
  #nextFetchAt = 0;
  /** While one request fetches, the others poll: a request can't wait for the network of another one. */
  #fetchingUntil = 0;

  constructor(url: string, platform: KeysPlatform) {
    this.#url = url;
    this.#platform = platform;
  }

  /**
   * Returns a key.
   * @returns undefined if the service has no key with this id
   * @throws ProblemError the platform's, if no keys could be fetched
   */
  async find(id: string): Promise<CryptoKey | undefined> {
    const now = this.#platform.now();
    if (now >= this.#freshUntil || !this.#keys.has(id)) {
      if (now >= this.#nextFetchAt) await this.#refresh(now);
      else await this.#waitForFetch();
    }
    if (this.#platform.now() < this.#freshUntil + GRACE_MS && this.#keys.size > 0) return this.#keys.get(id);
    throw this.#platform.createUnavailable();
  }

  /**
   * Verifies the signature and the claims of a token. The algorithm is fixed: the header can't choose `none` or a shared secret.
   * @param options - the required claims and their values
   * @throws JOSEError if the token is not valid; ProblemError the platform's, if no keys could be fetched
   */
  async verify(
    token: string,
    options: Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'requiredClaims'>,
  ): Promise<JWTPayload> {
    const currentDate = new Date(this.#platform.now());
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = typeof kid === 'string' ? await this.find(kid) : undefined;
        if (key === undefined) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      { ...options, algorithms: ['RS256'], currentDate },
    );
    return payload;
  }

  async #waitForFetch(): Promise<void> {
    while (this.#platform.now() < this.#fetchingUntil) await this.#platform.sleep(POLL_MS);
  }

  async #refresh(now: number): Promise<void> {
    this.#nextFetchAt = now + REFETCH_AFTER_MS;
    this.#fetchingUntil = now + TIMEOUT_MS;
    try {
      const response = await this.#platform.fetch(this.#url, {
        redirect: 'manual',
        signal: this.#platform.timeout(TIMEOUT_MS),
      });
      const text = await readText(response, MAX_BYTES);
      if (response.status !== 200 || text === undefined) throw new Error('The answer is no list of keys.');
      this.#keys = await importKeys(JSON.parse(text));
      this.#freshUntil = now + readFreshMs(response.headers.get('cache-control'));
    } catch (error) {
      logError(this.#platform.failureCode, error);
    } finally {
      this.#fetchingUntil = 0;
    }
  }
}
