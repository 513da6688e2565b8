// The answers of the service that are no records: four shapes of body, each where the service uses it.

/** One entry of a 422: what was wrong, and where. Type names are those of pydantic 1. */
export interface ValidationIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: Record<string, unknown>;
}

/** A request that ends without a record. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly response: () => Response;

  constructor(response: () => Response) {
    super('The service refused the request.');
    this.response = response;
  }
}

function json(status: number, body: unknown): ServiceError {
  return new ServiceError(() => Response.json(body, { status }));
}

/** 401 and 429, from the front gateway. */
export function gatewayError(status: 401 | 429, message: string): ServiceError {
  return json(status, { message });
}

/** 402, 404 and 409. */
export function detailError(status: 402 | 404 | 409, detail: string): ServiceError {
  return json(status, { detail });
}

/** 400: what is wrong with a query of the DSL. */
export function queryError(text: string): ServiceError {
  return json(400, { Error: text });
}

/** 422: FastAPI's `HTTPValidationError`. */
export function validationError(...detail: ValidationIssue[]): ServiceError {
  return json(422, { detail });
}

/** 404 of an address that the service does not have: plain text. */
export function pathNotFound(): Response {
  return new Response('404 page not found', { status: 404, headers: { 'content-type': 'text/plain' } });
}

/** 500: also what the service says to a wrong method. */
export function serverError(): Response {
  return Response.json({ detail: 'Internal Server Error' }, { status: 500 });
}
