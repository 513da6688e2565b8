// Calls the admin API inside the Worker, so that the console can do nothing that the API can't.
import { Hono } from 'hono';
import type * as z from 'zod';
import { adminRouteTable } from '../admin/index.ts';
import { notFound, type RouteContext } from '../admin/route.ts';
import { addRoutes } from '../route.ts';

/** What the admin API needs to know about the admin and the request. */
export type AdminCallContext = Omit<RouteContext, 'request'>;

/** Parameters of a call; absent ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

const createApp = (): Hono<{ Bindings: { call: AdminCallContext } }> => {
  const app = new Hono<{ Bindings: { call: AdminCallContext } }>();
  addRoutes(app, adminRouteTable, (c) => ({ ...c.env.call, request: c.req.raw }));
  app.notFound(() => {
    throw notFound();
  });
  app.onError((error) => {
    throw error;
  });
  return app;
};

/** The routes without authentication: the console has authenticated the admin. */
const app = createApp();

const formatQuery = (query: Query): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

/** Calls the admin API as a signed-in admin. */
export class AdminClient {
  readonly #origin: string;
  readonly #context: AdminCallContext;

  /** @param origin - of the console's request */
  constructor(origin: string, context: AdminCallContext) {
    this.#origin = origin;
    this.#context = context;
  }

  /**
   * Gets an answer as it is, for downloads.
   * @param path - below `/admin/v1`
   * @throws ProblemError
   */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return app.request(`${this.#origin}${path}`, init, { call: this.#context });
  }

  /**
   * Reads from the admin API.
   * @param path - below `/admin/v1`, with encoded parameters
   * @param schema - of the answer
   * @throws ProblemError
   */
  async get<T>(path: string, schema: z.ZodType<T>, query: Query = {}): Promise<T> {
    const response = await this.fetch(`${path}${formatQuery(query)}`);
    return schema.parse(await response.json());
  }

  /**
   * Changes something by the admin API.
   * @param path - below `/admin/v1`, with encoded parameters
   * @param schema - of the answer
   * @throws ProblemError
   */
  async send<T>(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    schema: z.ZodType<T>,
    body: unknown = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const response = await this.fetch(path, { method, headers, body: JSON.stringify(body) });
    return schema.parse(await response.json());
  }

  /**
   * Deletes something by the admin API.
   * @throws ProblemError
   */
  async delete(path: string): Promise<void> {
    await this.fetch(path, { method: 'DELETE' });
  }
}
