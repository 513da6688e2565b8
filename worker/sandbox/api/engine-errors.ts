// Converts errors of the search engine to the service's responses.

import type { QueryStyle } from '../../../shared/operations.ts';
import { PatternError } from '../search/engine/query/automaton.ts';
import { LimitError } from '../search/engine/query/term-expansion.ts';
import { filterError, queryError, type ServiceError } from './service-errors.ts';

/**
 * Converts an error of the engine. Callers of filters know no engine: theirs is a validation error.
 * @returns the service's 400, or 422 for filters; undefined for other errors
 */
export function toServiceError(error: unknown, style: QueryStyle): ServiceError | undefined {
  if (!(error instanceof PatternError || error instanceof LimitError)) return undefined;
  return style === 'filter' ? filterError() : queryError(`Query validation failed: ${error.message}`);
}
