// UrlFetchApp in the realm: reads request options and creates responses.
import { type Bridge, createException } from '../bridge.ts';
import { emulateObject, isPlainObject, method, signatureMismatch } from '../emulated.ts';
import { createBlob, getBlobContent, toBytes, toSignedBytes } from './bytes.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Checks of request options. Reference "UrlFetchApp.fetch", advanced parameters. */
const OPTIONS: Readonly<Record<string, (value: unknown) => boolean>> = {
  contentType: (value) => typeof value === 'string',
  headers: isPlainObject,
  method: (value) => typeof value === 'string',
  payload: (value) =>
    typeof value === 'string' ||
    Array.isArray(value) ||
    isPlainObject(value) ||
    getBlobContent(value) !== null,
  useIntranet: isBoolean,
  validateHttpsCertificates: isBoolean,
  followRedirects: isBoolean,
  muteHttpExceptions: isBoolean,
  escaping: isBoolean,
};

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function validateOptions(path: string, url: unknown, options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) {
    const isValid = OPTIONS[name];
    if (!isValid) throw signatureMismatch(path, [url, options], ` (unknown option: ${name})`);
    if (value === undefined || value === null)
      throw createException(`Attribute provided with no value: ${name}`);
    if (!isValid(value)) throw createException(`Attribute provided with invalid value: ${name}`);
  }
}

/** Creates the host's description of a request; appends the body to `bytes`. */
function readRequest(
  bridge: Bridge,
  path: string,
  url: unknown,
  options: Readonly<Record<string, unknown>>,
  bytes: Uint8Array[],
) {
  validateOptions(path, url, options);
  const { payload } = options;
  const { body, type } = payload === undefined ? { body: null, type: null } : encodePayload(bridge, payload);
  const headers = readHeaders(options.headers);
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    url,
    method: String(options.method ?? (body ? 'post' : 'get')).toLowerCase(),
    headers,
    contentType: options.contentType ?? (named ? null : type),
    body: body ? bytes.push(body) - 1 : null,
    mute: options.muteHttpExceptions ?? false,
    follow: options.followRedirects ?? true,
    validate: options.validateHttpsCertificates ?? true,
    escaping: options.escaping ?? true,
  };
}

function readHeaders(headers: unknown): Record<string, string> {
  const entries = Object.entries(Object(headers)).map(([name, value]): [string, string] => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      throw createException(`Attribute provided with invalid value: Header:${name}`);
    }
    return [name, String(value)];
  });
  return Object.fromEntries(entries);
}

/** Reference "payload": a text, bytes, a Blob, or an object, which is form-encoded. */
function encodePayload(
  bridge: Bridge,
  payload: unknown,
): { readonly body: Uint8Array; readonly type: string } {
  const content = getBlobContent(payload);
  if (content) return { body: content.bytes, type: content.contentType ?? 'application/octet-stream' };
  if (!isPlainObject(payload)) return { body: toBytes(bridge, payload), type: FORM };
  const pairs = Object.entries(payload).map(([name, value]) => {
    if (getBlobContent(value)) throw createException('not emulated: UrlFetchApp.fetch with a Blob in a form');
    return `${formEncode(name)}=${formEncode(String(value))}`;
  });
  return { body: bridge.encode(pairs.join('&')), type: FORM };
}

function formEncode(text: string): string {
  return encodeURIComponent(text).replace(/%20/g, '+');
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

function createResponse(bridge: Bridge, value: unknown, content: Uint8Array): object {
  const { status, headers, unnamedCharset } = readResponseHead(value);
  const first = Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      typeof header === 'string' ? header : (header[0] ?? ''),
    ]),
  );
  const contentType =
    Object.entries(first).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;
  const charset = /charset="?([^\s;"]+)/i.exec(contentType ?? '')?.[1] ?? unnamedCharset;
  return emulateObject('UrlFetchApp.HTTPResponse', {
    getResponseCode: method(() => status),
    getContentText: method(
      (requestedCharset) => bridge.decode(content, String(requestedCharset ?? charset)),
      '',
      'String',
    ),
    getHeaders: method(() => ({ ...first })),
    getAllHeaders: method(() => ({ ...headers })),
    getContent: method(() => toSignedBytes(content)),
    getBlob: method(() =>
      createBlob(bridge, { bytes: content, contentType: contentType?.split(';')[0] ?? null, name: null }),
    ),
  });
}

function readResponseHead(value: unknown): {
  readonly status: number;
  readonly headers: Headers;
  readonly unnamedCharset: string;
} {
  const head: { status?: unknown; headers?: unknown; unnamedCharset?: unknown } = Object(value);
  const entries = Object.entries(Object(head.headers)).map(([name, header]): [string, string | string[]] => [
    name,
    Array.isArray(header) ? header.map(String) : String(header),
  ]);
  return {
    status: Number(head.status),
    headers: Object.fromEntries(entries),
    unnamedCharset: String(head.unnamedCharset),
  };
}

/** Creates UrlFetchApp with fetch and fetchAll. */
export function createUrlFetchApp(bridge: Bridge): object {
  const send = (path: string, requests: (bytes: Uint8Array[]) => unknown[]): object[] => {
    const bytes: Uint8Array[] = [];
    const requestData = requests(bytes);
    const answer = bridge.callWithBytes(path, [requestData], bytes);
    const heads: unknown[] = Array.isArray(answer.value) ? answer.value : [];
    return heads.map((head, index) => createResponse(bridge, head, answer.bytes[index] ?? new Uint8Array(0)));
  };
  const fetchOne = (url: unknown, options: unknown): object | undefined => {
    const path = 'UrlFetchApp.fetch';
    return send(path, (bytes) => [readRequest(bridge, path, url, { ...Object(options) }, bytes)])[0];
  };
  const fetchAll = (requests: unknown): object[] => {
    const path = 'UrlFetchApp.fetchAll';
    return send(path, (bytes) =>
      (Array.isArray(requests) ? requests : []).map((request: unknown) => {
        const { url, ...options }: Record<string, unknown> =
          typeof request === 'string' ? { url: request } : { ...Object(request) };
        if (typeof url !== 'string' || (typeof request !== 'string' && !isPlainObject(request)))
          throw signatureMismatch(path, [requests]);
        return readRequest(bridge, path, url, options, bytes);
      }),
    );
  };
  return emulateObject('UrlFetchApp', {
    fetch: method(fetchOne, 'String', 'String, Object'),
    fetchAll: method(fetchAll, 'Any[]'),
  });
}
