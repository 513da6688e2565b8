// Converts unexpected errors to problems.
import { problems } from '../../shared/problems.ts';
import { isUnreachableError } from '../lib/unreachable.ts';
import { logError } from './log.ts';
import { ProblemError } from './problem-error.ts';

const RETRY_AFTER_S = 1;

export function toUnexpectedProblem(error: unknown, request: string): ProblemError {
  if (isUnreachableError(error)) {
    logError('object_unreachable', error, { request });
    return new ProblemError('gateway_unavailable', undefined, undefined, {
      'Retry-After': String(RETRY_AFTER_S),
    });
  }
  logError('internal_error', error, { request });
  return new ProblemError('internal', `${problems.internal.title} Request id: ${request}.`);
}
