// Sample values of schemas, and requests as curl commands.
import type {
  Method,
  OpenApiDocument,
  OperationObject,
  Parameter,
  RequestBody,
  Schema,
} from '../../../shared/openapi/document.ts';

/** Maximum depth. Deeper than all schemas in use. */
export const MAX_DEPTH = 8;

export function resolveSchema(schema: Schema, { components }: OpenApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const found = components.schemas[name];
  if (found === undefined) throw new Error(`The description has no schema ${name}.`);
  return found;
}

export function listTypes({ type }: Schema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

const samples: Readonly<Record<string, unknown>> = {
  'date-time': '2026-09-01T12:00:00.000Z',
  date: '2026-09-01',
  uuid: '3f0c6f6e-8a1b-4c1e-9d53-0a4b6b8f2c11',
  uri: 'https://gateway.example',
};

export function buildSample(
  schemaOrReference: Schema,
  document: OpenApiDocument,
  withOptional: boolean,
  depth = 0,
): unknown {
  const schema = resolveSchema(schemaOrReference, document);
  const [example] = schema.examples ?? schemaOrReference.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (depth > MAX_DEPTH) return null;
  const inner = (member: Schema): unknown => buildSample(member, document, withOptional, depth + 1);
  const [type] = listTypes(schema);
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const shown = Object.entries(properties).filter(
        ([name, member]) => withOptional || required.includes(name) || member.examples !== undefined,
      );
      return Object.fromEntries(shown.map(([name, member]) => [name, inner(member)]));
    }
    case 'array':
      return schema.items === undefined ? [] : [inner(schema.items)];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 0);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return samples[schema.format ?? ''] ?? '…';
    default:
      return schema.anyOf?.[0] === undefined ? '…' : inner(schema.anyOf[0]);
  }
}

/** Returns a sample value of a parameter. Without an example it is the parameter's name. */
function sampleParameter({ name, schema }: Parameter, document: OpenApiDocument): string {
  if (schema.examples ?? schema.enum) return String(buildSample(schema, document, false));
  return name.toUpperCase().replaceAll('-', '_');
}

function formatBodyArguments({ content }: RequestBody, document: OpenApiDocument): string[] {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(content);
  const sample = buildSample(schema, document, false);
  if (type === 'multipart/form-data')
    return Object.keys(Object(sample)).map(
      (name) => `-F ${name}=${name.endsWith('file') ? '@ids.csv' : '…'}`,
    );
  // Single quotes can't be escaped inside single quotes.
  const json = JSON.stringify(sample, undefined, 2).replaceAll("'", '\\u0027').replaceAll('\n', '\n  ');
  return [`-H 'content-type: application/json'`, `-d '${json}'`];
}

/** Formats an operation as a curl command. */
export function formatCurl(
  method: Method,
  path: string,
  { parameters = [], requestBody, security }: OperationObject,
  document: OpenApiDocument,
): string {
  const required = parameters
    .filter((parameter) => parameter.required)
    .map((parameter) => ({ ...parameter, sample: sampleParameter(parameter, document) }));
  const placed = (place: Parameter['in']) => required.filter((parameter) => parameter.in === place);
  const address = placed('path').reduce(
    (text, { name, sample }) => text.replace(`{${name}}`, encodeURIComponent(sample)),
    `${document.servers[0]?.url ?? ''}${path}`,
  );
  const query = placed('query').map(({ name, sample }) => `${name}=${encodeURIComponent(sample)}`);
  const [scheme] = Object.keys((security ?? document.security)[0] ?? {});
  const variable = scheme === 'adminToken' ? '$ADMIN_TOKEN' : '$TEAM_TOKEN';
  const key = scheme === 'ApiKeyAuth' ? `apikey: ${variable}` : `authorization: Bearer ${variable}`;
  // curl defaults to GET, or to POST with a body.
  const implied = requestBody === undefined ? 'get' : 'post';
  const parts = [
    `${method === implied ? '' : `-X ${method.toUpperCase()} `}'${[address, ...(query.length === 0 ? [] : [query.join('&')])].join('?')}'`,
    ...(scheme === undefined ? [] : [`-H "${key}"`]),
    ...placed('header').map(({ name, sample }) => `-H '${name}: ${sample}'`),
    ...(requestBody === undefined ? [] : formatBodyArguments(requestBody, document)),
  ];
  return `curl ${parts.join(' \\\n  ')}`;
}
