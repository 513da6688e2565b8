// The machine-readable description of the whole gateway: OpenAPI 3.1, made of the tables that the routes are made of.
import { families, familyNames, getSubject } from '../../../../shared/families/index.ts';
import type {
  Header,
  OpenApiDocument,
  Parameter,
  PathItem,
  ResponseObject,
  Tag,
} from '../../../../shared/openapi/document.ts';
import { serviceHeaders, serviceSchemas } from '../../../../shared/openapi/service-schemas.ts';
import { adminRouteTable } from '../../admin/index.ts';
import type { DescribedRoute } from '../../route.ts';
import { sheetsRouteTable } from '../../sheets/routes.ts';
import { dataRequestTag, describeCdapi } from './cdapi.ts';
import { problemExamples, problemResponses, problemSchema } from './problems.ts';
import { describeRoutes } from './routes.ts';
import { componentSchemas } from './schemas.ts';

/** Of the interface: the surfaces carry their own in their paths. */
const VERSION = '1.0';

const headers: Readonly<Record<string, Header>> = {
  ...Object.fromEntries(Object.entries(serviceHeaders).filter(([name]) => name !== 'location')),
  'x-cache': {
    description:
      'Where the answer is from: memory, memory past its freshness, a call of others, or a call of its own.',
    schema: { type: 'string', enum: ['hit', 'stale', 'coalesced', 'miss'] },
  },
  age: { description: 'Seconds since the provider said it.', schema: { type: 'integer' } },
  'x-credits-charged': { description: 'Credits that this call cost.', schema: { type: 'integer' } },
  'x-credits-remaining': {
    description: 'Credits that the team may still spend; absent where no cap is set.',
    schema: { type: 'integer' },
  },
  'x-ratelimit-limit-second': {
    description:
      'Calls a second at which nobody is refused: the lower of the token’s own ceiling and the provider’s, as far as that is known. Absent where no token is known.',
    schema: { type: 'integer', minimum: 1 },
  },
  'x-ratelimit-remaining-second': {
    description:
      'What is left of them: the provider’s word where it was just called. A remembered answer uses none.',
    schema: { type: 'integer', minimum: 0 },
  },
  'x-correlation-id': {
    description: 'Opaque: the provider’s where it was just called, else the id of the request.',
    schema: { type: 'string' },
  },
  'x-problem': {
    description: 'The code of the problem, where the gateway knows one.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Calls that are left for sure, and the seconds until there are more: "token";r=…;t=….',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'Calls that the token may make in a window: "token";q=…;w=….',
    schema: { type: 'string' },
  },
  'server-timing': {
    description: 'Where the time went, in milliseconds: total;dur=…, flight;dur=….',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'x-request-id': {
    description: 'Names the request; the log names it too.',
    schema: { type: 'string', format: 'uuid' },
  },
};

const sheetsTag = 'Lookups and queries';
const savedTag = 'Saved searches and runs';
const savedPaths = ['/searches', '/searches/{id}', '/runs'];
const gatewayTag = 'Status and description';

/** The tags of the admin's routes, by the first part of their paths. */
const adminTags: Readonly<Record<string, Tag>> = {
  teams: {
    name: 'Teams',
    description: 'Departments that spend from one budget, their tokens, budgets and top-ups.',
  },
  usage: { name: 'Usage', description: 'What was asked, spent and saved, summed up.' },
  ledger: { name: 'Ledger', description: 'What was spent and saved, line by line.' },
  provider: { name: 'Provider', description: 'The data provider, as the gateway sees it.' },
  records: { name: 'Records', description: 'What is remembered of one person or company.' },
  requests: { name: 'Bulk requests', description: 'Data requests of all teams.' },
  'dead-letters': { name: 'Dead letters', description: 'What was tried often and given up.' },
  audit: { name: 'Audit', description: 'What the admin did.' },
};

function getAdminTag({ path }: DescribedRoute): string {
  const [, first = ''] = path.split('/');
  return adminTags[first]?.name ?? first;
}

function toFamilyTag(family: (typeof familyNames)[number]): Tag {
  const { variant } = families[family];
  return { name: family, description: `${getSubject(family).label}, ${variant}.` };
}

const jsonResponse = (description: string, properties: readonly string[]): ResponseObject => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: properties,
        properties: Object.fromEntries(properties.map((name) => [name, { type: 'string' }])),
      },
    },
  },
});

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
      summary: 'How a request goes on, live',
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
        200: { description: 'The events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
        ...problemResponses(['not_found']),
      },
    },
  },
  '/hooks/requests/{id}/{secret}': {
    post: {
      operationId: 'hook',
      tags: [gatewayTag],
      summary: 'The provider says that a data request has ended',
      description:
        'A hint: the provider is asked how it really stands. What is unknown, forged or too late is a 404.',
      security: [],
      parameters: [
        requestIdParameter,
        {
          name: 'secret',
          in: 'path',
          required: true,
          description: 'One for each request; the provider alone was told.',
          schema: { type: 'string' },
        },
      ],
      responses: { 204: { description: 'Taken in' }, ...problemResponses(['unknown_address', 'too_large']) },
    },
  },
  '/health': {
    get: {
      operationId: 'health',
      tags: [gatewayTag],
      summary: 'Does the gateway run?',
      security: [],
      responses: { 200: jsonResponse('It does', ['status']) },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'openapi',
      tags: [gatewayTag],
      summary: 'This description',
      security: [{ ApiKeyAuth: [] }, { bearer: [] }, { adminToken: [] }],
      responses: {
        200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
        ...problemResponses(['unauthorised', 'rate_limited']),
      },
    },
  },
};

const description = `Point any client of the service at \`/cdapi\` and send a team token in the place of the provider’s key: bodies, errors and the headers of pages stay the provider’s, and what was bought once is remembered. What the provider’s headers say of the key, \`x-credits-remaining\` and \`x-ratelimit-*\`, they say of the token. \`/sheets/v1\` is what the spreadsheet add-on speaks, \`/admin/v1\` is for whoever owns the key and the bill.`;

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
      { name: sheetsTag, description: 'What the spreadsheet add-on speaks: many keys in one call.' },
      { name: savedTag, description: 'What a team keeps of its work.' },
      ...Object.values(adminTags),
      { name: gatewayTag, description: 'The gateway itself.' },
    ],
    'x-tagGroups': [
      { name: 'Drop-in service', tags: [...familyNames, dataRequestTag] },
      { name: 'Spreadsheets', tags: [sheetsTag, savedTag] },
      { name: 'Administration', tags: Object.values(adminTags).map(({ name }) => name) },
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
        problems: ['unauthorised', 'rate_limited', 'gateway_unavailable', 'internal'],
        headers: ['RateLimit', 'RateLimit-Policy', 'server-timing', ...everyAnswer],
      }),
      ...describeRoutes({
        prefix: '/admin/v1',
        name: 'admin',
        table: adminRouteTable,
        getTag: getAdminTag,
        scheme: 'adminToken',
        problems: ['unauthorised', 'rate_limited', 'not_configured', 'gateway_unavailable', 'internal'],
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
          description: 'A team token, in the place of the provider’s key.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'A team token.' },
        adminToken: { type: 'http', scheme: 'bearer', description: 'The deployment’s ADMIN_TOKEN.' },
      },
      headers,
      schemas: { ...serviceSchemas, Problem: problemSchema, ...componentSchemas() },
      examples: problemExamples(),
    },
  };
}
