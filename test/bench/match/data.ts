// Creates the records and the names of a run from a table of real companies.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { root } from '../../../worker/commands/paths.ts';
import { createDecoys, type Distortion, distortions, type Random } from './names.ts';

/** The table: `COMPANIES`, or the one that the golden answers use. */
export const companiesFile = process.env.COMPANIES ?? join(root, '../shared/data/companies.csv');

const ABSENT_SHARE = 0.2;
const DECOY_IDS_FROM = 10_000_000;

const rowsSchema = z.array(
  z.object({ id: z.coerce.number(), name: z.string(), website: z.string(), locations: z.string() }),
);

/** A name to match. */
export const caseSchema = z.object({
  typed: z.string(),
  country: z.string(),
  /** Id of the company; null if the data does not have it. */
  id: z.string().nullable(),
});
export type MatchCase = z.infer<typeof caseSchema>;

interface CompanyRecord {
  id: number;
  name: string;
  websites_main: string;
  location_hq_country: string;
}

/** Mulberry32. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Sorts into a random order. */
function shuffle<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

/** The provider writes countries in full. */
const toCountry = (text: string): string => (text === 'USA' ? 'United States' : text);

/** Reads the companies of the table. Names with notes in brackets are left out. */
async function readCompanies(): Promise<CompanyRecord[]> {
  const rows = rowsSchema.parse(parse(await readFile(companiesFile), { columns: true, bom: true }));
  const named = rows.filter(({ name }) => !/[()]/.test(name));
  return named.map(({ id, name, website, locations }) => ({
    id,
    name: name.trim(),
    websites_main: website,
    location_hq_country: toCountry(locations.split(';')[0]?.split(',').at(-1)?.trim() ?? ''),
  }));
}

/**
 * Creates a run: distorted names of some companies, of which one in five is absent from the records; each has two decoys.
 * @param file - receives the records as JSON Lines
 * @param count - number of names
 */
export async function createCases(file: string, kind: Distortion, count: number): Promise<MatchCase[]> {
  const random = createRandom(count);
  const companies = await readCompanies();
  const counts = Map.groupBy(companies, ({ name }) => name.toLowerCase());
  const cases: (MatchCase & { record: CompanyRecord })[] = [];
  for (const record of shuffle(companies, random)) {
    if (cases.length === count) break;
    const typed = distortions[kind](record.name, random);
    if (typed === undefined || counts.get(record.name.toLowerCase())?.length !== 1) continue;
    const isAbsent = random() < ABSENT_SHARE;
    const id = isAbsent ? null : String(record.id);
    cases.push({ typed, country: record.location_hq_country, id, record });
  }
  const absent = new Set(cases.flatMap(({ id, record }) => (id === null ? [record.id] : [])));
  const decoys = cases.flatMap(({ record }, at) =>
    createDecoys(record.name, random).map((name, which) => ({
      ...record,
      id: DECOY_IDS_FROM + at * 2 + which,
      name,
      websites_main: `https://decoy-${at}-${which}.example`,
    })),
  );
  const records = [...companies.filter(({ id }) => !absent.has(id)), ...decoys];
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  return cases.map(({ typed, country, id }) => ({ typed, country, id }));
}
