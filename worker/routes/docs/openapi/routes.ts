// Converts route tables to OpenAPI paths.
import type * as z from 'zod';
import {
  describeResponse,
  type OperationObject,
  type Parameter,
  type PathItem,
  type RequestBody,
  type ResponseObject,
} from '../../../../shared/openapi/document.ts';
import type { ProblemCode } from '../../../../shared/problems.ts';
import type { DescribedRoute } from '../../route.ts';
import { problemResponses } from './problems.ts';
import { toSchema } from './schemas.ts';

/** Settings of an API surface. */
export interface SurfaceDescription {
  prefix: string;
  /** Part of the operation ids. */
  name: string;
  table: readonly DescribedRoute[];
  getTag: (route: DescribedRoute) => string;
  /** Name of the security scheme. Absent if callers have no token. */
  scheme?: string;
  problems: readonly ProblemCode[];
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
function buildOperationId({ name }: SurfaceDescription, { method, path }: DescribedRoute): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return [method.toLowerCase(), name, ...segments.map((segment) => segment.replace(/^\{(\w+)\}$/, 'by_$1'))]
    .join('_')
    .replaceAll('-', '_');
}

function describeRoute(surface: SurfaceDescription, route: DescribedRoute): OperationObject {
  const { request, summary, description } = route;
  const requestBody = toRequestBody(request);
  return {
    operationId: buildOperationId(surface, route),
    tags: [surface.getTag(route)],
    summary,
    ...(description === undefined ? {} : { description }),
    security: surface.scheme === undefined ? [] : [{ [surface.scheme]: [] }],
    parameters: toParameters(request),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [String(route.status)]: toSuccessResponse(route, surface.headers),
      ...problemResponses([...route.problems, ...surface.problems]),
    },
  };
}

/** Describes every route of a surface, by path. */
export function describeRoutes(surface: SurfaceDescription): Record<string, PathItem> {
  const byPath = Map.groupBy(surface.table, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, routes]) => [
      surface.prefix + path,
      Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), describeRoute(surface, route)])),
    ]),
  );
}
