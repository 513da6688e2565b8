// Types for the parts of OpenAPI 3.1 in use.

export type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** A JSON Schema (draft 2020-12), limited to the keywords in use. */
export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: JsonType | readonly JsonType[];
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface MediaTypeObject {
  schema?: Schema;
  examples?: Readonly<Record<string, Reference>>;
}

export interface Header {
  description: string;
  schema: Schema;
}

export interface ResponseObject {
  description: string;
  headers?: Readonly<Record<string, Reference>>;
  content?: Readonly<Record<string, MediaTypeObject>>;
}

export interface RequestBody {
  required: true;
  content: Readonly<Record<string, MediaTypeObject>>;
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

export interface OperationObject {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  /** Security schemes, if they differ from those of the document. */
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  parameters?: readonly Parameter[];
  requestBody?: RequestBody;
  /** By status. */
  responses: Readonly<Record<string, ResponseObject>>;
  /** Credits that a success costs. */
  'x-credits'?: number;
}

export type PathItem = Readonly<Partial<Record<Method, OperationObject>>>;

export interface SecurityScheme {
  type: 'apiKey' | 'http';
  description?: string;
  /** Of an API key. */
  in?: 'header';
  name?: string;
  /** Of HTTP authentication. */
  scheme?: 'bearer';
}

export interface Tag {
  name: string;
  description?: string;
}

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; summary?: string; description?: string };
  servers: readonly { url: string }[];
  security: readonly Readonly<Record<string, readonly string[]>>[];
  tags?: readonly Tag[];
  /** Groups of tags on reference pages. */
  'x-tagGroups'?: readonly { name: string; tags: readonly string[] }[];
  paths: Readonly<Record<string, PathItem>>;
  components: {
    securitySchemes: Readonly<Record<string, SecurityScheme>>;
    headers: Readonly<Record<string, Header>>;
    schemas: Readonly<Record<string, Schema>>;
    examples?: Readonly<Record<string, { summary: string; value: unknown }>>;
  };
}

export function schemaReference(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

const referHeaders = (names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Describes a response. @param headers - names of component headers */
export function describeResponse(
  description: string,
  headers: readonly string[],
  schema?: Schema,
  type = 'application/json',
): ResponseObject {
  return {
    description,
    ...(headers.length > 0 && { headers: referHeaders(headers) }),
    ...(schema !== undefined && { content: { [type]: { schema } } }),
  };
}
