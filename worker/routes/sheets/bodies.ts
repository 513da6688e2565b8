// The bodies that /sheets/v1 takes, as schemas.
import * as z from 'zod';
import { familyNames, keySpellings } from '../../../shared/families.ts';
import { parseFieldPath } from '../../../shared/field-paths.ts';
import { previewMaxPage } from '../../../shared/preview-items.ts';
import { isProblemCode, problems } from '../../../shared/problems.ts';
import {
  type LookupRequest,
  maxFieldPathLength,
  maxFields,
  maxLookupKeys,
  maxPreviewPages,
  maxRunTitleLength,
  maxSearchNameLength,
  type PreviewEstimateRequest,
  type PreviewRequest,
  type Run,
  runKinds,
  runStates,
  type SavedSearchRequest,
  type SearchRequest,
} from '../../../shared/sheets-api.ts';
import { MAX_WAIT_MS } from '../../gateway/lookup.ts';
import { line } from '../line.ts';

/** Whole records are large: a call for all fields takes fewer keys. */
const MAX_WHOLE_RECORDS = 50;
/** Contract, "Credits and limits". */
const MAX_TEXT = 15_000;
const MAX_CURSOR = 2000;
const MAX_PAGE_SIZE = 1000;

export const family = z.enum(familyNames);

const fieldPath = z
  .string()
  .max(maxFieldPathLength)
  .refine(
    (path) => path === '*' || parseFieldPath(path) !== undefined,
    'is not a path such as name or updates[0].date',
  );

/** Paths of fields, at least one. */
export const fieldPaths = z.array(fieldPath).min(1).max(maxFields);

const fields = fieldPaths
  .describe('Paths such as name or funding_rounds[0].last_round_type; a short default where absent.')
  .meta({ examples: [['name', 'industry']] })
  .exactOptional();

/** Beside everything that names fields. */
export const anyFields = z
  .boolean()
  .exactOptional()
  .describe('True: names of fields that are in no list are taken; otherwise they are refused.');

const knownValues = z
  .boolean()
  .exactOptional()
  .describe(
    'True: known values match in any case, and countries by their ISO codes and other names, in text filters and in `match` conditions of `bool.filter` at the top of a body.',
  );

const maxAge = z.int().min(0).exactOptional().describe('Buy again what is older than so many seconds.');

const waitMs = z.int().min(0).max(MAX_WAIT_MS).exactOptional();

const maxCredits = z
  .int()
  .min(0)
  .exactOptional()
  .describe('Spend at most this many credits; 0 answers from the cache only.');

/** Identifies a lookup or preview that the caller may cancel. */
export const cancelId = z
  .uuid()
  .toLowerCase()
  .describe(
    'Makes the call cancellable: provider calls that have not been sent when the answer is due, or when the cancellation arrives, are withdrawn and cost nothing.',
  );

export const lookupBody = z
  .strictObject({
    family,
    by: z.enum(keySpellings).describe('How the keys are spelt; `url` is a profile URL, `auto` takes any.'),
    keys: z
      .array(z.string())
      .max(maxLookupKeys)
      .describe('As a person typed them.')
      .meta({ examples: [['acme.example', 'https://www.globex.example/']] }),
    fields,
    any_fields: anyFields,
    max_age_s: maxAge,
    max_credits: maxCredits,
    cancel_id: cancelId.exactOptional(),
    wait_ms: waitMs.describe(
      'Answer after so many milliseconds, with `pending` for what is still on its way.',
    ),
  })
  .refine(({ fields: named, keys }) => !named?.includes('*') || keys.length <= MAX_WHOLE_RECORDS, {
    path: ['keys'],
    message: `whole records come at most ${MAX_WHOLE_RECORDS} a call: name the fields you need`,
  }) satisfies z.ZodType<LookupRequest>;

/** Any JSON object. */
export const object = z.record(z.string(), z.unknown());

/** The three ways to say a query, each with the parts that stand beside it. */
function queried<Shape extends z.ZodRawShape>(others: Shape) {
  const rest = { ...others, any_fields: anyFields, known_values: knownValues };
  return z.union(
    [
      z.strictObject({
        ...rest,
        text: z
          .string()
          .min(1)
          .max(MAX_TEXT)
          .describe('Words with AND, OR, NOT, "phrases" and field:value.')
          .meta({ examples: ['name:acme'] }),
      }),
      z.strictObject({
        ...rest,
        filters: object.describe(
          'Named filters; only base companies, base employees and base jobs have them.',
        ),
      }),
      z.strictObject({
        ...rest,
        es_dsl: object.describe('A body of the query DSL, {"query": …, "sort": …}, or its query alone.'),
      }),
    ],
    {
      error:
        'say the query in exactly one of filters, es_dsl and text; other parts are named in /openapi.json',
    },
  );
}

const sort = z
  .enum(['id', '_score', 'last_updated', 'followers', 'size_employees_count'])
  .exactOptional()
  .describe('What the family sorts by; not each has all.');

const explainEmpty = z
  .boolean()
  .exactOptional()
  .describe('True: where nothing matches, count without each condition, at most eight; free.');

export const searchBody = queried({
  family,
  sort,
  items_per_page: z.int().min(1).max(MAX_PAGE_SIZE).exactOptional(),
  after: z.string().min(1).max(MAX_CURSOR).exactOptional().describe('Cursor from the page before.'),
  explain_empty: explainEmpty,
  wait_ms: waitMs.describe('Give up after so many milliseconds.'),
}) satisfies z.ZodType<SearchRequest>;

export const previewBody = queried({
  family,
  wait_ms: waitMs.describe('Answer after so many milliseconds, with the pages so far.'),
  page: z.int().min(1).max(previewMaxPage).exactOptional().describe('The first page.'),
  pages: z.int().min(1).max(maxPreviewPages).exactOptional().describe('How many pages.'),
  snapshot: z
    .string()
    .min(1)
    .max(MAX_CURSOR)
    .exactOptional()
    .describe('Of an earlier answer: keeps the pages of one ranking.'),
  fields,
  max_age_s: maxAge,
  max_credits: maxCredits,
  cancel_id: cancelId.exactOptional(),
}) satisfies z.ZodType<PreviewRequest>;

export const previewEstimateBody = queried({
  family,
  pages: z.int().min(1).max(previewMaxPage).describe('How many pages, from the first on.'),
  max_age_s: maxAge,
  explain_empty: explainEmpty,
  wait_ms: waitMs.describe('Give up after so many milliseconds.'),
}) satisfies z.ZodType<PreviewEstimateRequest>;

export const savedSearchBody = z.strictObject({
  name: line(maxSearchNameLength).min(1).describe('Different from the others of the same owner.'),
  family,
  query: queried({}),
  sort,
  columns: fieldPaths.describe('The columns to write.').exactOptional(),
  shared: z.boolean().describe('True: the whole team’s. False: of this token alone.'),
}) satisfies z.ZodType<SavedSearchRequest>;

const count = z.int().min(0);
const time = z.iso.datetime();

export const runBody = z
  .strictObject({
    id: z.uuid().toLowerCase().describe('Of the caller’s making: the same run sent again is kept once.'),
    kind: z.enum(runKinds).describe('What it did.'),
    title: line(maxRunTitleLength).min(1).describe('In words.'),
    family,
    rows: count.describe('Rows that were written.'),
    failed: count.describe('Rows that ended with a problem.'),
    credits: count.describe('Credits that it cost.'),
    saved: count.describe('Credits that memory saved.'),
    started_at: time,
    ended_at: time,
    state: z.enum(runStates).describe('How it ended.'),
    problem: z
      .enum(Object.keys(problems).filter(isProblemCode))
      .exactOptional()
      .describe('Why it stopped or failed.'),
  })
  .refine(({ started_at, ended_at }) => Date.parse(started_at) <= Date.parse(ended_at), {
    path: ['ended_at'],
    message: 'is before started_at',
  }) satisfies z.ZodType<Run>;
