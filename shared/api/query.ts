// A query in one of its three ways, as searches, previews, saved searches and tables hold it.
import * as z from 'zod';
import type { SortField } from '../operations.ts';
import { anyFields, count, jsonObject } from './common.ts';

/** Contract, "Credits and limits". */
const MAX_TEXT = 15_000;

const knownValues = z
  .boolean()
  .exactOptional()
  .describe(
    'True: known values match in any case, and countries by their ISO codes and other names, in text filters and in `match` conditions of `bool.filter` at the top of a body.',
  );

/**
 * Makes the schema of a body that holds a query.
 * @param others - the members beside the query
 */
export function withQuery<Shape extends z.ZodRawShape>(others: Shape) {
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
        filters: jsonObject.describe(
          'Named filters; only base companies, base employees and base jobs have them.',
        ),
      }),
      z.strictObject({
        ...rest,
        es_dsl: jsonObject.describe('A body of the query DSL, {"query": …, "sort": …}, or its query alone.'),
      }),
    ],
    {
      error:
        'say the query in exactly one of filters, es_dsl and text; other parts are named in /openapi.json',
    },
  );
}

export const query = withQuery({});
export type Query = z.infer<typeof query>;

const sortFields = [
  'id',
  '_score',
  'last_updated',
  'followers',
  'size_employees_count',
] as const satisfies readonly SortField[];

export const sort = z
  .enum(sortFields)
  .exactOptional()
  .describe('What the family sorts by; not each has all.');

export const explainEmpty = z
  .boolean()
  .exactOptional()
  .describe('True: where nothing matches, count without each condition, at most eight; free.');

const relaxedCount = z.object({ condition: z.string().describe('The filter or field.'), total: count });
export type RelaxedCount = z.infer<typeof relaxedCount>;

export const relaxedCounts = z
  .array(relaxedCount)
  .exactOptional()
  .describe('How many match without one of the conditions, where that was asked and nothing matches.');
