// Tells problems that concern a whole call from those of one of its queries.
import { problems } from '../../../shared/problems.ts';
import { createPageError } from '../../gateway/query.ts';
import type { PageFailure } from '../../gateway/search-pages.ts';

/** @throws ProblemError if the other queries of the call would fail in the same way: caller and conditions are the same */
export function throwSharedProblem({ problem, answer }: PageFailure): void {
  const { status } = problems[problem].policy;
  if (status === 401 || status === 422) throw createPageError(problem, answer);
}
