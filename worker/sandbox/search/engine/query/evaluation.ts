// Evaluates a query on an index.
import type { Query } from '../../query.ts';
import type { IndexedField, SearchIndex } from '../index/search-index.ts';
import type { Space } from '../index/space.ts';
import { evaluateField, type ScoreContext } from './field-clauses.ts';
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
import { TermExpansion } from './term-expansion.ts';

/** Lists the direct children of a clause. */
export function listChildren(query: Query): readonly Query[] {
  switch (query.kind) {
    case 'bool':
      return [...query.must, ...query.filter, ...query.should, ...query.mustNot];
    case 'disMax':
      return query.queries;
    case 'constant':
    case 'nested':
      return [query.query];
    default:
      return [];
  }
}

/** Lists the fields and nested objects that a query names. */
export function listPaths(query: Query): string[] {
  const paths = listChildren(query).flatMap(listPaths);
  if ('field' in query) paths.push(query.field);
  if ('path' in query) paths.push(query.path);
  return paths;
}

function isNestedIn(space: Space | undefined, ancestor: Space): boolean {
  for (let parent = space?.parent; parent !== undefined; parent = parent.parent) {
    if (parent === ancestor) return true;
  }
  return false;
}

/** Evaluates one query on an index. */
export class QueryEvaluation {
  readonly #index: SearchIndex;
  readonly #fields: ReadonlyMap<string, IndexedField>;
  readonly #expansion = new TermExpansion();

  /** @param fields - those of {@link listPaths}, as the index has loaded them */
  constructor(index: SearchIndex, fields: ReadonlyMap<string, IndexedField>) {
    this.#index = index;
    this.#fields = fields;
  }

  /**
   * Returns the matching records.
   * @throws LimitError, PatternError
   */
  evaluate(query: Query, needsScores: boolean): Matches {
    return this.#evaluate(query, this.#index.records, { boost: 1, needsScores });
  }

  #evaluate(query: Query, space: Space, parentContext: ScoreContext): Matches {
    if (query.kind === 'none') return NO_MATCHES;
    const { needsScores } = parentContext;
    const boost = Math.fround(parentContext.boost * query.boost);
    const context = { boost, needsScores };
    switch (query.kind) {
      case 'all':
        return withConstantScore(listDocs(space), boost);
      case 'ids':
        return space.parent === undefined
          ? withConstantScore(this.#index.findRecords(query.values), boost)
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
        const field = this.#fields.get(query.field);
        if (field?.space !== space) return NO_MATCHES;
        return query.kind === 'exists'
          ? withConstantScore(field.listDocs(), boost)
          : evaluateField(query, field, context, this.#expansion);
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
    // All clauses are evaluated, so that an invalid pattern is rejected whatever the others find.
    const must = evaluateAll(query.must, needsScores);
    const required = toDocLists([...must, ...evaluateAll(query.filter, false)]);
    const should = evaluateAll(query.should, needsScores);
    const excluded = union(toDocLists(evaluateAll(query.mustNot, false)), space.size);
    if (required.some(({ length }) => length === 0)) return NO_MATCHES;
    const { minimumShouldMatch } = query;
    if (minimumShouldMatch > query.should.length) return NO_MATCHES;
    if (minimumShouldMatch > 0) required.push(union(toDocLists(should), space.size, minimumShouldMatch));
    const candidates = required.length === 0 ? listDocs(space) : intersect(required);
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
    const children = this.#index.getSpace(query.path);
    if (children === undefined || !isNestedIn(children, space)) return NO_MATCHES;
    const { scoreMode } = query;
    const withScores = needsScores && scoreMode !== 'none';
    const childMatches = this.#evaluate(query.query, children, { boost, needsScores: withScores });
    const parents = findAncestors(childMatches.docs, children, space);
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
}

/** Returns the document of an outer space that contains each nested object. */
function findAncestors(docs: Int32Array, children: Space, space: Space): Int32Array {
  let ancestors = docs.slice();
  for (let at = children; at !== space && at.parent !== undefined; at = at.parent) {
    const { parents } = at;
    ancestors = ancestors.map((doc) => parents[doc] ?? 0);
  }
  return ancestors;
}

function listDocs({ size }: Space): Int32Array {
  return new Int32Array(size).map((_, doc) => doc);
}

function toDocLists(parts: readonly Matches[]): Int32Array[] {
  return parts.map(({ docs }) => docs);
}
