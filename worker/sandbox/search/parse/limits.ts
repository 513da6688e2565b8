// Limits of a query.
import { QueryError, toCreationMessage } from './errors.ts';

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
  throw new QueryError(
    toCreationMessage(
      `The length of regex [${pattern.length}] used in the ${where} has exceeded the allowed maximum of [${MAX_REGEXP_LENGTH}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
    ),
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
    if (this.#remaining < 0) {
      throw new QueryError(`failed to create query: maxClauseCount is set to ${MAX_CLAUSES}`);
    }
  }
}

/** @throws QueryError for a clause that is nested too deeply */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new QueryError(
      `failed to create query: clauses are nested deeper than the maximum of [${MAX_DEPTH}]`,
    );
  }
}
