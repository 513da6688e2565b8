// Authenticates readers of the API reference: public in development, otherwise for holders of a team token or the admin token.
import { isWellFormedToken } from '../../../shared/tokens.ts';
import type { Env } from '../../env.ts';
import type { TokenCache } from '../../gateway/auth/authenticate.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { AdminAuthenticator } from '../admin/authenticate.ts';

const FIX = 'Send a team token or the admin token, as Authorization: Bearer or as apikey.';

/** Verifies the tokens of readers. */
export class DocsAuthenticator {
  readonly #tokenCache: TokenCache;
  readonly #admin: AdminAuthenticator;

  /**
   * @param now - milliseconds since 1970
   * @param tokenCache - verified team tokens
   */
  constructor(now: () => number, tokenCache: TokenCache) {
    this.#tokenCache = tokenCache;
    this.#admin = new AdminAuthenticator(now);
  }

  /** Checks whether the reference is public. */
  isPublic({ ENVIRONMENT }: Env): boolean {
    return ENVIRONMENT === 'development';
  }

  /**
   * Authenticates a reader.
   * @param token - the token in the request
   * @param address - the client's address
   * @throws ProblemError `unauthorised`, `rate_limited`
   */
  async authenticate(env: Env, token: string | undefined, address: string): Promise<void> {
    if (this.isPublic(env)) return;
    if (token === undefined) {
      throw new ProblemError('unauthorised', 'The API reference requires a token.', FIX);
    }
    if (isWellFormedToken(token)) {
      await this.#tokenCache.getCaller(env, token, address);
    } else if ((await this.#admin.identify(env, token, address)) === undefined) {
      throw new ProblemError('unauthorised', 'This is neither a team token nor the admin token.', FIX);
    }
  }
}
