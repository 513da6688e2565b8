// The façade on the databases of the suite, called as a client would.
import { env } from 'cloudflare:workers';
import { createFacadeApp } from '../../es-facade/app.ts';
import { Facade } from '../../es-facade/facade.ts';
import { currentSuite } from '../platform.ts';

/** The moment that `now` means in queries. */
export const NOW = Date.UTC(2026, 9, 30, 12);

let calls = 0;

/** The façade of a suite, on the database with the engine's tables. */
function startFacade() {
  const randomBytes = (length: number): Uint8Array => new Uint8Array(length).fill(calls++);
  const facade = new Facade(env.SANDBOX_DB, { now: () => NOW, randomBytes });
  return createFacadeApp(() => facade);
}

let known: { suite: number; app: ReturnType<typeof startFacade> } | undefined;

/** Sends a request to the façade as it is. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  if (known?.suite !== currentSuite.number) known = { suite: currentSuite.number, app: startFacade() };
  return known.app.request(path, init, {});
}

/** An answer: its status and what its JSON is, digits and all. */
export interface Answer {
  status: number;
  json: unknown;
  text: string;
}

/**
 * Calls the façade.
 * @param body - a text goes as it is, a list as lines of JSON, anything else as JSON
 */
export async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const lines = Array.isArray(body) ? `${body.map((line) => JSON.stringify(line)).join('\n')}\n` : undefined;
  const text = typeof body === 'string' ? body : (lines ?? JSON.stringify(body));
  const response = await send(path, { method, ...(body === undefined ? {} : { body: text }) });
  const answer = await response.text();
  return {
    status: response.status,
    text: answer,
    json: answer.startsWith('{') ? JSON.parse(answer) : answer,
  };
}

/** Calls the façade. @throws Error unless it does what is asked */
export async function done(method: string, path: string, body?: unknown): Promise<unknown> {
  const { status, json, text } = await call(method, path, body);
  if (status > 201 || text.includes('"errors":true')) throw new Error(`${method} ${path}: ${text}`);
  return json;
}

/** The lines that put documents in, by id. */
export function lines(index: string, documents: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(documents).flatMap(([id, source]) => [{ index: { _index: index, _id: id } }, source]);
}
