// The parts of the service's description that its operations share: bodies, headers, answers.
import { filters } from '../../../../shared/families/registry.ts';
import type { Filter, FilterType } from '../../../../shared/query/filters.ts';

/** A part of a description. */
export type Json = Record<string, unknown>;

const filterSchema: Readonly<Record<FilterType, Json>> = {
  text: { type: 'string', description: 'Words with AND, OR, (groups), "exact phrases" and a trailing *.' },
  exact: { type: 'string' },
  host: { type: 'string', description: 'A website; its host counts.' },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  datetime: { type: 'string', description: 'YYYY-MM-DD HH:MM:SS' },
  date: { type: 'string', format: 'date' },
  month: { type: 'string', description: 'YYYY, YYYY-MM or YYYY-MM-DD' },
};

function filterObject(known: readonly Filter[]): Json {
  const properties = known.map(({ name, type, label }) => [name, { title: label, ...filterSchema[type] }]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

const dslBody: Json = {
  type: 'object',
  required: ['query'],
  properties: {
    query: { type: 'object', description: 'A clause of the query DSL.' },
    sort: {
      type: 'array',
      items: { type: 'string' },
      description: 'id or _score; of clean companies also followers or size_employees_count.',
    },
  },
  additionalProperties: false,
};

/** The bodies that requests and answers share, by name. */
export const schemas: Json = {
  HTTPValidationError: {
    type: 'object',
    properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } } },
  },
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      msg: { type: 'string' },
      type: { type: 'string' },
      ctx: { type: 'object' },
    },
  },
  Detail: { type: 'object', properties: { detail: { type: 'string' } } },
  QueryError: { type: 'object', properties: { Error: { type: 'string' } } },
  Message: { type: 'object', properties: { message: { type: 'string' } } },
  DslQuery: dslBody,
  ...Object.fromEntries(
    Object.entries(filters)
      .filter(([, known]) => known.length > 0)
      .map(([family, known]) => [`${family}_filters`, filterObject(known)]),
  ),
};

/** Points at one of {@link schemas}. */
export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: Json, type = 'application/json'): Json => ({ content: { [type]: { schema } } });
/** A body that a request must have. @param type - its media type, JSON if not given */
export const requestBody = (schema: Json, type?: string): Json => ({ required: true, ...body(schema, type) });
/** An answer, with its body if it has one. */
export const answer = (description: string, schema?: Json): Json => ({
  description,
  ...(schema && body(schema)),
});

const headerSchemas = {
  'x-credits-remaining': { type: 'integer', description: 'The balance.' },
  'x-ratelimit-limit-second': { type: 'integer', description: 'Calls that are answered in a second.' },
  'x-ratelimit-remaining-second': { type: 'integer' },
  'x-next-page-after': {
    type: 'string',
    description: 'The cursor to the next page; the last page has none.',
  },
  'x-total-pages': { type: 'integer' },
  'x-total-results': { type: 'integer' },
  'x-items-per-page': { type: 'integer' },
  'x-snapshot-token': { type: 'string', description: 'On page 1 with snapshot=true.' },
  location: { type: 'string', description: 'The path of the files, without the prefix /cdapi.' },
} as const satisfies Record<string, Json>;
/** A header that answers carry. */
export type HeaderName = keyof typeof headerSchemas;

/** Headers of every answer. */
export const rateHeaders: readonly HeaderName[] = [
  'x-ratelimit-limit-second',
  'x-ratelimit-remaining-second',
];
/** Headers of answers that may cost credits. */
export const recordHeaders: readonly HeaderName[] = ['x-credits-remaining', ...rateHeaders];
/** Headers of a page of ids. */
export const pageHeaders: readonly HeaderName[] = [
  'x-next-page-after',
  'x-total-pages',
  'x-total-results',
  'x-items-per-page',
];

/** An answer that is no refusal, with its headers. */
export function success(description: string, schema: Json, carried: readonly HeaderName[]): Json {
  const references = carried.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { ...answer(description, schema), headers: Object.fromEntries(references) };
}

/** The headers, as the description has them by name. */
export const headers: Json = Object.fromEntries(
  Object.entries(headerSchemas).map(([name, { description, ...schema }]: [string, Json]) => [
    name,
    { ...(description === undefined ? {} : { description }), schema },
  ]),
);
