// The documents of the golden set: the project's own generated records, and a few written by hand for the rules.
import type { Mapping } from '../../shared/index-fields/mapping.ts';
import { indexSource } from '../../worker/provider/index-source.ts';
import { companies } from '../../worker/provider/sample/companies.ts';
import { type SampleFamily, sample } from '../../worker/provider/sample/index.ts';
import type { GoldenSet } from './load.ts';
import { type Json, list, object } from './read.ts';
import rulesDocuments from './rules/documents.json' with { type: 'json' };

/** A document as it is indexed. */
export interface GoldenDocument {
  id: string;
  source: Json;
}

type Generator = (options: { seed: number; count: number }) => Iterable<Json>;

/** Posts are the fewest: three for every two companies. */
const COMPANIES_A_RECORD = 2 / 3;

/** The first records of a family in a sample that has enough of them. */
function sampled(family: SampleFamily): Generator {
  return function* ({ seed, count }) {
    const companies = Math.ceil(count * COMPANIES_A_RECORD);
    let left = count;
    for (const { record } of sample({ seed, companies, families: [family] })) {
      if (left === 0) return;
      left -= 1;
      yield { ...record };
    }
  };
}

/** Who makes records, by the name that families.json calls it. */
const generators: Readonly<Record<string, Generator>> = {
  *'companies.clean'(options) {
    for (const { clean } of companies(options)) yield { ...clean };
  },
  *'companies.base'(options) {
    for (const { base } of companies(options)) yield { ...base };
  },
  employee_clean: sampled('employee_clean'),
  employee_base: sampled('employee_base'),
  job_base: sampled('job_base'),
  employee_post: sampled('employee_post'),
};

/**
 * Gives a record the id under which it is indexed.
 * @throws TypeError where the record has none
 */
export function goldenDocument(record: Json): GoldenDocument {
  const { id } = record;
  if (typeof id !== 'string' && typeof id !== 'number') throw new TypeError('a record without an id');
  return { id: String(id), source: record };
}

/**
 * Gives a record of the service the form and the id under which it is indexed.
 * @param mapping - of the record's family
 */
export function serviceDocument(mapping: Mapping, record: Json): GoldenDocument {
  return goldenDocument(indexSource(mapping, record));
}

/**
 * The documents of an index, in the order of their making.
 * @returns undefined where they come from a file outside the project: `serviceDocument` of its records makes them
 * @throws TypeError where families.json names a generator that there isn't
 */
export function goldenDocuments({
  documents: source,
  mapping,
}: Pick<GoldenSet, 'documents' | 'mapping'>): GoldenDocument[] | undefined {
  if (source.kind === 'csv') return undefined;
  if (source.kind === 'file') return list(rulesDocuments).map((record) => goldenDocument(object(record)));
  const generator = generators[source.generator];
  if (generator === undefined) throw new TypeError(`there is no generator ${source.generator}`);
  return [...generator(source)].map((record) => serviceDocument(mapping, record));
}

/**
 * A fingerprint of documents: answers hold only for the documents of which they were made.
 * @returns SHA-256 in hexadecimal digits
 */
export async function documentsDigest(documents: readonly GoldenDocument[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(documents));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
