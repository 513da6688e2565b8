// Formats sample requests as curl commands.
import type {
  Method,
  OpenApiDocument,
  OperationObject,
  Parameter,
  RequestBody,
  SecurityScheme,
} from '../../../shared/openapi/document.ts';
import { buildSample } from './schemas.ts';

/** Returns a sample value of a parameter. Without an example it is the parameter's name. */
function sampleParameter({ name, schema }: Parameter, document: OpenApiDocument): string {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return String(example);
  if (schema.enum !== undefined) return String(buildSample(schema, document, false));
  return name.toUpperCase().replaceAll('-', '_');
}

/** Formats the authentication header. */
function formatKeyHeader({ type, name, scheme }: SecurityScheme, id: string): string {
  const variable = id === 'adminToken' ? '$ADMIN_TOKEN' : '$TEAM_TOKEN';
  return type === 'apiKey'
    ? `${name}: ${variable}`
    : `authorization: ${scheme === 'bearer' ? 'Bearer ' : ''}${variable}`;
}

function formatBodyArguments({ content }: RequestBody, document: OpenApiDocument): string[] {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(content);
  const sample = buildSample(schema, document, false);
  if (type === 'multipart/form-data') {
    return Object.keys(Object(sample)).map(
      (name) => `-F ${name}=${name.endsWith('file') ? '@ids.csv' : '…'}`,
    );
  }
  // Single quotes can't be escaped inside single quotes.
  const json = JSON.stringify(sample, undefined, 2).replaceAll("'", '\\u0027').replaceAll('\n', '\n  ');
  return [`-H 'content-type: application/json'`, `-d '${json}'`];
}

/**
 * Formats an operation as a curl command.
 * @param path - path below the server's origin
 */
export function formatCurl(
  method: Method,
  path: string,
  operation: OperationObject,
  document: OpenApiDocument,
): string {
  const { parameters = [], requestBody, security = document.security } = operation;
  const server = document.servers[0]?.url ?? '';
  const requiredParameters = parameters.filter(({ required }) => required);
  const requestPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const found = requiredParameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
    return found === undefined ? name : encodeURIComponent(sampleParameter(found, document));
  });
  const query = requiredParameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => `${parameter.name}=${encodeURIComponent(sampleParameter(parameter, document))}`)
    .join('&');
  const [scheme] = Object.keys(security[0] ?? {});
  const key = scheme === undefined ? undefined : document.components.securitySchemes[scheme];
  const headers = requiredParameters
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => `-H '${parameter.name}: ${sampleParameter(parameter, document)}'`);
  // curl defaults to GET, or to POST with a body.
  const implied = requestBody === undefined ? 'get' : 'post';
  const parts = [
    `${method === implied ? '' : `-X ${method.toUpperCase()} `}'${server}${requestPath}${query === '' ? '' : `?${query}`}'`,
    ...(key === undefined || scheme === undefined ? [] : [`-H "${formatKeyHeader(key, scheme)}"`]),
    ...headers,
    ...(requestBody === undefined ? [] : formatBodyArguments(requestBody, document)),
  ];
  return `curl ${parts.join(' \\\n  ')}`;
}
