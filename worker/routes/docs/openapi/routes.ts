// From a table of routes to their description.
import type * as z from 'zod';
import {
  type Answer,
  type DescribedOperation,
  headerReferences,
  type Parameter,
  type PathItem,
  type RequestBody,
} from '../../../../shared/openapi/document.ts';
import type { ProblemCode } from '../../../../shared/problems.ts';
import type { DescribedRoute } from '../../route.ts';
import { problemAnswers } from './problems.ts';
import { schemaOf } from './schemas.ts';

/** What the routes of a surface have in common. */
export interface DescribedSurface {
  /** What its paths begin with. */
  prefix: string;
  /** The first word of its operations' names. */
  name: string;
  table: readonly DescribedRoute[];
  tagOf: (route: DescribedRoute) => string;
  /** The name of the security scheme that opens it. */
  scheme: string;
  /** The problems of each of its routes. */
  problems: readonly ProblemCode[];
  /** The headers of each success. */
  headers: readonly string[];
}

const places = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
] as const;

function parametersOf(request: z.ZodObject): Parameter[] {
  return places.flatMap(([part, where]) => {
    const own = request.shape[part];
    if (own === undefined) return [];
    const { properties = {}, required = [] } = schemaOf(own, 'input');
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: where,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }));
  });
}

function requestBodyOf(request: z.ZodObject): RequestBody | undefined {
  const { body } = request.shape;
  if (body === undefined) return undefined;
  return { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } };
}

function successOf({ success }: DescribedRoute, headers: readonly string[]): Answer {
  const { schema, types = ['application/json'], description } = success;
  const described = headerReferences(headers);
  if (schema === undefined) return { description, headers: described };
  const media = (type: string) =>
    type === 'application/json'
      ? { schema: schemaOf(schema, 'output') }
      : { schema: { type: 'string' } as const };
  return {
    description,
    headers: described,
    content: Object.fromEntries(types.map((type) => [type, media(type)])),
  };
}

/** `get_admin_teams_by_id`. */
function operationName({ name }: DescribedSurface, { method, path }: DescribedRoute): string {
  const words = path.split('/').filter((word) => word !== '');
  return [method.toLowerCase(), name, ...words.map((word) => word.replace(/^\{(\w+)\}$/, 'by_$1'))]
    .join('_')
    .replaceAll('-', '_');
}

function describeRoute(surface: DescribedSurface, route: DescribedRoute): DescribedOperation {
  const { request, summary, description } = route;
  const requestBody = requestBodyOf(request);
  return {
    operationId: operationName(surface, route),
    tags: [surface.tagOf(route)],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [{ [surface.scheme]: [] }],
    parameters: parametersOf(request),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [String(route.success.status)]: successOf(route, surface.headers),
      ...problemAnswers([...route.problems, ...surface.problems]),
    },
  };
}

/** Describes every route of a surface, by path. */
export function describeRoutes(surface: DescribedSurface): Record<string, PathItem> {
  const byPath = Map.groupBy(surface.table, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, routes]) => [
      surface.prefix + path,
      Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), describeRoute(surface, route)])),
    ]),
  );
}
