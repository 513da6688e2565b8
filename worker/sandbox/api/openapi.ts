// Generates the OpenAPI 3.1 description of the service from the table of operations.
import {
  type Header,
  headerReferences,
  type OpenApiDocument,
  type OperationObject,
  type PathItem,
  type ResponseObject,
  type Schema,
  schemaReference,
} from '../../../shared/openapi/document.ts';
import { describeOperation, fileDescriptions } from '../../../shared/openapi/service-operations.ts';
import {
  type ServiceErrorReason,
  serviceErrors,
  serviceHeaders,
  serviceSchemas,
} from '../../../shared/openapi/service-schemas.ts';
import { type Operation, operations } from '../../../shared/operations.ts';

/** Provider API, "Versioning". */
const INTERFACE_VERSION = '1.0';

const headers: Readonly<Record<string, Header>> = {
  ...serviceHeaders,
  'x-credits-remaining': { description: 'The balance.', schema: { type: 'integer' } },
  'x-ratelimit-limit-second': {
    description: 'Calls that are answered in a second.',
    schema: { type: 'integer' },
  },
  'x-ratelimit-remaining-second': {
    description: 'Remaining calls in this second.',
    schema: { type: 'integer' },
  },
};

/** Headers of every response of an operation. */
const rateHeaders = ['x-ratelimit-limit-second', 'x-ratelimit-remaining-second'];

function describeResponse(
  description: string,
  schema: Schema,
  headerNames: readonly string[] = [],
): ResponseObject {
  return {
    description,
    headers: headerReferences(headerNames),
    content: { 'application/json': { schema } },
  };
}

function describeErrors(reasons: readonly ServiceErrorReason[]): Record<string, ResponseObject> {
  return Object.fromEntries(
    reasons.map((reason) => {
      const { status, description, shape } = serviceErrors[reason];
      return [String(status), describeResponse(description, schemaReference(shape))];
    }),
  );
}

function describeOne(operation: Operation): OperationObject {
  const { family, requestBody, success, errors, ...description } = describeOperation(operation);
  const names = [
    ...success.headers,
    ...(operation.name === 'bulk' ? [] : ['x-credits-remaining']),
    ...rateHeaders,
  ];
  return {
    ...description,
    tags: [family],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [success.status]: describeResponse(success.description, success.schema, names),
      ...(requestBody === undefined
        ? {}
        : { 415: describeResponse('The body is compressed.', schemaReference('Detail')) }),
      ...describeErrors(errors),
    },
  };
}

function describeFiles(
  { operationId, summary, parameters }: (typeof fileDescriptions)[keyof typeof fileDescriptions],
  responses: Readonly<Record<string, ResponseObject>>,
): PathItem {
  const errors = describeErrors(['unauthorised', 'credits', 'invalid', 'rate']);
  const missing = describeResponse('The data request or file does not exist.', schemaReference('Detail'));
  const get = { operationId, summary, tags: [], parameters };
  return { get: { ...get, responses: { ...responses, 404: missing, ...errors } } };
}

const fileNames: Schema = {
  type: 'object',
  properties: { data_request_files: { type: 'array', items: { type: 'string' } } },
};

/**
 * Describes the whole service.
 * @param server - its base URL, ending in `/cdapi`
 */
export function buildOpenApi(server: string): OpenApiDocument {
  const { list, download } = fileDescriptions;
  return {
    openapi: '3.1.0',
    info: { title: 'Professional-data retrieval service', version: INTERFACE_VERSION },
    servers: [{ url: server }],
    security: [{ ApiKeyAuth: [] }],
    paths: {
      ...Object.fromEntries(
        operations.map((operation) => [
          operation.path,
          { [operation.method.toLowerCase()]: describeOne(operation) },
        ]),
      ),
      [list.path]: describeFiles(list, {
        200: describeResponse('The file names.', fileNames),
        202: describeResponse('The data request is still running.', schemaReference('Message')),
        400: describeResponse('The query matched too much.', schemaReference('QueryError')),
      }),
      [download.path]: describeFiles(download, {
        200: { description: 'Gzipped JSON Lines.', content: { 'application/gzip': {} } },
      }),
    },
    components: {
      securitySchemes: { ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'apikey' } },
      headers,
      schemas: serviceSchemas,
    },
  };
}
