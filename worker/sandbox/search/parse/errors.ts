// Errors in queries, with the texts of the service's responses.

/** Prefix of the service's message about an invalid query. */
const VALIDATION_FAILED = 'Query validation failed: ';

/** An invalid query, with the engine's message. */
export class QueryError extends Error {
  override readonly name: string = 'QueryError';

  /** The message in the service's response. */
  get answer(): string {
    return VALIDATION_FAILED + this.message;
  }
}

/** A body without a query; its message has no prefix. */
export class BodyError extends QueryError {
  override readonly name = 'BodyError';

  override get answer(): string {
    return this.message;
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
