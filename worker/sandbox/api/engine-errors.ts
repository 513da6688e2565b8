// Converts errors of the search engine to the service's responses.

import { PatternError } from '../search/engine/query/automaton.ts';
import { LimitError } from '../search/engine/query/term-expansion.ts';
import { queryError, type ServiceError } from './service-errors.ts';

/**
 * @returns the service's 400; undefined for other errors
 */
export function toServiceError(error: unknown): ServiceError | undefined {
  return error instanceof PatternError || error instanceof LimitError
    ? queryError(`Query validation failed: ${error.message}`)
    : undefined;
}
