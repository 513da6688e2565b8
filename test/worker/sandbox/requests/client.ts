// Orders of data requests, as clients of the sandbox make them.
import { expect } from 'vitest';
import { call } from '../client.ts';

/** Steers the provider. */
export async function control(change: Record<string, unknown>): Promise<void> {
  const response = await call('/control', { method: 'PUT', body: JSON.stringify(change) });
  expect(response.status).toBe(200);
}

/** Orders records by a JSON body; a text is sent as it is. */
export function orderJson(path: string, body: unknown): Promise<Response> {
  return call(`/cdapi/v2/data_requests/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Orders records by a form. */
export function orderForm(
  path: string,
  fields: readonly (readonly [string, string | File])[],
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return call(`/cdapi/v2/data_requests/${path}`, { method: 'POST', body: form });
}

/** A file of ids. */
export function idsFile(content: string | Uint8Array): readonly [string, File] {
  return ['ids_file', new File([content], 'ids.csv', { type: 'text/csv' })];
}

/** The complaints of a 422: place and type of each. */
export async function complaints(response: Response): Promise<{ loc: (string | number)[]; type: string }[]> {
  expect(response.status).toBe(422);
  const { detail } = await response.json<{ detail: { loc: (string | number)[]; type: string }[] }>();
  return detail.map(({ loc, type }) => ({ loc, type }));
}
