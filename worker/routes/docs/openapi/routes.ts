// Converts route tables and their zod schemas to OpenAPI paths and JSON Schema.
import * as z from 'zod';
import * as account from '../../../../shared/api/account.ts';
import * as admin from '../../../../shared/api/admin.ts';
import * as erasures from '../../../../shared/api/admin-erasures.ts';
import * as records from '../../../../shared/api/admin-records.ts';
import * as reports from '../../../../shared/api/admin-reports.ts';
import * as requests from '../../../../shared/api/data-requests.ts';
import * as lookup from '../../../../shared/api/lookup.ts';
import * as saved from '../../../../shared/api/saved-searches.ts';
import * as search from '../../../../shared/api/search.ts';
import {
  describeResponse,
  type JsonType,
  type OperationObject,
  type Parameter,
  type PathItem,
  type RequestBody,
  type ResponseObject,
  type Schema,
  schemaReference,
} from '../../../../shared/openapi/document.ts';
import type { DescribedRoute } from '../../route.ts';
import { problemResponses } from './problems.ts';

/** Direction of a schema: request or response. */
type Direction = 'input' | 'output';

/** Named component schemas. All other schemas are inlined. */
const namedSchemasByDirection: Readonly<Record<Direction, Readonly<Record<string, z.ZodType>>>> = {
  input: {
    LookupRequest: lookup.lookupRequest,
    SearchRequest: search.searchRequest,
    PreviewRequest: search.previewRequest,
    SavedSearchRequest: saved.savedSearchRequest,
    RunRequest: saved.runBody,
    NewRequest: requests.newDataRequest,
    NewTeam: admin.newTeam,
    TeamChange: admin.teamChange,
    NewBudget: admin.newBudget,
    NewToken: admin.newToken,
    TokenChange: admin.tokenChange,
    NewTopUp: admin.newTopUp,
    Reconciliation: records.reconciliation,
    RefreshRecord: records.refreshRecord,
  },
  output: {
    LookupResponse: lookup.lookupResponse,
    EstimateResponse: lookup.estimateResponse,
    SearchResponse: search.searchResponse,
    PreviewResponse: search.previewResponse,
    MeResponse: account.meResponse,
    FieldsResponse: account.fieldsResponse,
    SavedSearch: saved.savedSearch,
    SavedSearches: saved.savedSearchesResponse,
    Runs: saved.runsResponse,
    Request: requests.dataRequestView,
    RequestList: requests.dataRequestList,
    RequestRows: requests.dataRequestRows,
    Budget: admin.budgetView,
    Team: admin.teamView,
    TeamList: admin.teamList,
    Token: admin.tokenView,
    TokenList: admin.tokenList,
    IssuedToken: admin.issuedToken,
    TopUp: admin.topUpView,
    TopUpList: admin.topUpList,
    UsageReport: reports.usageReport,
    LatencyReport: reports.latencyReport,
    Ledger: reports.ledgerAnswer,
    Provider: records.providerView,
    Reconciled: records.reconciled,
    Record: records.recordView,
    Erasure: erasures.erasureView,
    AuditList: reports.auditList,
  },
};

const jsonType = z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const text = z.string().exactOptional();
const number = z.number().exactOptional();

/** zod gives integers without a bound the bounds of exact numbers. */
const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;

/** Merges `anyOf` of a schema and null into one schema with two types. */
function mergeNull({ anyOf = [], ...rest }: Schema): Schema | undefined {
  const [first, second, ...others] = anyOf;
  if (first === undefined || second?.type !== 'null' || others.length > 0) return undefined;
  if (typeof first.type !== 'string' || first.enum !== undefined) return undefined;
  const type: readonly JsonType[] = [first.type, 'null'];
  return { ...first, ...rest, type };
}

/** Creates a parser of JSON Schema that keeps the keywords in use, except redundant ones. */
function createParser(direction: Direction): z.ZodType<Schema> {
  const schema: z.ZodType<Schema> = z.lazy(() =>
    z
      .object({
        $ref: text,
        title: text,
        description: text,
        type: z.union([jsonType, z.array(jsonType)]).exactOptional(),
        format: text,
        pattern: text,
        enum: z.array(z.unknown()).exactOptional(),
        const: z.unknown().exactOptional(),
        default: z.unknown().exactOptional(),
        examples: z.array(z.unknown()).exactOptional(),
        minimum: number,
        maximum: number,
        minLength: number,
        maxLength: number,
        minItems: number,
        maxItems: number,
        items: schema.exactOptional(),
        properties: z.record(z.string(), schema).exactOptional(),
        required: z.array(z.string()).exactOptional(),
        additionalProperties: z.union([z.boolean(), schema]).exactOptional(),
        anyOf: z.array(schema).exactOptional(),
        oneOf: z.array(schema).exactOptional(),
        allOf: z.array(schema).exactOptional(),
      })
      .transform(
        ({ oneOf, anyOf = oneOf, minimum, maximum, pattern, additionalProperties: more, ...rest }) => {
          const simplified: Schema = {
            ...rest,
            ...(anyOf === undefined ? {} : { anyOf }),
            ...(isBound(minimum) ? { minimum } : {}),
            ...(isBound(maximum) ? { maximum } : {}),
            // A format makes the pattern redundant.
            ...(pattern === undefined || rest.format !== undefined ? {} : { pattern }),
            // Responses may get new members.
            ...(more === undefined || (more === false && direction === 'output')
              ? {}
              : { additionalProperties: more }),
          };
          return mergeNull(simplified) ?? simplified;
        },
      ),
  );
  return schema;
}

const parsers = { input: createParser('input'), output: createParser('output') };

function namedSchemas(direction: Direction): [string, Schema][] {
  const registry = z.registry<{ id?: string }>();
  for (const [id, namedSchema] of Object.entries(namedSchemasByDirection[direction]))
    registry.add(namedSchema, { id });
  const uri = (id: string): string => schemaReference(id).$ref;
  const { schemas } = z.toJSONSchema(registry, { io: direction, uri });
  return Object.entries(schemas).map(([id, jsonSchema]) => [id, parsers[direction].parse(jsonSchema)]);
}

export function componentSchemas(): Record<string, Schema> {
  return Object.fromEntries([...namedSchemas('input'), ...namedSchemas('output')]);
}

/** Converts a zod schema. Named schemas become references. */
export function toSchema(zodSchema: z.core.$ZodType, direction: Direction): Schema {
  const id = Object.entries(namedSchemasByDirection[direction]).find(
    ([, candidate]) => candidate === zodSchema,
  )?.[0];
  if (id !== undefined) return schemaReference(id);
  return parsers[direction].parse(z.toJSONSchema(zodSchema, { io: direction }));
}

/** Settings of an API surface. */
export interface SurfaceDescription<T extends DescribedRoute> {
  prefix: string;
  /** Part of the operation ids. */
  name: string;
  table: readonly T[];
  getTag: (route: T) => string;
  /** Name of the security scheme. Absent if callers have no token. */
  scheme?: string;
  /** Headers of every success response. */
  headers: readonly string[];
}

const places = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
] as const;

function toParameters(request: z.ZodObject): Parameter[] {
  return places.flatMap(([part, where]) => {
    const partSchema = request.shape[part];
    if (partSchema === undefined) return [];
    const { properties = {}, required = [] } = toSchema(partSchema, 'input');
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: where,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }));
  });
}

function toRequestBody(request: z.ZodObject): RequestBody | undefined {
  const { body } = request.shape;
  if (body === undefined) return undefined;
  return { required: true, content: { 'application/json': { schema: toSchema(body, 'input') } } };
}

function toSuccessResponse(
  { response, types, returns }: DescribedRoute,
  headers: readonly string[],
): ResponseObject {
  const described = describeResponse(returns, headers);
  if (response === undefined) return described;
  const toMedia = (type: string) => ({
    schema: type === 'application/json' ? toSchema(response, 'output') : { type: 'string' as const },
  });
  return { ...described, content: Object.fromEntries(types.map((type) => [type, toMedia(type)])) };
}

/** `get_admin_teams_by_id`. */
function buildOperationId(name: string, { method, path }: DescribedRoute): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return [method.toLowerCase(), name, ...segments.map((segment) => segment.replace(/^\{(\w+)\}$/, 'by_$1'))]
    .join('_')
    .replaceAll('-', '_');
}

function describeRoute<T extends DescribedRoute>(surface: SurfaceDescription<T>, route: T): OperationObject {
  const { request, summary, description } = route;
  const requestBody = toRequestBody(request);
  return {
    operationId: buildOperationId(surface.name, route),
    tags: [surface.getTag(route)],
    summary,
    ...(description === undefined ? {} : { description }),
    security: surface.scheme === undefined ? [] : [{ [surface.scheme]: [] }],
    parameters: toParameters(request),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [String(route.status)]: toSuccessResponse(route, surface.headers),
      ...problemResponses(route.problems),
    },
  };
}

export function describeRoutes<T extends DescribedRoute>(
  surface: SurfaceDescription<T>,
): Record<string, PathItem> {
  const byPath = Map.groupBy(surface.table, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, routes]) => [
      surface.prefix + path,
      Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), describeRoute(surface, route)])),
    ]),
  );
}
