// Calls the sandbox like a client with its key.
import { env, exports as worker } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { ImportResult } from '../../../worker/sandbox/record-routes.ts';

/** Calls the sandbox. @param path - the path below `/provider` */
export function call(path: string, init: RequestInit = {}): Promise<Response> {
  return worker.default.fetch(`http://127.0.0.1/provider${path}`, {
    ...init,
    headers: { apikey: env.SANDBOX_KEY, ...init.headers },
  });
}

const toBody = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** Sends a JSON body; a text is sent unchanged. */
export function post(path: string, body: unknown): Promise<Response> {
  return call(path, { method: 'POST', body: toBody(body) });
}

/** Imports records. */
export async function put(family: string, records: unknown[]): Promise<ImportResult> {
  const response = await post(`/records/${family}`, { records });
  expect(response.status).toBe(200);
  return response.json();
}

/** Changes the sandbox's settings. */
export async function control(settings: object): Promise<void> {
  const response = await call('/control', { method: 'PUT', body: toBody(settings) });
  expect(response.status).toBe(200);
}

/** Orders records with a JSON body. */
export function orderJson(path: string, body: unknown): Promise<Response> {
  return post(`/cdapi/v2/data_requests/${path}`, body);
}

/** Orders records with a form. */
export function orderForm(
  path: string,
  fields: readonly (readonly [string, string | File])[],
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return call(`/cdapi/v2/data_requests/${path}`, { method: 'POST', body: form });
}

/** Builds the form field of an id file. */
export function idsFile(content: string | Uint8Array): readonly [string, File] {
  return ['ids_file', new File([content], 'ids.csv', { type: 'text/csv' })];
}

/** Reads location and type of each issue of a 422. */
export async function readIssues(response: Response): Promise<{ loc: (string | number)[]; type: string }[]> {
  expect(response.status).toBe(422);
  const { detail } = await response.json<{ detail: { loc: (string | number)[]; type: string }[] }>();
  return detail.map(({ loc, type }) => ({ loc, type }));
}
