// Neighbourhoods of companies: who works, has worked and looks for people among about two thousand companies.
import { type CompanyFacts, factsAt } from '../facts.ts';
import type { Random } from '../random.ts';

/** People change jobs inside a neighbourhood of about this many companies. */
const USUAL_SIZE = 2000;
/** Neighbourhoods kept in memory; records are made in their order. */
const KEPT = 2;

/** Companies to draw from, the larger ones more often. */
interface Pool {
  companies: readonly CompanyFacts[];
  /** weights added up */
  sums: readonly number[];
}

/** Some two thousand companies. */
export interface Neighbourhood {
  all: Pool;
  byCountry: ReadonlyMap<string, Pool>;
  colleges: ReadonlyMap<string, readonly CompanyFacts[]>;
}

function poolOf(companies: readonly CompanyFacts[]): Pool {
  const sums: number[] = [];
  let sum = 0;
  for (const { staff } of companies) {
    sum += staff === 1 ? 2 : Math.floor(Math.sqrt(staff * 16));
    sums.push(sum);
  }
  return { companies, sums };
}

function grouped(companies: readonly CompanyFacts[]): Map<string, CompanyFacts[]> {
  const groups = new Map<string, CompanyFacts[]>();
  for (const facts of companies) {
    const { key } = facts.offices[0].country;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [facts]);
    else group.push(facts);
  }
  return groups;
}

function build(seed: number, from: number, to: number): Neighbourhood {
  const companies: CompanyFacts[] = [];
  for (let index = from; index < to; index += 1) companies.push(factsAt(seed, index));
  const colleges = companies.filter((facts) => facts.trade.trade === 'college');
  return {
    all: poolOf(companies),
    byCountry: new Map([...grouped(companies)].map(([key, group]) => [key, poolOf(group)])),
    colleges: grouped(colleges),
  };
}

const kept = new Map<string, Neighbourhood>();

/**
 * The neighbourhood of a company. It follows from the arguments alone; the latest ones are remembered.
 *
 * @param seed the seed of the data set
 * @param companies how many companies the data set has, at least 1
 * @param index the number of a company of it
 * @returns the companies around it, all of those of the data set when they are few
 */
export function neighbourhoodOf(seed: number, companies: number, index: number): Neighbourhood {
  const blocks = Math.max(1, Math.round(companies / USUAL_SIZE));
  const block = Math.ceil(((index + 1) * blocks) / companies) - 1;
  const key = `${seed} ${companies} ${block}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = build(
    seed,
    Math.floor((block * companies) / blocks),
    Math.floor(((block + 1) * companies) / blocks),
  );
  for (const oldest of kept.keys()) {
    if (kept.size < KEPT) break;
    kept.delete(oldest);
  }
  kept.set(key, made);
  return made;
}

function drawn(pool: Pool, random: Random): CompanyFacts {
  const sought = random.int(1, pool.sums[pool.sums.length - 1] ?? 1);
  let low = 0;
  let high = pool.sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pool.sums[middle] ?? 0) < sought) low = middle + 1;
    else high = middle;
  }
  const found = pool.companies[low];
  if (found === undefined) throw new RangeError('a neighbourhood without companies');
  return found;
}

/**
 * A company of a neighbourhood, large ones more often than small ones.
 *
 * @param hood the neighbourhood
 * @param random where the choice comes from
 * @param wish what it has to be like: its country, and anything else
 * @param tries how many companies are looked at
 * @returns the first that is as wished; null when none of those looked at was
 */
export function companyIn(
  hood: Neighbourhood,
  random: Random,
  wish: { country?: string; fits?: (facts: CompanyFacts) => boolean },
  tries: number,
): CompanyFacts | null {
  const pool = wish.country === undefined ? hood.all : hood.byCountry.get(wish.country);
  if (pool === undefined) return null;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const found = drawn(pool, random);
    if (wish.fits === undefined || wish.fits(found)) return found;
  }
  return null;
}
