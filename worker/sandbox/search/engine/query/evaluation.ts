// A query over one version of an index: first all that its clauses read, then what they find, put together.
import type { Query } from '../../query.ts';
import type { Expansions } from './term-expansion.ts';
import { type Answering, type FieldQuery, Leaves } from './field-clauses.ts';
import {
  bestScores,
  constant,
  intersect,
  type Matches,
  NOTHING,
  scoreAt,
  scored,
  sumScores,
  unite,
  without,
} from './matches.ts';
import type { Reader } from '../read/reader.ts';
import type { IndexedField, Space } from '../index/state.ts';

/** The clauses right below a clause, with the kind of document that they are about. */
function inner(query: Query, space: Space, nested: (path: string) => Space | undefined): [Query, Space][] {
  const here = (queries: readonly Query[]): [Query, Space][] => queries.map((below) => [below, space]);
  switch (query.kind) {
    case 'bool':
      return here([...query.must, ...query.filter, ...query.should, ...query.mustNot]);
    case 'disMax':
      return here(query.queries);
    case 'constant':
      return here([query.query]);
    case 'nested': {
      const children = nested(query.path);
      return children === undefined ? [] : [[query.query, children]];
    }
    default:
      return [];
  }
}

function isBelow(space: Space | undefined, above: Space): boolean {
  for (let outer = space?.parent; outer !== undefined; outer = outer.parent) {
    if (outer === above) return true;
  }
  return false;
}

/** A query in one version of an index. */
export class Evaluation {
  readonly #reader: Reader;
  readonly #leaves: Leaves;
  readonly #live = new Map<Space, Int32Array>();

  constructor(reader: Reader, expansions: Expansions) {
    this.#reader = reader;
    this.#leaves = new Leaves(reader, expansions);
  }

  /** Asks for the vocabularies that the patterns of a query are tried on. */
  wantVocabularies(query: Query, space: Space = this.#reader.state.records): void {
    const field = this.#fieldOf(query, space);
    if (field !== undefined) this.#leaves.wantVocabulary(field.query, field.field);
    for (const [below, at] of this.#inner(query, space)) this.wantVocabularies(below, at);
  }

  /** Asks for all that a query reads; vocabularies must have been read. */
  want(query: Query, space: Space = this.#reader.state.records): void {
    this.#reader.wantSpace(space);
    const field = this.#fieldOf(query, space);
    if (field !== undefined) this.#leaves.want(field.query, field.field);
    if (query.kind === 'exists') {
      const having = this.#fieldAt(query.field, space);
      if (having !== undefined) this.#reader.having.want(having);
    }
    if (query.kind === 'ids') this.#reader.byId.want(this.#idsOf(query));
    for (const [below, at] of this.#inner(query, space)) this.want(below, at);
  }

  /** The records that a query finds; all that it reads must have been read. */
  matches(query: Query, scoring: boolean): Matches {
    return this.#matches(query, this.#reader.state.records, { boost: 1, scoring });
  }

  #matches(query: Query, space: Space, around: Answering): Matches {
    if (query.kind === 'none') return NOTHING;
    const { scoring } = around;
    const boost = Math.fround(around.boost * query.boost);
    const answering = { boost, scoring };
    switch (query.kind) {
      case 'all':
        return constant(this.#all(space), boost);
      case 'exists': {
        const field = this.#fieldAt(query.field, space);
        return field === undefined ? NOTHING : constant(this.#reader.having.get(field), boost);
      }
      case 'ids':
        return space.parent === undefined
          ? constant(this.#reader.byId.get(this.#idsOf(query)), boost)
          : NOTHING;
      case 'constant':
        return constant(this.#matches(query.query, space, { boost: 1, scoring: false }).docs, boost);
      case 'bool':
        return this.#bool(query, space, answering);
      case 'disMax': {
        const parts = query.queries.map((part) => this.#matches(part, space, answering));
        return scoring
          ? bestScores(parts, query.tieBreaker, space.size)
          : constant(unite(docsOf(parts), space.size), 0);
      }
      case 'nested':
        return this.#nested(query, space, answering);
      default: {
        const field = this.#fieldOf(query, space);
        return field === undefined ? NOTHING : this.#leaves.matches(field.query, field.field, answering);
      }
    }
  }

  #bool(query: Query & { kind: 'bool' }, space: Space, { boost, scoring }: Answering): Matches {
    const among = (queries: readonly Query[], withScores: boolean): Matches[] =>
      queries.map((part) => this.#matches(part, space, { boost, scoring: withScores }));
    const must = among(query.must, scoring);
    const required = docsOf([...must, ...among(query.filter, false)]);
    if (required.some(({ length }) => length === 0)) return NOTHING;
    const least = Math.max(
      query.minimumShouldMatch,
      required.length === 0 && query.should.length > 0 ? 1 : 0,
    );
    if (least > query.should.length) return NOTHING;
    const should = scoring || least > 0 ? among(query.should, scoring) : [];
    if (least > 0) required.push(unite(docsOf(should), space.size, least));
    const excluded = unite(docsOf(among(query.mustNot, false)), space.size);
    const found = required.length === 0 ? this.#all(space) : intersect(required);
    const docs = without(found, excluded);
    const [only] = must;
    if (!scoring || docs.length === 0 || must.length + should.length === 0) return constant(docs, 0);
    if (must.length === 1 && should.length === 0 && only?.docs === docs) return only;
    const required64 = sumScores(must, space.size);
    const optional64 = sumScores(should, space.size);
    return scored(docs, (doc) => Math.fround(required64[doc] ?? 0) + Math.fround(optional64[doc] ?? 0));
  }

  /** Finds the documents that have children that match, and makes one score of theirs. */
  #nested(query: Query & { kind: 'nested' }, space: Space, { boost, scoring }: Answering): Matches {
    const children = this.#reader.state.spaces.get(query.path);
    if (children === undefined || !isBelow(children, space)) return NOTHING;
    const { scoreMode } = query;
    const withScores = scoring && scoreMode !== 'none';
    const found = this.#matches(query.query, children, { boost, scoring: withScores });
    const parents = this.#parentsIn(found.docs, children, space);
    const scores = new Float32Array(withScores ? parents.length : 0);
    let count = 0;
    // Children of one document follow one another.
    for (let at = 0; at < parents.length; count += 1) {
      const parent = parents[at] ?? 0;
      const first = at;
      let score = scoreAt(found, at);
      for (at += 1; at < parents.length && parents[at] === parent; at += 1) {
        const next = scoreAt(found, at);
        if (scoreMode === 'min') score = Math.min(score, next);
        else if (scoreMode === 'max') score = Math.max(score, next);
        else score += next;
      }
      parents[count] = parent;
      if (withScores) scores[count] = scoreMode === 'avg' ? score / (at - first) : score;
    }
    return { docs: parents.slice(0, count), scores: withScores ? scores.slice(0, count) : 0 };
  }

  /** For each of some nested objects the document of another space that it is in. */
  #parentsIn(docs: Int32Array, children: Space, space: Space): Int32Array {
    let above = docs.slice();
    for (let at = children; at !== space && at.parent !== undefined; at = at.parent) {
      const parents = this.#reader.parents.get(at);
      above = above.map((doc) => parents[doc] ?? 0);
    }
    return above;
  }

  #all(space: Space): Int32Array {
    const known = this.#live.get(space);
    if (known !== undefined) return known;
    const live = this.#reader.live(space);
    const all = new Int32Array(space.size).map((_, doc) => doc);
    const docs = live === undefined ? all : all.filter((doc) => live[doc] === 1);
    this.#live.set(space, docs);
    return docs;
  }

  /** A field of the documents of a space. */
  #fieldAt(path: string, space: Space): IndexedField | undefined {
    const field = this.#reader.state.fields.get(path);
    return field?.space === space ? field : undefined;
  }

  #fieldOf(query: Query, space: Space): { query: FieldQuery; field: IndexedField } | undefined {
    if (!isFieldQuery(query)) return undefined;
    const field = this.#fieldAt(query.field, space);
    return field === undefined ? undefined : { query, field };
  }

  #inner(query: Query, space: Space): [Query, Space][] {
    const { spaces } = this.#reader.state;
    return inner(query, space, (path) => {
      const children = spaces.get(path);
      return isBelow(children, space) ? children : undefined;
    });
  }

  #idsOf({ values }: Query & { kind: 'ids' }): { index: number; ids: readonly string[] } {
    return { index: this.#reader.state.code, ids: values };
  }
}

function docsOf(parts: readonly Matches[]): Int32Array[] {
  return parts.map(({ docs }) => docs);
}

function isFieldQuery(query: Query): query is FieldQuery {
  return 'field' in query && query.kind !== 'exists';
}
