// The realm's access to the host: services make their calls here and throw the host's errors.
import type { Reply } from '../threads/protocol.ts';
import { pack, unpack } from '../threads/protocol.ts';

/** Functions of the platform for a realm. A script must never reach them. */
export interface RealmPlatform {
  /** Calls the host and waits for its reply. */
  call(name: string, args: string, bytes: readonly Uint8Array[]): Reply;
  /** Throws a RangeError for an unknown charset. */
  decode(bytes: Uint8Array, charset: string): string;
  encode(text: string): Uint8Array;
  /** Evaluates Code.js in the realm, compiled once per thread. Absent: by eval. */
  evaluateScript?(code: string): void;
  /** Evaluates a script that is built like the second one, compiled once per thread; undefined for any other text. */
  evaluateSecondScript?(code: string): { value: unknown } | undefined;
}

/** A result with binary data of this realm. */
export interface CallResult {
  readonly value: unknown;
  readonly bytes: readonly Uint8Array[];
}

/** Creates an error with Google's message, as scripts catch it. */
export function createException(message: string, name = 'Exception'): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return error;
}

/** Calls the host by method name, with values of this realm. */
export class Bridge {
  readonly #platform: RealmPlatform;

  constructor(platform: RealmPlatform) {
    this.#platform = platform;
  }

  /** Calls the host and returns the result; throws the host's error. */
  call(name: string, ...args: readonly unknown[]): unknown {
    return this.callWithBytes(name, args, []).value;
  }

  /** Like `call`, with binary data in both directions. */
  callWithBytes(name: string, args: readonly unknown[], bytes: readonly Uint8Array[]): CallResult {
    const reply = this.#platform.call(name, pack(args), bytes);
    if (!reply.ok) throw createException(reply.failure.message, reply.failure.name);
    return { value: unpack(reply.value), bytes: reply.bytes.map((part) => new Uint8Array(part)) };
  }

  /** Decodes bytes; throws "Invalid argument: charset". */
  decode(bytes: Uint8Array, charset: string): string {
    try {
      return this.#platform.decode(bytes, charset);
    } catch {
      throw createException(`Invalid argument: ${charset}`);
    }
  }

  encode(text: string): Uint8Array {
    return new Uint8Array(this.#platform.encode(text));
  }
}
