// Utilities and the clock on the host: digests, dates, ids and sleep.
import { BinaryResult, Exception, type Handlers } from '../calls.ts';
import { formatDate, parseDate } from '../dates.ts';

/** Web Crypto names by Utilities.DigestAlgorithm. */
const WEB_CRYPTO: Readonly<Record<string, string>> = {
  SHA_1: 'SHA-1',
  SHA_256: 'SHA-256',
  SHA_384: 'SHA-384',
  SHA_512: 'SHA-512',
};

/** Computes a digest; throws "not emulated" for MD2 and MD5. */
async function digest(algorithm: string, data: Uint8Array): Promise<Uint8Array> {
  const name = WEB_CRYPTO[algorithm];
  if (!name) throw new Exception(`not emulated: Utilities.DigestAlgorithm.${algorithm}`);
  return new Uint8Array(await crypto.subtle.digest(name, new Uint8Array(data)));
}

async function hmacSha256(data: Uint8Array, key: Uint8Array): Promise<Uint8Array> {
  if (key.length === 0) throw new Exception('Invalid argument: key');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new Uint8Array(data)));
}

/** Reference "Utilities.sleep": at most 300,000 ms. */
const MAX_SLEEP_MS = 300_000;

export function utilityHandlers(
  now: () => number,
  setTimer: (ms: number, run: () => void) => () => void,
  uuid: () => string,
): Handlers {
  return {
    'Clock.now': (context) => now() + context.aheadMs,
    'Utilities.computeDigest': async (_context, args, bytes) =>
      new BinaryResult(null, [await digest(args.string(0), bytes[0] ?? new Uint8Array(0))]),
    'Utilities.computeHmacSha256Signature': async (_context, _args, bytes) =>
      new BinaryResult(null, [
        await hmacSha256(bytes[0] ?? new Uint8Array(0), bytes[1] ?? new Uint8Array(0)),
      ]),
    'Utilities.formatDate': (_context, args) => formatDate(args.date(0), args.string(1), args.string(2)),
    'Utilities.parseDate': (_context, args) => parseDate(args.string(0), args.string(1), args.string(2)),
    'Utilities.getUuid': () => uuid(),
    'Utilities.sleep': (context, args) => {
      const ms = args.number(0);
      if (ms < 0 || ms > MAX_SLEEP_MS) throw new Exception(`Invalid argument: milliseconds`);
      return new Promise((resolve) => {
        const wake = (): void => {
          context.cleanups.delete(cancel);
          resolve(null);
        };
        const cancel = setTimer(ms, wake);
        context.cleanups.add(cancel);
      });
    },
  };
}
