// A strict stand-in of Cloudflare's API: knows only the calls of a deployment, checks their bodies, and can fail any of them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type * as z from 'zod';
import { type Listening, listen } from '../../../faults/listen.ts';
import type { CloudflareAccount } from './account.ts';
import { ApiError } from './errors.ts';
import { type Call, Page, Raw, routes } from './routes.ts';

/** How a call fails: before it has an effect, or before its answer arrives. */
export interface Fault {
  /** `POST /queues`: method and path below the account. */
  call: RegExp;
  when: 'before' | 'after';
}

/** Parameters of the calls in routes.ts, by method. */
const PARAMETERS = new Set(
  [
    ['GET', 'page', 'per_page', 'name', 'hostname', 'service', 'timestamp', 'deployable'],
    ['PUT', 'excludeScript', 'bindings_inherit'],
    ['POST', 'bindings_inherit', 'bookmark', 'force'],
    ['DELETE', 'force'],
  ].flatMap(([method, ...names]) => names.map((name) => `${method} ${name}`)),
);

const patterns = Object.entries(routes).map(([route, handler]) => {
  const pattern = new RegExp(`^${route.replaceAll('*', '([^/]+)')}$`);
  return { pattern, handler };
});

/** A running stand-in. */
export class CloudflareServer {
  readonly account: CloudflareAccount;
  readonly token: string;
  /** Method and path of every call. */
  readonly calls: string[] = [];
  /** Unknown paths and fields. Empty unless the code under test is wrong. */
  readonly violations: string[] = [];
  /** Fails all matching calls. */
  fault: Fault | undefined;
  /** Runs before each call is answered. */
  onCall: ((call: string) => void) | undefined;
  #listening: Listening | undefined;

  constructor(account: CloudflareAccount, token: string) {
    this.account = account;
    this.token = token;
  }

  get origin(): string {
    return this.#listening?.origin ?? '';
  }

  async start(): Promise<void> {
    this.#listening = await listen((request, response) => void this.#answer(request, response));
  }

  async stop(): Promise<void> {
    await this.#listening?.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://api.invalid');
    const path = url.pathname.replace(`/accounts/${this.account.id}`, '');
    const name = `${request.method} ${path === '' ? '/' : path}`;
    const body = await buffer(request);
    this.calls.push(name);
    this.onCall?.(name);
    const { fault } = this;
    const fails = fault?.call.test(name) === true;
    if (fails && fault?.when === 'before') return this.#drop(response);
    const { status, json } = await this.#handle(name, url, request, body);
    if (fails) return this.#drop(response);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  }

  #drop(response: ServerResponse): void {
    response.destroy();
  }

  async #handle(name: string, url: URL, request: IncomingMessage, body: Buffer) {
    try {
      const result = await this.#route(name, url, request, body);
      if (result instanceof Raw) return { status: 200, json: result.json };
      const items = result instanceof Page ? result.items : undefined;
      const info = { page: 1, per_page: 100, count: items?.length ?? 0, total_count: items?.length ?? 0 };
      const page = items === undefined ? {} : { result_info: info };
      return {
        status: 200,
        json: { success: true, errors: [], messages: [], result: items ?? result, ...page },
      };
    } catch (error) {
      const refusal = error instanceof ApiError ? error : new ApiError(500, 10001, String(error));
      if (!(error instanceof ApiError)) this.violations.push(`${name}: ${String(error)}`);
      const errors = [{ code: refusal.code, message: refusal.message }];
      return { status: refusal.status, json: { success: false, errors, messages: [], result: null } };
    }
  }

  #route(name: string, url: URL, request: IncomingMessage, body: Buffer): unknown {
    if (request.headers.authorization !== `Bearer ${this.token}`)
      throw new ApiError(403, 10000, 'Authentication error');
    const { account } = this;
    if (name === 'GET /accounts') return new Page([{ id: account.id, name: 'Example' }]);
    if (name === 'GET /zones') return new Page([...account.zones].map(([zone, id]) => ({ id, name: zone })));
    for (const parameter of url.searchParams.keys())
      if (!PARAMETERS.has(`${request.method} ${parameter}`))
        this.violations.push(`${name}: unknown ?${parameter}`);
    for (const { pattern, handler } of patterns) {
      const match = pattern.exec(name);
      if (match === null) continue;
      const call: Call = {
        account,
        params: match.slice(1).map(decodeURIComponent),
        query: url.searchParams,
        jurisdiction: request.headers['cf-r2-jurisdiction']?.toString(),
        text: body.toString(),
        body: (schema) => this.#parse(name, schema, body),
        form: () =>
          new Response(new Uint8Array(body), {
            headers: { 'content-type': request.headers['content-type'] ?? '' },
          }).formData(),
      };
      return handler(call);
    }
    this.violations.push(`${name} is unknown`);
    throw new ApiError(404, 7003, `Could not route to ${name}`);
  }

  #parse<T>(name: string, schema: z.ZodType<T>, body: Buffer): T {
    const parsed = schema.safeParse(JSON.parse(body.toString()));
    if (parsed.success) return parsed.data;
    this.violations.push(`${name}: ${parsed.error.message}`);
    throw new ApiError(400, 10021, parsed.error.message);
  }
}
