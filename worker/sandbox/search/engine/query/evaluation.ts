// A query over one version of an index: first all that its clauses read, then what they find, put together.
import type { Query } from '../../query.ts';
import type { IndexedField, Space } from '../index/state.ts';
import type { IndexReader } from '../read/reader.ts';
import { FieldClauses, type FieldQuery, type ScoreContext } from './field-clauses.ts';
import {
  bestScores,
  exclude,
  getScore,
  intersect,
  type Matches,
  NO_MATCHES,
  sumScores,
  unite,
  withConstantScore,
  withScores,
} from './matches.ts';
import type { TermExpansion } from './term-expansion.ts';

/** The clauses right below a clause, with the kind of document that they are about. */
function listChildren(
  query: Query,
  space: Space,
  nested: (path: string) => Space | undefined,
): [Query, Space][] {
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

function isNestedIn(space: Space | undefined, above: Space): boolean {
  for (let outer = space?.parent; outer !== undefined; outer = outer.parent) {
    if (outer === above) return true;
  }
  return false;
}

/** A query in one version of an index. */
export class QueryEvaluation {
  readonly #reader: IndexReader;
  readonly #clauses: FieldClauses;
  readonly #live = new Map<Space, Int32Array>();

  constructor(reader: IndexReader, expansions: TermExpansion) {
    this.#reader = reader;
    this.#clauses = new FieldClauses(reader, expansions);
  }

  /** Asks for the vocabularies that the patterns of a query are tried on. */
  requestVocabularies(query: Query, space: Space = this.#reader.state.records): void {
    const field = this.#getFieldClause(query, space);
    if (field !== undefined) this.#clauses.requestVocabulary(field.query, field.field);
    for (const [below, at] of this.#listChildren(query, space)) this.requestVocabularies(below, at);
  }

  /** Asks for all that a query reads; vocabularies must have been read. */
  requestLists(query: Query, space: Space = this.#reader.state.records): void {
    this.#reader.requestParents(space);
    const field = this.#getFieldClause(query, space);
    if (field !== undefined) this.#clauses.requestLists(field.query, field.field);
    if (query.kind === 'exists') {
      const having = this.#getField(query.field, space);
      if (having !== undefined) this.#reader.fieldDocuments.request(having);
    }
    if (query.kind === 'ids') this.#reader.recordsById.request(this.#toIdRequest(query));
    for (const [below, at] of this.#listChildren(query, space)) this.requestLists(below, at);
  }

  /** The records that a query finds; all that it reads must have been read. */
  evaluate(query: Query, scoring: boolean): Matches {
    return this.#evaluate(query, this.#reader.state.records, { boost: 1, scoring });
  }

  #evaluate(query: Query, space: Space, around: ScoreContext): Matches {
    if (query.kind === 'none') return NO_MATCHES;
    const { scoring } = around;
    const boost = Math.fround(around.boost * query.boost);
    const answering = { boost, scoring };
    switch (query.kind) {
      case 'all':
        return withConstantScore(this.#listLive(space), boost);
      case 'exists': {
        const field = this.#getField(query.field, space);
        return field === undefined
          ? NO_MATCHES
          : withConstantScore(this.#reader.fieldDocuments.get(field), boost);
      }
      case 'ids':
        return space.parent === undefined
          ? withConstantScore(this.#reader.recordsById.get(this.#toIdRequest(query)), boost)
          : NO_MATCHES;
      case 'constant':
        return withConstantScore(
          this.#evaluate(query.query, space, { boost: 1, scoring: false }).docs,
          boost,
        );
      case 'bool':
        return this.#evaluateBool(query, space, answering);
      case 'disMax': {
        const parts = query.queries.map((part) => this.#evaluate(part, space, answering));
        return scoring
          ? bestScores(parts, query.tieBreaker, space.size)
          : withConstantScore(unite(toDocLists(parts), space.size), 0);
      }
      case 'nested':
        return this.#evaluateNested(query, space, answering);
      default: {
        const field = this.#getFieldClause(query, space);
        return field === undefined ? NO_MATCHES : this.#clauses.evaluate(field.query, field.field, answering);
      }
    }
  }

  #evaluateBool(query: Query & { kind: 'bool' }, space: Space, { boost, scoring }: ScoreContext): Matches {
    const among = (queries: readonly Query[], withScores: boolean): Matches[] =>
      queries.map((part) => this.#evaluate(part, space, { boost, scoring: withScores }));
    const must = among(query.must, scoring);
    const required = toDocLists([...must, ...among(query.filter, false)]);
    if (required.some(({ length }) => length === 0)) return NO_MATCHES;
    const least = Math.max(
      query.minimumShouldMatch,
      required.length === 0 && query.should.length > 0 ? 1 : 0,
    );
    if (least > query.should.length) return NO_MATCHES;
    const should = scoring || least > 0 ? among(query.should, scoring) : [];
    if (least > 0) required.push(unite(toDocLists(should), space.size, least));
    const excluded = unite(toDocLists(among(query.mustNot, false)), space.size);
    const found = required.length === 0 ? this.#listLive(space) : intersect(required);
    const docs = exclude(found, excluded);
    const [only] = must;
    if (!scoring || docs.length === 0 || must.length + should.length === 0) return withConstantScore(docs, 0);
    if (must.length === 1 && should.length === 0 && only?.docs === docs) return only;
    const required64 = sumScores(must, space.size);
    const optional64 = sumScores(should, space.size);
    return withScores(docs, (doc) => Math.fround(required64[doc] ?? 0) + Math.fround(optional64[doc] ?? 0));
  }

  /** Finds the documents that have children that match, and makes one score of theirs. */
  #evaluateNested(
    query: Query & { kind: 'nested' },
    space: Space,
    { boost, scoring }: ScoreContext,
  ): Matches {
    const children = this.#reader.state.spaces.get(query.path);
    if (children === undefined || !isNestedIn(children, space)) return NO_MATCHES;
    const { scoreMode } = query;
    const withScores = scoring && scoreMode !== 'none';
    const found = this.#evaluate(query.query, children, { boost, scoring: withScores });
    const parents = this.#findParents(found.docs, children, space);
    const scores = new Float32Array(withScores ? parents.length : 0);
    let count = 0;
    // Children of one document follow one another.
    for (let at = 0; at < parents.length; count += 1) {
      const parent = parents[at] ?? 0;
      const first = at;
      let score = getScore(found, at);
      for (at += 1; at < parents.length && parents[at] === parent; at += 1) {
        const next = getScore(found, at);
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
  #findParents(docs: Int32Array, children: Space, space: Space): Int32Array {
    let above = docs.slice();
    for (let at = children; at !== space && at.parent !== undefined; at = at.parent) {
      const parents = this.#reader.parents.get(at);
      above = above.map((doc) => parents[doc] ?? 0);
    }
    return above;
  }

  #listLive(space: Space): Int32Array {
    const known = this.#live.get(space);
    if (known !== undefined) return known;
    const live = this.#reader.getLive(space);
    const all = new Int32Array(space.size).map((_, doc) => doc);
    const docs = live === undefined ? all : all.filter((doc) => live[doc] === 1);
    this.#live.set(space, docs);
    return docs;
  }

  /** A field of the documents of a space. */
  #getField(path: string, space: Space): IndexedField | undefined {
    const field = this.#reader.state.fields.get(path);
    return field?.space === space ? field : undefined;
  }

  #getFieldClause(query: Query, space: Space): { query: FieldQuery; field: IndexedField } | undefined {
    if (!isFieldQuery(query)) return undefined;
    const field = this.#getField(query.field, space);
    return field === undefined ? undefined : { query, field };
  }

  #listChildren(query: Query, space: Space): [Query, Space][] {
    const { spaces } = this.#reader.state;
    return listChildren(query, space, (path) => {
      const children = spaces.get(path);
      return isNestedIn(children, space) ? children : undefined;
    });
  }

  #toIdRequest({ values }: Query & { kind: 'ids' }): { index: number; ids: readonly string[] } {
    return { index: this.#reader.state.code, ids: values };
  }
}

function toDocLists(parts: readonly Matches[]): Int32Array[] {
  return parts.map(({ docs }) => docs);
}

function isFieldQuery(query: Query): query is FieldQuery {
  return 'field' in query && query.kind !== 'exists';
}
