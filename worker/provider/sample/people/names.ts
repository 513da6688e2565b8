// Names of people and the last parts of their profiles' addresses, which no two people share.
import type { NameTable } from '../data/people/names-latin.ts';
import { hashText, mix32, type Random, shuffled } from '../random.ts';
import { slugOf, wordOf } from '../text.ts';

/** A person's name in the script in which the profile shows it. */
export interface PersonName {
  /** with everything that the person adds to it */
  full: string;
  /** first and last name alone */
  called: string;
  first: string;
  middle: string | null;
  last: string;
  /** in Latin letters, as others write it */
  latin: string;
  /** the latest part of the profile's address */
  shorthand: string;
  /** an earlier one that still leads to the profile */
  former: string | null;
}

/** Text and slug of a name; a family name may have a form for men and one for women. */
function nameOf(entry: string, woman: boolean): { text: string; slug: string } {
  const form = (part: string) => {
    const [man = part, other = man] = part.split('/');
    return woman ? other : man;
  };
  const word = wordOf(entry);
  if (!entry.includes('/')) return word;
  const text = form(word.text);
  return { text, slug: entry.includes('|') ? form(word.slug) : slugOf(text) };
}

/** A slug as people write it in Latin letters: `Mei Xuan`. */
function spelledOut(slug: string): string {
  return slug.replace(/(^|-)(\p{L})/gu, (_, gap: string, letter: string) =>
    gap === '' ? letter.toUpperCase() : ` ${letter.toUpperCase()}`,
  );
}

interface Picked {
  woman: boolean;
  given: { text: string; slug: string };
  family: { text: string; slug: string };
  /** how often all names of the table have been used before */
  round: number;
}

/** Person number `index` takes its own place in the enumeration of all names of the table. */
function pick(table: NameTable, seed: number, index: number): Picked {
  const { women, men, family } = table;
  const total = (women.length + men.length) * family.length;
  const place = shuffled(index % total, total, mix32(seed ^ hashText(table.key)));
  const given = place % (women.length + men.length);
  const woman = given < women.length;
  const entry = women[given] ?? men[given - women.length] ?? '';
  const surname = family[Math.floor(place / (women.length + men.length))] ?? '';
  return {
    woman,
    given: nameOf(entry, woman),
    family: nameOf(surname, woman),
    round: Math.floor(index / total),
  };
}

/** The last part of the address: mostly with digits that belong to this person alone. */
function shorthandOf(picked: Picked, seed: number, index: number, random: Random): string {
  const { given, family, round } = picked;
  const habit = random.int(1, 1000);
  const plain = `${given.slug}-${family.slug}`;
  if (habit <= 160) {
    if (round === 0) return plain;
    return plain.replace(/-/g, '') + (round === 1 ? '' : String(round));
  }
  const number = shuffled(index, 2 ** 30, mix32(seed ^ hashText('profile')));
  if (habit <= 164) return String(100_000_000 + number);
  const digits = [...number.toString(16).padStart(8, '0')].reverse().join('');
  return `${habit > 930 ? given.slug : plain}-${digits}`;
}

function joined(first: string, last: string, table: NameTable, native: boolean): string {
  if (table.latin || !native)
    return table.latin && table.familyFirst ? `${last} ${first}` : `${first} ${last}`;
  if (!table.familyFirst) return `${first} ${last}`;
  return table.key === 'japanese' ? `${last} ${first}` : last + first;
}

const TITLES_BEHIND = ['PhD', 'MBA', 'MSc', 'CPA', 'PMP', 'MEng'];

/**
 * The name of person number `index`, a pure function of its arguments.
 *
 * @param table the names of the person's culture
 * @param native whether the profile shows the name in its own script
 * @param seed the seed of the data set
 * @param index the number of the person, from 0
 * @param random decides habits of writing
 * @returns the name, and whether it is a woman's
 */
export function personName(
  table: NameTable,
  native: boolean,
  seed: number,
  index: number,
  random: Random,
): PersonName & { woman: boolean } {
  const picked = pick(table, seed, index);
  const shorthand = shorthandOf(picked, seed, index, random);
  const former = random.chance(45)
    ? `${picked.given.slug}-${picked.family.slug}-${shuffled(index, 2 ** 30, mix32(seed ^ hashText('former'))).toString(36)}x`
    : null;
  const latinFirst = table.latin ? picked.given.text : spelledOut(picked.given.slug);
  let latinLast = table.latin ? picked.family.text : spelledOut(picked.family.slug);
  if (random.chance(table.second)) {
    latinLast += ` ${random.pick(table.family.filter((name) => name !== latinLast))}`;
  }
  const first = table.latin || !native ? latinFirst : picked.given.text;
  let last = table.latin || !native ? latinLast : picked.family.text;
  const latin =
    table.latin && table.familyFirst ? `${latinLast} ${latinFirst}` : `${latinFirst} ${latinLast}`;
  let middle: string | null = null;
  const habit = random.int(1, 1000);
  if (table.key === 'english' && habit <= 110) middle = `${random.pick([...'ABCDEFGHJKLMNPRSTW'])}.`;
  if (table.latin && habit > 975) last = `${last.charAt(0)}.`;
  const called = joined(first, last, table, native);
  let full = joined(middle === null ? first : `${first} ${middle}`, last, table, native);
  if (!table.latin && native && habit > 880) full = `${full} (${latin})`;
  if (table.latin && habit > 860 && habit <= 882) full = `${full}, ${random.pick(TITLES_BEHIND)}`;
  if (table.latin && habit > 884 && habit <= 892) full = full.toUpperCase();
  if (table.latin && habit > 892 && habit <= 900) full = full.toLowerCase();
  return { full, called, first, middle, last, latin, shorthand, former, woman: picked.woman };
}
