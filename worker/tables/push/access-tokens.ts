// The access of a service account to spreadsheets: its key signs a claim, Google gives a token of an hour for it. RFC 7523.
import { importPKCS8, SignJWT } from 'jose';
import * as z from 'zod';
import { ProblemError } from '../../http/problem-error.ts';
import {
  type GooglePlatform,
  type GoogleResponse,
  RETRYABLE_STATUSES,
  sendOnce,
  sendWithRetry,
} from './google-http.ts';

const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The longest that Google allows. */
const CLAIM_S = 3600;
/** A token that ends within this time is not used any more. */
const MARGIN_MS = 5 * 60_000;

const keyFileSchema = z.object({
  client_email: z.email(),
  private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
});
const tokenResponseSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/** Who writes, and with which key. */
export interface ServiceAccount {
  /** The address that spreadsheets are shared with. */
  email: string;
  /** PKCS #8 as PEM. */
  privateKey: string;
}

/** A token and when it ends, in milliseconds since 1970. */
export interface CachedToken {
  token: string;
  expiresAt: number;
}

function notConfigured(detail: string): ProblemError {
  return new ProblemError('push_not_configured', detail);
}

/**
 * Reads the key file of a service account.
 * @param text - JSON as Google hands it out, with at least `client_email` and `private_key`
 * @throws ProblemError `push_not_configured`, which repeats nothing of the text
 */
export function readServiceAccount(text: string): ServiceAccount {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw notConfigured('GOOGLE_SERVICE_ACCOUNT is not JSON.');
  }
  const read = keyFileSchema.safeParse(json);
  if (!read.success) throw notConfigured('GOOGLE_SERVICE_ACCOUNT is not the key file of a service account.');
  return { email: read.data.client_email, privateKey: read.data.private_key };
}

/** The tokens of a service account. */
export class AccessTokens {
  readonly account: ServiceAccount;
  readonly #url: string;
  readonly #platform: GooglePlatform;
  readonly #kept: Map<string, CachedToken>;

  /**
   * @param url - Google's token endpoint, which is also who the claim is for
   * @param kept - tokens by account, as long as the isolate lives
   */
  constructor(
    account: ServiceAccount,
    url: string,
    platform: GooglePlatform,
    kept: Map<string, CachedToken>,
  ) {
    this.account = account;
    this.#url = url;
    this.#platform = platform;
    this.#kept = kept;
  }

  /**
   * A token with at least five minutes to live.
   * @throws ProblemError `push_not_configured` where Google does not take the key, `google_unavailable`
   */
  async get(): Promise<string> {
    const kept = this.#kept.get(this.account.email);
    if (kept !== undefined && this.#platform.now() < kept.expiresAt - MARGIN_MS) return kept.token;
    const asked = this.#platform.now();
    const answer = await this.#ask();
    const read = tokenResponseSchema.safeParse(answer.body);
    if (answer.status !== 200 || !read.success) throw this.#refused(answer);
    const { access_token: token, expires_in: seconds } = read.data;
    this.#kept.set(this.account.email, { token, expiresAt: asked + seconds * 1000 });
    return token;
  }

  /** Forgets a token that was refused. */
  invalidate(token: string): void {
    if (this.#kept.get(this.account.email)?.token === token) this.#kept.delete(this.account.email);
  }

  async #claim(): Promise<string> {
    const issued = Math.floor(this.#platform.now() / 1000);
    let key: CryptoKey;
    try {
      key = await importPKCS8(this.account.privateKey, 'RS256');
    } catch {
      throw notConfigured('The private_key in GOOGLE_SERVICE_ACCOUNT cannot be read.');
    }
    return new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(this.account.email)
      .setAudience(this.#url)
      .setIssuedAt(issued)
      .setExpirationTime(issued + CLAIM_S)
      .sign(key);
  }

  async #ask(): Promise<GoogleResponse> {
    try {
      return await sendWithRetry(this.#platform, async () => {
        const body = new URLSearchParams({ grant_type: GRANT, assertion: await this.#claim() });
        return sendOnce(this.#platform, this.#url, { method: 'POST', body });
      });
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw new ProblemError('google_unavailable');
    }
  }

  #refused({ status }: GoogleResponse): ProblemError {
    if (RETRYABLE_STATUSES.has(status) || status >= 500 || status < 400)
      return new ProblemError('google_unavailable');
    return notConfigured(`Google does not take the key of ${this.account.email}.`);
  }
}
