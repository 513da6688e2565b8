// Routes as data: what each takes, what it answers, who does it. Every surface reads, runs and describes them in one way.
import type { Context, Hono, Env as HonoEnv } from 'hono';
import * as z from 'zod';
import type { ProblemCode } from '../../shared/problems.ts';
import { methodNotAllowed, ProblemError } from '../http/problem-error.ts';
import { readText } from '../http/read-text.ts';

/** What a success looks like. */
interface Success<A> {
  status: 200 | 201 | 204;
  description: string;
  /** Absent where there is no body. */
  schema?: z.ZodType<A>;
  /** Media types, where JSON is not the only one. */
  types?: readonly string[];
}

interface RouteDescription {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the surface's own, with its parameters in braces. */
  path: string;
  summary: string;
  /** What a reader should know besides. */
  description?: string;
  /** The problems that this route answers beside those of every route of its surface. */
  problems: readonly ProblemCode[];
}

/** A route as it is written down. */
export interface RouteDefinition<V, S extends z.ZodRawShape, A> extends RouteDescription {
  /** The parts of the request that count: `params`, `query`, `headers`, `body`. */
  request: z.ZodObject<S>;
  success: Success<A>;
  /** Does it. A {@link Response} is passed on as it is. */
  handle: (input: z.output<z.ZodObject<S>>, context: V) => Promise<A | Response>;
}

/** A route, as far as it is described. */
export interface DescribedRoute extends RouteDescription {
  request: z.ZodObject;
  success: Success<unknown>;
}

/** A route that can be described and run; `V` is what it reaches the world through. */
export interface Route<V> extends DescribedRoute {
  /** @throws ProblemError */
  respond: (context: V, params: Record<string, string>) => Promise<Response>;
}

/** What the routes of a surface have in common. */
export interface Surface {
  /** The longest body that is read. */
  maxBodyBytes: number;
  /** What to do about a longer one. */
  tooLargeFix: string;
  /** The problem behind a path whose parameter names nothing. */
  notFound: (name: string, value: string) => ProblemError;
}

const MAX_DETAIL_LENGTH = 500;

const partNames: Readonly<Record<string, string>> = {
  body: 'The body',
  query: 'The query',
  headers: 'The headers',
};

/**
 * A part of a request that can't be.
 * @param where - names the part
 */
export function invalidRequest(where: string, what: string): ProblemError {
  return new ProblemError('invalid_request', `${where}: ${what}`.slice(0, MAX_DETAIL_LENGTH));
}

type Issue = z.core.$ZodIssue;

const objectSchema = z.record(z.string(), z.unknown());

/** The complaint of that member of a union which the value is meant to be: the first that misses nothing. */
function findRelevantIssue({ errors }: Issue & { code: 'invalid_union' }, value: unknown): Issue | undefined {
  const known = Object.keys(objectSchema.safeParse(value).data ?? {});
  const member = errors.find((issues) =>
    issues.every(({ path, code }) => code !== 'invalid_type' || known.includes(String(path[0]))),
  );
  return member?.[0];
}

/** The problem behind a part of a request that is not as expected. */
function toProblem(
  issue: Issue | undefined,
  input: Record<string, unknown>,
  { notFound }: Surface,
  params: Record<string, string>,
): ProblemError {
  const [part = '', ...path] = (issue?.path ?? []).map(String);
  if (part === 'params') return notFound(path[0] ?? '', params[path[0] ?? ''] ?? '');
  const inner =
    issue?.code === 'invalid_union' && path.length === 0 ? findRelevantIssue(issue, input[part]) : undefined;
  const where = [...path, ...(inner?.path ?? []).map(String)].join('.');
  return invalidRequest(
    where || (partNames[part] ?? 'The request'),
    (inner ?? issue)?.message ?? 'not as expected',
  );
}

async function readBody(request: Request, { maxBodyBytes, tooLargeFix }: Surface): Promise<unknown> {
  const text = await readText(request, maxBodyBytes);
  if (text === undefined) throw new ProblemError('too_large', undefined, tooLargeFix);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProblemError('invalid_request', 'The body is not JSON.');
  }
}

/**
 * Makes the function that makes the routes of a surface: a request is read as the schema has it, the answer is sent as
 * JSON.
 */
export function createRouteBuilder<V extends { request: Request }>(surface: Surface) {
  return <S extends z.ZodRawShape, A = undefined>(definition: RouteDefinition<V, S, A>): Route<V> => {
    const { request: schema, success, handle, ...description } = definition;
    return {
      ...description,
      request: schema,
      success,
      respond: async (context, params) => {
        const { request } = context;
        const input = {
          params,
          ...('query' in schema.shape
            ? { query: Object.fromEntries(new URL(request.url).searchParams) }
            : {}),
          ...('headers' in schema.shape ? { headers: Object.fromEntries(request.headers) } : {}),
          ...('body' in schema.shape ? { body: await readBody(request, surface) } : {}),
        };
        const parsed = schema.safeParse(input);
        if (!parsed.success) throw toProblem(parsed.error.issues[0], input, surface, params);
        const answered = await handle(parsed.data, context);
        if (answered instanceof Response) return answered;
        const headers = { 'cache-control': 'no-store' };
        return answered === undefined
          ? new Response(null, { status: success.status, headers })
          : Response.json(answered, { status: success.status, headers });
      },
    };
  };
}

/** The methods that a path answers, as the Allow header has them. */
function listMethods(table: readonly DescribedRoute[], path: string): string {
  return table
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ');
}

/**
 * Adds a table of routes to an app, and refuses the other methods of their paths.
 * @param createContext - what a route reaches the world through, for one request
 */
export function addRoutes<E extends HonoEnv, V>(
  app: Hono<E>,
  table: readonly Route<V>[],
  createContext: (c: Context<E>) => V,
): void {
  const addressOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');
  for (const { method, path, respond } of table) {
    app.on(method, addressOf(path), (c) => respond(createContext(c), c.req.param()));
  }
  for (const path of new Set(table.map((route) => route.path))) {
    app.all(addressOf(path), methodNotAllowed(listMethods(table, path)));
  }
}
