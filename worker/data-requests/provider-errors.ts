// Maps error responses of the provider to the stored failure of a data request.
import { createProblem } from '../../shared/problems.ts';
import type { Failure } from '../db/schema.ts';
import type { RawResponse } from '../gateway/upstream/upstream.ts';

/** Maps an error of the file list. Provider API, "Bulk": 422 means that no record matched. */
export function toListFailure(answer: RawResponse): Failure {
  return answer.status === 422
    ? { problem: 'not_found', detail: 'The provider has none of the records that were asked for.', answer }
    : toFailure(answer);
}

/** Maps any other error. */
export function toFailure(answer: RawResponse): Failure {
  switch (answer.status) {
    case 402:
      return { problem: 'provider_out_of_credits', answer };
    case 401:
    case 403:
      return { problem: 'provider_refused', answer };
    case 429:
      return { problem: 'rate_limited', answer };
    case 400:
    case 409:
    case 422:
      return { problem: 'invalid_request', answer };
    case 500:
    case 502:
    case 503:
    case 504:
      return { problem: 'provider_unavailable', answer };
    default:
      return { problem: 'provider_refused', detail: createProblem('provider_refused').title, answer };
  }
}
