// Calls the façade like a client, on the suite's database.
import { env } from 'cloudflare:workers';
import { createFacadeApp } from '../../es-facade/app.ts';
import { Facade } from '../../es-facade/facade.ts';
import { currentSuite } from '../platform.ts';

/** The value of `now` in queries. */
const NOW = Date.UTC(2026, 9, 30, 12);

let nextId = 0;

function startFacade() {
  const facade = new Facade(env.SANDBOX_DB, { now: () => NOW, newId: () => `id-${nextId++}` });
  return createFacadeApp(() => facade);
}

let current: { suite: number; app: ReturnType<typeof startFacade> } | undefined;

/** Sends a request to the façade. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  if (current?.suite !== currentSuite.number) current = { suite: currentSuite.number, app: startFacade() };
  return current.app.request(path, init, {});
}

/**
 * Sends a request and reads the response.
 * @param body - a text is sent unchanged, a list as lines of JSON, other values as JSON
 */
export async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: unknown; text: string }> {
  const lines = Array.isArray(body) ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : undefined;
  const content = typeof body === 'string' ? body : (lines ?? JSON.stringify(body));
  const response = await send(path, { method, ...(body === undefined ? {} : { body: content }) });
  const text = await response.text();
  return { status: response.status, text, json: /^[[{]/.test(text) ? JSON.parse(text) : text };
}

/** Sends a request that must succeed. */
export async function callOk(method: string, path: string, body?: unknown): Promise<unknown> {
  const { status, json, text } = await call(method, path, body);
  if (status > 201 || text.includes('"errors":true')) throw new Error(`${method} ${path}: ${text}`);
  return json;
}

/** Builds the lines of `_bulk` that index documents, by id. */
export function buildBulkLines(index: string, documents: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(documents).flatMap(([id, source]) => [{ index: { _index: index, _id: id } }, source]);
}
