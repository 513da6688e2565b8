// Salaries of job postings, in the money and the manner of the country.
import { PAY_STYLES, VAGUE_PAY } from '../data/people/pay.ts';
import type { Level, RoleFacts } from '../people/vocabulary.ts';
import type { Random } from '../random.ts';
import type { Language } from '../vocabulary.ts';

/** Pay of a level in per cent of that of a specialist. */
const PERCENT: Partial<Record<Level, number>> = {
  Intern: 42,
  Senior: 128,
  Manager: 138,
  Head: 172,
  Director: 190,
  'President/Vice President': 235,
  'C-Level': 300,
};
/** Below this many thousands of dollars a year, pay in the United States is told by the hour. */
const HOURLY_BELOW = 52;

function figure(value: number, separator: string): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, separator);
}

function hourly(thousands: number, random: Random): string {
  const low = Math.floor((thousands * 1000) / 2080);
  const high = low + random.int(2, 7);
  return random.pick([`$${low}.00 - $${high}.50 an hour`, `$${low} - $${high} per hour`, `$${low}.50/hr`]);
}

/**
 * The salary that a posting names.
 *
 * @param role the role
 * @param level the management level
 * @param country ISO code of the country
 * @param language the language of the posting
 * @param random where the figures come from
 * @returns the text; null for most postings, which name none
 */
export function salaryOf(
  role: RoleFacts,
  level: Level,
  country: string,
  language: Language,
  random: Random,
): string | null {
  const told = random.int(1, 1000);
  if (told > 365) return null;
  if (told > 315) return random.pick(VAGUE_PAY[language] ?? VAGUE_PAY.en ?? []);
  const style = PAY_STYLES.get(country);
  if (style === undefined) return null;
  const thousands = Math.floor((role.pay * (PERCENT[level] ?? 100) * random.int(82, 118)) / 10_000);
  if (country === 'US' && thousands < HOURLY_BELOW && random.chance(650)) return hourly(thousands, random);
  const low = (thousands * style.perThousand) / 1000 / style.months;
  const round = (value: number) => Math.floor(value / style.unit / style.step) * style.step;
  const bottom = Math.max(style.step, round(low));
  const top = Math.max(bottom + style.step, round((low * random.int(112, 135)) / 100));
  return random
    .pick(style.patterns)
    .replace('<low>', () => figure(bottom, style.separator))
    .replace('<high>', () => figure(top, style.separator));
}
