// Evaluates a query on one version of an index: first requests the lists that its clauses need, then combines them.
import type { Query } from '../../query.ts';
import type { IndexedField, Space } from '../index/state.ts';
import type { IndexReader } from '../read/reader.ts';
import { FieldClauses, type FieldQuery, type ScoreContext } from './field-clauses.ts';
import {
  exclude,
  getScore,
  intersect,
  type Matches,
  NO_MATCHES,
  sumScores,
  takeBestScores,
  union,
  withConstantScore,
  withScores,
} from './matches.ts';
import type { TermExpansion } from './term-expansion.ts';

/** Lists the direct children of a clause with their spaces. */
function listChildren(
  query: Query,
  space: Space,
  findNested: (path: string) => Space | undefined,
): [Query, Space][] {
  const inSpace = (queries: readonly Query[]): [Query, Space][] => queries.map((child) => [child, space]);
  switch (query.kind) {
    case 'bool':
      return inSpace([...query.must, ...query.filter, ...query.should, ...query.mustNot]);
    case 'disMax':
      return inSpace(query.queries);
    case 'constant':
      return inSpace([query.query]);
    case 'nested': {
      const children = findNested(query.path);
      return children === undefined ? [] : [[query.query, children]];
    }
    default:
      return [];
  }
}

function isNestedIn(space: Space | undefined, ancestor: Space): boolean {
  for (let parent = space?.parent; parent !== undefined; parent = parent.parent) {
    if (parent === ancestor) return true;
  }
  return false;
}

export class QueryEvaluation {
  readonly #reader: IndexReader;
  readonly #clauses: FieldClauses;
  readonly #live = new Map<Space, Int32Array>();

  constructor(reader: IndexReader, expansion: TermExpansion) {
    this.#reader = reader;
    this.#clauses = new FieldClauses(reader, expansion);
  }

  /** Requests the vocabularies that the query's patterns are matched against. */
  requestVocabularies(query: Query, space: Space = this.#reader.state.records): void {
    const fieldClause = this.#getFieldClause(query, space);
    if (fieldClause !== undefined) this.#clauses.requestVocabulary(fieldClause.query, fieldClause.field);
    for (const [child, childSpace] of this.#listChildren(query, space))
      this.requestVocabularies(child, childSpace);
  }

  /** Requests all lists of a query; the vocabularies must be loaded. */
  requestLists(query: Query, space: Space = this.#reader.state.records): void {
    this.#reader.requestParents(space);
    const fieldClause = this.#getFieldClause(query, space);
    if (fieldClause !== undefined) this.#clauses.requestLists(fieldClause.query, fieldClause.field);
    if (query.kind === 'exists') {
      const existsField = this.#getField(query.field, space);
      if (existsField !== undefined) this.#reader.fieldDocuments.request(existsField);
    }
    if (query.kind === 'ids') this.#reader.recordsById.request(this.#toIdRequest(query));
    for (const [child, childSpace] of this.#listChildren(query, space)) this.requestLists(child, childSpace);
  }

  /** Returns the matching records; all requested lists must be loaded. */
  evaluate(query: Query, needsScores: boolean): Matches {
    return this.#evaluate(query, this.#reader.state.records, { boost: 1, needsScores });
  }

  #evaluate(query: Query, space: Space, parentContext: ScoreContext): Matches {
    if (query.kind === 'none') return NO_MATCHES;
    const { needsScores } = parentContext;
    const boost = Math.fround(parentContext.boost * query.boost);
    const context = { boost, needsScores };
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
          this.#evaluate(query.query, space, { boost: 1, needsScores: false }).docs,
          boost,
        );
      case 'bool':
        return this.#evaluateBool(query, space, context);
      case 'disMax': {
        const parts = query.queries.map((part) => this.#evaluate(part, space, context));
        return needsScores
          ? takeBestScores(parts, query.tieBreaker, space.size)
          : withConstantScore(union(toDocLists(parts), space.size), 0);
      }
      case 'nested':
        return this.#evaluateNested(query, space, context);
      default: {
        const field = this.#getFieldClause(query, space);
        return field === undefined ? NO_MATCHES : this.#clauses.evaluate(field.query, field.field, context);
      }
    }
  }

  #evaluateBool(
    query: Query & { kind: 'bool' },
    space: Space,
    { boost, needsScores }: ScoreContext,
  ): Matches {
    const evaluateAll = (queries: readonly Query[], withScores: boolean): Matches[] =>
      queries.map((part) => this.#evaluate(part, space, { boost, needsScores: withScores }));
    const must = evaluateAll(query.must, needsScores);
    const required = toDocLists([...must, ...evaluateAll(query.filter, false)]);
    if (required.some(({ length }) => length === 0)) return NO_MATCHES;
    const minimumShouldMatch = Math.max(
      query.minimumShouldMatch,
      required.length === 0 && query.should.length > 0 ? 1 : 0,
    );
    if (minimumShouldMatch > query.should.length) return NO_MATCHES;
    const should = needsScores || minimumShouldMatch > 0 ? evaluateAll(query.should, needsScores) : [];
    if (minimumShouldMatch > 0) required.push(union(toDocLists(should), space.size, minimumShouldMatch));
    const excluded = union(toDocLists(evaluateAll(query.mustNot, false)), space.size);
    const candidates = required.length === 0 ? this.#listLive(space) : intersect(required);
    const docs = exclude(candidates, excluded);
    const [only] = must;
    if (!needsScores || docs.length === 0 || must.length + should.length === 0)
      return withConstantScore(docs, 0);
    if (must.length === 1 && should.length === 0 && only?.docs === docs) return only;
    const requiredScores = sumScores(must, space.size);
    const optionalScores = sumScores(should, space.size);
    return withScores(
      docs,
      (doc) => Math.fround(requiredScores[doc] ?? 0) + Math.fround(optionalScores[doc] ?? 0),
    );
  }

  /** Finds the documents with matching children and combines the children's scores. */
  #evaluateNested(
    query: Query & { kind: 'nested' },
    space: Space,
    { boost, needsScores }: ScoreContext,
  ): Matches {
    const children = this.#reader.state.spaces.get(query.path);
    if (children === undefined || !isNestedIn(children, space)) return NO_MATCHES;
    const { scoreMode } = query;
    const withScores = needsScores && scoreMode !== 'none';
    const childMatches = this.#evaluate(query.query, children, { boost, needsScores: withScores });
    const parents = this.#findParents(childMatches.docs, children, space);
    const scores = new Float32Array(withScores ? parents.length : 0);
    let count = 0;
    // Children of one document are adjacent.
    for (let at = 0; at < parents.length; count += 1) {
      const parent = parents[at] ?? 0;
      const first = at;
      let score = getScore(childMatches, at);
      for (at += 1; at < parents.length && parents[at] === parent; at += 1) {
        const next = getScore(childMatches, at);
        if (scoreMode === 'min') score = Math.min(score, next);
        else if (scoreMode === 'max') score = Math.max(score, next);
        else score += next;
      }
      parents[count] = parent;
      if (withScores) scores[count] = scoreMode === 'avg' ? score / (at - first) : score;
    }
    return { docs: parents.slice(0, count), scores: withScores ? scores.slice(0, count) : 0 };
  }

  /** Returns the ancestor in another space of each nested object. */
  #findParents(docs: Int32Array, children: Space, space: Space): Int32Array {
    let ancestors = docs.slice();
    for (let at = children; at !== space && at.parent !== undefined; at = at.parent) {
      const parents = this.#reader.parents.get(at);
      ancestors = ancestors.map((doc) => parents[doc] ?? 0);
    }
    return ancestors;
  }

  #listLive(space: Space): Int32Array {
    const cached = this.#live.get(space);
    if (cached !== undefined) return cached;
    const live = this.#reader.getLive(space);
    const all = new Int32Array(space.size).map((_, doc) => doc);
    const docs = live === undefined ? all : all.filter((doc) => live[doc] === 1);
    this.#live.set(space, docs);
    return docs;
  }

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
