// Declares endpoints: what a route validates and answers, what a client sends and gets, what the API reference describes.
import * as z from 'zod';
import type { ProblemCode } from '../problems.ts';

/** Method and path of an endpoint: below the prefix of its API, with parameters in braces. */
export interface EndpointAddress {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

export interface Details {
  /** Status of a success. Default: 200 with a response, 204 without. */
  status: 200 | 201 | 204;
  /** Media types of the response. Default: JSON only. */
  types: readonly string[];
}

/** An endpoint of any request and response. */
export interface AnyEndpoint extends EndpointAddress, Details {
  /** Schema of the request parts `params`, `query`, `headers` and `body`. Absent parts are ignored. */
  request: z.ZodObject;
  /** Absent without a body. */
  response: z.ZodType | undefined;
  /** Problem codes. A route adds those of its API. */
  problems: readonly ProblemCode[];
}

/** An endpoint. `R` has the schemas of the request parts, `A` is the response. */
export interface Endpoint<R extends z.ZodRawShape, A> extends AnyEndpoint {
  request: z.ZodObject<R>;
  response: z.ZodType<A> | undefined;
}

/** Problems of every endpoint. Any request may have an address that is no UTF-8: `invalid_request`. */
export const commonProblems = [
  'invalid_request',
  'rate_limited',
  'gateway_unavailable',
  'maintenance',
  'internal',
] as const satisfies readonly ProblemCode[];

/** Problems of endpoints that call the provider. */
export const providerProblems = [
  'not_configured',
  'provider_out_of_credits',
  'provider_unavailable',
  'provider_refused',
] as const satisfies readonly ProblemCode[];

/** Problems of endpoints that buy from the provider, besides those of calls that cost nothing. */
export const purchaseProblems = [
  'over_budget',
  'spending_off',
  'provider_unclear',
] as const satisfies readonly ProblemCode[];

/** Problems of every request with the part. */
const problemsByPart: Readonly<Record<string, readonly ProblemCode[]>> = {
  params: ['not_found'],
  body: ['too_large', 'unsupported_encoding'],
};

/**
 * Declares an endpoint.
 * @param problems - besides those of every endpoint, and those that follow from the parts of the request
 */
export function endpoint<R extends z.ZodRawShape, A = undefined>(
  { method, path }: EndpointAddress,
  request: R,
  response?: z.ZodType<A>,
  problems: readonly ProblemCode[] = [],
  { status = response === undefined ? 204 : 200, types = ['application/json'] }: Partial<Details> = {},
): Endpoint<R, A> {
  const implied = Object.keys(request).flatMap((part) => problemsByPart[part] ?? []);
  return {
    method,
    path,
    request: z.object(request),
    response,
    problems: [...commonProblems, ...implied, ...problems],
    status,
    types,
  };
}

/**
 * Creates one declaring function a method.
 * @param properties - that their endpoints have besides
 */
export function byMethod<P extends object>(properties: P) {
  const declare =
    (method: EndpointAddress['method']) =>
    <R extends z.ZodRawShape, A = undefined>(
      path: string,
      request: R,
      response?: z.ZodType<A>,
      problems?: readonly ProblemCode[],
      details?: Partial<Details>,
    ): Endpoint<R, A> & P => ({
      ...endpoint({ method, path }, request, response, problems, details),
      ...properties,
    });
  return {
    get: declare('GET'),
    post: declare('POST'),
    put: declare('PUT'),
    patch: declare('PATCH'),
    remove: declare('DELETE'),
  };
}

type Arguments<T> = { readonly [K in keyof T]?: string | number | undefined };
type Shape<E> = E extends { request: z.ZodObject<infer R> } ? R : never;

/** What a client sends to an endpoint. Undefined parameters are left out. */
export type RequestOf<E, R = Shape<E>> = {
  readonly [P in keyof R & ('params' | 'body')]: P extends 'body'
    ? z.input<R[P]>
    : Readonly<Record<keyof z.input<R[P]>, string>>;
} & { readonly [P in keyof R & ('query' | 'headers')]?: Arguments<z.input<R[P]>> };

/** What a client gets from an endpoint. */
export type ResponseOf<E> = E extends { response: z.ZodType<infer A> | undefined } ? A : never;

/** The request as the last argument of a call, which may be absent if the endpoint requires nothing. */
export type RequestArguments<T> = Record<never, never> extends T ? [request?: T] : [request: T];
