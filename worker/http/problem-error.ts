// A problem that ends a request, thrown anywhere and rendered once.
import { createProblem, type Problem, type ProblemCode } from '../../shared/problems.ts';

/** Ends the request with the named problem. */
export class ProblemError extends Error {
  readonly problem: Problem;
  /** Headers that its answer has besides. */
  readonly headers: Record<string, string>;

  /**
   * @param code - which problem
   * @param detail - what exactly, where that says more than the problem's own sentence
   * @param fix - what to do, where that is not what the problem's own fix says
   * @param headers - that the answer has besides
   */
  constructor(code: ProblemCode, detail?: string, fix?: string, headers: Record<string, string> = {}) {
    const body = createProblem(code, detail, fix);
    super(body.detail);
    this.name = 'ProblemError';
    this.problem = body;
    this.headers = headers;
  }
}

/**
 * Renders a problem as RFC 9457 has it; one of authentication says how to authenticate (RFC 9110, 11.6.1).
 * @param body - from {@link createProblem}
 */
export function problemResponse(body: Problem, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(body.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...headers,
    },
  });
}

/**
 * Makes the handler that refuses every method but those that are routed before it (RFC 9110, 15.5.6).
 * @param allowed - the methods that the address answers, as the Allow header has them
 */
export function methodNotAllowed(allowed: string): () => Response {
  return () => problemResponse(createProblem('method_not_allowed'), { allow: allowed });
}
