// Utilities and the clock on the host: digests, dates, ids and sleep.
import { BinaryResult, Exception, type Handlers } from '../calls.ts';
import { formatDate, parseDate } from '../dates.ts';
import { digest, hmacSha256 } from './digests.ts';

/** Reference "Utilities.sleep": at most 300,000 ms. */
const MAX_SLEEP_MS = 300_000;

/** Creates the handlers of Utilities. */
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
