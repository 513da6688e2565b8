// Gets access tokens for a service account: a JWT signed with its key is exchanged for a token of one hour. RFC 7523.
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
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Maximum that Google allows. */
const JWT_LIFETIME_S = 3600;
/** Tokens are replaced this long before they expire. */
const EXPIRY_MARGIN_MS = 5 * 60_000;

const keyFileSchema = z.object({
  client_email: z.email(),
  private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
});
const tokenResponseSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export interface ServiceAccount {
  /** Address that spreadsheets are shared with. */
  email: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

export interface CachedToken {
  token: string;
  expiresAt: number;
}

function notConfigured(detail: string): ProblemError {
  return new ProblemError('push_not_configured', detail);
}

/**
 * Parses the key file of a service account.
 * @param text - the JSON file that Google issues
 * @throws ProblemError `push_not_configured`; the text never quotes the file
 */
export function readServiceAccount(text: string): ServiceAccount {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw notConfigured('GOOGLE_SERVICE_ACCOUNT is not JSON.');
  }
  const file = keyFileSchema.safeParse(json);
  if (!file.success) throw notConfigured('GOOGLE_SERVICE_ACCOUNT is not the key file of a service account.');
  return { email: file.data.client_email, privateKey: file.data.private_key };
}

export class AccessTokens {
  readonly account: ServiceAccount;
  readonly #url: string;
  readonly #platform: GooglePlatform;
  readonly #cache: Map<string, CachedToken>;

  /**
   * @param url - Google's token endpoint, also the audience of the JWT
   * @param cache - tokens by account, shared by the isolate
   */
  constructor(
    account: ServiceAccount,
    url: string,
    platform: GooglePlatform,
    cache: Map<string, CachedToken>,
  ) {
    this.account = account;
    this.#url = url;
    this.#platform = platform;
    this.#cache = cache;
  }

  /**
   * Returns a token that is valid for at least five minutes.
   * @throws ProblemError `push_not_configured` when Google rejects the key; `google_unavailable`
   */
  async get(): Promise<string> {
    const cached = this.#cache.get(this.account.email);
    if (cached !== undefined && this.#platform.now() < cached.expiresAt - EXPIRY_MARGIN_MS)
      return cached.token;
    const sentAt = this.#platform.now();
    const response = await this.#requestToken();
    const body = tokenResponseSchema.safeParse(response.body);
    if (response.status !== 200 || !body.success) throw this.#toProblem(response);
    const { access_token: token, expires_in: seconds } = body.data;
    this.#cache.set(this.account.email, { token, expiresAt: sentAt + seconds * 1000 });
    return token;
  }

  invalidate(token: string): void {
    if (this.#cache.get(this.account.email)?.token === token) this.#cache.delete(this.account.email);
  }

  async #signJwt(): Promise<string> {
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
      .setExpirationTime(issued + JWT_LIFETIME_S)
      .sign(key);
  }

  async #requestToken(): Promise<GoogleResponse> {
    try {
      return await sendWithRetry(this.#platform, async () => {
        const body = new URLSearchParams({ grant_type: GRANT_TYPE, assertion: await this.#signJwt() });
        return sendOnce(this.#platform, this.#url, { method: 'POST', body });
      });
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw new ProblemError('google_unavailable');
    }
  }

  #toProblem({ status }: GoogleResponse): ProblemError {
    if (RETRYABLE_STATUSES.has(status) || status >= 500 || status < 400)
      return new ProblemError('google_unavailable');
    return notConfigured(`Google does not take the key of ${this.account.email}.`);
  }
}
