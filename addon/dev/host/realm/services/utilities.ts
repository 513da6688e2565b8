// Utilities, Session, console and Logger in the realm.
import { type Bridge, createException } from '../bridge.ts';
import { emulateObject, enumeration, memberName, method } from '../emulated.ts';
import {
  BASE64,
  BASE64_WEB_SAFE,
  type Charset,
  createBlob,
  fromBase64,
  getBlobContent,
  toBase64,
  toBytes,
  toSignedBytes,
} from './bytes.ts';

const DIGESTS = ['MD2', 'MD5', 'SHA_1', 'SHA_256', 'SHA_384', 'SHA_512'];
const CHARSET = 'Utilities.Charset';
const ALGORITHM = 'Utilities.DigestAlgorithm';
const TEXT_OR_BYTES = ['String', 'Byte[]', `String, ${CHARSET}`];

/**
 * Creates Utilities: base64, digests, dates, ids, blobs, sleep.
 * @param digestCharset - of digests and signatures of texts without a charset. Base64 and blobs use UTF-8.
 */
export function createUtilities(bridge: Bridge, digestCharset: Charset): object {
  const encode = (alphabet: string) => (value: unknown) =>
    toBase64(getBlobContent(value)?.bytes ?? toBytes(bridge, value), alphabet);
  const decode = (alphabet: string) => (text: unknown) => toSignedBytes(fromBase64(String(text), alphabet));
  const digest = (name: string, args: readonly unknown[], charset: unknown, ...values: unknown[]) => {
    const named = memberName(charset);
    const charsetName = named === 'UTF_8' || named === 'US_ASCII' ? named : digestCharset;
    const bytes = values.map((value) => toBytes(bridge, value, charsetName));
    return toSignedBytes(
      bridge.callWithBytes(`Utilities.${name}`, args, bytes).bytes[0] ?? new Uint8Array(0),
    );
  };
  return emulateObject(
    'Utilities',
    {
      base64Encode: method(encode(BASE64), ...TEXT_OR_BYTES),
      base64EncodeWebSafe: method(encode(BASE64_WEB_SAFE), ...TEXT_OR_BYTES),
      base64Decode: method(decode(BASE64), 'String', `String, ${CHARSET}`),
      base64DecodeWebSafe: method(decode(BASE64_WEB_SAFE), 'String', `String, ${CHARSET}`),
      computeDigest: method(
        (algorithm, value, charset) => digest('computeDigest', [memberName(algorithm)], charset, value),
        ...TEXT_OR_BYTES.map((types) => `${ALGORITHM}, ${types}`),
      ),
      computeHmacSha256Signature: method(
        (value, key, charset) => digest('computeHmacSha256Signature', [], charset, value, key),
        'String, String',
        `String, String, ${CHARSET}`,
        'Byte[], Byte[]',
      ),
      formatDate: method((...args) => bridge.call('Utilities.formatDate', ...args), 'Date, String, String'),
      parseDate: method((...args) => bridge.call('Utilities.parseDate', ...args), 'String, String, String'),
      getUuid: method(() => bridge.call('Utilities.getUuid')),
      newBlob: method(
        (data, contentType, name) =>
          createBlob(bridge, {
            bytes: toBytes(bridge, data),
            contentType:
              typeof contentType === 'string' ? contentType : typeof data === 'string' ? 'text/plain' : null,
            name: typeof name === 'string' ? name : null,
          }),
        ...['String', 'Byte[]'].flatMap((data) => [data, `${data}, String`, `${data}, String, String`]),
      ),
      sleep: method((ms) => void bridge.call('Utilities.sleep', ms), 'Integer'),
    },
    {
      DigestAlgorithm: enumeration(ALGORITHM, DIGESTS),
      Charset: enumeration(CHARSET, ['US_ASCII', 'UTF_8']),
    },
  );
}

export function createUser(email: unknown): object {
  return emulateObject('Session.User', {
    getEmail: method(() => email),
    getUserLoginId: method(() => email),
  });
}

export function createSession(bridge: Bridge): object {
  const callSession = (name: string) => method(() => bridge.call(`Session.${name}`));
  return emulateObject('Session', {
    getActiveUser: method(() => createUser(bridge.call('Session.getActiveUser'))),
    getEffectiveUser: method(() => createUser(bridge.call('Session.getEffectiveUser'))),
    getTemporaryActiveUserKey: callSession('getTemporaryActiveUserKey'),
    getActiveUserLocale: callSession('getActiveUserLocale'),
    getScriptTimeZone: callSession('getScriptTimeZone'),
  });
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.stack ?? String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Replaces %s, %d and similar placeholders and appends the other values. */
function formatLine(values: readonly unknown[]): string {
  const [first, ...remaining] = values;
  if (typeof first !== 'string') return values.map(formatValue).join(' ');
  const text = first.replace(/%[sdifjoO%]/g, (mark) =>
    mark === '%%' ? '%' : remaining.length > 0 ? formatValue(remaining.shift()) : mark,
  );
  return [text, ...remaining.map(formatValue)].join(' ');
}

/** Creates console and Logger; both write to the host's log. */
export function createLogs(bridge: Bridge): { readonly console: object; readonly Logger: object } {
  const write = (level: string, values: readonly unknown[]): string => {
    const text = formatLine(values);
    bridge.notify('Console.write', level, text);
    return text;
  };
  const levels = { log: 'log', info: 'info', warn: 'warn', error: 'error', debug: 'log' };
  const console = Object.fromEntries(
    Object.entries(levels).map(([name, level]) => [
      name,
      (...values: unknown[]) => void write(level, values),
    ]),
  );
  const timers = new Map<string, number>();
  console.time = (label: unknown) => void timers.set(String(label), Date.now());
  console.timeEnd = (label: unknown) => {
    const since = timers.get(String(label));
    if (since !== undefined) write('log', [`${String(label)}: ${Date.now() - since}ms`]);
  };
  const lines: string[] = [];
  const log = (...values: unknown[]): object => {
    if (values.length === 0)
      throw createException("The parameters () don't match the method signature for Logger.log.");
    lines.push(write('info', values));
    return Logger;
  };
  const Logger: object = Object.freeze({
    log,
    getLog: () => lines.join('\n'),
    clear: () => void lines.splice(0),
    toString: () => 'Logger',
  });
  return { console: Object.freeze(console), Logger };
}
