// Builds the OpenAPI 3.1 document of the gateway from its route tables.
import { deepHealth } from '../../../../shared/api/health.ts';
import { families, familyNames, getSubject } from '../../../../shared/families/index.ts';
import {
  describeResponse,
  type Header,
  type OpenApiDocument,
  type Parameter,
  type PathItem,
  type Schema,
  type Tag,
} from '../../../../shared/openapi/document.ts';
import { serviceHeaders, serviceSchemas } from '../../../../shared/openapi/service-schemas.ts';
import { adminRouteTable } from '../../admin/index.ts';
import { sheetsRouteTable } from '../../sheets/routes.ts';
import { signInRouteTable } from '../../sheets/sign-in.ts';
import { dataRequestTag, describeCdapi } from './cdapi.ts';
import { problemExamples, problemResponses, problemSchema } from './problems.ts';
import { componentSchemas, describeRoutes, toSchema } from './routes.ts';

/** The tags, in the order of the API reference. */
const adminTags: readonly Tag[] = [...new Set(adminRouteTable.map(({ tag }) => tag))];

/** Version of the document. Each API has its own version in its path. */
const VERSION = '1.0';

const headers: Readonly<Record<string, Header>> = {
  ...serviceHeaders,
  'x-cache': {
    description:
      'Source of the response. `hit`: cached. `stale`: cached, no longer fresh. `coalesced`: shared with a concurrent call. `miss`: fetched from the provider.',
    schema: { type: 'string', enum: ['hit', 'stale', 'coalesced', 'miss'] },
  },
  age: { description: 'Age of the data in seconds.', schema: { type: 'integer' } },
  'x-credits-charged': { description: 'Credits that this call cost.', schema: { type: 'integer' } },
  'x-credits-remaining': {
    description:
      'Credits that the token may still spend; without a cap, those of the provider’s account. Absent while they are unknown.',
    schema: { type: 'integer' },
  },
  'x-ratelimit-limit-second': {
    description:
      'Allowed calls per second: the lower of the token’s and the provider’s limit. Absent without a valid token.',
    schema: { type: 'integer', minimum: 1 },
  },
  'x-ratelimit-remaining-second': {
    description: 'Remaining calls in this second. Cached responses do not count.',
    schema: { type: 'integer', minimum: 0 },
  },
  'x-correlation-id': {
    description: 'Opaque id: the provider’s if the provider was called, otherwise the request id.',
    schema: { type: 'string' },
  },
  'x-problem': {
    description: 'Problem code, if the gateway knows one.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Guaranteed remaining calls and seconds until the limit resets: "token";r=…;t=….',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'Allowed calls in a time window: "token";q=…;w=….',
    schema: { type: 'string' },
  },
  'server-timing': {
    description:
      'Durations in milliseconds: total;dur=…, upstream;dur=…. Absent if the request took less than one.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'x-request-id': {
    description: 'Id of the request, also in the log.',
    schema: { type: 'string', format: 'uuid' },
  },
};

const sheetsTag = 'Lookups and queries';
const savedTag = 'Saved searches and runs';
const savedPaths = ['/searches', '/searches/{id}', '/runs'];
const gatewayTag = 'Status and description';

function toFamilyTag(family: (typeof familyNames)[number]): Tag {
  const { variant } = families[family];
  return { name: family, description: `${getSubject(family).label}, ${variant}.` };
}

const status: Schema = {
  type: 'object',
  required: ['status', 'version'],
  properties: { status: { type: 'string' }, version: { type: 'string' } },
};

const deep = toSchema(deepHealth, 'output');

const requestIdParameter: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the request.',
  schema: { type: 'string', format: 'uuid' },
};

const gatewayPaths: Readonly<Record<string, PathItem>> = {
  '/sheets/v1/requests/{id}/events': {
    get: {
      operationId: 'events',
      tags: [sheetsTag],
      summary: 'Stream the progress of a data request',
      description:
        'Server-sent events: `state` with the request whenever something has changed, `close` when it has ended or five minutes are over. A ticket opens them, once.',
      security: [],
      parameters: [
        requestIdParameter,
        {
          name: 'ticket',
          in: 'query',
          required: true,
          description: 'From `POST /sheets/v1/requests/{id}/ticket`.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: describeResponse('The events', [], { type: 'string' }, 'text/event-stream'),
        ...problemResponses(['not_found', 'rate_limited', 'maintenance']),
      },
    },
  },
  '/hooks/requests/{id}/{secret}': {
    post: {
      operationId: 'hook',
      tags: [gatewayTag],
      summary: 'Receive the provider’s webhook for a finished data request',
      description:
        'The payload is only a hint: the gateway asks the provider for the actual state. Unknown, forged and expired URLs return 404.',
      security: [],
      parameters: [
        requestIdParameter,
        {
          name: 'secret',
          in: 'path',
          required: true,
          description: 'Secret of the data request, known only to the provider.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        204: { description: 'Accepted' },
        ...problemResponses([
          'unknown_address',
          'too_large',
          'invalid_request',
          'unsupported_encoding',
          'rate_limited',
          'maintenance',
        ]),
      },
    },
  },
  '/health': {
    get: {
      operationId: 'health',
      tags: [gatewayTag],
      summary: 'Health check',
      description: 'A deployment that lacks a required setting returns 503 and names it.',
      security: [],
      responses: {
        200: describeResponse('The gateway runs; `version` is the deployed commit', [], status),
        ...problemResponses(['not_configured']),
      },
    },
  },
  '/health/deep': {
    get: {
      operationId: 'deep_health',
      tags: [gatewayTag],
      summary: 'Check every binding, the cron and the provider',
      description:
        'For the admin and for monitoring. Nothing is written, and the provider is not called: its state is the last known one.',
      security: [{ adminToken: [] }],
      responses: {
        200: describeResponse('Every check succeeded', [], deep),
        ...problemResponses(['unauthorised', 'forbidden_scope', 'rate_limited', 'not_configured']),
        503: describeResponse(
          'At least one check failed; `reason` says why. Without a valid ADMIN_TOKEN setting: the problem `not_configured`',
          [],
          deep,
        ),
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      tags: [gatewayTag],
      summary: 'Metrics of the deployment as Prometheus text',
      description: 'For monitors: an admin token with the role `monitor` is enough.',
      security: [{ adminToken: [] }],
      responses: {
        200: describeResponse('Prometheus text, version 0.0.4', [], { type: 'string' }, 'text/plain'),
        ...problemResponses(['unauthorised', 'forbidden_scope', 'rate_limited', 'not_configured']),
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'openapi',
      tags: [gatewayTag],
      summary: 'This document',
      security: [{ ApiKeyAuth: [] }, { bearer: [] }, { adminToken: [] }],
      responses: {
        200: describeResponse('OpenAPI 3.1', [], { type: 'object' }),
        ...problemResponses(['unauthorised', 'rate_limited', 'not_configured']),
      },
    },
  },
};

const description = `Use any client of the service with the base URL \`/cdapi\` and a team token as its API key. Bodies, errors and page headers are the provider’s, and bought records are cached: a repeated call has \`x-cache: hit\` and is free, even with other fields or another spelling of the website. The headers \`x-credits-remaining\` and \`x-ratelimit-*\` describe the token. \`/sheets/v1\` is the API of the spreadsheet add-on, for up to 1,000 keys per call. \`/admin/v1\` is for the owner of the API key and the bill.

Keys: the provider’s key stays in the gateway. Callers send a team token (\`cds_…\`), which the admin creates, limits and revokes: in \`/cdapi\` as \`apikey: …\`, elsewhere as \`authorization: Bearer …\`. A revoked token is rejected everywhere within 30 seconds. Never put a token in a URL.

Costs: the team pays only for responses that the provider charges. Cached, not-found and rejected responses are free. A stale record is returned with its \`age\`. It is bought again only with \`cache-control: no-cache\` or \`max-age=N\`. \`only-if-cached\` never buys.

Problems: \`/sheets/v1\` and \`/admin/v1\` return problems as RFC 9457 (\`application/problem+json\`), with a stable \`code\` and a \`fix\`. \`/cdapi\` keeps the four error formats of the service for its clients: \`{"detail": "…"}\`, \`{"detail": [{"loc", "msg", "type"}]}\`, \`{"Error": "…"}\` and \`{"message": "…"}\`; the header \`x-problem\` contains the code.

Bodies are UTF-8, or in the charset that \`Content-Type\` names. A body that is invalid in it, of an unknown charset, or compressed (\`Content-Encoding\`) is refused before anything is sent or charged, and so is an address whose percent-encoding is not UTF-8. Integers beyond 2^53 keep their digits: in \`/cdapi\` as numbers, in \`/sheets/v1\` as strings.

Exceptions of \`/cdapi\`, where its answer is not the provider’s:

- JSON nested deeper than 500 levels: 422 in \`body\`. Filters of more than 256 KB, forms of more than 4 MB: 413.
- A DSL data request with white space of more than 150,000 characters: 400, as for a query that is too long.
- A URL of another host than the network’s in place of a shorthand name: 422. An erased record: 410. A restricted token: 403.
- Errors that concern the gateway’s key, and error pages that are not JSON: the gateway’s problem, named in \`x-problem\`.
- A data request that the provider does not accept within 25 seconds is cancelled: 429. Two orders of one query that differ in their limits only, sent at the same moment, may be taken for one: 409.
- \`webhook_url\` must be a public https address; the gateway calls it once the files are ready here, too.`;

/**
 * Describes the gateway.
 * @param server - its origin
 */
export function buildOpenApi(server: string): OpenApiDocument {
  const everyAnswer = ['x-request-id'];
  return {
    openapi: '3.1.0',
    info: {
      title: 'CDAPI for Sheets',
      version: VERSION,
      summary: 'Professional data through a gateway that holds the key and never pays twice.',
      description,
    },
    servers: [{ url: server }],
    security: [{ bearer: [] }],
    tags: [
      ...familyNames.map(toFamilyTag),
      { name: dataRequestTag, description: 'Bulk data requests: up to 10,000 records, delivered as files.' },
      { name: sheetsTag, description: 'The API of the spreadsheet add-on: many keys per call.' },
      { name: savedTag, description: 'Saved searches and the log of runs.' },
      ...adminTags,
      { name: gatewayTag, description: 'The gateway itself.' },
    ],
    'x-tagGroups': [
      { name: 'Drop-in service', tags: [...familyNames, dataRequestTag] },
      { name: 'Spreadsheets', tags: [sheetsTag, savedTag] },
      { name: 'Administration', tags: adminTags.map(({ name }) => name) },
      { name: 'Gateway', tags: [gatewayTag] },
    ],
    paths: {
      ...describeCdapi(),
      ...describeRoutes({
        prefix: '/sheets/v1',
        name: 'sheets',
        table: sheetsRouteTable,
        getTag: ({ path }) => (savedPaths.includes(path) ? savedTag : sheetsTag),
        scheme: 'bearer',
        headers: ['RateLimit', 'RateLimit-Policy', 'server-timing', ...everyAnswer],
      }),
      ...describeRoutes({
        prefix: '/sheets/v1',
        name: 'sheets',
        table: signInRouteTable,
        getTag: () => sheetsTag,
        headers: everyAnswer,
      }),
      ...describeRoutes({
        prefix: '/admin/v1',
        name: 'admin',
        table: adminRouteTable,
        getTag: ({ tag }) => tag.name,
        scheme: 'adminToken',
        headers: everyAnswer,
      }),
      ...gatewayPaths,
    },
    components: {
      securitySchemes: {
        ApiKeyAuth: {
          type: 'apiKey',
          in: 'header',
          name: 'apikey',
          description: 'A team token instead of the provider’s key.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'A team token.' },
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The deployment’s ADMIN_TOKEN, or an admin token with a role that may use the route.',
        },
      },
      headers,
      schemas: { ...serviceSchemas, Problem: problemSchema, ...componentSchemas() },
      examples: problemExamples(),
    },
  };
}
