// OpenAPI paths of the drop-in API: the service's operations with the gateway's headers and problems.
import {
  headerReferences,
  type MediaTypeObject,
  type OperationObject,
  type Parameter,
  type PathItem,
  type ResponseObject,
  type Schema,
  schemaReference,
} from '../../../../shared/openapi/document.ts';
import {
  describeOperation,
  fileDescriptions,
  type ServiceOperation,
} from '../../../../shared/openapi/service-operations.ts';
import { serviceErrors } from '../../../../shared/openapi/service-schemas.ts';
import { isRecordOperation, type Operation, operations } from '../../../../shared/operations.ts';
import { type ProblemCode, problems } from '../../../../shared/problems.ts';
import { type BodyShape, getProblemFormat } from '../../cdapi/responses.ts';

const PREFIX = '/cdapi';

/** Tag of data requests. */
export const dataRequestTag = 'Data requests';

/** The service's headers on every response (provider API, "Headers"). */
const commonHeaders = [
  'x-ratelimit-limit-second',
  'x-ratelimit-remaining-second',
  'x-correlation-id',
] as const;

/** Headers of responses with a record or page. */
const dataHeaders = [
  ...commonHeaders,
  'x-cache',
  'age',
  'x-credits-charged',
  'x-credits-remaining',
  'RateLimit',
  'RateLimit-Policy',
  'server-timing',
  'x-request-id',
] as const;

/** Problems of every operation. */
const commonProblems: readonly ProblemCode[] = [
  'unauthorised',
  'forbidden_scope',
  'rate_limited',
  'gateway_unavailable',
  'maintenance',
  'internal',
];

/** Problems of operations that call the provider. */
const providerProblems: readonly ProblemCode[] = [
  'over_budget',
  'spending_off',
  'provider_out_of_credits',
  'provider_refused',
  'provider_unclear',
  'provider_unavailable',
  'not_configured',
];

/** Headers of data request responses. */
const requestHeaders = [
  ...commonHeaders,
  'server-timing',
  'x-request-id',
  'RateLimit',
  'RateLimit-Policy',
] as const;

const fileResponses: Readonly<Record<keyof typeof fileDescriptions, Record<string, ResponseObject>>> = {
  list: {
    '200': {
      description: 'The file names.',
      headers: headerReferences(requestHeaders),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['data_request_files'],
            properties: { data_request_files: { type: 'array', items: { type: 'string' } } },
          },
        },
      },
    },
    '202': {
      description: 'The data request is still running.',
      headers: headerReferences(requestHeaders),
      content: { 'application/json': { schema: schemaReference('Message') } },
    },
  },
  download: {
    '200': {
      description: 'Gzipped JSON Lines.',
      headers: headerReferences(requestHeaders),
      content: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } },
    },
  },
};

const fileProblems: Readonly<Record<keyof typeof fileDescriptions, readonly ProblemCode[]>> = {
  list: ['provider_out_of_credits'],
  download: ['provider_out_of_credits', 'provider_refused', 'provider_unavailable', 'erased'],
};

const cacheControl: Parameter = {
  name: 'cache-control',
  in: 'header',
  required: false,
  description:
    '`no-cache`: always buy. `max-age=N`: accept records of at most N seconds. `only-if-cached`: never buy.',
  schema: { type: 'string', examples: ['max-age=86400'] },
};

const bodies: Readonly<Record<BodyShape, string>> = { detail: 'Detail', message: 'Message' };

/** One reason for an error status. */
interface ErrorMeaning {
  status: number;
  description: string;
  /** Name of the schema of its body. */
  body: string;
}

function listServiceErrors({ errors }: ServiceOperation): ErrorMeaning[] {
  return errors.map((reason) => {
    const { status, description, shape } = serviceErrors[reason];
    return { status, description, body: shape };
  });
}

function listProblems(codes: readonly ProblemCode[]): ErrorMeaning[] {
  return codes.map((code) => {
    const { status, shape } = getProblemFormat(code);
    return { status, description: `\`${code}\`: ${problems[code].title}`, body: bodies[shape] };
  });
}

function toErrorResponses(meanings: readonly ErrorMeaning[]): Record<string, ResponseObject> {
  const byStatus = Map.groupBy(meanings, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, meaningsOfStatus]) => {
      const schemas = [...new Set(meaningsOfStatus.map(({ body }) => body))].map(schemaReference);
      const [only, ...more] = schemas;
      const schema: Schema = more.length === 0 ? { ...only } : { anyOf: schemas };
      const media: MediaTypeObject = { schema };
      const headers = [
        'x-problem',
        ...commonHeaders,
        ...(status === 429 ? ['Retry-After', 'RateLimit', 'RateLimit-Policy'] : []),
      ];
      return [
        String(status),
        {
          description: meaningsOfStatus.map(({ description }) => description).join('\n\n'),
          headers: headerReferences(headers),
          content: { 'application/json': media },
        },
      ];
    }),
  );
}

function listProblemCodes(operation: Operation): ProblemCode[] {
  const isRecord = isRecordOperation(operation);
  return [
    ...commonProblems,
    ...providerProblems,
    ...(isRecord
      ? (['erased', 'not_remembered'] as const)
      : (['too_large', 'unsupported_encoding'] as const)),
  ];
}

function describeOne(operation: Operation): OperationObject {
  const described = describeOperation(operation);
  const { operationId, family, summary, description, parameters, requestBody, success } = described;
  const common = {
    operationId,
    summary,
    security: [{ ApiKeyAuth: [] }],
    'x-credits': operation.credits,
  };
  if (operation.name === 'bulk') {
    return {
      ...common,
      tags: [dataRequestTag],
      description: `${description} The credits are reserved until the delivery is known. The gateway calls \`webhook_url\` with the provider’s body, signed according to Standard Webhooks; for a day after a rotation of the secret, \`webhook-signature\` has two signatures.`,
      ...(requestBody === undefined ? {} : { requestBody }),
      responses: {
        [String(success.status)]: {
          description: success.description,
          headers: headerReferences(requestHeaders),
          content: { 'application/json': { schema: success.schema } },
        },
        ...toErrorResponses([...listServiceErrors(described), ...listProblems(listProblemCodes(operation))]),
      },
    };
  }
  return {
    ...common,
    tags: [family],
    description: `${description} Other query parameters are ignored.`,
    parameters: [...parameters, cacheControl],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [String(success.status)]: {
        description: success.description,
        headers: headerReferences([...success.headers, ...dataHeaders]),
        content: { 'application/json': { schema: success.schema } },
      },
      ...toErrorResponses([...listServiceErrors(described), ...listProblems(listProblemCodes(operation))]),
    },
  };
}

/** Describes the drop-in API, by path. */
export function describeCdapi(): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const operation of operations) {
    paths[PREFIX + operation.path] = { [operation.method.toLowerCase()]: describeOne(operation) };
  }
  for (const name of ['list', 'download'] as const) {
    const { path, operationId, summary, parameters } = fileDescriptions[name];
    const get: OperationObject = {
      operationId,
      summary,
      tags: [dataRequestTag],
      description: 'Free. Only the team that created the data request has access.',
      security: [{ ApiKeyAuth: [] }],
      parameters,
      responses: {
        ...fileResponses[name],
        ...toErrorResponses([
          ...listProblems([...commonProblems, ...fileProblems[name]]),
          {
            status: 404,
            description: 'The data request or file does not exist, or is older than 30 days.',
            body: 'Detail',
          },
        ]),
      },
    };
    paths[PREFIX + path] = { get };
  }
  return paths;
}
