// The rate limit of each token: calls are leased in blocks out of a fixed window.
import type { Accounts } from './accounts.ts';
import type { Lease } from './types.ts';

const WINDOW_MS = 60_000;

/** A block is this part of the limit: few calls to the ledger, and little lost with an isolate that goes away. */
const BLOCKS_A_WINDOW = 50;

type LeaseRow = { window: number; granted: number };

/** The allowance of one team's tokens. */
export class LeaseStore {
  readonly #sql: SqlStorage;
  readonly #accounts: Accounts;

  constructor(sql: SqlStorage, accounts: Accounts) {
    this.#sql = sql;
    this.#accounts = accounts;
  }

  /**
   * Grants calls, never more in a window than the token's limit.
   * @param want - how many calls; absent is a block
   * @param now - milliseconds since 1970
   */
  lease(token: string, want: number | undefined, now: number): Omit<Lease, 'remaining'> {
    const { ratePerMinute: limit } = this.#accounts.getToken(token);
    const window = Math.floor(now / WINDOW_MS);
    const row = this.#sql
      .exec<LeaseRow>('SELECT window, granted FROM leases WHERE token = ?', token)
      .toArray()[0];
    const before = row?.window === window ? row.granted : 0;
    const wanted = want ?? Math.ceil(limit / BLOCKS_A_WINDOW);
    const granted = Math.max(0, Math.min(wanted, limit - before));
    if (granted > 0) {
      this.#sql.exec(
        'INSERT OR REPLACE INTO leases (token, window, granted, last_used_at) VALUES (?, ?, ?, ?)',
        token,
        window,
        before + granted,
        now,
      );
    }
    return { granted, limit, windowS: WINDOW_MS / 1000, endsAt: (window + 1) * WINDOW_MS };
  }

  /** When a token last got calls granted, milliseconds since 1970; undefined if never. */
  getLastUsedAt(token: string): number | undefined {
    return this.#sql
      .exec<{ last_used_at: number }>('SELECT last_used_at FROM leases WHERE token = ?', token)
      .toArray()[0]?.last_used_at;
  }
}
