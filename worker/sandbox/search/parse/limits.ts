// How much one query may ask for.
import { QueryError, toCreationMessage } from './errors.ts';

/** The longest body of a search, in characters of JSON. The caller counts them, before it reads the JSON. */
export const MAX_BODY_CHARACTERS = 15_000;

/** The most clauses of a query: terms that a text was split to and fields that a name stood for count one by one. */
export const MAX_CLAUSES = 1024;

/** How deep clauses may stand in one another, groups of a query string included. */
export const MAX_DEPTH = 100;

/** The longest regular expression, in characters. */
const MAX_REGEXP_LENGTH = 1000;

/**
 * Refuses a regular expression that is too long.
 * @param where - what the engine calls the query that it stands in
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

/** The most values of one terms or ids clause. */
export const MAX_TERMS = 65_536;

/** What is left of a query's clauses while it is read. */
export class ClauseBudget {
  /** How many there may be. */
  readonly limit: number;
  #left: number;

  constructor(most: number) {
    this.limit = most;
    this.#left = most;
  }

  /** Counts one clause. @throws QueryError for one too many */
  take(): void {
    this.#left -= 1;
    if (this.#left < 0) {
      throw new QueryError(`failed to create query: maxClauseCount is set to ${this.limit}`);
    }
  }
}

/** @throws QueryError for a clause that stands too deep */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new QueryError(
      `failed to create query: clauses are nested deeper than the maximum of [${MAX_DEPTH}]`,
    );
  }
}
