// What every route has in common: its parameters are read, the indexes that it names are found, JSON is answered.
import { Hono } from 'hono';
import { isObject } from '../../shared/lib/is-object.ts';
import { answer, bodyText, parseJson, refusal } from './answers.ts';
import { formError } from './es-error.ts';
import type { EsIndex, Facade } from './facade.ts';
import type { JsonObject } from './json.ts';
import { resolveIndexes } from './names.ts';
import { Parameters } from './parameters.ts';

/** A request to the façade. */
export class Call {
  readonly facade: Facade;
  readonly url: URL;
  readonly parameters: Parameters;
  readonly #request: Request;
  readonly #path: Readonly<Record<string, string | undefined>>;

  /** @param path - the variable parts of the path */
  constructor(facade: Facade, request: Request, path: Readonly<Record<string, string | undefined>>) {
    this.facade = facade;
    this.url = new URL(request.url);
    this.parameters = new Parameters(this.url);
    this.#request = request;
    this.#path = path;
  }

  /** What the path names where an index stands. */
  get index(): string | undefined {
    return this.#path.index;
  }

  get id(): string | undefined {
    return this.#path.id;
  }

  /** @throws EsError for a body that can't be read */
  text(): Promise<string> {
    return bodyText(this.#request);
  }

  /** @returns undefined for no body. @throws EsError for what is no JSON */
  async json(): Promise<unknown> {
    return parseJson(await this.text());
  }

  /** @returns an empty object for no body. @throws EsError for what is no JSON object */
  async object(): Promise<JsonObject> {
    const json = (await this.json()) ?? {};
    if (isObject(json)) return json;
    throw formError('the body must be an object');
  }

  /** The indexes that the path names. @throws EsError for one that is not there */
  indexes(allowNone = true): EsIndex[] {
    return namedIndexes(this.facade, this.index, this.parameters, allowNone);
  }
}

/**
 * The indexes that an expression names.
 * @throws EsError for one that is not there
 */
export function namedIndexes(
  facade: Facade,
  expression: string | undefined,
  parameters: Parameters,
  allowNone = true,
): EsIndex[] {
  const all = facade.indexes;
  const options = {
    ignoreUnavailable: parameters.flag('ignore_unavailable'),
    allowNone: parameters.flag('allow_no_indices', allowNone),
  };
  const names = new Set(
    resolveIndexes(
      expression,
      all.map(({ name }) => name),
      options,
    ),
  );
  return all.filter(({ name }) => names.has(name));
}

/** Methods and paths, with what makes the JSON of their answer, or an answer of another kind. */
export type Route = readonly [methods: string, paths: string, handle: (call: Call) => unknown];

/**
 * Makes an app of routes.
 * @param facadeOf - the façade on a request's bindings
 */
export function createApp<Bindings extends object>(
  routes: readonly Route[],
  facadeOf: (env: Bindings) => Facade,
): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  for (const [methods, paths, handle] of routes) {
    app.on(methods.split(' '), paths.split(' '), async (c) => {
      const call = new Call(facadeOf(c.env), c.req.raw, c.req.param());
      const result = await handle(call);
      return result instanceof Response ? result : answer(call.url, result);
    });
  }
  app.notFound((c) => {
    const url = new URL(c.req.url);
    const reason = `no handler found for uri [${url.pathname}] and method [${c.req.method}]`;
    return answer(url, { error: reason, status: 400 }, 400);
  });
  app.onError((error, c) => refusal(new URL(c.req.url), error));
  return app;
}
