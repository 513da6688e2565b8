// Which calls the provider would refuse, so that they are not sent: without a good key all of them, without credits those that
// cost more than is left.
import type { BlockReason, Report } from './types.ts';

/** A refusal holds for this time; then a call finds out whether the key is good again or credits were bought. */
const HOLDS_MS = 3_000;

/** Why a call is not sent, and until when. Times are milliseconds since 1970. */
export interface ProviderBlock {
  problem: BlockReason;
  until: number;
}

/** What the provider refused a moment ago. */
export class ProviderBlocks {
  #keyRefusedUntil = 0;
  /** Set while the account could not pay for a call. */
  #shortage: { balance: number; until: number } = { balance: 0, until: 0 };

  /** Hears how a call went. */
  recordReport({ keyRefused, unpaidCredits, balance }: Report, now: number): void {
    if (keyRefused) this.#keyRefusedUntil = now + HOLDS_MS;
    if (unpaidCredits !== undefined && unpaidCredits > 0) {
      // Where the provider does not say what is left, it is less than the price that it refused.
      this.#shortage = { balance: balance ?? unpaidCredits - 1, until: now + HOLDS_MS };
    } else if (balance !== undefined) this.#shortage.balance = balance;
  }

  /**
   * Tells whether the provider would refuse a call.
   * @param credits - its price
   */
  find(credits: number, now: number): ProviderBlock | undefined {
    if (now < this.#keyRefusedUntil) return { problem: 'provider_refused', until: this.#keyRefusedUntil };
    const { balance, until } = this.#shortage;
    return now < until && credits > balance ? { problem: 'provider_out_of_credits', until } : undefined;
  }

  /** Tells whether there is any call that the provider would refuse. */
  hasAny(now: number): boolean {
    return now < this.#keyRefusedUntil || now < this.#shortage.until;
  }
}
