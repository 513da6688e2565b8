// The error that ends a request with a problem, and its frequent causes.
import { formatNumber } from '../../shared/lib/format-count.ts';
import { createProblem, type Problem, type ProblemCode } from '../../shared/problems.ts';

export class ProblemError extends Error {
  readonly problem: Problem;
  /** Additional headers of the response. */
  readonly headers: Record<string, string>;

  /**
   * @param detail - more specific than the problem's title
   * @param fix - replaces the problem's fix
   */
  constructor(code: ProblemCode, detail?: string, fix?: string, headers: Record<string, string> = {}) {
    const body = createProblem(code, detail, fix);
    super(body.detail);
    this.name = 'ProblemError';
    this.problem = body;
    this.headers = headers;
  }
}

const MAX_DETAIL_LENGTH = 500;

/**
 * Creates an `invalid_request` problem.
 * @param where - path of the invalid part
 */
export function invalidRequest(where: string, message: string): ProblemError {
  return new ProblemError('invalid_request', `${where}: ${message}`.slice(0, MAX_DETAIL_LENGTH));
}

/**
 * Creates the problem `price_changed`.
 * @param confirmed - price in credits that the caller confirmed
 * @param current - price in credits now
 */
export function priceChangedError(confirmed: number, current: number): ProblemError {
  return new ProblemError(
    'price_changed',
    `The price changed from ${formatNumber(confirmed)} to ${formatNumber(current)} credits.`,
  );
}

/** Creates the response of a problem (RFC 9457). A 401 has the authentication scheme (RFC 9110, 11.6.1). */
export function problemResponse(body: Problem, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      ...(body.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...headers,
    },
  });
}

/**
 * Creates the handler for methods that no earlier route handles (RFC 9110, 15.5.6).
 * @param allowed - value of the Allow header
 */
export function methodNotAllowed(allowed: string): () => Response {
  return () => problemResponse(createProblem('method_not_allowed'), { allow: allowed });
}
