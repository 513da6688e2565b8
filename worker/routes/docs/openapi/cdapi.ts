// OpenAPI paths of the drop-in API: the service's operations with the gateway's headers and problems.
import {
  describeResponse,
  type OperationObject,
  type Parameter,
  type PathItem,
  type ResponseObject,
  schemaReference,
} from '../../../../shared/openapi/document.ts';
import { describeService, type ServiceOperation } from '../../../../shared/openapi/service-operations.ts';
import { type ServiceErrorReason, serviceErrors } from '../../../../shared/openapi/service-schemas.ts';
import { isRecordOperation, type Operation } from '../../../../shared/operations.ts';
import { type ProblemCode, problems } from '../../../../shared/problems.ts';
import { type BodyShape, getProblemFormat } from '../../cdapi/responses.ts';

const PREFIX = '/cdapi';

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

/** Problems of the files of data requests, by operation id. */
const fileProblems: Readonly<Record<string, readonly ProblemCode[]>> = {
  files: ['provider_out_of_credits'],
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

interface ErrorMeaning {
  status: number;
  description: string;
  /** Name of the schema of its body. */
  body: string;
}

const toMeaning = (reason: ServiceErrorReason): ErrorMeaning => {
  const { status, description, shape } = serviceErrors[reason];
  return { status, description, body: shape };
};

function listProblems(codes: readonly ProblemCode[]): ErrorMeaning[] {
  return codes.map((code) => {
    const { status, shape } = getProblemFormat(code);
    return { status, description: `\`${code}\`: ${problems[code].title}`, body: bodies[shape] };
  });
}

function toErrorResponses(meanings: readonly ErrorMeaning[]): Record<string, ResponseObject> {
  const byStatus = Map.groupBy(meanings, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => {
      const schemas = [...new Set(ofStatus.map(({ body }) => body))].map(schemaReference);
      const limits = status === 429 ? ['Retry-After', 'RateLimit', 'RateLimit-Policy'] : [];
      return [
        status,
        describeResponse(
          ofStatus.map(({ description }) => description).join('\n\n'),
          ['x-problem', ...commonHeaders, ...limits],
          schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        ),
      ];
    }),
  );
}

const listProblemCodes = (operation: Operation): readonly ProblemCode[] => [
  ...commonProblems,
  ...providerProblems,
  ...(isRecordOperation(operation)
    ? (['erased', 'not_cached'] as const)
    : (['too_large', 'unsupported_encoding'] as const)),
];

function listErrors(
  { operationId, errors }: ServiceOperation,
  operation: Operation | undefined,
): ErrorMeaning[] {
  if (operation !== undefined)
    return [...errors.map(toMeaning), ...listProblems(listProblemCodes(operation))];
  const { description, ...absent } = toMeaning('absent');
  return [
    ...listProblems([...commonProblems, ...(fileProblems[operationId] ?? [])]),
    { ...absent, description: `${description.slice(0, -1)}, or is older than 30 days.` },
  ];
}

const BULK =
  'The credits are reserved until the delivery is known. The gateway calls `webhook_url` with the provider’s body, signed according to Standard Webhooks; for a day after a rotation of the secret, `webhook-signature` has two signatures.';

/** Describes what an operation has here besides what it has at the service. */
function describeOwn(operation: Operation | undefined) {
  if (operation === undefined || operation.name === 'bulk') {
    const remark = operation ? BULK : 'Only the team that created the data request has access.';
    return { tag: dataRequestTag, remark, parameters: [], headers: requestHeaders };
  }
  const remark = 'Other query parameters are ignored.';
  return { tag: operation.family, remark, parameters: [cacheControl], headers: dataHeaders };
}

function describe(described: ServiceOperation, operation: Operation | undefined): OperationObject {
  const { successes, errors: _, ...rest } = described;
  const { tag, remark, parameters, headers } = describeOwn(operation);
  return {
    ...rest,
    tags: [tag],
    description: `${described.description} ${remark}`,
    security: [{ ApiKeyAuth: [] }],
    ...(described.parameters && { parameters: [...described.parameters, ...parameters] }),
    ...(operation && { 'x-credits': operation.credits }),
    responses: {
      ...Object.fromEntries(
        successes.map(({ status, description, headers: own, schema, type }) => [
          status,
          describeResponse(description, [...own, ...headers], schema, type),
        ]),
      ),
      ...toErrorResponses(listErrors(described, operation)),
    },
  };
}

/** Describes the drop-in API, by path. */
export const describeCdapi = (): Record<string, PathItem> => describeService(PREFIX, describe);
