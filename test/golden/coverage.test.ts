// What the golden set covers, counted from its own data.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Mapping, Properties, Property } from '../../shared/index-fields/mapping.ts';
import { documentsDigest } from './document.ts';
import { goldenDocuments } from './documents.ts';
import { type GoldenAnswer, type GoldenQuery, type GoldenSet, goldenIndexes, goldenSet } from './load.ts';
import { object } from './read.ts';
import rowsJson from './rules/rows.json' with { type: 'json' };

const LEAST = 10;
const LEAST_WITH_HITS = 0.8;
const MOST_BYTES = 4_000_000;

const CLAUSES = [
  ...['match', 'match_all', 'match_phrase', 'match_phrase_prefix', 'multi_match', 'query_string'],
  ...['simple_query_string', 'bool', 'constant_score', 'dis_max', 'nested', 'exists', 'ids', 'term', 'terms'],
  ...['range', 'prefix', 'wildcard', 'regexp', 'fuzzy', 'sort'],
];

interface Asked {
  set: GoldenSet;
  query: GoldenQuery;
  answer: GoldenAnswer | undefined;
  /** The body as JSON. */
  json: string;
}

const sets = goldenIndexes.map(goldenSet);
/** Those over the project's own records; the others are only there where their documents are. */
const ownSets = sets.filter((set) => set.documents.kind !== 'csv');
const all: Asked[] = sets.flatMap((set) =>
  set.queries.map((query) => ({
    set,
    query,
    answer: set.answers.get(query.name),
    json: JSON.stringify(query.body),
  })),
);
const own = all.filter(({ set }) => ownSets.includes(set));

const hits = ({ answer }: Asked): boolean => answer !== undefined && 'total' in answer && answer.total > 0;

/** Paths of fields of which `wanted` is true. */
function paths(mapping: Mapping, wanted: (property: Property) => boolean): string[] {
  const walk = (properties: Properties, prefix: string): string[] =>
    Object.entries(properties).flatMap(([name, property]) => [
      ...(wanted(property) ? [prefix + name] : []),
      ...('properties' in property ? walk(property.properties, `${prefix}${name}.`) : []),
      ...('fields' in property ? walk(property.fields ?? {}, `${prefix}${name}.`) : []),
    ]);
  return walk(mapping.properties, '');
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Paths of a record's values that no field of the index takes. */
function unmapped(value: unknown, properties: Properties, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unmapped(item, properties, prefix));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name];
    if (property === undefined) return [prefix + name];
    return 'properties' in property ? unmapped(inner, property.properties, `${prefix}${name}.`) : [];
  });
}

/** Tells whether a query speaks of a field of which `wanted` is true. */
function names(wanted: (property: Property) => boolean): (asked: Asked) => boolean {
  const patterns = new Map(
    sets.map((set) => {
      const found = paths(set.mapping, wanted).map(escaped);
      return [set.index, found.length > 0 ? new RegExp(`(?<![\\w.])(?:${found.join('|')})(?![\\w.])`) : /$^/];
    }),
  );
  return ({ set, json }) => patterns.get(set.index)?.test(json) ?? false;
}

/** What has to be covered beside the clauses. */
const FEATURES: Readonly<Record<string, (asked: Asked) => boolean>> = {
  boosts: ({ json }) => /"boost"|\^/.test(json),
  'match with fuzziness': ({ json }) => /"(?:multi_)?match":.*"fuzziness"/.test(json),
  'match with minimum_should_match': ({ json }) => /"(?:multi_)?match":.*"minimum_should_match"/.test(json),
  'nested inside nested': ({ json }) =>
    /"path":"[^"]*".*"nested"|"path":"(?:people|locations_full)\./.test(json),
  'exact variants': ({ json }) => /\.exact\b/.test(json),
  'domain variants': ({ json }) => /\.domain_only\b/.test(json),
  'NULL substitutes': ({ json }) => /\bNULL\b/.test(json),
  '-1 substitutes': ({ json }) => /-1\b/.test(json),
  'date fields': names((property) => property.type === 'date'),
  'byte fields': names((property) => property.type === 'byte'),
  'fields that are stored only': names((property) => 'index' in property && property.index === false),
  'date math': ({ json }) => /\bnow[-+/]|\|\|[-+/]/.test(json),
  'dates in a format of the query': ({ json }) => /"format":/.test(json),
  'words in other scripts than Latin': ({ json }) => /[^\p{Script=Latin}\P{Letter}]/u.test(json),
  'query_string under AND': ({ json }) => /"default_operator":"AND"/.test(json),
  'query_string over several fields': ({ json }) => /"query_string":.*"fields"/.test(json),
};

describe('golden queries', () => {
  it.each(CLAUSES)('ask %s at least ten times, four of five with hits', (clause) => {
    const found = own.filter(({ query }) => query.clause === clause);
    expect(found.length).toBeGreaterThanOrEqual(LEAST);
    expect(found.filter(hits).length / found.length).toBeGreaterThanOrEqual(LEAST_WITH_HITS);
  });

  it.each(ownSets.map((set) => [set.index, set] as const))('ask every clause of %s', (_, set) => {
    const asked = new Set(set.queries.map(({ clause }) => clause));
    expect(CLAUSES.filter((clause) => !asked.has(clause))).toEqual([]);
  });

  it.each(Object.entries(FEATURES))('ask for %s at least ten times', (_, shows) => {
    expect(own.filter(shows).length).toBeGreaterThanOrEqual(LEAST);
  });

  it.each(Object.keys(object(rowsJson)))('show the rule %s', (row) => {
    expect(own.filter(({ query }) => query.rules.includes(row)).map(({ query }) => query.name)).not.toEqual(
      [],
    );
  });

  it('name no rule that is not in the table and no clause that is not counted', () => {
    const rows = Object.keys(object(rowsJson));
    expect(all.flatMap(({ query }) => query.rules).filter((rule) => !rows.includes(rule))).toEqual([]);
    const clauses = [...CLAUSES, 'refused'];
    expect(all.map(({ query }) => query.clause).filter((clause) => !clauses.includes(clause))).toEqual([]);
  });

  it('hit something four times of five, refusals apart', () => {
    const asked = all.filter(({ query }) => query.clause !== 'refused');
    expect(asked.filter(hits).length / asked.length).toBeGreaterThanOrEqual(LEAST_WITH_HITS);
  });

  it('are at least sixty in every index', () => {
    for (const set of sets) expect(set.queries.length, set.index).toBeGreaterThanOrEqual(60);
  });
});

describe('index fields', () => {
  const generated = sets.filter((set) => set.documents.kind === 'records');
  it.each(generated.map((set) => [set.index, set] as const))(
    'of %s take every field of its records',
    async (_, set) => {
      const documents = (await goldenDocuments(set)) ?? [];
      const left = documents.flatMap(({ source }) => unmapped(source, set.mapping.properties));
      expect([...new Set(left)]).toEqual([]);
    },
  );
});

describe('golden answers', () => {
  it.each(sets.map((set) => [set.index, set] as const))('of %s are one for each query', (_, set) => {
    expect([...set.answers.keys()].sort()).toEqual(set.queries.map(({ name }) => name).sort());
  });

  it('refuse what is to be refused and nothing else', () => {
    const wrong = all.filter(
      ({ query, answer }) => answer !== undefined && 'error' in answer !== (query.clause === 'refused'),
    );
    expect(wrong.map(({ set, query }) => `${set.index}: ${query.name}`)).toEqual([]);
  });

  it.each(ownSets.map((set) => [set.index, set] as const))(
    'of %s were made of the documents that are there now (if not: node test/golden/make-queries.ts)',
    async (_, set) => {
      const documents = (await goldenDocuments(set)) ?? [];
      expect(set.digest).toEqual({ count: documents.length, sha256: await documentsDigest(documents) });
    },
  );

  it('keep the whole set below four megabytes', () => {
    const here = import.meta.dirname;
    const files = readdirSync(here, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });
});
