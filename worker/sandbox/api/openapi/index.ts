// Generates the OpenAPI 3.1 description of the service from the table of operations.

import { type Family, families, getSubject } from '../../../../shared/families/index.ts';
import { previewMaxPage } from '../../../../shared/families/previews.ts';
import { previewFields } from '../../../../shared/families/registry.ts';
import { type BulkKind, fileOperations, type Operation, operations } from '../../../../shared/operations.ts';
import {
  describeRequestBody,
  describeResponse,
  describeSuccess,
  headers,
  type Json,
  pageHeaders,
  rateHeaders,
  recordHeaders,
  referToSchema,
  schemas,
} from './components.ts';

/** Provider API, "Versioning". */
const INTERFACE_VERSION = '1.0';

/** Error responses of every operation. */
const errorResponses: Json = {
  401: describeResponse('The key is missing or wrong', referToSchema('Message')),
  402: describeResponse('Insufficient credits', referToSchema('Detail')),
  422: describeResponse('Validation error', referToSchema('HTTPValidationError')),
  429: describeResponse('API rate limit exceeded', referToSchema('Message')),
};

/** Error response of operations with a body. */
const bodyErrorResponse: Json = {
  415: describeResponse('The body is compressed', referToSchema('Detail')),
};

/** Error response of operations with a DSL query. */
const queryErrorResponse: Json = {
  400: describeResponse('The query can’t be read', referToSchema('QueryError')),
};

function describeParameter(
  name: string,
  location: 'path' | 'query',
  schema: Json,
  description?: string,
): Json {
  return {
    name,
    in: location,
    required: location === 'path',
    schema,
    ...(description === undefined ? {} : { description }),
  };
}

const fieldsParameter = describeParameter(
  'fields',
  'query',
  { type: 'array', items: { type: 'string' } },
  'Limits the record to these.',
);

function getQuerySchema(family: Family, style: 'filter' | 'es_dsl'): Json {
  return referToSchema(style === 'filter' ? `${family}_filters` : 'DslQuery');
}

function describeBulkBody(family: Family, kind: BulkKind): Json {
  const commonProperties = { webhook_url: { type: 'string', format: 'uri' } };
  const queryProperties = { ...commonProperties, limit: { type: 'integer', minimum: 1 } };
  const list = { type: 'array', items: { type: kind === 'ids' ? 'integer' : 'string' } };
  switch (kind) {
    case 'filter':
      return describeRequestBody({
        type: 'object',
        required: ['filters'],
        properties: { ...queryProperties, filters: referToSchema(`${family}_filters`) },
      });
    case 'es_dsl':
      return describeRequestBody({
        type: 'object',
        required: ['es_dsl_query'],
        properties: { ...queryProperties, es_dsl_query: referToSchema('DslQuery') },
      });
    case 'id_file':
      return describeRequestBody(
        {
          type: 'object',
          required: ['ids_file'],
          properties: { ...commonProperties, ids_file: { type: 'string', format: 'binary' } },
        },
        'multipart/form-data',
      );
    default:
      return describeRequestBody(
        { type: 'object', required: [kind], properties: { ...commonProperties, [kind]: list } },
        'multipart/form-data',
      );
  }
}

function describeOperation(operation: Operation): Json {
  const { family, credits } = operation;
  const about = `${getSubject(family).label} (${families[family].variant})`;
  switch (operation.name) {
    case 'collect':
      return {
        summary: `Collect: ${about}`,
        description: `One record by ${operation.keys.join(' or ')}. ${credits} credits.`,
        parameters: [describeParameter('key', 'path', { type: 'string' }), fieldsParameter],
        responses: {
          200: describeSuccess('The record', { type: 'object' }, recordHeaders),
          404: describeResponse('No such record', referToSchema('Detail')),
          ...errorResponses,
        },
      };
    case 'enrich':
      return {
        summary: `Enrich: ${about}`,
        description: `One record by website. ${credits} credits.`,
        parameters: [
          { ...describeParameter('website', 'query', { type: 'string' }), required: true },
          fieldsParameter,
        ],
        responses: {
          200: describeSuccess('The record', { type: 'object' }, recordHeaders),
          404: describeResponse('No such record', referToSchema('Detail')),
          ...errorResponses,
        },
      };
    case 'search':
      return {
        summary: `Search: ${about}`,
        description: 'A page of record ids. Free.',
        parameters: [
          describeParameter('items_per_page', 'query', {
            type: 'integer',
            minimum: 1,
            maximum: 1000,
            default: 1000,
          }),
          describeParameter(
            'after',
            'query',
            { type: 'string' },
            'The x-next-page-after header of the page before.',
          ),
          ...(operation.style === 'filter'
            ? [describeParameter('sort', 'query', { enum: operation.sorts })]
            : []),
        ],
        requestBody: describeRequestBody(getQuerySchema(family, operation.style)),
        responses: {
          200: describeSuccess('Ids', { type: 'array', items: { type: 'integer' } }, [
            ...pageHeaders,
            ...recordHeaders,
          ]),
          ...bodyErrorResponse,
          ...queryErrorResponse,
          ...errorResponses,
        },
      };
    case 'preview': {
      const names = previewFields[family];
      const item = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) };
      return {
        summary: `Search preview: ${about}`,
        description: `A page of 20 records with a few fields, ranked by match. ${credits} credits.`,
        parameters: [
          describeParameter('page', 'query', {
            type: 'integer',
            minimum: 1,
            maximum: previewMaxPage,
            default: 1,
          }),
          describeParameter('snapshot', 'query', { type: 'boolean', default: false }),
          describeParameter('snapshot_token', 'query', { type: 'string' }),
        ],
        requestBody: describeRequestBody(getQuerySchema(family, operation.style)),
        responses: {
          200: describeSuccess('Items', { type: 'array', items: item }, [
            'x-snapshot-token',
            ...recordHeaders,
          ]),
          ...bodyErrorResponse,
          ...queryErrorResponse,
          ...errorResponses,
        },
      };
    }
    case 'bulk':
      return {
        summary: `Data request: ${about}`,
        description: `Makes downloadable files of up to 10,000 records. ${credits} credits a record.`,
        requestBody: describeBulkBody(family, operation.kind),
        responses: {
          201: describeSuccess(
            'Made',
            { type: 'object', properties: { request_id: { type: 'string', format: 'uuid' } } },
            ['location', ...rateHeaders],
          ),
          ...(operation.kind === 'es_dsl' ? queryErrorResponse : {}),
          ...bodyErrorResponse,
          409: describeResponse('An identical one is running', referToSchema('Detail')),
          ...errorResponses,
        },
      };
  }
}

/** Names an operation for client generators. */
function buildOperationId(operation: Operation): string {
  const { name, family } = operation;
  if (name === 'bulk') return `${family}_bulk_${operation.kind}`;
  return 'style' in operation ? `${family}_${name}_${operation.style}` : `${family}_${name}`;
}

const requestId = describeParameter('data_request_id', 'path', { type: 'string', format: 'uuid' });

const filePaths: Record<string, Json> = {
  [fileOperations.list.path]: {
    get: {
      operationId: 'files',
      summary: 'Files of a data request',
      parameters: [requestId],
      responses: {
        200: describeResponse('Names of the files', {
          type: 'object',
          properties: { data_request_files: { type: 'array', items: { type: 'string' } } },
        }),
        202: describeResponse('Still running', referToSchema('Message')),
        400: describeResponse('The query matched too much', referToSchema('QueryError')),
        404: describeResponse('No such request', referToSchema('Detail')),
        ...errorResponses,
      },
    },
  },
  [fileOperations.download.path]: {
    get: {
      operationId: 'download',
      summary: 'One file of a data request: gzipped JSON Lines',
      parameters: [requestId, describeParameter('file_name', 'path', { type: 'string' })],
      responses: {
        200: { description: 'The file', content: { 'application/gzip': {} } },
        404: describeResponse('No such file', referToSchema('Detail')),
        ...errorResponses,
      },
    },
  },
};

/**
 * Describes the whole service.
 * @param server - its base URL, ending in `/cdapi`
 */
export function buildOpenApi(server: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      [operation.method.toLowerCase()]: {
        operationId: buildOperationId(operation),
        tags: [operation.family],
        ...describeOperation(operation),
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Professional-data retrieval service', version: INTERFACE_VERSION },
    servers: [{ url: server }],
    security: [{ ApiKeyAuth: [] }],
    paths: { ...paths, ...filePaths },
    components: {
      securitySchemes: { ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'apikey' } },
      headers,
      schemas,
    },
  };
}
