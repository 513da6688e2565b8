// Calls of the sandbox, as a client with its key makes them.
import { env, exports as worker } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { ImportResult } from '../../../worker/sandbox/record-routes.ts';

/**
 * Calls the sandbox.
 * @param path - below `/provider`
 */
export function call(path: string, init: RequestInit = {}): Promise<Response> {
  return worker.default.fetch(`http://127.0.0.1/provider${path}`, {
    ...init,
    headers: { apikey: env.SANDBOX_KEY, ...init.headers },
  });
}

/** Sends a JSON body, or a text as it is. */
export function post(path: string, body: unknown): Promise<Response> {
  return call(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
}

/** Puts records in. */
export async function put(family: string, records: unknown[]): Promise<ImportResult> {
  const response = await post(`/records/${family}`, { records });
  expect(response.status).toBe(200);
  return response.json();
}

/** Steers the sandbox. */
export async function control(settings: object): Promise<void> {
  const response = await call('/control', { method: 'PUT', body: JSON.stringify(settings) });
  expect(response.status).toBe(200);
}
