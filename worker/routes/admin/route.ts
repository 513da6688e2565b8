// A route of the admin surface as data: what it takes, what it answers, who does it.
import type { z } from 'zod';
import type { ProblemCode } from '../../../shared/problems.ts';
import type { Env } from '../../env.ts';
import type { Upstream } from '../../gateway/upstream.ts';
import { ProblemError } from '../../problem-error.ts';
import { readText } from '../../read-text.ts';

/** What a route reaches the world through. */
export interface Visit {
  env: Env;
  /** Milliseconds since 1970. */
  now: number;
  request: Request;
  /** From a cryptographic source. */
  randomBytes: (length: number) => Uint8Array;
  /**
   * The provider in use.
   * @throws ProblemError `not_configured`
   */
  provider: () => Promise<Upstream>;
}

/** What a success looks like. */
interface Success<A> {
  status: 200 | 201 | 204;
  description: string;
  /** Absent where there is no body. */
  schema?: z.ZodType<A>;
  /** Media types, where JSON is not the only one. */
  types?: readonly string[];
}

interface Description {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/admin/v1`, with its parameters in braces. */
  path: string;
  summary: string;
  /** The problems that this route answers beside those of every route: 401, 429, 500, 503. */
  problems: readonly ProblemCode[];
}

interface Definition<S extends z.ZodRawShape, A> extends Description {
  /** The parts of the request that count: `params`, `query`, `headers`, `body`. */
  request: z.ZodObject<S>;
  success: Success<A>;
  /** Does it. A {@link Response} is passed on as it is. */
  answer: (input: z.output<z.ZodObject<S>>, visit: Visit) => Promise<A | Response>;
}

/** A route that can be described and run. */
export interface Route extends Description {
  request: z.ZodObject;
  success: Success<unknown>;
  /** @throws ProblemError */
  respond: (visit: Visit, params: Record<string, string>) => Promise<Response>;
}

const MAX_BODY_BYTES = 64 * 1024;
const MAX_DETAIL_LENGTH = 500;

const places: Readonly<Record<string, string>> = {
  body: 'The body',
  query: 'The query',
  headers: 'The headers',
};

/** The problem behind a part of a request that is not as expected. */
function refusal(issue: z.core.$ZodIssue | undefined): ProblemError {
  const [part, ...path] = issue?.path ?? [];
  if (part === 'params') return notFound();
  const where = path.length === 0 ? (places[String(part)] ?? 'The request') : path.map(String).join('.');
  return invalid(where, issue?.message ?? 'not as expected');
}

async function readBody(request: Request): Promise<unknown> {
  const text = await readText(request, MAX_BODY_BYTES);
  if (text === undefined) {
    throw new ProblemError(
      'too_large',
      undefined,
      `Send at most ${MAX_BODY_BYTES / 1024} KB to this address.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ProblemError('invalid_request', 'The body is not JSON.');
  }
}

/**
 * A part of a request that can't be.
 * @param where - names the part
 */
export function invalid(where: string, what: string): ProblemError {
  return new ProblemError('invalid_request', `${where}: ${what}`.slice(0, MAX_DETAIL_LENGTH));
}

/** An id that nobody has. */
export function notFound(): ProblemError {
  return new ProblemError(
    'not_found',
    'There is nothing under this id.',
    'Look the id up in the list it is from.',
  );
}

/**
 * Makes a route: its request is read as the schema has it, its answer is sent as JSON.
 */
export function route<S extends z.ZodRawShape, A = undefined>(definition: Definition<S, A>): Route {
  const { request, success, answer, ...description } = definition;
  return {
    ...description,
    request,
    success,
    respond: async (visit, params) => {
      const parsed = request.safeParse({
        params,
        query: Object.fromEntries(new URL(visit.request.url).searchParams),
        headers: Object.fromEntries(visit.request.headers),
        ...('body' in request.shape ? { body: await readBody(visit.request) } : {}),
      });
      if (!parsed.success) throw refusal(parsed.error.issues[0]);
      const answered = await answer(parsed.data, visit);
      if (answered instanceof Response) return answered;
      const headers = { 'cache-control': 'no-store' };
      return answered === undefined
        ? new Response(null, { status: success.status, headers })
        : Response.json(answered, { status: success.status, headers });
    },
  };
}
