// All trades in one table, and how often each is drawn.
import type { Weighted } from '../random.ts';
import type { Trade, TradeFacts } from '../vocabulary.ts';
import { CONSUMER_TRADES } from './trades-consumer.ts';
import { INDUSTRY_TRADES } from './trades-industry.ts';
import { SERVICE_TRADES } from './trades-services.ts';
import { SOFTWARE_TRADES } from './trades-software.ts';

const ALL: readonly TradeFacts[] = [
  ...SOFTWARE_TRADES,
  ...INDUSTRY_TRADES,
  ...CONSUMER_TRADES,
  ...SERVICE_TRADES,
];

/** Facts of every trade, by its key. */
export const TRADE_FACTS: ReadonlyMap<Trade, TradeFacts> = new Map(ALL.map((facts) => [facts.trade, facts]));

/** Trades with their weights, for names that fit any trade. */
export const ANY_TRADE: Weighted<Trade> = ALL.map((facts) => [facts.trade, facts.weight]);

/** Trades that young, investor-backed companies work in, with weights. */
export const STARTUP_TRADES: Weighted<Trade> = ALL.filter((facts) => facts.venture >= 150).map((facts) => [
  facts.trade,
  facts.weight,
]);

/** Last words of English names, each with the trades that it fits. */
export const ENGLISH_TAILS: ReadonlyMap<string, readonly Trade[]> = tails();

function tails(): Map<string, Trade[]> {
  const found = new Map<string, Trade[]>();
  for (const facts of ALL) {
    for (const tail of facts.tails) {
      const trades = found.get(tail) ?? [];
      trades.push(facts.trade);
      found.set(tail, trades);
    }
  }
  return found;
}

/**
 * The facts of one trade.
 *
 * @param trade its key
 * @returns its facts
 * @throws `RangeError` for a trade without facts, which only a mistake in the tables can cause
 */
export function factsOf(trade: Trade): TradeFacts {
  const facts = TRADE_FACTS.get(trade);
  if (facts === undefined) throw new RangeError(`no facts for the trade ${trade}`);
  return facts;
}
