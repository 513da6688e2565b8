// Shared parts of the OpenAPI description: bodies, headers, responses.
import { filters } from '../../../../shared/families/registry.ts';
import type { Filter, FilterType } from '../../../../shared/query/filters.ts';

/** A part of the description. */
export type Json = Record<string, unknown>;

const filterSchemas: Readonly<Record<FilterType, Json>> = {
  text: { type: 'string', description: 'Words with AND, OR, (groups), "exact phrases" and a trailing *.' },
  exact: { type: 'string' },
  host: { type: 'string', description: 'A website; its host counts.' },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  datetime: { type: 'string', description: 'YYYY-MM-DD HH:MM:SS' },
  date: { type: 'string', format: 'date' },
  month: { type: 'string', description: 'YYYY, YYYY-MM or YYYY-MM-DD' },
};

function buildFilterSchema(definitions: readonly Filter[]): Json {
  const properties = definitions.map(({ name, type, label }) => [
    name,
    { title: label, ...filterSchemas[type] },
  ]);
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

/** The schemas of bodies, by name. */
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
      .map(([family, known]) => [`${family}_filters`, buildFilterSchema(known)]),
  ),
};

/** References one of {@link schemas}. */
export const referToSchema = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const describeBody = (schema: Json, type = 'application/json'): Json => ({ content: { [type]: { schema } } });
/** Describes a required body. @param type - its media type; JSON by default */
export const describeRequestBody = (schema: Json, type?: string): Json => ({
  required: true,
  ...describeBody(schema, type),
});
/** Describes a response. */
export const describeResponse = (description: string, schema?: Json): Json => ({
  description,
  ...(schema && describeBody(schema)),
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
/** A response header. */
export type HeaderName = keyof typeof headerSchemas;

/** Headers of every response. */
export const rateHeaders: readonly HeaderName[] = [
  'x-ratelimit-limit-second',
  'x-ratelimit-remaining-second',
];
/** Headers of responses of paid operations. */
export const recordHeaders: readonly HeaderName[] = ['x-credits-remaining', ...rateHeaders];
/** Headers of a page of ids. */
export const pageHeaders: readonly HeaderName[] = [
  'x-next-page-after',
  'x-total-pages',
  'x-total-results',
  'x-items-per-page',
];

/** Describes a successful response with its headers. */
export function describeSuccess(description: string, schema: Json, headerNames: readonly HeaderName[]): Json {
  const references = headerNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { ...describeResponse(description, schema), headers: Object.fromEntries(references) };
}

/** The headers, by name. */
export const headers: Json = Object.fromEntries(
  Object.entries(headerSchemas).map(([name, { description, ...schema }]: [string, Json]) => [
    name,
    { ...(description === undefined ? {} : { description }), schema },
  ]),
);
