// Schemas shared by several request and response bodies. The add-on imports only types from this folder.
import * as z from 'zod';
import { familyNames } from '../families/index.ts';
import { isObject } from '../lib/is-object.ts';
import { maxFieldPathLength, maxFields, maxWaitMs } from '../limits.ts';
import { type ProblemSummary, problemCodes } from '../problems.ts';
import { parseFieldPath } from '../query/field-paths.ts';

export const family = z.enum(familyNames);

/** A non-negative integer. */
export const count = z.int().min(0);
export const credits = count.describe('Credits.');
/** ISO 8601, UTC. */
export const time = z.iso.datetime();
/** A time of day in a request, which may have an offset. */
export const timeWithOffset = z.iso.datetime({ offset: true });

export const jsonObject = z.record(z.string(), z.unknown());

/** An object of names, such as filters. zod drops a name `__proto__`: it is refused, because the rest would mean something else. */
export const namesObject = z.preprocess((value, context) => {
  if (isObject(value) && Object.keys(value).includes('__proto__'))
    context.addIssue({ code: 'custom', message: '"__proto__" is not a name' });
  return value;
}, jsonObject);

/** A record. Unknown fields pass through unchanged. */
export type DataRecord = z.infer<typeof jsonObject>;

/** Creates the schema of a single line of text, without control characters and lone surrogates. */
export const singleLineText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must be one line of plain text');

const fieldPath = z
  .string()
  .max(maxFieldPathLength)
  .refine(
    (path) => path === '*' || parseFieldPath(path) !== undefined,
    'is not a path such as name or updates[0].date',
  );

export const fieldPaths = z.array(fieldPath).min(1).max(maxFields);

export const fields = fieldPaths
  .describe(
    'Field paths such as name or funding_rounds[0].last_round_type. Default: a short list for each family.',
  )
  .meta({ examples: [['name', 'industry']] })
  .exactOptional();

/** Option of every body that names fields. */
export const anyFields = z
  .boolean()
  .exactOptional()
  .describe('True: accept unknown field names. By default they are rejected.');

export const maxAge = z
  .int()
  .min(0)
  .exactOptional()
  .describe('Maximum age in seconds. Older records are bought again.');

export const maxCredits = z
  .int()
  .min(0)
  .exactOptional()
  .describe('Maximum number of credits to spend. 0: answer from the cache only.');

/** Deadline of a call; each body describes what happens then. */
export const waitMs = z.int().min(0).max(maxWaitMs).exactOptional();

/** Identifies a lookup or preview that the caller may cancel. */
export const cancelId = z
  .uuid()
  .toLowerCase()
  .describe(
    'Makes the call cancellable. Provider calls that have not been sent when the deadline passes or the cancellation arrives are withdrawn and cost nothing.',
  );

export const problemCode = z.enum(problemCodes);

/** A problem inside a larger response. */
export const problemSummary = z.object({
  code: problemCode,
  detail: z.string(),
  fix: z.string(),
}) satisfies z.ZodType<ProblemSummary>;

export const stamp = z
  .string()
  .describe(
    'Opaque cache stamp. It changes when a record is erased or the provider changes. Use it as part of the cache key of local copies.',
  );

export const remaining = count.nullable().describe('Credits that may still be spent. Null if no cap is set.');

export const creditTotals = z.object({
  spent: credits.describe('Credits that this call cost.'),
  saved: credits.describe('What rows from records already bought would have cost.'),
  remaining,
});

export const column = z.object({
  name: z.string(),
  type: z.enum(['integer', 'number', 'text', 'boolean', 'date', 'list']),
});
export type Column = z.infer<typeof column>;

export const pushAccount = z
  .string()
  .nullable()
  .describe(
    'Service account that writes to closed spreadsheets. Share a spreadsheet with it as an editor. Null if the gateway has none.',
  );
