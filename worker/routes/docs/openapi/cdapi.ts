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
import { type ProblemCode, problems } from '../../../../shared/problems.ts';
import { type DropInOperation, listProblems } from '../../cdapi/problems.ts';
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

/** Headers of data request responses. */
const requestHeaders = [
  ...commonHeaders,
  'server-timing',
  'x-request-id',
  'RateLimit',
  'RateLimit-Policy',
] as const;

const cacheControl: Parameter = {
  name: 'cache-control',
  in: 'header',
  required: false,
  description:
    '`no-cache`: always buy. `max-age=N`: accept records of at most N seconds. `only-if-cached`: never buy.',
  schema: { type: 'string', examples: ['max-age=86400'] },
};

const bodies: Readonly<Record<BodyShape, string>> = { detail: 'Detail', message: 'Message' };

/** Problems that have the service's error body. */
const serviceBodies: Readonly<Partial<Record<ProblemCode, string>>> = {
  invalid_request: serviceErrors.invalid.shape,
};

interface ErrorMeaning {
  status: number;
  description: string;
  /** Name of the schema of its body. */
  body: string;
}

const toMeaning = (reason: ServiceErrorReason): ErrorMeaning => {
  const { status, description, shape } = serviceErrors[reason];
  const expiry = reason === 'absent' ? ' Rows are kept for 30 days.' : '';
  return { status, description: description + expiry, body: shape };
};

function toProblemMeaning(code: ProblemCode): ErrorMeaning {
  const { status, shape } = getProblemFormat(code);
  const description = `\`${code}\`: ${problems[code].title}`;
  return { status, description, body: serviceBodies[code] ?? bodies[shape] };
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

const BULK =
  'The credits are reserved until the delivery is known. The gateway calls `webhook_url` with the provider’s body, signed according to Standard Webhooks; for a day after a rotation of the secret, `webhook-signature` has two signatures.';

/** Describes what an operation has here besides what it has at the service. */
function describeOwn(operation: DropInOperation) {
  if (!('family' in operation)) {
    const remark = 'Only the team that created the data request has access.';
    return { tag: dataRequestTag, remark, parameters: [], headers: requestHeaders };
  }
  const price = { 'x-credits': operation.credits };
  if (operation.name === 'bulk')
    return { tag: dataRequestTag, remark: BULK, parameters: [], headers: requestHeaders, ...price };
  const remark = 'Other query parameters are ignored.';
  return { tag: operation.family, remark, parameters: [cacheControl], headers: dataHeaders, ...price };
}

function describe(described: ServiceOperation, operation: DropInOperation): OperationObject {
  const { successes, errors, ...rest } = described;
  const { tag, remark, parameters, headers, ...price } = describeOwn(operation);
  return {
    ...rest,
    tags: [tag],
    description: `${described.description} ${remark}`,
    security: [{ ApiKeyAuth: [] }],
    ...(described.parameters && { parameters: [...described.parameters, ...parameters] }),
    ...price,
    responses: {
      ...Object.fromEntries(
        successes.map(({ status, description, headers: own, schema, type }) => [
          status,
          describeResponse(description, [...own, ...headers], schema, type),
        ]),
      ),
      ...toErrorResponses([...errors.map(toMeaning), ...listProblems(operation).map(toProblemMeaning)]),
    },
  };
}

/** Describes the drop-in API, by path. */
export const describeCdapi = (): Record<string, PathItem> => describeService(PREFIX, describe);
