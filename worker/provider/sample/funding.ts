// Funding rounds of companies: who plausibly had some, of which kind, when and how much.
import {
  MATURE_ROUNDS,
  REFERENCE_YEAR,
  ROUND_LADDER,
  type RoundType,
  SIDE_ROUNDS,
} from './data/catalogue.ts';
import { DAY_S, yearStart } from './dates.ts';
import type { CompanyFacts } from './facts.ts';
import { type Random, randomFor } from './random.ts';

/** One round, in the order of time. */
export interface Round {
  type: string;
  /** midnight, seconds since 1970 */
  atS: number;
  /** US dollars; null when not disclosed */
  money: number | null;
  investors: number | null;
}

function moneyFor(round: RoundType, random: Random): number | null {
  if (random.chance(130)) return null;
  const drawn = random.lowish(round.low, round.high, 1);
  const step = drawn >= 1_000_000 ? 100_000 : 5_000;
  return Math.max(step, Math.floor(drawn / step) * step);
}

function roundOf(kind: RoundType, atS: number, random: Random): Round {
  return {
    type: kind.name,
    atS: atS - (atS % DAY_S),
    money: moneyFor(kind, random),
    investors: random.chance(210) ? null : random.lowish(1, 9, 1),
  };
}

/** The rounds of a young company: up the ladder as far as its staff and the calendar allow. */
function ladder(facts: CompanyFacts, random: Random): Round[] {
  const rounds: Round[] = [];
  let rung = random.chance(520) ? 0 : 1;
  let atS = yearStart(facts.year) + random.int(60, 900) * DAY_S;
  while (rung < ROUND_LADDER.length && atS < facts.updatedS - 20 * DAY_S) {
    const side = random.chance(140) ? random.weighted(SIDE_ROUNDS) : undefined;
    const kind = side ?? ROUND_LADDER[rung];
    if (kind === undefined || kind.staff > facts.staff) break;
    rounds.push(roundOf(kind, atS, random));
    if (side === undefined) rung += 1;
    if (random.chance(210)) break;
    atS += random.int(240, 930) * DAY_S;
  }
  return rounds;
}

/**
 * The funding rounds of a company, oldest first. Only private companies have any; young ones of trades that
 * investors back go through the usual rounds, few others have had one or two.
 *
 * @param facts the company
 * @returns its rounds, mostly none
 */
export function roundsOf(facts: CompanyFacts): Round[] {
  if (facts.type !== 'Privately Held' && facts.type !== 'Public Company') return [];
  const random = randomFor(facts.seed, 'funding', facts.index);
  const age = REFERENCE_YEAR - facts.year;
  if (age <= 19 && facts.staff <= 4000) {
    return random.chance(facts.trade.venture) ? ladder(facts, random) : [];
  }
  if (facts.staff < 8 || facts.type === 'Public Company' || !random.chance(55)) return [];
  const rounds: Round[] = [];
  let atS = yearStart(Math.max(facts.year + 6, 2009)) + random.int(0, 5200) * DAY_S;
  while (rounds.length < 2 && atS < facts.updatedS - 20 * DAY_S) {
    const kind = random.weighted(MATURE_ROUNDS);
    if (kind.staff <= facts.staff) rounds.push(roundOf(kind, atS, random));
    atS += random.int(500, 2600) * DAY_S;
  }
  return rounds;
}

/**
 * Writes an amount as base records do.
 *
 * @param dollars whole US dollars, a multiple of 100 below a million and of 100,000 above
 * @returns such as `US$ 27.0M`, `US$ 850.0K`
 */
export function moneyText(dollars: number): string {
  const tenths = (unit: number) =>
    `${Math.floor(dollars / unit)}.${Math.floor((dollars % unit) / (unit / 10))}`;
  return dollars >= 1_000_000 ? `US$ ${tenths(1_000_000)}M` : `US$ ${tenths(1000)}K`;
}
