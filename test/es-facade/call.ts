// A request to the façade, and its response.
import { isObject } from '../../shared/lib/is-object.ts';
import { EsError, illegalArgument, malformedRequest } from './errors.ts';
import { type EsIndex, type Facade, resolveIndexes } from './facade.ts';
import { formatJson, type JsonObject, parseJson } from './json.ts';
import { Parameters } from './parameters.ts';

/** Creates a JSON response. */
export function jsonResponse(value: unknown, status = 200): Response {
  // Elasticsearch's clients reject servers without this header.
  const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' };
  return new Response(formatJson(value), { status, headers });
}

/** A request to the façade. */
export class Call {
  readonly facade: Facade;
  readonly url: URL;
  readonly parameters: Parameters;
  /** The index expression in the path. */
  readonly index: string | undefined;
  /** The document id in the path. */
  readonly id: string | undefined;
  readonly #request: Request;

  constructor(facade: Facade, request: Request, path: Readonly<Record<string, string | undefined>>) {
    this.facade = facade;
    this.url = new URL(request.url);
    this.parameters = new Parameters(this.url);
    this.index = path.index;
    this.id = path.id;
    this.#request = request;
  }

  /** Reads the body, gzipped or not. @throws EsError for a body that can't be read */
  async readText(): Promise<string> {
    const { body, headers } = this.#request;
    const isGzipped = headers.get('content-encoding')?.toLowerCase() === 'gzip';
    const stream = isGzipped ? body?.pipeThrough(new DecompressionStream('gzip')) : body;
    return new Response(stream).text().catch(() => {
      throw malformedRequest('the body of the request could not be read');
    });
  }

  /** @returns undefined without a body. @throws EsError for invalid JSON */
  async readJson(): Promise<unknown> {
    return parseLine(await this.readText());
  }

  /** @returns an empty object without a body. @throws EsError for a body that is not a JSON object */
  async readObject(): Promise<JsonObject> {
    const json = (await this.readJson()) ?? {};
    if (isObject(json)) return json;
    throw malformedRequest('the body must be an object');
  }

  /** Returns the indexes in the path. @throws EsError for a missing index */
  getIndexes(allowNone = true): EsIndex[] {
    return selectIndexes(this.facade, this.index, this.parameters, allowNone);
  }
}

/** Returns the indexes of an expression, as the parameters demand. @throws EsError for a missing index */
export function selectIndexes(
  facade: Facade,
  expression: string | undefined,
  parameters: Parameters,
  allowNone = true,
): EsIndex[] {
  return resolveIndexes(facade.listIndexes(), expression, {
    ignoreUnavailable: parameters.getFlag('ignore_unavailable'),
    allowNone: parameters.getFlag('allow_no_indices', allowNone),
  });
}

/** Parses JSON. @returns undefined for blank text. @throws EsError for invalid JSON */
export function parseLine(text = ''): unknown {
  try {
    return text.trim() === '' ? undefined : parseJson(text);
  } catch (error) {
    throw new EsError(400, 'json_parse_exception', error instanceof Error ? error.message : 'invalid JSON');
  }
}

/** Splits a body with a JSON value in each line. @throws EsError if it does not end with a line break */
export function splitLines(body: string, kind: 'bulk' | 'msearch'): string[] {
  if (body.trim() === '') throw malformedRequest('request body is required');
  if (!body.endsWith('\n'))
    throw illegalArgument(`The ${kind} request must be terminated by a newline [\\n]`);
  return body.slice(0, -1).split('\n');
}

/** Methods, paths, and a handler that returns a response or its JSON. */
export type Route = readonly [methods: string, paths: string, handle: (call: Call) => unknown];
