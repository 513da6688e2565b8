// Blocks calls that the provider would refuse: calls while the API key is refused, and calls that cost more than the account
// has left.
import { type BlockReason, type CallerKey, getSourceKey, type Report, type ReportedCall } from './types.ts';

/** A block lasts this long. Then one call finds out whether the key works again or credits were bought. */
const BLOCK_MS = 3_000;
/** A refused access counts as evidence about the key for this long. */
const EVIDENCE_MS = 20_000;
/** So many questions of a source must be refused in a row to block it. */
const MIN_QUESTIONS = 3;
/** So many teams and families must be refused in a row to block everyone. */
const MIN_TEAMS = 2;
const MIN_AREAS = 2;
const MAX_QUESTIONS = 1_000;
/** API keys in memory. A rotation uses two. */
const MAX_KEYS = 4;

/** Why a call is not sent, and until when. */
export interface ProviderBlock {
  problem: BlockReason;
  until: number;
}

/** The provider's recent refusals of one API key. */
class KeyBlocks {
  #keyRefusedUntil = 0;
  /** The same for single sources, by {@link getSourceKey}. */
  readonly #sourceRefusedUntil = new Map<string, number>();
  /** Calls whose access was refused since the provider last accepted the key, by source and question; oldest first. */
  readonly #refusedCalls = new Map<string, { call: ReportedCall; at: number }>();
  /** Set while the account could not pay for a call. */
  #shortage: { balance: number; until: number } = { balance: 0, until: 0 };

  recordReport({ call, outcome, accessRefused, unpaidCredits, balance }: Report, now: number): void {
    if (accessRefused === 'key') this.#keyRefusedUntil = now + BLOCK_MS;
    else if (accessRefused === 'call' && call !== undefined) this.#recordRefusedCall(call, now);
    else if (outcome === 'answered') this.#refusedCalls.clear();
    if (unpaidCredits !== undefined && unpaidCredits > 0) {
      // Without a reported balance, the account has less than the refused price.
      this.#shortage = { balance: balance ?? unpaidCredits - 1, until: now + BLOCK_MS };
    } else if (balance !== undefined) this.#shortage.balance = balance;
  }

  /**
   * Blocks a source whose questions are all refused, and everyone if that happens to several teams with several families. A
   * single refusal may concern the question, which the caller chooses.
   */
  #recordRefusedCall(call: ReportedCall, now: number): void {
    const source = getSourceKey(call);
    const name = `${source}:${call.question}`;
    this.#refusedCalls.delete(name);
    this.#refusedCalls.set(name, { call, at: now });
    for (const [oldest, { at }] of this.#refusedCalls) {
      if (at > now - EVIDENCE_MS && this.#refusedCalls.size <= MAX_QUESTIONS) break;
      this.#refusedCalls.delete(oldest);
    }
    const calls = [...this.#refusedCalls.values()].map((refused) => refused.call);
    const bySource = Map.groupBy(calls, getSourceKey);
    if ((bySource.get(source)?.length ?? 0) < MIN_QUESTIONS) return;
    const suspects = [...bySource.values()].filter(({ length }) => length >= MIN_QUESTIONS).flat();
    this.#sourceRefusedUntil.set(source, now + BLOCK_MS);
    const hasTeams = new Set(suspects.map(({ team }) => team)).size >= MIN_TEAMS;
    const hasAreas = new Set(suspects.map(({ area }) => area)).size >= MIN_AREAS;
    if (hasTeams && hasAreas) this.#keyRefusedUntil = now + BLOCK_MS;
  }

  /**
   * Finds the block of a call.
   * @param credits - price of the call
   */
  find(source: CallerKey, credits: number, now: number): ProviderBlock | undefined {
    const refusedUntil = Math.max(
      this.#keyRefusedUntil,
      this.#sourceRefusedUntil.get(getSourceKey(source)) ?? 0,
    );
    if (now < refusedUntil) return { problem: 'provider_refused', until: refusedUntil };
    const { balance, until } = this.#shortage;
    return now < until && credits > balance ? { problem: 'provider_out_of_credits', until } : undefined;
  }

  hasAny(now: number): boolean {
    for (const [source, until] of this.#sourceRefusedUntil) {
      if (now >= until) this.#sourceRefusedUntil.delete(source);
    }
    return now < this.#keyRefusedUntil || this.#sourceRefusedUntil.size > 0 || now < this.#shortage.until;
  }
}

/** The provider's recent refusals. A refusal concerns the API key that sent the call: during its rotation, two are in use. */
export class ProviderBlocks {
  /** By key; the one that reported last is last. */
  readonly #byKey = new Map<string, KeyBlocks>();

  recordReport(report: Report, now: number): void {
    const { key = '' } = report;
    const blocks = this.#byKey.get(key) ?? new KeyBlocks();
    this.#byKey.delete(key);
    this.#byKey.set(key, blocks);
    for (const oldest of this.#byKey.keys()) {
      if (this.#byKey.size <= MAX_KEYS) break;
      this.#byKey.delete(oldest);
    }
    blocks.recordReport(report, now);
  }

  /**
   * Finds the block of a call.
   * @param key - the API key that would send it
   * @param credits - price of the call
   */
  find(
    { key = '', ...source }: CallerKey & { key?: string },
    credits: number,
    now: number,
  ): ProviderBlock | undefined {
    return this.#byKey.get(key)?.find(source, credits, now);
  }

  hasAny(now: number): boolean {
    // Without a short cut: each deletes its expired blocks.
    return [...this.#byKey.values()].map((blocks) => blocks.hasAny(now)).includes(true);
  }
}
