// The machine-readable description of the service (OpenAPI 3.1), made of the table of operations.

import { type Family, families, getSubject } from '../../../../shared/families/index.ts';
import { previewMaxPage } from '../../../../shared/families/previews.ts';
import { previewFields } from '../../../../shared/families/registry.ts';
import { type BulkKind, fileOperations, type Operation, operations } from '../../../../shared/operations.ts';
import {
  answer,
  headers,
  type Json,
  pageHeaders,
  rateHeaders,
  recordHeaders,
  reference,
  requestBody,
  schemas,
  success,
} from './components.ts';

/** Service description, "Versioning". */
const INTERFACE_VERSION = '1.0';

/** What every operation can answer beside a 200. */
const refusals: Json = {
  401: answer('The key is missing or wrong', reference('Message')),
  402: answer('Insufficient credits', reference('Detail')),
  422: answer('Validation error', reference('HTTPValidationError')),
  429: answer('API rate limit exceeded', reference('Message')),
};

/** What a query of the DSL can be answered, too. */
const unreadable: Json = { 400: answer('The query can’t be read', reference('QueryError')) };

function parameter(name: string, where: 'path' | 'query', schema: Json, description?: string): Json {
  return {
    name,
    in: where,
    required: where === 'path',
    schema,
    ...(description === undefined ? {} : { description }),
  };
}

const fields = parameter(
  'fields',
  'query',
  { type: 'array', items: { type: 'string' } },
  'Limits the record to these.',
);

function querySchema(family: Family, style: 'filter' | 'es_dsl'): Json {
  return reference(style === 'filter' ? `${family}_filters` : 'DslQuery');
}

function bulkBody(family: Family, kind: BulkKind): Json {
  const common = { webhook_url: { type: 'string', format: 'uri' } };
  const limited = { ...common, limit: { type: 'integer', minimum: 1 } };
  const list = { type: 'array', items: { type: kind === 'ids' ? 'integer' : 'string' } };
  switch (kind) {
    case 'filter':
      return requestBody({
        type: 'object',
        required: ['filters'],
        properties: { ...limited, filters: reference(`${family}_filters`) },
      });
    case 'es_dsl':
      return requestBody({
        type: 'object',
        required: ['es_dsl_query'],
        properties: { ...limited, es_dsl_query: reference('DslQuery') },
      });
    case 'id_file':
      return requestBody(
        {
          type: 'object',
          required: ['ids_file'],
          properties: { ...common, ids_file: { type: 'string', format: 'binary' } },
        },
        'multipart/form-data',
      );
    default:
      return requestBody(
        { type: 'object', required: [kind], properties: { ...common, [kind]: list } },
        'multipart/form-data',
      );
  }
}

function describe(operation: Operation): Json {
  const { family, credits } = operation;
  const about = `${getSubject(family).label} (${families[family].variant})`;
  switch (operation.name) {
    case 'collect':
      return {
        summary: `Collect: ${about}`,
        description: `One record by ${operation.keys.join(' or ')}. ${credits} credits.`,
        parameters: [parameter('key', 'path', { type: 'string' }), fields],
        responses: {
          200: success('The record', { type: 'object' }, recordHeaders),
          404: answer('No such record', reference('Detail')),
          ...refusals,
        },
      };
    case 'enrich':
      return {
        summary: `Enrich: ${about}`,
        description: `One record by website. ${credits} credits.`,
        parameters: [{ ...parameter('website', 'query', { type: 'string' }), required: true }, fields],
        responses: {
          200: success('The record', { type: 'object' }, recordHeaders),
          404: answer('No such record', reference('Detail')),
          ...refusals,
        },
      };
    case 'search':
      return {
        summary: `Search: ${about}`,
        description: 'A page of record ids. Free.',
        parameters: [
          parameter('items_per_page', 'query', { type: 'integer', minimum: 1, maximum: 1000, default: 1000 }),
          parameter('after', 'query', { type: 'string' }, 'The x-next-page-after header of the page before.'),
          ...(operation.style === 'filter' ? [parameter('sort', 'query', { enum: operation.sorts })] : []),
        ],
        requestBody: requestBody(querySchema(family, operation.style)),
        responses: {
          200: success('Ids', { type: 'array', items: { type: 'integer' } }, [
            ...pageHeaders,
            ...recordHeaders,
          ]),
          ...unreadable,
          ...refusals,
        },
      };
    case 'preview': {
      const names = previewFields[family];
      const item = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) };
      return {
        summary: `Search preview: ${about}`,
        description: `A page of 20 records with a few fields, ranked by match. ${credits} credits.`,
        parameters: [
          parameter('page', 'query', { type: 'integer', minimum: 1, maximum: previewMaxPage, default: 1 }),
          parameter('snapshot', 'query', { type: 'boolean', default: false }),
          parameter('snapshot_token', 'query', { type: 'string' }),
        ],
        requestBody: requestBody(querySchema(family, operation.style)),
        responses: {
          200: success('Items', { type: 'array', items: item }, ['x-snapshot-token', ...recordHeaders]),
          ...unreadable,
          ...refusals,
        },
      };
    }
    case 'bulk':
      return {
        summary: `Data request: ${about}`,
        description: `Makes downloadable files of up to 10,000 records. ${credits} credits a record.`,
        requestBody: bulkBody(family, operation.kind),
        responses: {
          201: success(
            'Made',
            { type: 'object', properties: { request_id: { type: 'string', format: 'uuid' } } },
            ['location', ...rateHeaders],
          ),
          ...(operation.kind === 'es_dsl' ? unreadable : {}),
          409: answer('An identical one is running', reference('Detail')),
          ...refusals,
        },
      };
  }
}

/** A name for each operation, as generators of clients want one. */
function nameOf(operation: Operation): string {
  const { name, family } = operation;
  if (name === 'bulk') return `${family}_bulk_${operation.kind}`;
  return 'style' in operation ? `${family}_${name}_${operation.style}` : `${family}_${name}`;
}

const requestId = parameter('data_request_id', 'path', { type: 'string', format: 'uuid' });

const files: Record<string, Json> = {
  [fileOperations.list.path]: {
    get: {
      operationId: 'files',
      summary: 'Files of a data request',
      parameters: [requestId],
      responses: {
        200: answer('Names of the files', {
          type: 'object',
          properties: { data_request_files: { type: 'array', items: { type: 'string' } } },
        }),
        202: answer('Still running', reference('Message')),
        400: answer('The query matched too much', reference('QueryError')),
        404: answer('No such request', reference('Detail')),
        ...refusals,
      },
    },
  },
  [fileOperations.download.path]: {
    get: {
      operationId: 'download',
      summary: 'One file of a data request: gzipped JSON Lines',
      parameters: [requestId, parameter('file_name', 'path', { type: 'string' })],
      responses: {
        200: { description: 'The file', content: { 'application/gzip': {} } },
        404: answer('No such file', reference('Detail')),
        ...refusals,
      },
    },
  },
};

/**
 * Describes the whole service.
 * @param server - the address that ends in `/cdapi`
 */
export function openApi(server: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      [operation.method.toLowerCase()]: {
        operationId: nameOf(operation),
        tags: [operation.family],
        ...describe(operation),
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Professional-data retrieval service', version: INTERFACE_VERSION },
    servers: [{ url: server }],
    security: [{ ApiKeyAuth: [] }],
    paths: { ...paths, ...files },
    components: {
      securitySchemes: { ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'apikey' } },
      headers,
      schemas,
    },
  };
}
