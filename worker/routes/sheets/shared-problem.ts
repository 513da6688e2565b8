// Tells problems that concern a whole call from those of one of its queries.
import type { ProblemCode } from '../../../shared/problems.ts';
import { createPageError } from '../../gateway/query.ts';
import type { PageFailure } from '../../gateway/search-pages.ts';

/** The caller and the conditions are the same for all queries of a call. */
const sharedProblems: ReadonlySet<ProblemCode> = new Set(['invalid_request', 'unauthorised']);

/** @throws ProblemError if the other queries of the call would fail in the same way */
export function throwSharedProblem({ problem, answer }: PageFailure): void {
  if (sharedProblems.has(problem)) throw createPageError(problem, answer);
}
