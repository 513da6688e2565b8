// Schemas, headers and errors of the provider's operations, for OpenAPI.
import { dslSorts, familyNames, filters } from '../families/registry.ts';
import type { Filter, FilterType } from '../query/filters.ts';
import { type Header, schemaReference as reference, type Schema } from './document.ts';

const filterSchemas: Readonly<Record<FilterType, Schema>> = {
  text: { type: 'string', description: 'Words with AND, OR, (groups), "exact phrases" and a trailing *.' },
  exact: { type: 'string', description: 'The whole value.' },
  host: { type: 'string', description: 'A website, compared by host.' },
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  datetime: { type: 'string', description: 'YYYY-MM-DD HH:MM:SS' },
  date: { type: 'string', format: 'date' },
  month: { type: 'string', description: 'YYYY, YYYY-MM or YYYY-MM-DD' },
};

function toFilterObjectSchema(known: readonly Filter[]): Schema {
  const properties = known.map(({ name, type, label }) => [name, { title: label, ...filterSchemas[type] }]);
  return {
    type: 'object',
    description: 'Named filters. Records must match all of them.',
    examples: [{ industry: 'software', country: '"United Kingdom"' }],
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** Additional sort orders of some families, as text. */
const additionalSorts = familyNames
  .flatMap((family) => {
    const sorts = dslSorts[family] ?? [];
    return sorts.length === 0 ? [] : `; of ${family} also ${sorts.join(' or ')}`;
  })
  .join('');

export const getFilterSchemaName = (family: string): string => `${family}_filters`;

/** Component schemas. The first five are the service's four error formats. */
export const serviceSchemas: Readonly<Record<string, Schema>> = {
  HTTPValidationError: {
    type: 'object',
    description: 'Validation errors of the request.',
    properties: { detail: { type: 'array', items: reference('ValidationError') } },
  },
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: {
        type: 'array',
        items: { type: ['string', 'integer'] },
        description: 'Path of the invalid part.',
      },
      msg: { type: 'string' },
      type: { type: 'string' },
      ctx: { type: 'object' },
    },
  },
  Detail: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
  QueryError: { type: 'object', required: ['Error'], properties: { Error: { type: 'string' } } },
  Message: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
  DslQuery: {
    type: 'object',
    required: ['query'],
    properties: {
      query: {
        type: 'object',
        description: 'A clause of the query DSL.',
        examples: [{ match: { name: 'acme' } }],
      },
      sort: {
        type: 'array',
        items: { type: 'string' },
        description: `id or _score${additionalSorts}.`,
        examples: [['_score']],
      },
    },
    additionalProperties: false,
  },
  ...Object.fromEntries(
    Object.entries(filters)
      .filter(([, known]) => known.length > 0)
      .map(([family, known]) => [getFilterSchemaName(family), toFilterObjectSchema(known)]),
  ),
};

/** Headers of pages, and the location of a data request's files. */
export const serviceHeaders = {
  'x-next-page-after': {
    description: 'Cursor of the next page. Absent on the last page.',
    schema: { type: 'string' },
  },
  'x-total-pages': { description: 'Number of pages.', schema: { type: 'integer' } },
  'x-total-results': { description: 'Number of matching records.', schema: { type: 'integer' } },
  'x-items-per-page': { description: 'Ids per page.', schema: { type: 'integer' } },
  'x-snapshot-token': {
    description: 'On page 1 with snapshot=true: a token that keeps later pages in the same ranking.',
    schema: { type: 'string' },
  },
  location: {
    description: 'Path of the files, without the prefix /cdapi.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Header>;
export type ServiceHeader = keyof typeof serviceHeaders;

/** Errors of the service by reason: status and error format (provider API, "Errors"). */
export const serviceErrors = {
  unreadable: { status: 400, description: 'The query is malformed.', shape: 'QueryError' },
  unauthorised: { status: 401, description: 'The key is missing or wrong.', shape: 'Message' },
  credits: { status: 402, description: 'Insufficient credits.', shape: 'Detail' },
  missing: { status: 404, description: 'The record does not exist. Free.', shape: 'Detail' },
  absent: { status: 404, description: 'The data request or file does not exist.', shape: 'Detail' },
  unbounded: { status: 400, description: 'The query matched too much.', shape: 'QueryError' },
  identical: { status: 409, description: 'An identical data request is running.', shape: 'Detail' },
  invalid: {
    status: 422,
    description: 'The request is not valid, or its text can’t be decoded.',
    shape: 'HTTPValidationError',
  },
  rate: { status: 429, description: 'Too many calls per second.', shape: 'Message' },
} as const;
export type ServiceErrorReason = keyof typeof serviceErrors;
