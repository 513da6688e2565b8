// Routes as data: request schema, response schema and handler. All API surfaces validate, run and describe them in the same way.
import type { Context, Hono, Env as HonoEnv } from 'hono';
import * as z from 'zod';
import type { AnyEndpoint, Endpoint } from '../../shared/api/endpoint.ts';
import { formatNumber } from '../../shared/lib/format-count.ts';
import type { ProblemCode } from '../../shared/problems.ts';
import { invalidRequest, methodNotAllowed, ProblemError } from '../http/problem-error.ts';
import { readRequestText, requireDecodableUrl } from '../http/read-body.ts';
import { describeIssue } from '../lib/describe-issue.ts';
import { parseExactly } from '../lib/exact-json.ts';
import { hasMoreValues, isNestedDeeper, MAX_BODY_DEPTH, MAX_BODY_VALUES } from '../lib/json-depth.ts';

/** The parts of a route that the API reference needs. */
export interface DescribedRoute extends AnyEndpoint {
  summary: string;
  /** Details for the API reference. */
  description?: string;
  /** Describes the response to a success. */
  returns: string;
}

/** A complete route. `V` is the request context of the surface. */
export interface Route<V> extends DescribedRoute {
  /** @throws ProblemError */
  respond: (context: V, params: Record<string, string>) => Promise<Response>;
}

/** A route that other surfaces can run, too. */
export interface RunnableRoute<V, A> extends Route<V> {
  /**
   * Validates the parts of a request and handles it.
   * @throws ProblemError
   */
  run: (context: V, input: Record<string, unknown>) => Promise<A | Response>;
}

/** What a route adds to its endpoint. */
export interface RouteDetails<V, R extends z.ZodRawShape, A>
  extends Pick<DescribedRoute, 'summary' | 'description' | 'returns'> {
  /** Handles the request. A {@link Response} is returned unchanged. */
  handle: (input: z.output<z.ZodObject<R>>, context: V) => Promise<A | Response>;
}

/** Settings of an API surface. */
export interface Surface {
  /** Maximum size of a request body. */
  maxBodyBytes: number;
  /** Fix for larger bodies. */
  tooLargeFix: string;
  /** Problems of every route, besides those of its endpoint. */
  problems: readonly ProblemCode[];
  /** Creates the problem for an invalid path parameter. */
  notFound: (name: string, value: string) => ProblemError;
}

/** The detail of the problem for a body that is nested too deep. */
export const TOO_DEEP = `The body is nested deeper than ${MAX_BODY_DEPTH} levels.`;

/** The detail of the problem for a body with too many values. */
const TOO_MANY_VALUES = `The body has more than ${formatNumber(MAX_BODY_VALUES)} values.`;

const partNames: Readonly<Record<string, string>> = {
  body: 'The body',
  query: 'The query',
  headers: 'The headers',
};

type Issue = z.core.$ZodIssue;

const objectSchema = z.record(z.string(), z.unknown());

/** Finds the issue to report for a failed union: that of the first member whose required properties are present. */
function findRelevantIssue({ errors }: Issue & { code: 'invalid_union' }, value: unknown): Issue | undefined {
  const names = Object.keys(objectSchema.safeParse(value).data ?? {});
  const member = errors.find((issues) =>
    issues.every(({ path, code }) => code !== 'invalid_type' || names.includes(String(path[0]))),
  );
  return member?.[0];
}

function toProblem(
  issue: Issue | undefined,
  input: Record<string, unknown>,
  { notFound }: Surface,
): ProblemError {
  const [part = '', ...path] = (issue?.path ?? []).map(String);
  const [name = ''] = path;
  if (part === 'params')
    return notFound(name, String(objectSchema.safeParse(input.params).data?.[name] ?? ''));
  const inner =
    issue?.code === 'invalid_union' && path.length === 0 ? findRelevantIssue(issue, input[part]) : undefined;
  const where = [...path, ...(inner?.path ?? []).map(String)].join('.');
  return invalidRequest(
    where || (partNames[part] ?? 'The request'),
    (inner ?? issue)?.message ?? 'not as expected',
  );
}

/**
 * Reads and parses the body of a request, also a second time. Integers beyond 2^53 are strings.
 * @throws ProblemError `too_large`, `invalid_request`, `unsupported_encoding`
 */
export async function readBody(
  request: Request,
  { maxBodyBytes, tooLargeFix }: Pick<Surface, 'maxBodyBytes' | 'tooLargeFix'>,
): Promise<unknown> {
  const text = await readRequestText(request, maxBodyBytes);
  if (text === undefined) throw new ProblemError('too_large', undefined, tooLargeFix);
  if (isNestedDeeper(text, MAX_BODY_DEPTH)) throw new ProblemError('invalid_request', TOO_DEEP);
  if (hasMoreValues(text, MAX_BODY_VALUES)) throw new ProblemError('too_large', TOO_MANY_VALUES, tooLargeFix);
  try {
    return parseExactly(text);
  } catch {
    throw new ProblemError('invalid_request', 'The body is not JSON.');
  }
}

/**
 * Creates the `route` function of a surface. Its routes validate the request with the schemas of an endpoint and send the
 * result as JSON.
 * @param authorise - refuses requests that a caller may not send to an endpoint. @throws ProblemError
 */
export function createRouteBuilder<V extends { request: Request }, P extends object = object>(
  surface: Surface,
  authorise: (context: V, endpoint: P) => void = () => {},
) {
  return <R extends z.ZodRawShape, A>(
    endpoint: Endpoint<R, A> & P,
    { handle, ...description }: RouteDetails<V, R, A>,
  ): RunnableRoute<V, A> & P => {
    const run = async (context: V, input: Record<string, unknown>): Promise<A | Response> => {
      const parsed = endpoint.request.safeParse(input, { error: describeIssue });
      if (!parsed.success) throw toProblem(parsed.error.issues[0], input, surface);
      return handle(parsed.data, context);
    };
    return {
      ...endpoint,
      ...description,
      problems: [...endpoint.problems, ...surface.problems],
      run,
      respond: async (context, params) => {
        authorise(context, endpoint);
        const { request } = context;
        requireDecodableUrl(request.url);
        const { shape } = endpoint.request;
        const input = {
          params,
          ...('query' in shape && { query: Object.fromEntries(new URL(request.url).searchParams) }),
          ...('headers' in shape && { headers: Object.fromEntries(request.headers) }),
          ...('body' in shape && { body: await readBody(request, surface) }),
        };
        const result = await run(context, input);
        if (result instanceof Response) return result;
        const { status } = endpoint;
        const headers = { 'cache-control': 'no-store' };
        return result === undefined
          ? new Response(null, { status, headers })
          : // Apps Script does not take JSON without a charset for UTF-8.
            Response.json(result, {
              status,
              headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
            });
      },
    };
  };
}

/** Formats the Allow header of a path. */
function listMethods(table: readonly DescribedRoute[], path: string): string {
  return table
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ');
}

/**
 * Adds routes to an app. Other methods of their paths get a `method_not_allowed` problem.
 * @param createContext - creates the request context
 */
export function addRoutes<E extends HonoEnv, V>(
  app: Hono<E>,
  table: readonly Route<V>[],
  createContext: (c: Context<E>) => V,
): void {
  const toHonoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');
  for (const { method, path, respond } of table) {
    app.on(method, toHonoPath(path), (c) => respond(createContext(c), c.req.param()));
  }
  for (const path of new Set(table.map((route) => route.path))) {
    app.all(toHonoPath(path), methodNotAllowed(listMethods(table, path)));
  }
}
