// The context in which a clause is parsed: its limits, and the errors of queries, with the texts of the service's responses.
import type { Token } from '../analysis/standard.ts';
import type { MappingLookup } from '../fields.ts';
import type { Query } from '../query.ts';

export interface ParseContext {
  mapping: MappingLookup;
  /** Milliseconds since 1970 UTC. */
  now: () => number;
  /** Splits a text into the terms of text fields. */
  analyze: (text: string) => readonly Token[];
  /** Normalises a text like a term, without splitting it. */
  lowerCase: (text: string) => string;
}

export interface Scope extends ParseContext {
  /** The enclosing nested object, whose fields are visible; undefined at the root. */
  nestedPath: string | undefined;
  depth: number;
  budget: ClauseBudget;
  /** Parses a child clause. */
  parse: (json: unknown, scope: Scope) => Query;
}

/** An invalid query, with the engine's message. */
export class QueryError extends Error {
  override readonly name: string = 'QueryError';
  /** The message in the service's response. */
  readonly answer: string;

  /** @param prefix - of the service's message */
  constructor(message: string, prefix = 'Query validation failed: ') {
    super(message);
    this.answer = prefix + message;
  }
}

/** A value or clause that doesn't fit the field's type. `lenient` ignores it. */
export class FieldError extends QueryError {
  override readonly name = 'FieldError';
}

/** Adds the engine's prefix for queries that are well-formed but can't be executed. */
export function toCreationMessage(message: string): string {
  return `failed to create query: ${message}`;
}

/** Creates the error of a query that is well-formed but can't be executed. */
export function creationError(message: string): QueryError {
  return new QueryError(toCreationMessage(message));
}

/** Maximum characters of a search body. The caller checks them before it parses the JSON. */
export const MAX_BODY_CHARACTERS = 15_000;

/** Maximum number of clauses of a query. Terms of a text and expanded fields count separately. */
export const MAX_CLAUSES = 1024;

/** Maximum nesting of clauses, including groups of a query string. */
export const MAX_DEPTH = 100;

/** Maximum characters of a regular expression. */
const MAX_REGEXP_LENGTH = 1000;

/**
 * Rejects a regular expression that is too long.
 * @param where - the engine's name of the enclosing query
 * @throws QueryError
 */
export function checkRegexpLength(pattern: string, where: string): void {
  if (pattern.length <= MAX_REGEXP_LENGTH) return;
  throw creationError(
    `The length of regex [${pattern.length}] used in the ${where} has exceeded the allowed maximum of [${MAX_REGEXP_LENGTH}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
  );
}

/** Maximum number of values of a terms or ids clause. */
export const MAX_TERMS = 65_536;

/** Counts the clauses of a query while it is parsed. */
export class ClauseBudget {
  #remaining = MAX_CLAUSES;

  /** Counts one clause. @throws QueryError if the limit is exceeded */
  countClause(): void {
    this.#remaining -= 1;
    if (this.#remaining < 0) throw creationError(`maxClauseCount is set to ${MAX_CLAUSES}`);
  }
}

/** @throws QueryError for a clause that is nested too deeply */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) {
    throw creationError(`clauses are nested deeper than the maximum of [${MAX_DEPTH}]`);
  }
}
