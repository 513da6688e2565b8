// The query of searches, previews, saved searches and tables: text, filters or DSL.
import * as z from 'zod';
import { sortFields } from '../families/definition.ts';
import { formatNumber } from '../lib/format-count.ts';
import { anyFields, count, namesObject } from './common.ts';

/** Characters of a DSL query, as text or as JSON without white space. Contract, "Credits and limits". */
export const maxQueryLength = 15_000;

/** Characters of filters as JSON: lists of values may be longer than a query. */
const maxFiltersLength = 100_000;

/** Limits the length of an object as JSON. */
const limited = (max: number) =>
  namesObject.refine((value) => JSON.stringify(value).length <= max, {
    error: `is longer than ${formatNumber(max)} characters`,
  });

const knownValues = z
  .boolean()
  .exactOptional()
  .describe(
    'True: known values match regardless of case, and countries match by ISO code and alias. Applies to text filters and to `match` clauses in the top-level `bool.filter` of a body.',
  );

/** The ways to state a query. */
export const queryParts = {
  text: z
    .string()
    .min(1)
    .max(maxQueryLength)
    .describe('Words with AND, OR, NOT, "phrases" and field:value.')
    .meta({ examples: ['name:acme'] }),
  filters: limited(maxFiltersLength).describe(
    'Named filters. Only company_base, employee_base and job_base support them.',
  ),
  es_dsl: limited(maxQueryLength).describe('A DSL body {"query": …, "sort": …}, or only its query.'),
};

/**
 * Creates the schema of a body with a query.
 * @param others - the other members of the body
 */
export function withQuery<Shape extends z.ZodRawShape>(others: Shape) {
  const members = { ...others, any_fields: anyFields, known_values: knownValues };
  return z.union(
    [
      z.strictObject({ ...members, text: queryParts.text }),
      z.strictObject({ ...members, filters: queryParts.filters }),
      z.strictObject({ ...members, es_dsl: queryParts.es_dsl }),
    ],
    {
      error: 'use exactly one of filters, es_dsl and text; /openapi.json lists the other members',
    },
  );
}

export const query = withQuery({});
export type Query = z.infer<typeof query>;

export const sort = z
  .enum(sortFields)
  .exactOptional()
  .describe('Sort order. Families support different ones.');

export const explainEmpty = z
  .boolean()
  .exactOptional()
  .describe('True: if nothing matches, also count the matches without each condition (at most eight). Free.');

const relaxedCount = z.object({
  condition: z.string().describe('The removed filter or field.'),
  total: count,
});
export type RelaxedCount = z.infer<typeof relaxedCount>;

export const relaxedCounts = z
  .array(relaxedCount)
  .exactOptional()
  .describe('Matches without each condition. Present if `explain_empty` is set and nothing matches.');
