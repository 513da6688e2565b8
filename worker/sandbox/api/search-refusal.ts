// What the service says where the engine refuses to go on with a query.

import { PatternError } from '../search/engine/automaton.ts';
import { LimitError } from '../search/engine/expand.ts';
import { queryError, type ServiceError } from './answers.ts';

/**
 * @returns the service's 400; undefined for errors of another kind
 */
export function engineRefusal(error: unknown): ServiceError | undefined {
  return error instanceof PatternError || error instanceof LimitError
    ? queryError(`Query validation failed: ${error.message}`)
    : undefined;
}
