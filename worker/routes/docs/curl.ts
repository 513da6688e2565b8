// How a request looks in a terminal.
import type {
  DescribedOperation,
  Document,
  Method,
  Parameter,
  RequestBody,
  SecurityScheme,
} from '../../../shared/openapi/document.ts';
import { sampleOf } from './schemas.ts';

/** A value for a parameter; without an example its name stands for one. */
function sampleText({ name, schema }: Parameter, document: Document): string {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return String(example);
  if (schema.enum !== undefined) return String(sampleOf(schema, document, false));
  return name.toUpperCase().replaceAll('-', '_');
}

/** What opens an operation, as a header. */
function keyHeader({ type, name, scheme }: SecurityScheme, id: string): string {
  const variable = id === 'adminToken' ? '$ADMIN_TOKEN' : '$TEAM_TOKEN';
  return type === 'apiKey'
    ? `${name}: ${variable}`
    : `authorization: ${scheme === 'bearer' ? 'Bearer ' : ''}${variable}`;
}

function bodyArguments({ content }: RequestBody, document: Document): string[] {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(content);
  const sample = sampleOf(schema, document, false);
  if (type === 'multipart/form-data') {
    return Object.keys(Object(sample)).map(
      (name) => `-F ${name}=${name.endsWith('file') ? '@ids.csv' : '…'}`,
    );
  }
  // A single quote can't stand between single quotes.
  const json = JSON.stringify(sample, undefined, 2).replaceAll("'", '\\u0027').replaceAll('\n', '\n  ');
  return [`-H 'content-type: application/json'`, `-d '${json}'`];
}

/**
 * An operation as a curl command.
 * @param path - below the server's address
 */
export function curl(
  method: Method,
  path: string,
  operation: DescribedOperation,
  document: Document,
): string {
  const { parameters = [], requestBody, security = document.security } = operation;
  const server = document.servers[0]?.url ?? '';
  const needed = parameters.filter(({ required }) => required);
  const located = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const found = needed.find((own) => own.in === 'path' && own.name === name);
    return found === undefined ? name : encodeURIComponent(sampleText(found, document));
  });
  const query = needed
    .filter((own) => own.in === 'query')
    .map((own) => `${own.name}=${encodeURIComponent(sampleText(own, document))}`)
    .join('&');
  const [scheme] = Object.keys(security[0] ?? {});
  const key = scheme === undefined ? undefined : document.components.securitySchemes[scheme];
  const headers = needed
    .filter((own) => own.in === 'header')
    .map((own) => `-H '${own.name}: ${sampleText(own, document)}'`);
  // curl sends a GET, or a POST where there is a body.
  const implied = requestBody === undefined ? 'get' : 'post';
  const parts = [
    `${method === implied ? '' : `-X ${method.toUpperCase()} `}'${server}${located}${query === '' ? '' : `?${query}`}'`,
    ...(key === undefined || scheme === undefined ? [] : [`-H "${keyHeader(key, scheme)}"`]),
    ...headers,
    ...(requestBody === undefined ? [] : bodyArguments(requestBody, document)),
  ];
  return `curl ${parts.join(' \\\n  ')}`;
}
