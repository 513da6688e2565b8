// Utilities, Session and console in the realm.
import type { Bridge } from '../bridge.ts';
import { emulateObject, enumeration, memberName, method } from '../emulated.ts';
import { type Charset, toBase64WebSafe, toBytes, toSignedBytes } from './bytes.ts';

const DIGESTS = ['MD2', 'MD5', 'SHA_1', 'SHA_256', 'SHA_384', 'SHA_512'];
const CHARSET = 'Utilities.Charset';
const ALGORITHM = 'Utilities.DigestAlgorithm';
const TEXT_OR_BYTES = ['String', 'Byte[]', `String, ${CHARSET}`];

/**
 * Creates Utilities: base64, digests, dates, ids, sleep.
 * @param digestCharset - of digests and signatures of texts without a charset. Base64 uses UTF-8.
 */
export function createUtilities(bridge: Bridge, digestCharset: Charset): object {
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
      base64EncodeWebSafe: method((value) => toBase64WebSafe(toBytes(bridge, value)), ...TEXT_OR_BYTES),
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
      sleep: method((ms) => void bridge.call('Utilities.sleep', ms), 'Integer'),
    },
    {
      DigestAlgorithm: enumeration(ALGORITHM, DIGESTS),
      Charset: enumeration(CHARSET, ['US_ASCII', 'UTF_8']),
    },
  );
}

export function createUser(email: unknown): object {
  return emulateObject('Session.User', { getEmail: method(() => email) });
}

export function createSession(bridge: Bridge): object {
  return emulateObject('Session', {
    getActiveUserLocale: method(() => bridge.call('Session.getActiveUserLocale')),
  });
}

/** Creates console, which writes to the host's log. */
export function createConsole(bridge: Bridge): object {
  return Object.freeze({
    log: (...values: unknown[]) => void bridge.call('Console.write', values.map(String).join(' ')),
  });
}
