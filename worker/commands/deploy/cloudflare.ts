// Calls Cloudflare's API and turns its failures into sentences.

import * as z from 'zod';
import { parseJson } from '../../lib/exact-json.ts';
import { UserError } from '../user-error.ts';

const TIMEOUT_MS = 30_000;

/** How every answer of the API is wrapped (https://developers.cloudflare.com/fundamentals/api/how-to/make-api-calls/). */
const envelope = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.int(), message: z.string() })).default([]),
  result: z.unknown(),
  result_info: z
    .object({
      total_pages: z.int().nullish(),
      total_count: z.int().nullish(),
      per_page: z.int().nullish(),
    })
    .nullish(),
});

/** A refused call. */
export class CloudflareError extends UserError {
  readonly status: number;
  readonly codes: readonly number[];
  /** The sentences of the API alone. */
  readonly reason: string;

  constructor(
    action: string,
    status: number,
    errors: readonly { code: number; message: string }[],
    text: string,
  ) {
    const listed = errors.map(({ code, message }) => `${message} (code ${code})`).join('; ');
    super(describeRefusal(action, status, listed || text));
    this.status = status;
    this.codes = errors.map(({ code }) => code);
    this.reason = errors.map(({ message }) => message).join('; ');
  }
}

/** Returns the code of a network error, or its name. */
export function getErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const inner = error.cause instanceof Error ? error.cause : error;
  return 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.name;
}

function describeRefusal(action: string, status: number, message: string): string {
  if (status === 401 || status === 403)
    return `Cloudflare does not allow this login to ${action}: ${message}. Run npx wrangler login, or give the API token the permissions that docs/deploy.md lists, then run the same command again.`;
  if (status === 429 || status >= 500)
    return `Cloudflare could not ${action} right now: ${message}. Wait a few minutes and run the same command again: it continues where it stopped.`;
  return `Cloudflare refused to ${action}: ${message}.`;
}

export interface ApiOptions {
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  signal: AbortSignal;
}

export interface ApiCall<T> {
  /** What it does, for the sentence about its failure: `create the queue cdapi-jobs`. */
  action: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Starts with a slash. */
  path: string;
  /** Beside those of the login. */
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  schema: z.ZodType<T>;
}

/** Client of Cloudflare's API. Every failure is a {@link UserError} that says what to do next. */
export class CloudflareApi {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** @throws CloudflareError if it is refused, UserError if Cloudflare can't be reached */
  async call<T>(call: ApiCall<T>): Promise<T> {
    return (await this.#send(call)).result;
  }

  /** @returns undefined if the API does not know what the path names */
  async find<T>(call: ApiCall<T>): Promise<T | undefined> {
    try {
      return await this.call(call);
    } catch (error) {
      if (error instanceof CloudflareError && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * Reads all pages of a list.
   * @param call - its schema is that of one item
   * @param perPage - absent: the API has no such parameter
   */
  async list<T>({ schema, path, ...call }: ApiCall<T>, perPage?: number): Promise<T[]> {
    const items: T[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = `${perPage === undefined ? '' : `per_page=${perPage}&`}page=${page}`;
      const pagePath = `${path}${path.includes('?') ? '&' : '?'}${query}`;
      const { result, info } = await this.#send({ ...call, path: pagePath, schema: z.array(schema) });
      items.push(...result);
      const { total_pages: total, total_count: count, per_page: size } = info ?? {};
      pages = total ?? (count && size ? Math.ceil(count / size) : 1);
    }
    return items;
  }

  /** Queries Analytics Engine, whose answers have no envelope. @throws CloudflareError if it is refused */
  async query<T>(path: string, sql: string, schema: z.ZodType<T>): Promise<T> {
    const action = 'query the metrics';
    const { status, text } = await this.#fetch(action, { method: 'POST', path, body: sql });
    const parsed = z.object({ data: schema }).safeParse(parseJson(text));
    if (status < 300 && parsed.success) return parsed.data.data;
    throw new CloudflareError(action, status, [], `status ${status}`);
  }

  async #send<T>({ action, schema, ...call }: ApiCall<T>) {
    const { status, text } = await this.#fetch(action, call);
    const parsed = envelope.safeParse(parseJson(text));
    if (!parsed.success) throw new CloudflareError(action, status, [], `an unreadable answer (${status})`);
    const { success, errors, result, result_info: info } = parsed.data;
    if (!success || status >= 400) throw new CloudflareError(action, status, errors, `status ${status}`);
    const typed = schema.safeParse(result);
    if (typed.success) return { result: typed.data, info };
    throw new UserError(
      `Cloudflare’s answer has another form than expected (to ${action}). Update this project.`,
    );
  }

  async #fetch(action: string, call: Pick<ApiCall<unknown>, 'method' | 'path' | 'headers' | 'body'>) {
    const { baseUrl, headers, fetch: send, signal } = this.#options;
    const { method = 'GET', path, body } = call;
    signal.throwIfAborted();
    try {
      const response = await send(`${baseUrl}${path}`, {
        method,
        headers: {
          ...headers,
          ...call.headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      throw new UserError(
        `Cloudflare can’t be reached to ${action} (${getErrorCode(error)}). Check the connection and run the same command again: it continues where it stopped.`,
      );
    }
  }
}
