// Leases calls to isolates, in blocks within a token's rate limit. The limit applies to fixed windows.
import type { Accounts } from './accounts.ts';
import type { Lease, LeaseRequest } from './types.ts';

const WINDOW_MS = 60_000;

/** A lease grants this share of the limit: few calls to the ledger, and little is lost with an evicted isolate. */
const LEASES_PER_WINDOW = 50;

type LeaseRow = { window: number; granted: number };

export class LeaseStore {
  readonly #sql: SqlStorage;
  readonly #accounts: Accounts;

  constructor(sql: SqlStorage, accounts: Accounts) {
    this.#sql = sql;
    this.#accounts = accounts;
  }

  /**
   * Grants calls, at most the limit in each window.
   * @param request - by default, the usual size of a lease and the token's limit
   */
  lease(
    token: string,
    request: Pick<LeaseRequest, 'calls' | 'limit'>,
    now: number,
  ): Omit<Lease, 'remaining'> {
    const limit = Math.min(this.#accounts.getToken(token).ratePerMinute, request.limit ?? Infinity);
    const window = Math.floor(now / WINDOW_MS);
    const row = this.#sql
      .exec<LeaseRow>('SELECT window, granted FROM leases WHERE token = ?', token)
      .toArray()[0];
    const used = row?.window === window ? row.granted : 0;
    const wanted = request.calls ?? Math.ceil(limit / LEASES_PER_WINDOW);
    const granted = Math.max(0, Math.min(wanted, limit - used));
    if (granted > 0) {
      this.#sql.exec(
        'INSERT OR REPLACE INTO leases (token, window, granted, last_used_at) VALUES (?, ?, ?, ?)',
        token,
        window,
        used + granted,
        now,
      );
    }
    return { granted, limit, windowS: WINDOW_MS / 1000, endsAt: (window + 1) * WINDOW_MS };
  }

  /** Returns when a token last received calls, milliseconds since 1970; nothing if never. */
  getLastUse(token: string): { lastUsedAt?: number } {
    const [lease] = this.#sql
      .exec<{ lastUsedAt: number }>('SELECT last_used_at AS lastUsedAt FROM leases WHERE token = ?', token)
      .toArray();
    return lease ?? {};
  }
}
