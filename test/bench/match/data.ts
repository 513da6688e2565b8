// Creates the records and the names of a run: of real companies from a table, or of a list of fictional ones.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { root } from '../../../worker/commands/paths.ts';
import { type ListName, listNames, lists, rewriteName } from './lists.ts';
import {
  abbreviate,
  addFund,
  addLegalForm,
  createDecoys,
  createOtherFunds,
  mistype,
  type Random,
} from './names.ts';

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

/** Companies, how their names are written, and near names of other companies. */
interface Source {
  companies: CompanyRecord[];
  write: (name: string, random: Random) => string | undefined;
  createDecoys: (name: string, random: Random) => readonly string[];
}

/** The kinds of names that need the table of companies. */
const writers = {
  'legal-forms': addLegalForm,
  'typing-errors': mistype,
  abbreviations: abbreviate,
  numbers: addLegalForm,
} as const satisfies Record<string, Source['write']>;

export const kindSchema = z.enum([
  'legal-forms',
  'typing-errors',
  'abbreviations',
  'numbers',
  'accents',
  'german',
  'japanese',
  'cyrillic',
  'turkish',
]);
export type Kind = z.infer<typeof kindSchema>;

const isList = (kind: Kind): kind is ListName => kind in lists;

/** Checks whether a kind needs the table of companies. */
export const needsCompanies = (kind: Kind): boolean => !isList(kind);

async function readSource(kind: Kind, random: Random): Promise<Source> {
  if (isList(kind)) {
    const list = lists[kind];
    const companies = listNames(list).map((name, at) => ({
      id: at + 1,
      name,
      websites_main: `https://list-${at}.example`,
      location_hq_country: list.country,
    }));
    return {
      companies,
      write: (name) => rewriteName(list, name, random),
      createDecoys: (name) => [list.distinguish(name, random)],
    };
  }
  const companies = await readCompanies();
  if (kind !== 'numbers') return { companies, write: writers[kind], createDecoys };
  const funds = companies.map((company) => ({ ...company, name: addFund(company.name, random) }));
  return { companies: funds, write: writers[kind], createDecoys: createOtherFunds };
}

/**
 * Creates a run: names of some companies, of which one in five is absent from the records; each has decoys.
 * @param file - receives the records as JSON Lines
 * @param count - number of names
 */
export async function createCases(file: string, kind: Kind, count: number): Promise<MatchCase[]> {
  const random = createRandom(count);
  const { companies, write, createDecoys: createOthers } = await readSource(kind, random);
  const counts = Map.groupBy(companies, ({ name }) => name.toLowerCase());
  const cases: (MatchCase & { record: CompanyRecord })[] = [];
  for (const record of shuffle(companies, random)) {
    if (cases.length === count) break;
    const typed = write(record.name, random);
    if (typed === undefined || counts.get(record.name.toLowerCase())?.length !== 1) continue;
    const isAbsent = random() < ABSENT_SHARE;
    const id = isAbsent ? null : String(record.id);
    cases.push({ typed, country: record.location_hq_country, id, record });
  }
  const absent = new Set(cases.flatMap(({ id, record }) => (id === null ? [record.id] : [])));
  const decoys = cases.flatMap(({ record }, at) =>
    createOthers(record.name, random).map((name, which) => ({
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
