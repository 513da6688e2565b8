// Generates the OpenAPI 3.1 description of the service from the table of operations.
import {
  describeResponse,
  type Header,
  type OpenApiDocument,
  type OperationObject,
  schemaReference,
} from '../../../shared/openapi/document.ts';
import { describeService, type ServiceOperation } from '../../../shared/openapi/service-operations.ts';
import { serviceErrors, serviceHeaders, serviceSchemas } from '../../../shared/openapi/service-schemas.ts';
import type { FileOperation, Operation } from '../../../shared/operations.ts';

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

function describe(
  { successes, errors, ...described }: ServiceOperation,
  operation: Operation | FileOperation,
): OperationObject {
  const family = 'family' in operation ? operation.family : undefined;
  const names = family === undefined ? [] : rateHeaders;
  const balance = family === undefined || operation.name === 'bulk' ? [] : ['x-credits-remaining'];
  return {
    ...described,
    tags: family === undefined ? [] : [family],
    responses: Object.fromEntries([
      ...successes.map(({ status, description, headers: own, schema, type }) => [
        status,
        describeResponse(description, [...own, ...balance, ...names], schema, type),
      ]),
      ...(described.requestBody === undefined
        ? []
        : [[415, describeResponse('The body is compressed.', [], schemaReference('Detail'))]]),
      ...errors.map((reason) => {
        const { status, description, shape } = serviceErrors[reason];
        return [status, describeResponse(description, [], schemaReference(shape))];
      }),
    ]),
  };
}

/**
 * Describes the whole service.
 * @param server - its base URL, ending in `/cdapi`
 */
export function buildOpenApi(server: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Professional-data retrieval service', version: INTERFACE_VERSION },
    servers: [{ url: server }],
    security: [{ ApiKeyAuth: [] }],
    paths: describeService('', describe),
    components: {
      securitySchemes: { ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'apikey' } },
      headers,
      schemas: serviceSchemas,
    },
  };
}
