// A simple reference implementation of the engine: it evaluates a query on every document in memory.
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import { mapping, type Source } from './harness.ts';
import { buildNode, listDescendants, type Node } from './reference-documents.ts';

/** Rounds a length like its encoding in one byte. */
function roundLength(length: number): number {
  if (length < 24) return length;
  let unit = 1;
  while ((length - 24) / unit >= 16) unit *= 2;
  return 24 + Math.floor((length - 24) / unit) * unit;
}

/** An index in memory. */
export class ReferenceIndex {
  readonly #records: Map<string, Node>;
  readonly #nodes: Node[];
  readonly #cache = new Map<string, unknown>();

  constructor(records: ReadonlyMap<string, Source>) {
    this.#records = new Map(
      Array.from(records, ([id, source]) => [id, buildNode('', source, mapping.properties, '')]),
    );
    this.#nodes = [...this.#records.values()].flatMap(listDescendants);
  }

  /** Finds the matching records and their scores, by id. */
  findScores(query: Query): Map<string, number> {
    const found = new Map<string, number>();
    for (const [id, node] of this.#records) {
      const score = this.#score(query, node, id);
      if (score !== undefined) found.set(id, score);
    }
    return found;
  }

  /** Computes a value once for each key. */
  #cached<T>(key: string, compute: () => T): T {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached as T;
    const value = compute();
    this.#cache.set(key, value);
    return value;
  }

  #listTerms(node: Node, field: string): string[] {
    const text = node.texts.get(field)?.map(({ term }) => term);
    if (text !== undefined) return text;
    return [...new Set(node.values.get(field) ?? [])].flatMap((value) => {
      if (typeof value === 'boolean') return value ? 'T' : 'F';
      return typeof value === 'string' ? value : [];
    });
  }

  /** Returns the terms of each document that has any. */
  #listTermLists(field: string): string[][] {
    return this.#cached(`terms ${field}`, () =>
      this.#nodes.map((node) => this.#listTerms(node, field)).filter(({ length }) => length > 0),
    );
  }

  /** Lists all terms of a field in the order of their UTF-8 bytes. */
  #listVocabulary(field: string): string[] {
    return this.#cached(`vocabulary ${field}`, () => {
      const encoder = new TextEncoder();
      const toKey = (text: string): string =>
        Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('');
      return [...new Set(this.#listTermLists(field).flat())].sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
    });
  }

  #countDocuments(field: string, term: string): number {
    return this.#cached(
      `documents ${field} ${term}`,
      () => this.#listTermLists(field).filter((terms) => terms.includes(term)).length,
    );
  }

  #computeIdf(field: string, docFrequency: number): number {
    const docs = this.#listTermLists(field).length;
    return Math.log(1 + (docs - docFrequency + 0.5) / (docFrequency + 0.5));
  }

  #computeScore(node: Node, field: string, frequency: number, idf: number): number {
    const lists = this.#listTermLists(field);
    const average = lists.reduce((sum, { length }) => sum + length, 0) / lists.length;
    const length = node.texts.has(field) ? roundLength(this.#listTerms(node, field).length) : 1;
    return (idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * length) / average));
  }

  #scoreTerm(
    node: Node,
    field: string,
    term: string,
    idf = this.#computeIdf(field, this.#countDocuments(field, term)),
  ): number | undefined {
    const frequency = this.#listTerms(node, field).filter((other) => other === term).length;
    return frequency === 0 ? undefined : this.#computeScore(node, field, frequency, idf);
  }

  #score(query: Query, node: Node, id: string): number | undefined {
    if (query.kind === 'none') return undefined;
    const score = this.#scoreUnboosted(query, node, id);
    return score === undefined ? undefined : score * query.boost;
  }

  #scoreUnboosted(query: Exclude<Query, { kind: 'none' }>, node: Node, id: string): number | undefined {
    const constant = (matches: boolean): number | undefined => (matches ? 1 : undefined);
    const anyTerm = (pattern: RegExp): number | undefined =>
      constant(this.#listTerms(node, getFieldName(query)).some((term) => pattern.test(term)));
    switch (query.kind) {
      case 'all':
        return 1;
      case 'ids':
        return constant(node.path === '' && query.values.includes(id));
      case 'exists':
        return constant(node.texts.has(query.field) || (node.values.get(query.field) ?? []).length > 0);
      case 'constant':
        return constant(this.#score(query.query, node, id) !== undefined);
      case 'term': {
        const { value, field } = query;
        if (typeof value === 'string') return this.#scoreTerm(node, field, value);
        if (typeof value === 'boolean') return this.#scoreTerm(node, field, value ? 'T' : 'F');
        return constant((node.values.get(field) ?? []).some((other) => String(other) === String(value)));
      }
      case 'terms':
        return constant(
          query.values.some(
            (value) =>
              this.#scoreUnboosted({ kind: 'term', field: query.field, value, boost: 1 }, node, id) !==
              undefined,
          ),
        );
      case 'range': {
        const numbers = (node.values.get(query.field) ?? []).filter((value) => typeof value !== 'boolean');
        const isInRange = (value: string | number | bigint): boolean =>
          (query.lower === undefined ||
            value > query.lower.value ||
            (query.lower.inclusive && value >= query.lower.value)) &&
          (query.upper === undefined ||
            value < query.upper.value ||
            (query.upper.inclusive && value <= query.upper.value));
        return constant(
          [...numbers, ...(node.texts.get(query.field)?.map(({ term }) => term) ?? [])].some(isInRange),
        );
      }
      case 'prefix':
        return anyTerm(new RegExp(`^${query.value}`, query.caseInsensitive ? 'i' : ''));
      case 'wildcard':
        return anyTerm(
          new RegExp(
            `^${query.pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`,
            query.caseInsensitive ? 'i' : '',
          ),
        );
      case 'regexp':
        return anyTerm(new RegExp(`^(?:${query.pattern})$`));
      case 'fuzzy':
        return this.#scoreFuzzy(query, node);
      case 'phrase':
        return this.#scorePhrase(query, node);
      case 'bool':
        return this.#scoreBool(query, node, id);
      case 'disMax': {
        const scores = query.queries
          .flatMap((part) => this.#score(part, node, id) ?? [])
          .sort((a, b) => b - a);
        const [best, ...others] = scores;
        return best === undefined
          ? undefined
          : best + query.tieBreaker * others.reduce((sum, score) => sum + score, 0);
      }
      case 'nested':
        return this.#scoreNested(query, node, id);
    }
  }

  #scoreFuzzy(query: Query & { kind: 'fuzzy' }, node: Node): number | undefined {
    const length = [...query.value].length;
    const expansions = this.#listVocabulary(query.field)
      .map((term) => ({ term, edits: countEdits([...query.value], [...term], query.transpositions) }))
      .filter(
        ({ term, edits: count }) =>
          count <= query.maxEdits && term.startsWith(query.value.slice(0, query.prefixLength)),
      )
      .map(({ term, edits: count }) => ({ term, boost: 1 - count / Math.min(length, [...term].length) }))
      .sort((a, b) => b.boost - a.boost)
      .slice(0, query.maxExpansions);
    const idf = this.#computeIdf(
      query.field,
      Math.max(...expansions.map(({ term }) => this.#countDocuments(query.field, term))),
    );
    const scores = expansions.flatMap(({ term, boost }) => {
      const score = this.#scoreTerm(node, query.field, term, idf);
      return score === undefined ? [] : [score * Math.max(0, boost)];
    });
    return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0);
  }

  /** Scores a phrase; with slop, the score is NaN. */
  #scorePhrase(query: Query & { kind: 'phrase' }, node: Node): number | undefined {
    const { field, terms, prefix, slop, maxExpansions = 50 } = query;
    const slots = terms.map(({ term, position }, at) => ({
      position,
      candidates:
        prefix && at === terms.length - 1
          ? this.#listVocabulary(field)
              .filter((other) => other.startsWith(term))
              .slice(0, maxExpansions)
          : [term],
    }));
    const idf = slots
      .flatMap(({ candidates }) => candidates)
      .reduce((sum, term) => sum + this.#computeIdf(field, this.#countDocuments(field, term)), 0);
    if (slots.length === 1) {
      const scores = slots.flatMap(({ candidates }) =>
        candidates.flatMap((term) => this.#scoreTerm(node, field, term) ?? []),
      );
      return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0);
    }
    const starts = slots.map(({ position, candidates }) =>
      (node.texts.get(field) ?? [])
        .filter(({ term }) => candidates.includes(term))
        .map((word) => word.position - position),
    );
    if (slop > 0) return findMinSpread(starts) <= slop ? Number.NaN : undefined;
    const frequency = (starts[0] ?? []).filter((start) =>
      starts.every((list) => list.includes(start)),
    ).length;
    return frequency === 0 ? undefined : this.#computeScore(node, field, frequency, idf);
  }

  #scoreBool(query: Query & { kind: 'bool' }, node: Node, id: string): number | undefined {
    const scores = (parts: readonly Query[]) => parts.flatMap((part) => this.#score(part, node, id) ?? []);
    const must = scores(query.must);
    const should = scores(query.should);
    if (must.length < query.must.length || scores(query.filter).length < query.filter.length)
      return undefined;
    if (scores(query.mustNot).length > 0 || should.length < query.minimumShouldMatch) return undefined;
    const needsOne = query.must.length + query.filter.length === 0 && query.should.length > 0;
    if (needsOne && should.length === 0) return undefined;
    return [...must, ...should].reduce((sum, score) => sum + score, 0);
  }

  #scoreNested(query: Query & { kind: 'nested' }, node: Node, id: string): number | undefined {
    if (query.path === node.path) return undefined;
    const descendants = node.children.flatMap(listDescendants).filter(({ path }) => path === query.path);
    const scores = descendants.flatMap((child) => this.#score(query.query, child, id) ?? []);
    if (scores.length === 0) return undefined;
    const sum = scores.reduce((total, score) => total + score, 0);
    return { sum, avg: sum / scores.length, min: Math.min(...scores), max: Math.max(...scores), none: 0 }[
      query.scoreMode
    ];
  }
}

function getFieldName(query: Query): string {
  return 'field' in query ? query.field : '';
}

/** Finds the smallest spread of one value of each list. */
function findMinSpread(lists: readonly (readonly number[])[]): number {
  const [first, ...rest] = lists;
  if (first === undefined || lists.some(({ length }) => length === 0)) return Number.POSITIVE_INFINITY;
  const combinations = rest.reduce<number[][]>(
    (found, list) => found.flatMap((values) => list.map((value) => [...values, value])),
    first.map((value) => [value]),
  );
  return Math.min(...combinations.map((values) => Math.max(...values) - Math.min(...values)));
}

/** Computes the edit distance of two words. */
function countEdits(a: readonly string[], b: readonly string[], transpositions: boolean): number {
  const cache = new Map<number, number>();
  const count = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = i * 1000 + j;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const distance = Math.min(
      count(i - 1, j) + 1,
      count(i, j - 1) + 1,
      count(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
    );
    const swapped = transpositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const result = swapped ? Math.min(distance, count(i - 2, j - 2) + 1) : distance;
    cache.set(key, result);
    return result;
  };
  return count(a.length, b.length);
}
