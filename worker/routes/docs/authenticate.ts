// Who may read the description: anybody in development; deployed, whoever shows a team token or the admin's.
import { isWellFormedToken } from '../../../shared/tokens.ts';
import type { Env } from '../../env.ts';
import type { TokenCache } from '../../gateway/auth/authenticate.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { AdminAuthenticator } from '../admin/authenticate.ts';

const FIX = 'Send a team token or the admin token, as Authorization: Bearer or as apikey.';

/** The door of the description. */
export class DocsAuthenticator {
  readonly #callers: TokenCache;
  readonly #admin: AdminAuthenticator;

  /**
   * @param now - milliseconds since 1970
   * @param callers - what the isolate knows of team tokens
   */
  constructor(now: () => number, callers: TokenCache) {
    this.#callers = callers;
    this.#admin = new AdminAuthenticator(now);
  }

  /** Is it open to anybody? */
  isPublic({ ENVIRONMENT }: Env): boolean {
    return ENVIRONMENT === 'development';
  }

  /**
   * Lets a reader in.
   * @param shown - the token as it was sent
   * @param address - where the request came from
   * @throws ProblemError `unauthorised`, `rate_limited`
   */
  async authenticate(env: Env, shown: string | undefined, address: string): Promise<void> {
    if (this.isPublic(env)) return;
    if (shown === undefined) {
      throw new ProblemError('unauthorised', 'The description is for people with a token.', FIX);
    }
    if (isWellFormedToken(shown)) {
      await this.#callers.getCaller(env, shown, address);
    } else if (!(await this.#admin.isAdmin(env, shown, address))) {
      throw new ProblemError('unauthorised', 'This is neither a team token nor the admin token.', FIX);
    }
  }
}
