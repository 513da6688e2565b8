// The service's error responses. It uses four body formats.

/** One entry of a 422. Type names are those of pydantic 1. */
export interface ValidationIssue {
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: Record<string, unknown>;
}

/** Why a part of a request is invalid, wherever it is. */
export type IssueReason = Omit<ValidationIssue, 'loc'>;

export const NOT_INTEGER: IssueReason = { msg: 'value is not a valid integer', type: 'type_error.integer' };
export const NOT_TEXT: IssueReason = { msg: 'str type expected', type: 'type_error.str' };
export const NOT_OBJECT: IssueReason = { msg: 'value is not a valid dict', type: 'type_error.dict' };
export const MISSING: IssueReason = { msg: 'field required', type: 'value_error.missing' };

/** A number below its minimum. */
export function tooSmall(limit: number): IssueReason {
  const msg = `ensure this value is greater than or equal to ${limit}`;
  return { msg, type: 'value_error.number.not_ge', ctx: { limit_value: limit } };
}

/** A number above its maximum. */
export function tooLarge(limit: number | string): IssueReason {
  const msg = `ensure this value is less than or equal to ${limit}`;
  return { msg, type: 'value_error.number.not_le', ctx: { limit_value: limit } };
}

/** An error that becomes an error response of the service. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super('The service refused the request.');
    this.status = status;
    this.body = body;
  }

  response(): Response {
    return Response.json(this.body, { status: this.status });
  }
}

/** 401 and 429, from the service's gateway. */
export function gatewayError(status: 401 | 429, message: string): ServiceError {
  return new ServiceError(status, { message });
}

/** 402, 404 and 409. */
export function detailError(status: 402 | 404 | 409, detail: string): ServiceError {
  return new ServiceError(status, { detail });
}

/** 400: an invalid DSL query. */
export function queryError(text: string): ServiceError {
  return new ServiceError(400, { Error: text });
}

/** 422: FastAPI's `HTTPValidationError`. */
export function validationError(...detail: ValidationIssue[]): ServiceError {
  return new ServiceError(422, { detail });
}

/** 422 for filters whose values are too long, or too many, to search for. */
export function filterError(): ServiceError {
  const msg = 'a value is too long or has too many words';
  return validationError({ loc: ['body'], msg, type: 'value_error.filter' });
}

/** 404 for unknown paths: plain text. */
export function pathNotFound(): Response {
  return new Response('404 page not found', { status: 404, headers: { 'content-type': 'text/plain' } });
}

/** 500: also the service's response to a wrong method. */
export function internalError(): ServiceError {
  return new ServiceError(500, { detail: 'Internal Server Error' });
}
