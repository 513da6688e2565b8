// Blocks calls that the provider would refuse: every call while the API key is refused, and calls that cost more than the
// account has left.
import type { BlockReason, Report } from './types.ts';

/** A block lasts this long. Then one call finds out whether the key works again or credits were bought. */
const BLOCK_MS = 3_000;

/** Why a call is not sent, and until when. Times are milliseconds since 1970. */
export interface ProviderBlock {
  problem: BlockReason;
  until: number;
}

/** The provider's recent refusals. */
export class ProviderBlocks {
  #keyRefusedUntil = 0;
  /** Set while the account could not pay for a call. */
  #shortage: { balance: number; until: number } = { balance: 0, until: 0 };

  /** Records how a call went. */
  recordReport({ keyRefused, unpaidCredits, balance }: Report, now: number): void {
    if (keyRefused) this.#keyRefusedUntil = now + BLOCK_MS;
    if (unpaidCredits !== undefined && unpaidCredits > 0) {
      // Without a reported balance, the account has less than the refused price.
      this.#shortage = { balance: balance ?? unpaidCredits - 1, until: now + BLOCK_MS };
    } else if (balance !== undefined) this.#shortage.balance = balance;
  }

  /**
   * Finds the block of a call.
   * @param credits - price of the call
   */
  find(credits: number, now: number): ProviderBlock | undefined {
    if (now < this.#keyRefusedUntil) return { problem: 'provider_refused', until: this.#keyRefusedUntil };
    const { balance, until } = this.#shortage;
    return now < until && credits > balance ? { problem: 'provider_out_of_credits', until } : undefined;
  }

  /** Tells whether any call is blocked. */
  hasAny(now: number): boolean {
    return now < this.#keyRefusedUntil || now < this.#shortage.until;
  }
}
