// Converts zod schemas to JSON Schema for OpenAPI 3.1.
import * as z from 'zod';
import * as account from '../../../../shared/api/account.ts';
import * as admin from '../../../../shared/api/admin.ts';
import * as records from '../../../../shared/api/admin-records.ts';
import * as reports from '../../../../shared/api/admin-reports.ts';
import * as requests from '../../../../shared/api/data-requests.ts';
import * as lookup from '../../../../shared/api/lookup.ts';
import * as kept from '../../../../shared/api/saved-searches.ts';
import * as search from '../../../../shared/api/search.ts';
import { type JsonType, type Schema, schemaReference } from '../../../../shared/openapi/document.ts';

/** Direction of a schema: request or response. */
export type Direction = 'input' | 'output';

/** Named component schemas. All other schemas are inlined. */
const namedSchemasByDirection: Readonly<Record<Direction, Readonly<Record<string, z.ZodType>>>> = {
  input: {
    LookupRequest: lookup.lookupRequest,
    SearchRequest: search.searchRequest,
    PreviewRequest: search.previewRequest,
    SavedSearchRequest: kept.savedSearchRequest,
    RunRequest: kept.runBody,
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
    SavedSearch: kept.savedSearch,
    SavedSearches: kept.savedSearchesResponse,
    Runs: kept.runsResponse,
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
    Ledger: reports.ledgerAnswer,
    Provider: records.providerView,
    Reconciled: records.reconciled,
    Record: records.recordView,
    Erasure: records.erasureView,
    AuditList: reports.auditList,
  },
};

const jsonType = z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const text = z.string().exactOptional();
const number = z.number().exactOptional();

/** Parses JSON Schema and keeps the keywords in use. */
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
    .transform(({ oneOf, ...rest }) => (oneOf === undefined ? rest : { ...rest, anyOf: oneOf })),
);

function isSafeBound(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) === Number.MAX_SAFE_INTEGER;
}

/** Merges `anyOf` of a schema and null into one schema with two types. */
function mergeNull({ anyOf = [], ...rest }: Schema): Schema | undefined {
  const [given, nothing, ...more] = anyOf;
  if (given === undefined || nothing?.type !== 'null' || more.length > 0) return undefined;
  if (typeof given.type !== 'string' || given.enum !== undefined) return undefined;
  const type: readonly JsonType[] = [given.type, 'null'];
  return { ...given, ...rest, type };
}

/** Removes redundant keywords from a schema. */
function simplify(given: Schema, side: Direction): Schema {
  const inner = (own: Schema): Schema => simplify(own, side);
  const { items, properties, anyOf, allOf, additionalProperties: more, ...plain } = given;
  const { minimum, maximum, pattern, ...kept } = plain;
  const whole: Schema = {
    ...kept,
    ...(minimum === undefined || isSafeBound(minimum) ? {} : { minimum }),
    ...(maximum === undefined || isSafeBound(maximum) ? {} : { maximum }),
    // A format makes the pattern redundant.
    ...(pattern === undefined || kept.format !== undefined ? {} : { pattern }),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties).map(([name, own]) => [name, inner(own)])),
        }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inner) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(inner) }),
    // Responses may get new members.
    ...(more === undefined || (more === false && side === 'output') ? {} : { additionalProperties: more }),
  };
  return mergeNull(whole) ?? whole;
}

function namedSchemas(side: Direction): [string, Schema][] {
  const registry = z.registry<{ id?: string }>();
  for (const [id, own] of Object.entries(namedSchemasByDirection[side])) registry.add(own, { id });
  const uri = (id: string): string => schemaReference(id).$ref;
  const { schemas } = z.toJSONSchema(registry, { io: side, uri });
  return Object.entries(schemas).map(([id, own]) => [id, simplify(schema.parse(own), side)]);
}

/** Returns all named component schemas. */
export function componentSchemas(): Record<string, Schema> {
  return Object.fromEntries([...namedSchemas('input'), ...namedSchemas('output')]);
}

/**
 * Converts a zod schema. Named schemas become references.
 */
export function toSchema(own: z.core.$ZodType, side: Direction): Schema {
  const id = Object.entries(namedSchemasByDirection[side]).find(([, candidate]) => candidate === own)?.[0];
  if (id !== undefined) return schemaReference(id);
  return simplify(schema.parse(z.toJSONSchema(own, { io: side })), side);
}
