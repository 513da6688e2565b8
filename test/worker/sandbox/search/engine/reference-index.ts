// What a query means, told plainly: every document of an index is looked at, one after the other, in memory.
import type { Query } from '../../../../../worker/sandbox/search/query.ts';
import { mapping, type Source } from './harness.ts';
import { type Node, readNode, withAll } from './reference-documents.ts';

/** A length as the score's byte keeps it. */
function rounded(length: number): number {
  if (length < 24) return length;
  let unit = 1;
  while ((length - 24) / unit >= 16) unit *= 2;
  return 24 + Math.floor((length - 24) / unit) * unit;
}

/** An index in memory. */
export class PlainIndex {
  readonly #records: Map<string, Node>;
  readonly #nodes: Node[];

  constructor(records: ReadonlyMap<string, Source>) {
    this.#records = new Map(
      Array.from(records, ([id, source]) => [id, readNode('', source, mapping.properties, '')]),
    );
    this.#nodes = [...this.#records.values()].flatMap(withAll);
  }

  /** The score of every record that a query finds, by id. */
  scores(query: Query): Map<string, number> {
    const found = new Map<string, number>();
    for (const [id, node] of this.#records) {
      const score = this.#score(query, node, id);
      if (score !== undefined) found.set(id, score);
    }
    return found;
  }

  #terms(node: Node, field: string): string[] {
    const keywords = [...new Set(node.values.get(field) ?? [])].filter(
      (value) => typeof value === 'string' || typeof value === 'boolean',
    );
    return (
      node.texts.get(field)?.map(({ term }) => term) ??
      keywords.map((value) => (value === true ? 'T' : value === false ? 'F' : String(value)))
    );
  }

  /** All terms of a field, in the order of their UTF-8 bytes. */
  #vocabulary(field: string): string[] {
    const encoder = new TextEncoder();
    const key = (text: string): string =>
      Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('');
    const terms = new Set(this.#nodes.flatMap((node) => this.#terms(node, field)));
    return [...terms].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }

  #having(field: string, term: string): number {
    return this.#nodes.filter((node) => this.#terms(node, field).includes(term)).length;
  }

  #idf(field: string, having: number): number {
    const docs = this.#nodes.filter((node) => this.#terms(node, field).length > 0).length;
    return Math.log(1 + (docs - having + 0.5) / (having + 0.5));
  }

  #bm25(node: Node, field: string, frequency: number, idf: number): number {
    const lengths = this.#nodes
      .map((other) => this.#terms(other, field).length)
      .filter((length) => length > 0);
    const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    const length = node.texts.has(field) ? rounded(this.#terms(node, field).length) : 1;
    return (idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * length) / average));
  }

  #term(
    node: Node,
    field: string,
    term: string,
    idf = this.#idf(field, this.#having(field, term)),
  ): number | undefined {
    const frequency = this.#terms(node, field).filter((other) => other === term).length;
    return frequency === 0 ? undefined : this.#bm25(node, field, frequency, idf);
  }

  #score(query: Query, node: Node, id: string): number | undefined {
    if (query.kind === 'none') return undefined;
    const score = this.#unboosted(query, node, id);
    return score === undefined ? undefined : score * query.boost;
  }

  #unboosted(query: Exclude<Query, { kind: 'none' }>, node: Node, id: string): number | undefined {
    const one = (matches: boolean): number | undefined => (matches ? 1 : undefined);
    const anyTerm = (pattern: RegExp): number | undefined =>
      one(this.#terms(node, fieldOf(query)).some((term) => pattern.test(term)));
    switch (query.kind) {
      case 'all':
        return 1;
      case 'ids':
        return one(node.path === '' && query.values.includes(id));
      case 'exists':
        return one(node.texts.has(query.field) || (node.values.get(query.field) ?? []).length > 0);
      case 'constant':
        return one(this.#score(query.query, node, id) !== undefined);
      case 'term': {
        const { value, field } = query;
        if (typeof value === 'string') return this.#term(node, field, value);
        if (typeof value === 'boolean') return this.#term(node, field, value ? 'T' : 'F');
        return one((node.values.get(field) ?? []).some((other) => String(other) === String(value)));
      }
      case 'terms':
        return one(
          query.values.some(
            (value) =>
              this.#unboosted({ kind: 'term', field: query.field, value, boost: 1 }, node, id) !== undefined,
          ),
        );
      case 'range': {
        const numbers = (node.values.get(query.field) ?? []).filter((value) => typeof value !== 'boolean');
        const inside = (value: string | number | bigint): boolean =>
          (query.lower === undefined ||
            value > query.lower.value ||
            (query.lower.inclusive && value >= query.lower.value)) &&
          (query.upper === undefined ||
            value < query.upper.value ||
            (query.upper.inclusive && value <= query.upper.value));
        return one(
          [...numbers, ...(node.texts.get(query.field)?.map(({ term }) => term) ?? [])].some(inside),
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
        return this.#fuzzy(query, node);
      case 'phrase':
        return this.#phrase(query, node);
      case 'bool':
        return this.#bool(query, node, id);
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
        return this.#nested(query, node, id);
    }
  }

  #fuzzy(query: Query & { kind: 'fuzzy' }, node: Node): number | undefined {
    const length = [...query.value].length;
    const near = this.#vocabulary(query.field)
      .map((term) => ({ term, edits: edits([...query.value], [...term], query.transpositions) }))
      .filter(
        ({ term, edits: count }) =>
          count <= query.maxEdits && term.startsWith(query.value.slice(0, query.prefixLength)),
      )
      .map(({ term, edits: count }) => ({ term, boost: 1 - count / Math.min(length, [...term].length) }))
      .sort((a, b) => b.boost - a.boost)
      .slice(0, query.maxExpansions);
    const idf = this.#idf(query.field, Math.max(...near.map(({ term }) => this.#having(query.field, term))));
    const scores = near.flatMap(({ term, boost }) => {
      const score = this.#term(node, query.field, term, idf);
      return score === undefined ? [] : [score * Math.max(0, boost)];
    });
    return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0);
  }

  /** A phrase without slop; where there is slop, its score is not a number. */
  #phrase(query: Query & { kind: 'phrase' }, node: Node): number | undefined {
    const { field, terms, prefix, slop, maxExpansions = 50 } = query;
    const slots = terms.map(({ term, position }, at) => ({
      position,
      among:
        prefix && at === terms.length - 1
          ? this.#vocabulary(field)
              .filter((other) => other.startsWith(term))
              .slice(0, maxExpansions)
          : [term],
    }));
    const idf = slots
      .flatMap(({ among }) => among)
      .reduce((sum, term) => sum + this.#idf(field, this.#having(field, term)), 0);
    if (slots.length === 1) {
      const scores = slots.flatMap(({ among }) =>
        among.flatMap((term) => this.#term(node, field, term) ?? []),
      );
      return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0);
    }
    const placed = slots.map(({ position, among }) =>
      (node.texts.get(field) ?? [])
        .filter(({ term }) => among.includes(term))
        .map((word) => word.position - position),
    );
    if (slop > 0) return spread(placed) <= slop ? Number.NaN : undefined;
    const frequency = (placed[0] ?? []).filter((start) =>
      placed.every((starts) => starts.includes(start)),
    ).length;
    return frequency === 0 ? undefined : this.#bm25(node, field, frequency, idf);
  }

  #bool(query: Query & { kind: 'bool' }, node: Node, id: string): number | undefined {
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

  #nested(query: Query & { kind: 'nested' }, node: Node, id: string): number | undefined {
    if (query.path === node.path) return undefined;
    const inside = node.children.flatMap(withAll).filter(({ path }) => path === query.path);
    const scores = inside.flatMap((child) => this.#score(query.query, child, id) ?? []);
    if (scores.length === 0) return undefined;
    const sum = scores.reduce((total, score) => total + score, 0);
    return { sum, avg: sum / scores.length, min: Math.min(...scores), max: Math.max(...scores), none: 0 }[
      query.scoreMode
    ];
  }
}

function fieldOf(query: Query): string {
  return 'field' in query ? query.field : '';
}

/** The least distance between the first and the last start, over all ways to take one of each list. */
function spread(lists: readonly (readonly number[])[]): number {
  const [first, ...rest] = lists;
  if (first === undefined || lists.some(({ length }) => length === 0)) return Number.POSITIVE_INFINITY;
  const ways = rest.reduce<number[][]>(
    (found, list) => found.flatMap((way) => list.map((start) => [...way, start])),
    first.map((start) => [start]),
  );
  return Math.min(...ways.map((way) => Math.max(...way) - Math.min(...way)));
}

/** How many edits lead from one word to another. */
function edits(a: readonly string[], b: readonly string[], transpositions: boolean): number {
  const known = new Map<number, number>();
  const count = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = i * 1000 + j;
    const before = known.get(key);
    if (before !== undefined) return before;
    const least = Math.min(
      count(i - 1, j) + 1,
      count(i, j - 1) + 1,
      count(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
    );
    const swapped = transpositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const result = swapped ? Math.min(least, count(i - 2, j - 2) + 1) : least;
    known.set(key, result);
    return result;
  };
  return count(a.length, b.length);
}
