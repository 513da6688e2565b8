// UrlFetchApp in the realm: reads request options and creates responses.
import { type Bridge, createException } from '../bridge.ts';
import { emulateObject, isPlainObject, matchesType, method, signatureMismatch } from '../emulated.ts';

/** Types of the emulated request options. Reference "UrlFetchApp.fetch", advanced parameters. */
const OPTIONS: Readonly<Record<string, string>> = {
  contentType: 'String',
  headers: 'Object',
  method: 'String',
  payload: 'String',
  followRedirects: 'Boolean',
  muteHttpExceptions: 'Boolean',
};

/** Reference "payload": the default type of a text. */
const FORM = 'application/x-www-form-urlencoded';

function validateOptions(path: string, url: unknown, options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) {
    const type = OPTIONS[name];
    if (type === undefined) throw signatureMismatch(path, [url, options], ` (unknown option: ${name})`);
    if (value === undefined || value === null)
      throw createException(`Attribute provided with no value: ${name}`);
    if (!matchesType(type, value)) throw createException(`Attribute provided with invalid value: ${name}`);
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
  const body = typeof payload === 'string' ? bridge.encode(payload) : null;
  const headers = readHeaders(options.headers);
  const isTypeNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    url,
    method: String(options.method ?? (body ? 'post' : 'get')).toLowerCase(),
    headers,
    contentType: options.contentType ?? (body === null || isTypeNamed ? null : FORM),
    body: body ? bytes.push(body) - 1 : null,
    mute: options.muteHttpExceptions ?? false,
    follow: options.followRedirects ?? true,
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

function createResponse(bridge: Bridge, head: unknown, content: Uint8Array): object {
  const { status, charset }: { status?: unknown; charset?: unknown } = Object(head);
  return emulateObject('UrlFetchApp.HTTPResponse', {
    getResponseCode: method(() => status),
    getContentText: method(
      (requestedCharset) => bridge.decode(content, String(requestedCharset ?? charset)),
      '',
      'String',
    ),
  });
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
