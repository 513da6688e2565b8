// Formats HTTP requests as text.
import { FAMILY } from './records.ts';

const HOST = 'gateway.example';

function formatRequest(first: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const all = { host: HOST, accept: 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[first, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

/** Formats a GET request. @param path - with `{n}` in place of a number */
export function formatGet(path: string, headers: Readonly<Record<string, string>>): string {
  return formatRequest(`GET ${path} HTTP/1.1`, headers);
}

/**
 * Formats a GET request for a record.
 * @param apikey - the caller's token
 * @param keyPrefix - text before the number in the key
 */
export function formatCollect(apikey: string, keyPrefix = ''): string {
  return formatGet(`/cdapi/v2/${FAMILY}/collect/${keyPrefix}{n}`, { apikey });
}

/** Formats a POST request with a constant JSON body. */
export function formatPost(path: string, headers: Readonly<Record<string, string>>, body: unknown): string {
  const json = JSON.stringify(body);
  const described = {
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
  };
  return formatRequest(`POST ${path} HTTP/1.1`, described, json);
}
