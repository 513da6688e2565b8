// Translates queries of the add-on into the provider's, and the provider's errors into sentences.
import * as z from 'zod';
import { maxQueryLength, type Query } from '../../shared/api/query.ts';
import type { Family } from '../../shared/families/index.ts';
import { formatNumber } from '../../shared/lib/format-count.ts';
import { operations, type QueryOperation, type SortField } from '../../shared/operations.ts';
import { type ProblemCode, problems } from '../../shared/problems.ts';
import { expandKnownValuesInQuery } from '../../shared/query/known-expressions.ts';
import { describeUnknownQueryFields } from '../../shared/query/known-fields.ts';
import { ProblemError } from '../http/problem-error.ts';
import { parseJson } from '../lib/exact-json.ts';
import type { PageFailure } from './search-pages.ts';
import type { RawResponse } from './upstream/upstream.ts';

const TEXT_FIX = `${problems.unknown_field.fix} Put a text that holds a colon into quotes.`;

/** What is around a query that is as long as it may be. */
const FRAME_LENGTH = 100;
const TOO_LONG = `The query is longer than ${formatNumber(maxQueryLength)} characters. Known values may have made it longer.`;

export interface ProviderQuery {
  operation: QueryOperation;
  parameters: URLSearchParams;
  body: string;
}

function findQueryOperation(name: 'search' | 'preview', family: Family, query: Query): QueryOperation {
  const style = 'filters' in query ? 'filter' : 'es_dsl';
  const found = operations.find(
    (operation): operation is QueryOperation =>
      operation.name === name && operation.family === family && operation.style === style,
  );
  if (found !== undefined) return found;
  const isSearchable = operations.some((operation) => operation.name === name && operation.family === family);
  throw new ProblemError(
    'invalid_request',
    isSearchable
      ? `filters: ${family} has none; say it as es_dsl or text.`
      : `family: ${family} can't be searched.`,
  );
}

/**
 * Refuses unknown fields before anything is bought.
 * @param unknown - a sentence that names them; undefined if all fields are known
 * @throws ProblemError `unknown_field`
 */
export function rejectUnknownFields(unknown: string | undefined, fix?: string): void {
  if (unknown !== undefined) throw new ProblemError('unknown_field', unknown, fix);
}

/**
 * Refuses a query with unknown fields or filters, unless it sets `any_fields`.
 * @throws ProblemError `unknown_field`
 */
export function rejectUnknownQueryFields(family: Family, query: Query): void {
  if (query.any_fields !== true)
    rejectUnknownFields(describeUnknownQueryFields(family, query), 'text' in query ? TEXT_FIX : undefined);
}

/**
 * Builds the provider's query.
 * @throws ProblemError `invalid_request` for a kind of query or a sort field that the family lacks; `unknown_field`
 */
export function buildProviderQuery(
  name: 'search' | 'preview',
  family: Family,
  input: Query,
  sort?: SortField,
): ProviderQuery {
  const query = input.known_values === true ? expandKnownValuesInQuery(input) : input;
  const operation = findQueryOperation(name, family, query);
  if (sort !== undefined && !operation.sorts.includes(sort)) {
    throw new ProblemError('invalid_request', `sort: ${family} sorts by ${operation.sorts.join(', ')}.`);
  }
  rejectUnknownQueryFields(family, query);
  const parameters = new URLSearchParams();
  if ('filters' in query) {
    if (sort !== undefined) parameters.set('sort', sort);
    return { operation, parameters, body: JSON.stringify(query.filters) };
  }
  const dsl =
    'text' in query
      ? { query: { query_string: { query: query.text } } }
      : 'query' in query.es_dsl
        ? query.es_dsl
        : { query: query.es_dsl };
  const body = JSON.stringify(sort === undefined ? dsl : { ...dsl, sort: [sort] });
  if (body.length > maxQueryLength + FRAME_LENGTH) throw new ProblemError('invalid_request', TOO_LONG);
  return { operation, parameters, body };
}

const issueSchema = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() });
const errorBodySchema = z.union([
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z
    .object({ detail: z.array(issueSchema).min(1) })
    .transform(({ detail }) =>
      detail.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'body'}: ${msg}`).join('; '),
    ),
  z.object({ Error: z.string() }).transform((body) => body.Error),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

/**
 * Extracts the provider's error message from any of its four error bodies (provider API, "Errors"), as a sentence.
 * @returns undefined if there is none
 */
export function parseProviderMessage(answer: RawResponse | undefined): string | undefined {
  const message = errorBodySchema.safeParse(parseJson(answer?.body ?? '')).data;
  return message?.replace(/[^.!?\s]$/, '$&.');
}

/** The query that the provider can't parse, and a word in it with a slash. */
const BROKEN_QUERY = 'Failed to parse query [';
const WORD_WITH_SLASH = /(?<![^\s"():])[^\s"():][^\s"():/]*\/[^\s"():]+/;

/** Finds what to do about the provider's message. In its queries, a slash outside of quotes begins a regular expression. */
export function findQueryFix(message: string | undefined): string | undefined {
  const [, broken = ''] = (message ?? '').split(BROKEN_QUERY, 2);
  const query = broken.slice(0, Math.max(0, broken.lastIndexOf(']')));
  const word = WORD_WITH_SLASH.exec(query.replace(/"[^"]*"/g, ''))?.[0];
  return word === undefined ? undefined : `Put a text with a slash into quotes: "${word}".`;
}

/** Creates the error for a page that the provider has refused, with its message. */
export function createPageError(problem: ProblemCode, answer: RawResponse | undefined): ProblemError {
  const message = parseProviderMessage(answer);
  return new ProblemError(problem, message, findQueryFix(message));
}

/** @throws ProblemError if the other queries of the call would fail in the same way: caller and conditions are the same */
export function throwSharedProblem({ problem, answer }: PageFailure): void {
  const { status } = problems[problem].policy;
  if (status === 401 || status === 422) throw createPageError(problem, answer);
}
