// OpenAPI descriptions of the provider's operations. Gateway and sandbox add their own parts.

import { type Family, families, getSubject } from '../families/index.ts';
import { previewMaxPage, previewPageSize } from '../families/previews.ts';
import { previewFields } from '../families/registry.ts';
import {
  type BulkKind,
  type BulkOperation,
  type FileOperation,
  fileOperations,
  type Operation,
  operations,
  type QueryOperation,
  type RecordOperation,
} from '../operations.ts';
import {
  type OperationObject,
  type Parameter,
  type PathItem,
  type RequestBody,
  schemaReference as reference,
  type Schema,
} from './document.ts';
import { getFilterSchemaName, type ServiceErrorReason, type ServiceHeader } from './service-schemas.ts';

const commonErrors: readonly ServiceErrorReason[] = ['unauthorised', 'credits', 'invalid', 'rate'];

interface Success {
  status: 200 | 201 | 202;
  description: string;
  schema: Schema;
  headers: readonly ServiceHeader[];
  /** Media type. Default: JSON. */
  type?: string;
}

export interface ServiceOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: readonly Parameter[];
  requestBody?: RequestBody;
  successes: readonly Success[];
  errors: readonly ServiceErrorReason[];
}

function parameter(name: string, where: 'path' | 'query', schema: Schema, description: string): Parameter {
  return { name, in: where, required: where === 'path', description, schema };
}

function success(
  status: Success['status'],
  description: string,
  schema: Schema,
  headers: readonly ServiceHeader[] = [],
  type?: string,
): Success {
  return { status, description, schema, headers, ...(type === undefined ? {} : { type }) };
}

function requestBody(schema: Schema, type = 'application/json'): RequestBody {
  return { required: true, content: { [type]: { schema } } };
}

const fields = parameter(
  'fields',
  'query',
  { type: 'array', items: { type: 'string' } },
  'Limits the record to these fields. Repeat the parameter for each field.',
);

type OperationDetails = Omit<ServiceOperation, 'operationId' | 'summary'>;

const keyLabels = { id: 'id', shorthand_name: 'shorthand name or profile URL', website: 'website' } as const;

function describeRecord({ family, name, keys, keyParameter, credits }: RecordOperation): OperationDetails {
  const words = keys.map((kind) => keyLabels[kind]).join(', ');
  const sample = keys.includes('shorthand_name') ? 'acme' : '1234567';
  const key: Parameter =
    keyParameter === undefined
      ? parameter(
          'key',
          'path',
          { type: 'string', examples: [sample] },
          `The record’s ${words}, URL-encoded.`,
        )
      : {
          ...parameter(
            keyParameter,
            'query',
            { type: 'string', examples: ['acme.example'] },
            `Its ${words}.`,
          ),
          required: true,
        };
  return {
    description: `One whole record by ${words}. ${credits} credits${name === 'enrich' ? '; no match is free' : ''}.`,
    parameters: [key, fields],
    successes: [
      success(200, 'The record', {
        type: 'object',
        description: 'The whole record. New fields pass through.',
        examples: [Object.fromEntries(families[family].defaultFields.map((name) => [name, '…']))],
      }),
    ],
    errors: ['missing', ...commonErrors],
  };
}

function queryBody({ family, style }: QueryOperation): RequestBody {
  return requestBody(reference(style === 'filter' ? getFilterSchemaName(family) : 'DslQuery'));
}

const pageHeaders = ['x-next-page-after', 'x-total-pages', 'x-total-results', 'x-items-per-page'] as const;

function describeQuery(operation: QueryOperation): OperationDetails {
  const { name, family, style, sorts, credits } = operation;
  const refusals: readonly ServiceErrorReason[] = ['unreadable', ...commonErrors];
  if (name === 'preview') {
    const names = previewFields[family];
    const item: Schema = {
      type: 'object',
      properties: Object.fromEntries(names.map((field) => [field, {}])),
    };
    return {
      description: `A page of ${previewPageSize} records with a few fields, ranked by match. ${credits} credits.`,
      parameters: [
        parameter(
          'page',
          'query',
          { type: 'integer', minimum: 1, maximum: previewMaxPage, default: 1 },
          'Page number.',
        ),
        parameter(
          'snapshot',
          'query',
          { type: 'boolean', default: false },
          'On page 1: return a token that keeps the ranking.',
        ),
        parameter(
          'snapshot_token',
          'query',
          { type: 'string' },
          'On later pages: the x-snapshot-token header of page 1.',
        ),
      ],
      requestBody: queryBody(operation),
      successes: [success(200, 'Items', { type: 'array', items: item }, ['x-snapshot-token'])],
      errors: refusals,
    };
  }
  const sort = parameter('sort', 'query', { type: 'string', enum: sorts }, 'Sort order.');
  return {
    description: 'A page of record ids. Free.',
    parameters: [
      parameter(
        'items_per_page',
        'query',
        { type: 'integer', minimum: 1, maximum: 1000, default: 1000 },
        'Number of ids.',
      ),
      parameter('after', 'query', { type: 'string' }, 'The x-next-page-after header of the previous page.'),
      ...(style === 'filter' ? [sort] : []),
    ],
    requestBody: queryBody(operation),
    successes: [success(200, 'Ids', { type: 'array', items: { type: 'integer' } }, pageHeaders)],
    errors: refusals,
  };
}

const webhookProperty: Readonly<Record<string, Schema>> = {
  webhook_url: { type: 'string', format: 'uri', description: 'Called when the files are ready.' },
};
const limitedProperties: Readonly<Record<string, Schema>> = {
  ...webhookProperty,
  limit: { type: 'integer', minimum: 1, description: 'Maximum number of records.' },
};

function bulkSchema(family: Family, kind: BulkKind): Schema {
  switch (kind) {
    case 'filter': {
      const filters: Schema = reference(getFilterSchemaName(family));
      return { type: 'object', required: ['filters'], properties: { filters, ...limitedProperties } };
    }
    case 'es_dsl': {
      const properties = { es_dsl_query: reference('DslQuery'), ...limitedProperties };
      return { type: 'object', required: ['es_dsl_query'], properties };
    }
    case 'id_file': {
      const file: Schema = {
        type: 'string',
        format: 'binary',
        description: 'One id per line, without a heading.',
      };
      return { type: 'object', required: ['ids_file'], properties: { ids_file: file, ...webhookProperty } };
    }
    default: {
      const list: Schema = { type: 'array', items: { type: kind === 'ids' ? 'integer' : 'string' } };
      return { type: 'object', required: [kind], properties: { [kind]: list, ...webhookProperty } };
    }
  }
}

function describeBulk({ family, kind, credits }: BulkOperation): OperationDetails {
  const isJson = kind === 'filter' || kind === 'es_dsl';
  const type = isJson ? 'application/json' : 'multipart/form-data';
  const created: Schema = { type: 'object', properties: { request_id: { type: 'string', format: 'uuid' } } };
  return {
    description: `Creates downloadable files of up to 10,000 records. ${credits} credits per record.`,
    requestBody: requestBody(bulkSchema(family, kind), type),
    successes: [success(201, 'Created', created, ['location'])],
    errors: [...(kind === 'es_dsl' ? (['unreadable'] as const) : []), 'identical', ...commonErrors],
  };
}

const verbs: Readonly<Record<Operation['name'], string>> = {
  collect: 'Collect',
  enrich: 'Enrich',
  search: 'Search',
  preview: 'Search preview',
  bulk: 'Data request',
};

/** Returns the query style or bulk kind of an operation. */
function getStyle(operation: Operation): string | undefined {
  if (operation.name === 'bulk') return operation.kind;
  return 'style' in operation ? operation.style : undefined;
}

export function describeOperation(operation: Operation): ServiceOperation {
  const { name, family } = operation;
  const style = getStyle(operation);
  const about = `${getSubject(family).label} (${families[family].variant})`;
  const details =
    operation.name === 'bulk'
      ? describeBulk(operation)
      : 'style' in operation
        ? describeQuery(operation)
        : describeRecord(operation);
  return {
    operationId: [family, name, ...(style === undefined ? [] : [style])].join('_'),
    summary: `${verbs[name]}: ${about}${style === undefined ? '' : `, by ${style}`}`,
    ...details,
  };
}

const dataRequest = parameter(
  'data_request_id',
  'path',
  { type: 'string', format: 'uuid' },
  'The request_id from the response that created it.',
);

/** The operations that read the files of a data request. */
const files: Readonly<Record<FileOperation['name'], ServiceOperation>> = {
  list: {
    operationId: 'files',
    summary: 'Files of a data request',
    description: 'Free.',
    parameters: [dataRequest],
    successes: [
      success(200, 'The file names.', {
        type: 'object',
        required: ['data_request_files'],
        properties: { data_request_files: { type: 'array', items: { type: 'string' } } },
      }),
      success(202, 'The data request is still running.', reference('Message')),
    ],
    errors: ['unbounded', 'absent', ...commonErrors],
  },
  download: {
    operationId: 'download',
    summary: 'One file of a data request: gzipped JSON Lines',
    description: 'Free.',
    parameters: [dataRequest, parameter('file_name', 'path', { type: 'string' }, 'From the list.')],
    successes: [
      success(200, 'Gzipped JSON Lines.', { type: 'string', format: 'binary' }, [], 'application/gzip'),
    ],
    errors: ['absent', ...commonErrors],
  },
};

/**
 * Describes the paths of an API that offers the service.
 * @param describe - adds what the API has besides the service
 */
export function describeService(
  prefix: string,
  describe: (described: ServiceOperation, operation: Operation | FileOperation) => OperationObject,
): Record<string, PathItem> {
  return Object.fromEntries([
    ...operations.map((operation) => [
      prefix + operation.path,
      { [operation.method.toLowerCase()]: describe(describeOperation(operation), operation) },
    ]),
    ...Object.values(fileOperations).map((operation) => [
      prefix + operation.path,
      { get: describe(files[operation.name], operation) },
    ]),
  ]);
}
