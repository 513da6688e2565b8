// The schemas, headers and refusals that descriptions of the service's operations refer to.
import { familyNames, familyOperations, filters } from '../families/registry.ts';
import type { Filter, FilterType } from '../query/filters.ts';
import { type Header, schemaReference as reference, type Schema } from './document.ts';

const filterSchemas: Readonly<Record<FilterType, Schema>> = {
  text: { type: 'string', description: 'Words with AND, OR, (groups), "exact phrases" and a trailing *.' },
  exact: { type: 'string', description: 'The whole value.' },
  host: { type: 'string', description: 'A website; its host counts.' },
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
    description: 'Named filters; several narrow the result.',
    examples: [{ industry: 'software', country: '"United Kingdom"' }],
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** What DSL searches of some families can be sorted by, too. */
const additionalSorts = familyNames
  .flatMap((family) => {
    const { dslSorts = [] } = familyOperations[family];
    return dslSorts.length === 0 ? [] : `; of ${family} also ${dslSorts.join(' or ')}`;
  })
  .join('');

/** @returns the name of the schema of a family's filters */
export const getFilterSchemaName = (family: string): string => `${family}_filters`;

/** Schemas that the operations refer to; the first five are the service's four shapes of error. */
export const serviceSchemas: Readonly<Record<string, Schema>> = {
  HTTPValidationError: {
    type: 'object',
    description: 'What is wrong with the request, part by part.',
    properties: { detail: { type: 'array', items: reference('ValidationError') } },
  },
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { type: 'array', items: { type: ['string', 'integer'] }, description: 'Where it is.' },
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

/** Headers that tell about a page, and the one that says where a data request's files are. */
export const serviceHeaders = {
  'x-next-page-after': {
    description: 'The cursor to the next page; the last page has none.',
    schema: { type: 'string' },
  },
  'x-total-pages': { description: 'Pages in all.', schema: { type: 'integer' } },
  'x-total-results': { description: 'Records that match.', schema: { type: 'integer' } },
  'x-items-per-page': { description: 'Ids on a page.', schema: { type: 'integer' } },
  'x-snapshot-token': {
    description: 'On page 1 with snapshot=true: keeps the pages behind it in one ranking.',
    schema: { type: 'string' },
  },
  location: {
    description: 'The path of the files, without the prefix /cdapi.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Header>;
export type ServiceHeader = keyof typeof serviceHeaders;

/** What the service refuses with, by the reason: its status and which of the four shapes (contract, "Errors"). */
export const serviceErrors = {
  unreadable: { status: 400, description: 'The query can’t be read.', shape: 'QueryError' },
  unauthorised: { status: 401, description: 'The key is missing or wrong.', shape: 'Message' },
  credits: { status: 402, description: 'Insufficient credits.', shape: 'Detail' },
  missing: { status: 404, description: 'No such record; free.', shape: 'Detail' },
  identical: { status: 409, description: 'An identical request is running.', shape: 'Detail' },
  invalid: { status: 422, description: 'A part of the request is not valid.', shape: 'HTTPValidationError' },
  rate: { status: 429, description: 'Too many calls in a second.', shape: 'Message' },
} as const;
export type ServiceErrorReason = keyof typeof serviceErrors;
