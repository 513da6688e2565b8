// Coverage of the golden set, counted from its data.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Mapping, Properties, Property } from '../../shared/index-fields/mapping.ts';
import { digestDocuments } from './document.ts';
import { readGoldenDocuments } from './documents.ts';
import { type GoldenAnswer, type GoldenQuery, type GoldenSet, goldenIndexes, loadGoldenSet } from './load.ts';
import { toObject } from './read.ts';
import rowsJson from './rules/rows.json' with { type: 'json' };

const MIN_QUERIES = 10;
const MIN_HIT_RATE = 0.8;
const MAX_BYTES = 4_000_000;

const CLAUSES = [
  ...['match', 'match_all', 'match_phrase', 'match_phrase_prefix', 'multi_match', 'query_string'],
  ...['simple_query_string', 'bool', 'constant_score', 'dis_max', 'nested', 'exists', 'ids', 'term', 'terms'],
  ...['range', 'prefix', 'wildcard', 'regexp', 'fuzzy', 'sort'],
];

interface GoldenCase {
  set: GoldenSet;
  query: GoldenQuery;
  answer: GoldenAnswer | undefined;
  /** The body as JSON. */
  json: string;
}

const sets = goldenIndexes.map(loadGoldenSet);
/** Sets over the project's records. The documents of the others may be absent. */
const ownSets = sets.filter((set) => set.documents.kind !== 'csv');
const allCases: GoldenCase[] = sets.flatMap((set) =>
  set.queries.map((query) => ({
    set,
    query,
    answer: set.answers.get(query.name),
    json: JSON.stringify(query.body),
  })),
);
const ownCases = allCases.filter(({ set }) => ownSets.includes(set));

const hasHits = ({ answer }: GoldenCase): boolean =>
  answer !== undefined && 'total' in answer && answer.total > 0;

/** Lists paths of matching fields. */
function listPaths(mapping: Mapping, isWanted: (property: Property) => boolean): string[] {
  const walk = (properties: Properties, prefix: string): string[] =>
    Object.entries(properties).flatMap(([name, property]) => [
      ...(isWanted(property) ? [prefix + name] : []),
      ...('properties' in property ? walk(property.properties, `${prefix}${name}.`) : []),
      ...('fields' in property ? walk(property.fields ?? {}, `${prefix}${name}.`) : []),
    ]);
  return walk(mapping.properties, '');
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Lists paths of values without an index field. */
function listUnmappedPaths(value: unknown, properties: Properties, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listUnmappedPaths(item, properties, prefix));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name];
    if (property === undefined) return [prefix + name];
    return 'properties' in property ? listUnmappedPaths(inner, property.properties, `${prefix}${name}.`) : [];
  });
}

/** Creates a check whether a query names a matching field. */
function createFieldCheck(isWanted: (property: Property) => boolean): (golden: GoldenCase) => boolean {
  const patterns = new Map(
    sets.map((set) => {
      const found = listPaths(set.mapping, isWanted).map(escapeRegExp);
      return [set.index, found.length > 0 ? new RegExp(`(?<![\\w.])(?:${found.join('|')})(?![\\w.])`) : /$^/];
    }),
  );
  return ({ set, json }) => patterns.get(set.index)?.test(json) ?? false;
}

/** Features to cover besides clauses. */
const FEATURES: Readonly<Record<string, (golden: GoldenCase) => boolean>> = {
  boosts: ({ json }) => /"boost"|\^/.test(json),
  'match with fuzziness': ({ json }) => /"(?:multi_)?match":.*"fuzziness"/.test(json),
  'match with minimum_should_match': ({ json }) => /"(?:multi_)?match":.*"minimum_should_match"/.test(json),
  'nested inside nested': ({ json }) =>
    /"path":"[^"]*".*"nested"|"path":"(?:people|locations_full)\./.test(json),
  'exact variants': ({ json }) => /\.exact\b/.test(json),
  'domain variants': ({ json }) => /\.domain_only\b/.test(json),
  'NULL substitutes': ({ json }) => /\bNULL\b/.test(json),
  '-1 substitutes': ({ json }) => /-1\b/.test(json),
  'date fields': createFieldCheck((property) => property.type === 'date'),
  'byte fields': createFieldCheck((property) => property.type === 'byte'),
  'fields that are stored only': createFieldCheck(
    (property) => 'index' in property && property.index === false,
  ),
  'date math': ({ json }) => /\bnow[-+/]|\|\|[-+/]/.test(json),
  'dates in a format of the query': ({ json }) => /"format":/.test(json),
  'words in other scripts than Latin': ({ json }) => /[^\p{Script=Latin}\P{Letter}]/u.test(json),
  'query_string under AND': ({ json }) => /"default_operator":"AND"/.test(json),
  'query_string over several fields': ({ json }) => /"query_string":.*"fields"/.test(json),
};

describe('golden queries', () => {
  it.each(CLAUSES)('cover %s with at least ten queries, 80 % with hits', (clause) => {
    const found = ownCases.filter(({ query }) => query.clause === clause);
    expect(found.length).toBeGreaterThanOrEqual(MIN_QUERIES);
    expect(found.filter(hasHits).length / found.length).toBeGreaterThanOrEqual(MIN_HIT_RATE);
  });

  it.each(ownSets.map((set) => [set.index, set] as const))('cover every clause in %s', (_, set) => {
    const selected = new Set(set.queries.map(({ clause }) => clause));
    expect(CLAUSES.filter((clause) => !selected.has(clause))).toEqual([]);
  });

  it.each(Object.entries(FEATURES))('cover %s with at least ten queries', (_, shows) => {
    expect(ownCases.filter(shows).length).toBeGreaterThanOrEqual(MIN_QUERIES);
  });

  it.each(Object.keys(toObject(rowsJson)))('cover the rule %s', (row) => {
    expect(
      ownCases.filter(({ query }) => query.rules.includes(row)).map(({ query }) => query.name),
    ).not.toEqual([]);
  });

  it('name only known rules and clauses', () => {
    const rows = Object.keys(toObject(rowsJson));
    expect(allCases.flatMap(({ query }) => query.rules).filter((rule) => !rows.includes(rule))).toEqual([]);
    const clauses = [...CLAUSES, 'refused'];
    expect(allCases.map(({ query }) => query.clause).filter((clause) => !clauses.includes(clause))).toEqual(
      [],
    );
  });

  it('have hits in 80 % of the cases, rejections apart', () => {
    const selected = allCases.filter(({ query }) => query.clause !== 'refused');
    expect(selected.filter(hasHits).length / selected.length).toBeGreaterThanOrEqual(MIN_HIT_RATE);
  });

  it('are at least 60 per index', () => {
    for (const set of sets) expect(set.queries.length, set.index).toBeGreaterThanOrEqual(60);
  });
});

describe('index fields', () => {
  const generated = sets.filter((set) => set.documents.kind === 'records');
  it.each(generated.map((set) => [set.index, set] as const))(
    'of %s cover every field of its records',
    async (_, set) => {
      const documents = (await readGoldenDocuments(set)) ?? [];
      const unmapped = documents.flatMap(({ source }) => listUnmappedPaths(source, set.mapping.properties));
      expect([...new Set(unmapped)]).toEqual([]);
    },
  );
});

describe('golden answers', () => {
  it.each(sets.map((set) => [set.index, set] as const))('of %s exist for each query', (_, set) => {
    expect([...set.answers.keys()].sort()).toEqual(set.queries.map(({ name }) => name).sort());
  });

  it('reject exactly the queries that must be rejected', () => {
    const wrong = allCases.filter(
      ({ query, answer }) => answer !== undefined && 'error' in answer !== (query.clause === 'refused'),
    );
    expect(wrong.map(({ set, query }) => `${set.index}: ${query.name}`)).toEqual([]);
  });

  it.each(ownSets.map((set) => [set.index, set] as const))(
    'of %s were generated from the current documents (otherwise run: node test/golden/make-queries.ts)',
    async (_, set) => {
      const documents = (await readGoldenDocuments(set)) ?? [];
      expect(set.digest).toEqual({ count: documents.length, sha256: await digestDocuments(documents) });
    },
  );

  it('have less than 4 MB in total', () => {
    const here = import.meta.dirname;
    const files = readdirSync(here, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });
});
