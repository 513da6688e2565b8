// Checks responses against the route tables.
import { expect } from 'vitest';
import type { DescribedRoute } from '../../../worker/routes/route.ts';

/** Reads the body of a response that must be the route's success and match its schema. */
export async function readSuccess(route: DescribedRoute | undefined, response: Response): Promise<unknown> {
  const text = await response.text();
  expect([response.status, text]).toEqual([route?.status, expect.anything()]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  expect(route?.response?.parse(body)).toEqual(body);
  return body;
}
