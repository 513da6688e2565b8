// The bodies that /sheets/v1 takes, as schemas.
import { z } from 'zod';
import { familyNames, keySpellings } from '../../../shared/families.ts';
import { parseFieldPath } from '../../../shared/field-paths.ts';
import { previewMaxPage } from '../../../shared/preview-items.ts';
import {
  type LookupRequest,
  maxFieldPathLength,
  maxFields,
  maxLookupKeys,
  maxPreviewPages,
  type PreviewRequest,
  type SearchRequest,
} from '../../../shared/sheets-api.ts';
import { MAX_WAIT_MS } from '../../gateway/lookup.ts';
import { ProblemError } from '../../problem-error.ts';

/** Whole records are large: a call for all fields takes fewer keys. */
const MAX_WHOLE_RECORDS = 50;
/** Contract, "Credits and limits". */
const MAX_TEXT = 15_000;
const MAX_CURSOR = 2000;
const MAX_PAGE_SIZE = 1000;

const family = z.enum(familyNames);

const fieldPath = z
  .string()
  .max(maxFieldPathLength)
  .refine(
    (path) => path === '*' || parseFieldPath(path) !== undefined,
    'is not a path such as name or updates[0].date',
  );

const fields = z.array(fieldPath).min(1).max(maxFields).exactOptional();

export const lookupBody = z
  .strictObject({
    family,
    by: z.enum(keySpellings),
    keys: z.array(z.string()).max(maxLookupKeys),
    fields,
    max_age_s: z.number().int().min(0).exactOptional(),
    max_credits: z.number().int().min(0).exactOptional(),
    wait_ms: z.number().int().min(0).max(MAX_WAIT_MS).exactOptional(),
  })
  .refine(({ fields: named, keys }) => !named?.includes('*') || keys.length <= MAX_WHOLE_RECORDS, {
    path: ['keys'],
    message: `whole records come at most ${MAX_WHOLE_RECORDS} a call: name the fields you need`,
  }) satisfies z.ZodType<LookupRequest>;

const object = z.record(z.string(), z.unknown());

/** The three ways to say a query, each with the parts that a request has beside it. */
function queried<Shape extends z.ZodRawShape>(shape: Shape) {
  const rest = { family, ...shape };
  return z.union(
    [
      z.strictObject({ ...rest, filters: object }),
      z.strictObject({ ...rest, es_dsl: object }),
      z.strictObject({ ...rest, text: z.string().min(1).max(MAX_TEXT) }),
    ],
    {
      error:
        'say the query in exactly one of filters, es_dsl and text; other parts are named in /openapi.json',
    },
  );
}

export const searchBody = queried({
  sort: z.enum(['id', '_score', 'last_updated', 'followers', 'size_employees_count']).exactOptional(),
  items_per_page: z.number().int().min(1).max(MAX_PAGE_SIZE).exactOptional(),
  after: z.string().min(1).max(MAX_CURSOR).exactOptional(),
}) satisfies z.ZodType<SearchRequest>;

export const previewBody = queried({
  page: z.number().int().min(1).max(previewMaxPage).exactOptional(),
  pages: z.number().int().min(1).max(maxPreviewPages).exactOptional(),
  snapshot: z.string().min(1).max(MAX_CURSOR).exactOptional(),
  fields,
}) satisfies z.ZodType<PreviewRequest>;

/** The deepest part of a schema's complaint, since a union complains of each of its members. */
function firstIssue(error: z.ZodError, value: unknown): string {
  const [issue] = error.issues;
  if (issue?.code === 'invalid_union') {
    const known = Object.keys(object.safeParse(value).data ?? {});
    const member = issue.errors.find((own) => {
      const missing = own.some(
        ({ path, code }) => code === 'invalid_type' && !known.includes(String(path[0])),
      );
      return !missing;
    });
    const [inner] = member ?? [];
    if (inner !== undefined) return `${inner.path.join('.') || 'The body'}: ${inner.message}`;
  }
  return `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'not as expected'}`;
}

/**
 * Reads a body as a schema has it.
 * @throws ProblemError `invalid_request` that names the part
 */
export async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    body = JSON.parse(await request.text());
  } catch {
    throw new ProblemError('invalid_request', 'The body is not JSON.');
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ProblemError('invalid_request', firstIssue(parsed.error, body));
}
