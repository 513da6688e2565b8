// Company names: every company takes its own place in an enumeration of name parts, so no two are alike.
import { FAMILIES, type NameFamily } from './data/name-families.ts';
import { ANY_TRADE, STARTUP_TRADES } from './data/trades.ts';
import { hashText, mix32, randomFor, shuffled } from './random.ts';
import { capital, type Word } from './text.ts';
import type { Trade } from './vocabulary.ts';

/** A company's name and what the name decides. */
export interface Identity {
  family: NameFamily;
  trade: Trade;
  /** the name without legal form, in the family's own script */
  plain: string;
  /** the name in Latin letters; the same as `plain` in Latin families */
  latin: string;
  /** unique: the last part of the profile's address */
  shorthand: string;
  /** the distinctive part of the shorthand name, without the trade */
  core: string;
}

const BLOCK = FAMILIES.reduce((sum, family) => sum + family.weight, 0);

/** Which family a company belongs to, and how many of that family come before it. */
function placeOf(seed: number, index: number): { family: NameFamily; rank: number } {
  const block = Math.floor(index / BLOCK);
  let slot = shuffled(index % BLOCK, BLOCK, mix32(seed ^ mix32(block)));
  for (const family of FAMILIES) {
    if (slot < family.weight) return { family, rank: block * family.weight + slot };
    slot -= family.weight;
  }
  throw new RangeError('the weights of the name families do not add up');
}

function joined(parts: readonly Word[], textGlue: string, slugGlue: string): Word {
  return {
    text: parts.map((part) => part.text).join(textGlue),
    slug: parts.map((part) => part.slug).join(slugGlue),
  };
}

/**
 * The name of company number `index`: a pure function, and no two indexes share a shorthand name. Companies are
 * dealt to name families in fixed shares per block; inside a family its rank, shuffled, picks the parts. When a
 * family has used up all combinations it starts again and numbers the shorthand names.
 *
 * @param seed the seed of the data set
 * @param index the number of the company, from 0
 * @returns its name, shorthand name and trade
 */
export function identityAt(seed: number, index: number): Identity {
  const { family, rank } = placeOf(seed, index);
  const sizes = [family.tails.length, ...family.parts.map((part) => part.length)];
  const total = sizes.reduce((product, size) => product * size, 1);
  let place = shuffled(rank % total, total, mix32(seed ^ hashText(family.key)));
  const round = Math.floor(rank / total);

  const tail = family.tails[place % family.tails.length];
  place = Math.floor(place / family.tails.length);
  const picked: Word[] = [];
  for (const part of family.parts) {
    const word = part[place % part.length];
    if (word !== undefined) picked.push(word);
    place = Math.floor(place / part.length);
  }
  if (tail === undefined) throw new RangeError(`the name family ${family.key} has no tails`);

  const random = randomFor(seed, 'identity', index);
  const trade =
    tail.trades.length > 0
      ? random.pick(tail.trades)
      : random.weighted(family.startup && random.chance(700) ? STARTUP_TRADES : ANY_TRADE);

  const core = joined(picked, family.textGlue, family.slugGlue);
  const shown = random.chance(family.split) ? apart(picked) : core.text;
  const order = (own: string, last: string, glue: string) =>
    last === '' ? own : family.tailFirst ? `${last}${glue}${own}` : `${own}${glue}${last}`;
  const slug = order(core.slug, tail.word.slug, family.tailSlugGlue);
  const plain = order(shown, tail.word.text, family.tailGlue);
  return {
    family,
    trade,
    plain,
    latin: family.latin ? plain : slug.split('-').map(capital).join(' '),
    shorthand: round === 0 ? slug : `${slug}-${round + 1}`,
    core: core.slug,
  };
}

/** Writes a compound as two words: "Otter Wharf" for "Otterwharf". */
function apart(parts: readonly Word[]): string {
  return parts.map((part) => capital(part.text)).join(' ');
}
