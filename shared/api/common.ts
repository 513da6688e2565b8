// Parts that several bodies of the contract share, as schemas. The add-on imports types alone from this folder.
import * as z from 'zod';
import { familyNames } from '../families/index.ts';
import { maxFieldPathLength, maxFields } from '../limits.ts';
import { isProblemCode, type ProblemSummary, problems } from '../problems.ts';
import { parseFieldPath } from '../query/field-paths.ts';

export const family = z.enum(familyNames);

/** A whole number from 0. */
export const count = z.int().min(0);
export const credits = count.describe('Credits.');
/** ISO 8601, UTC. */
export const time = z.iso.datetime();

/** Any JSON object. */
export const jsonObject = z.record(z.string(), z.unknown());

/** A record as it is passed on; fields that we do not know pass through untouched. */
export type DataRecord = z.infer<typeof jsonObject>;

/**
 * One line of text: nothing in it moves a cursor or breaks a pair of code units.
 * @param max - the most characters
 */
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

/** Paths of fields, at least one. */
export const fieldPaths = z.array(fieldPath).min(1).max(maxFields);

export const fields = fieldPaths
  .describe('Paths such as name or funding_rounds[0].last_round_type; a short default where absent.')
  .meta({ examples: [['name', 'industry']] })
  .exactOptional();

/** Beside everything that names fields. */
export const anyFields = z
  .boolean()
  .exactOptional()
  .describe('True: names of fields that are in no list are taken; otherwise they are refused.');

export const maxAge = z
  .int()
  .min(0)
  .exactOptional()
  .describe('Buy again what is older than so many seconds.');

export const maxCredits = z
  .int()
  .min(0)
  .exactOptional()
  .describe('Spend at most this many credits; 0 answers from the cache only.');

/** A UUID that identifies a lookup or preview which the caller may cancel. */
export const cancelId = z
  .uuid()
  .toLowerCase()
  .describe(
    'Makes the call cancellable: provider calls that have not been sent when the answer is due, or when the cancellation arrives, are withdrawn and cost nothing.',
  );

export const problemCode = z.enum(Object.keys(problems).filter(isProblemCode));

/** Why something did not go on, inside a larger answer. */
export const problemSummary = z.object({
  code: problemCode,
  detail: z.string(),
  fix: z.string(),
}) satisfies z.ZodType<ProblemSummary>;

export const stamp = z
  .string()
  .describe(
    'Opaque. It changes when a record was erased and when the provider does: keep copies under it, so that they are not found once it has changed.',
  );

export const remaining = count
  .nullable()
  .describe('Credits that may still be spent; null where no cap is set.');

/** A column of rows. */
export const column = z.object({
  name: z.string(),
  type: z.enum(['integer', 'number', 'text', 'boolean', 'date', 'list']),
});
export type Column = z.infer<typeof column>;

export const pushAccount = z
  .string()
  .nullable()
  .describe(
    'Share a spreadsheet with this address, as an editor, and rows arrive in it while it is closed; null where the gateway has none.',
  );
