// Requests as they are sent.
import { FAMILY } from './records.ts';

const HOST = 'gateway.example';

function formatRequest(first: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const all = { host: HOST, accept: 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[first, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

/** A GET. @param path - with `{n}` where a number is to stand */
export function formatGet(path: string, headers: Readonly<Record<string, string>>): string {
  return formatRequest(`GET ${path} HTTP/1.1`, headers);
}

/** A GET of a record as the service has it. @param apikey - that the caller shows */
export function formatCollect(apikey: string): string {
  return formatGet(`/cdapi/v2/${FAMILY}/collect/{n}`, { apikey });
}

/** A POST of JSON, in which no number stands. */
export function formatPost(path: string, headers: Readonly<Record<string, string>>, body: unknown): string {
  const json = JSON.stringify(body);
  const described = {
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
  };
  return formatRequest(`POST ${path} HTTP/1.1`, described, json);
}
