// Complaints about a query: what the caller of a search is told.

/** What stands before the message of a query that is refused, in the service's answer. */
const VALIDATION_FAILED = 'Query validation failed: ';

/** A query that cannot be answered; the message is in the engine's words. */
export class QueryError extends Error {
  override readonly name: string = 'QueryError';

  /** The text of the service's answer. */
  get answer(): string {
    return VALIDATION_FAILED + this.message;
  }
}

/** A body that holds no query at all; its message is the whole answer. */
export class BodyError extends QueryError {
  override readonly name = 'BodyError';

  override get answer(): string {
    return this.message;
  }
}

/** A value that does not fit its field, or a clause that the field's type does not know: what `lenient` overlooks. */
export class FieldError extends QueryError {
  override readonly name = 'FieldError';
}

/** The engine tells what it could read but not make a query of from what it could not read. */
export function toCreationMessage(message: string): string {
  return `failed to create query: ${message}`;
}
