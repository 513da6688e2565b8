// Complaints as Elasticsearch answers them.
import { PatternError } from '../../worker/sandbox/search/engine/query/automaton.ts';
import { LimitError } from '../../worker/sandbox/search/engine/query/term-expansion.ts';
import { FieldError, QueryError } from '../../worker/sandbox/search/parse/errors.ts';
import type { JsonObject } from './json.ts';

/** What went wrong, by the name and in the words of Elasticsearch. */
export interface Cause {
  type: string;
  reason: string;
  /** Further members, such as `index`. */
  [member: string]: unknown;
}

/** A request that is refused. */
export class EsError extends Error {
  override readonly name = 'EsError';
  readonly status: number;
  readonly details: Cause;

  /** @param more - further members of the answer, such as `index` */
  constructor(status: number, type: string, reason: string, more: JsonObject = {}) {
    super(reason);
    this.status = status;
    this.details = { ...more, type, reason };
  }

  /** The body of the answer. */
  get body(): JsonObject {
    const { root_cause: roots = [this.details], ...rest } = this.details;
    return { error: { root_cause: roots, ...rest }, status: this.status };
  }
}

/** A complaint that one index has about a query that could be read. */
export class ShardError extends EsError {}

/** @returns a complaint about an argument */
export function illegalArgument(reason: string): EsError {
  return new EsError(400, 'illegal_argument_exception', reason);
}

/** @returns a complaint about a body that is not understood */
export function parsingError(reason: string): EsError {
  return new EsError(400, 'parsing_exception', reason);
}

/** @returns a complaint about the form of a request */
export function formError(reason: string): EsError {
  return new EsError(400, 'parse_exception', reason);
}

/** @returns a complaint about an index that is not there */
export function noSuchIndex(name: string): EsError {
  return new EsError(404, 'index_not_found_exception', `no such index [${name}]`, {
    'resource.type': 'index_or_alias',
    'resource.id': name,
    index: name,
  });
}

const CREATED = /^(?:failed to create query: |Failed to parse query \[)/;

/**
 * Tells the complaints of the parser and of the engine as Elasticsearch would.
 * @returns undefined for errors of another kind
 */
export function searchError(error: unknown): EsError | undefined {
  if (error instanceof EsError) return error;
  const concernsIndex =
    error instanceof PatternError ||
    error instanceof LimitError ||
    error instanceof FieldError ||
    (error instanceof QueryError && CREATED.test(error.message));
  if (concernsIndex) return new ShardError(400, 'query_shard_exception', error.message);
  return error instanceof QueryError ? parsingError(error.message) : undefined;
}
