// UrlFetchApp on the host: Google's limits and errors around the injected fetch.
import { BinaryResult, byteLength, Exception, type Handler, type Handlers } from '../calls.ts';
import type { Quotas } from '../permissions.ts';
import { isRecord } from '../threads/protocol.ts';
import type { HostFetch, HostRequest, HostResponse, Manifest } from '../types.ts';

/** Apps Script quotas: URL length 2,082, headers 100 a call and 8 KB, POST size 50 MB, response size 50 MB. */
const URL_CHARACTERS = 2082;
const HEADERS = 100;
const HEADER_BYTES = 8 * 1024;
const BODY_BYTES = 50 * 1024 * 1024;
/** Characters of a response in the error message. */
const TRUNCATED_CHARACTERS = 100;

const METHODS = ['get', 'delete', 'patch', 'post', 'put'];
/** Connection headers that UrlFetchApp sets. */
const RESERVED = /^(host|content-length|connection|transfer-encoding|te|upgrade|keep-alive)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A request from the realm; `body` is an index into the bytes of the call. */
interface RequestData {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | null;
  readonly body: number | null;
  readonly mute: boolean;
  readonly follow: boolean;
}

/** Creates the handlers of UrlFetchApp. Both take a list of requests and return a list of responses. */
export function urlFetchHandlers(
  fetch: HostFetch,
  manifest: Manifest,
  quotas: Quotas,
  count: (n: number) => void,
): Handlers {
  const fetchRequests: Handler = async (context, args, bytes) => {
    const requests = args.list(0).map((data) => prepareRequest(data, bytes, manifest));
    quotas.spend(context.viewer, 'urlfetch', requests.length);
    count(requests.length);
    const responses = await Promise.all(
      requests.map(({ request, mute }) => sendRequest(() => fetch(request, context), request, mute)),
    );
    return new BinaryResult(
      responses.map(({ status, headers }) => ({
        status,
        charset: findCharset(headers) ?? context.settings.unnamedCharset,
      })),
      responses.map(({ body }) => body),
    );
  };
  return { 'UrlFetchApp.fetch': fetchRequests, 'UrlFetchApp.fetchAll': fetchRequests };
}

function findCharset(headers: HostResponse['headers']): string | undefined {
  const [, type = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return /charset="?([^\s;"]+)/i.exec(type)?.[1];
}

function prepareRequest(value: unknown, bytes: readonly Uint8Array[], manifest: Manifest) {
  if (!isRequestData(value)) throw new TypeError('UrlFetchApp: invalid request data');
  const url = parseUrl(value.url);
  checkAllowlist(value.url, url, manifest.urlFetchWhitelist);
  if (!METHODS.includes(value.method)) throw new Exception('Attribute provided with invalid value: method');
  const body = value.body === null ? null : (bytes[value.body] ?? null);
  if (body && body.length > BODY_BYTES) throw new Exception('Limit Exceeded: URLFetch POST Size.');
  const headers = validateHeaders(value.headers);
  const request: HostRequest = {
    method: value.method.toUpperCase(),
    url: url.href,
    headers: value.contentType === null ? headers : setContentType(headers, value.contentType),
    body: value.method === 'get' ? null : body,
    followRedirects: value.follow,
  };
  return { request, mute: value.mute };
}

function isRequestData(value: unknown): value is RequestData {
  return isRecord(value) && typeof value.url === 'string' && typeof value.method === 'string';
}

/** Parses a URL. Without a scheme it is http, as in UrlFetchApp. */
function parseUrl(text: string): URL {
  if (text.length > URL_CHARACTERS) throw new Exception('Limit Exceeded: URLFetch URL Length.');
  const invalid = new Exception(`Invalid argument: ${text}`);
  if (text.trim() === '') throw invalid;
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `http://${text}`);
  } catch {
    throw invalid;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid;
  return url;
}

/** Guide "Allowlist URLs": https, same host (`*.` for any subdomain), and a path with this prefix. */
function checkAllowlist(text: string, url: URL, prefixes: readonly string[] | undefined): void {
  if (!prefixes || prefixes.some((prefix) => matchesPrefix(url, prefix))) return;
  throw new Exception(
    `Request to ${text} failed because the URL has not been whitelisted in the script manifest.`,
  );
}

function matchesPrefix(url: URL, prefix: string): boolean {
  const parts = /^https:\/\/([^/]+)(\/.*)$/.exec(prefix);
  if (!parts || url.protocol !== 'https:') return false;
  const [, host = '', path = ''] = parts;
  const sameHost = host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host;
  return sameHost && url.pathname.startsWith(path);
}

function validateHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  for (const [name, value] of entries) {
    if (RESERVED.test(name) || !HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) {
      throw new Exception(`Attribute provided with invalid value: Header:${name}`);
    }
  }
  const size = entries.reduce((sum, [name, value]) => sum + byteLength(name) + byteLength(value), 0);
  if (entries.length > HEADERS || size > HEADER_BYTES)
    throw new Exception('Limit Exceeded: URLFetch Header Size.');
  return { ...headers };
}

function setContentType(headers: Record<string, string>, contentType: string): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type');
  return { ...Object.fromEntries(others), 'Content-Type': contentType };
}

async function sendRequest(
  send: () => Promise<HostResponse>,
  request: HostRequest,
  mute: boolean,
): Promise<HostResponse> {
  const response = await send().catch((thrown: unknown) => {
    throw thrown instanceof Exception ? thrown : new Exception(`Address unavailable: ${request.url}`);
  });
  if (response.body.length > BODY_BYTES) throw new Exception('Limit Exceeded: URLFetch Response Size.');
  if (response.status >= 400 && !mute) throw new Exception(formatHttpError(request, response));
  return response;
}

function formatHttpError(request: HostRequest, { status, body }: HostResponse): string {
  const text = new TextDecoder().decode(body.subarray(0, 4 * TRUNCATED_CHARACTERS));
  const excerpt = text.length > TRUNCATED_CHARACTERS ? `${text.slice(0, TRUNCATED_CHARACTERS)}...` : text;
  const hint = '(use muteHttpExceptions option to examine full response)';
  return `Request failed for ${new URL(request.url).origin} returned code ${status}. Truncated server response: ${excerpt} ${hint}`;
}
