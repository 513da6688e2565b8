// MiniSearch in Node: an index in memory, filled from its own JSON in each process.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';
import type { CompanyClean } from '../../../../worker/commands/sample/company-clean.ts';
import type { Task, VariantModule } from '../../harness/bench.ts';
import { readCompanies } from '../companies.ts';
import { type Answer, answerAll, drive, type Engine, HITS } from '../drive.ts';
import { queries } from '../queries.ts';
import type { Kept, MiniSearchCall } from '../query.ts';

/** A company as it is indexed. */
interface Entry extends Kept {
  id: number;
  name: string;
  description: string | null;
  enriched_summary: string | null;
  specialities: string;
  technologies: string;
}

const options: Options<Entry> = {
  fields: ['name', 'description', 'enriched_summary', 'specialities', 'technologies'],
  storeFields: ['type', 'industry', 'country', 'website', 'ticker', 'employees', 'followers', 'updated'],
};

function entryOf(company: CompanyClean): Entry {
  return {
    id: company.id,
    name: company.name,
    description: company.description,
    enriched_summary: company.enriched_summary ?? null,
    specialities: (company.specialities ?? []).join('\n'),
    technologies: (company.technologies ?? []).map(({ technology }) => technology).join('\n'),
    type: company.type,
    industry: company.industry,
    country: company.location_hq_country,
    website: company.websites_main,
    ticker: company.ticker,
    employees: company.size_employees_count,
    followers: company.followers,
    updated: company.last_updated,
  };
}

/** Its stored fields are those of `Kept`: `storeFields` above. */
function keptOf(result: SearchResult): Kept {
  const { type, industry, country, website, ticker, employees, followers, updated } = result;
  return { type, industry, country, website, ticker, employees, followers, updated };
}

async function library(): Promise<typeof MiniSearch | undefined> {
  try {
    return (await import('minisearch')).default;
  } catch {
    return undefined;
  }
}

async function needed(): Promise<typeof MiniSearch> {
  const found = await library();
  if (found === undefined) throw new Error('the package minisearch is missing');
  return found;
}

const asked = [...queries.keys()].filter((at) => queries[at]?.minisearch !== undefined);

const indexFile = (dir: string): string => join(dir, 'index.json');

async function prepare({ dir, shared }: Task): Promise<void> {
  const Library = await needed();
  const index = new Library<Entry>(options);
  for await (const company of readCompanies(shared)) index.add(entryOf(company));
  await writeFile(indexFile(dir), JSON.stringify(index));
  await answerAll(await open(dir), { name: 'minisearch', asked, shared });
}

function callOf(query: number): MiniSearchCall {
  const call = queries[query]?.minisearch;
  if (call === undefined) throw new RangeError(`MiniSearch has nothing to ask for query ${query}`);
  return call;
}

const idsOf = (results: readonly SearchResult[]): string[] => results.map(({ id }) => String(id));

async function open(dir: string): Promise<Engine> {
  const Library = await needed();
  const index = await Library.loadJSONAsync<Entry>(await readFile(indexFile(dir), 'utf8'), options);
  const run = ({ query, options: given, filter }: MiniSearchCall): SearchResult[] =>
    index.search(query ?? Library.wildcard, {
      ...given,
      ...(filter !== undefined && { filter: (result: SearchResult) => filter(keptOf(result)) }),
    });
  return {
    async ask(query, repeat): Promise<Answer> {
      const call = callOf(query);
      let results: SearchResult[] = [];
      const start = performance.now();
      for (let left = repeat; left > 0; left -= 1) results = run(call);
      const ms = performance.now() - start;
      return { total: results.length, ids: idsOf(results.slice(0, HITS)), ms };
    },
    async askAll(query) {
      return { query, ids: idsOf(run(callOf(query))) };
    },
    async close() {},
  };
}

export const variant: VariantModule = {
  async missing() {
    if ((await library()) !== undefined) return undefined;
    return 'It is a development dependency: npm install.';
  },
  prepare,
  async measure({ dir, quick }) {
    return drive(await open(dir), asked, quick);
  },
};
