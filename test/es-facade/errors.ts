// Elasticsearch's error responses.
import { PatternError } from '../../worker/sandbox/search/engine/query/automaton.ts';
import { LimitError } from '../../worker/sandbox/search/engine/query/term-expansion.ts';
import { FieldError, QueryError } from '../../worker/sandbox/search/parse/errors.ts';
import type { JsonObject } from './json.ts';

/** The details of an error; `index` and other members are optional. */
export interface ErrorDetails {
  type: string;
  reason: string;
  [member: string]: unknown;
}

/** An error response with Elasticsearch's error type. */
export class EsError extends Error {
  override readonly name = 'EsError';
  readonly status: number;
  readonly details: ErrorDetails;

  /** @param members - further members of the response, such as `index` */
  constructor(status: number, type: string, reason: string, members: JsonObject = {}) {
    super(reason);
    this.status = status;
    this.details = { ...members, type, reason };
  }

  /** The body of the response. */
  get body(): JsonObject {
    const { root_cause: rootCauses = [this.details], ...details } = this.details;
    return { error: { root_cause: rootCauses, ...details }, status: this.status };
  }
}

/** An error of one index in a search; other indexes of the search may succeed. */
export class ShardError extends EsError {}

/** Creates the error for an invalid argument. */
export function illegalArgument(reason: string): EsError {
  return new EsError(400, 'illegal_argument_exception', reason);
}

/** Creates the error for a search body with invalid syntax. */
export function parsingError(reason: string): EsError {
  return new EsError(400, 'parsing_exception', reason);
}

/** Creates the error for a malformed request. */
export function malformedRequest(reason: string): EsError {
  return new EsError(400, 'parse_exception', reason);
}

/** Creates the error for a missing index. */
export function noSuchIndex(name: string): EsError {
  return new EsError(404, 'index_not_found_exception', `no such index [${name}]`, { index: name });
}

const CREATION_ERROR = /^(?:failed to create query: |Failed to parse query \[)/;

/**
 * Converts errors of the parser and the engine.
 * @returns undefined for other errors
 */
export function toEsError(error: unknown): EsError | undefined {
  if (error instanceof EsError) return error;
  const isShardError =
    error instanceof PatternError ||
    error instanceof LimitError ||
    error instanceof FieldError ||
    (error instanceof QueryError && CREATION_ERROR.test(error.message));
  if (isShardError) return new ShardError(400, 'query_shard_exception', error.message);
  return error instanceof QueryError ? parsingError(error.message) : undefined;
}
