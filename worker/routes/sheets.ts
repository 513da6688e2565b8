// The surface of the add-on: /sheets/v1.
import { Hono } from 'hono';
import { z } from 'zod';
import { familyNames, keySpellings } from '../../shared/families.ts';
import { parseFieldPath } from '../../shared/field-paths.ts';
import { type LookupRequest, maxFieldPathLength, maxFields, maxLookupKeys } from '../../shared/sheets-api.ts';
import type { Env } from '../env.ts';
import type { Authenticated } from '../gateway/authenticate.ts';
import { lookup, MAX_WAIT_MS } from '../gateway/lookup.ts';
import { methodNotAllowed, ProblemError } from '../problem-error.ts';
import type { Services } from '../services.ts';

/** Whole records are large: a call for all fields takes fewer keys. */
const MAX_WHOLE_RECORDS = 50;

const fieldPath = z
  .string()
  .max(maxFieldPathLength)
  .refine(
    (path) => path === '*' || parseFieldPath(path) !== undefined,
    'is not a path such as name or updates[0].date',
  );

const lookupBody = z
  .strictObject({
    family: z.enum(familyNames),
    by: z.enum(keySpellings),
    keys: z.array(z.string()).max(maxLookupKeys),
    fields: z.array(fieldPath).min(1).max(maxFields).exactOptional(),
    max_age_s: z.number().int().min(0).exactOptional(),
    max_credits: z.number().int().min(0).exactOptional(),
    wait_ms: z.number().int().min(0).max(MAX_WAIT_MS).exactOptional(),
  })
  .refine(({ fields, keys }) => !fields?.includes('*') || keys.length <= MAX_WHOLE_RECORDS, {
    path: ['keys'],
    message: `whole records come at most ${MAX_WHOLE_RECORDS} a call: name the fields you need`,
  }) satisfies z.ZodType<LookupRequest>;

/** Reads a body as a schema has it. */
async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    body = JSON.parse(await request.text());
  } catch {
    throw new ProblemError('invalid_request', 'The body is not JSON.');
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'The body';
  throw new ProblemError('invalid_request', `${where}: ${issue?.message ?? 'not as expected'}`);
}

/**
 * Makes the routes of the add-on; the caller is authenticated before they are reached.
 * @param services - what the routes reach the world through
 */
export function sheetsRoutes<E extends Env>(services: Services<E>): Hono<Authenticated<E>> {
  const routes = new Hono<Authenticated<E>>();
  routes.post('/lookup', async (c) => {
    const request = await readBody(c.req.raw, lookupBody);
    const { upstream, cache } = await services.rooms(c.env);
    const answer = await lookup(request, {
      cache,
      upstream,
      now: services.now,
      after: services.after,
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    });
    return c.json(answer, 200, { 'cache-control': 'no-store' });
  });
  routes.all('/lookup', methodNotAllowed('POST'));
  return routes;
}
