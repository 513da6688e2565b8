// The realm's access to the host: services make their calls here and throw the host's errors.
import type { Reply } from '../threads/protocol.ts';
import { pack, unpack } from '../threads/serializer.ts';

/** Functions of the platform for a realm. A script must never reach them. */
export interface Door {
  /** Calls the host and waits for its reply. */
  ask(name: string, args: string, bytes: readonly Uint8Array[]): Reply;
  /** Calls the host without a reply. */
  tell(name: string, args: string): void;
  /** Throws a RangeError for an unknown charset. */
  decode(bytes: Uint8Array, charset: string): string;
  encode(text: string): Uint8Array;
}

/** A result with binary data of this realm. */
export interface Answered {
  readonly value: unknown;
  readonly bytes: readonly Uint8Array[];
}

/** Creates an error with Google's message, as scripts catch it. */
export function exception(message: string, name = 'Exception'): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return error;
}

/** Calls the host by method name, with values of this realm. */
export class Bridge {
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
  }

  /** Calls the host and returns the result; throws the host's error. */
  ask(name: string, ...args: readonly unknown[]): unknown {
    return this.send(name, args, []).value;
  }

  /** Like `call`, with binary data in both directions. */
  send(name: string, args: readonly unknown[], bytes: readonly Uint8Array[]): Answered {
    const reply = this.#door.ask(name, pack(args), bytes);
    if (!reply.ok) throw exception(reply.failure.message, reply.failure.name);
    return { value: unpack(reply.value), bytes: reply.bytes.map((part) => new Uint8Array(part)) };
  }

  tell(name: string, ...args: readonly unknown[]): void {
    this.#door.tell(name, pack(args));
  }

  /** Decodes bytes; throws "Invalid argument: charset". */
  decode(bytes: Uint8Array, charset: string): string {
    try {
      return this.#door.decode(bytes, charset);
    } catch {
      throw exception(`Invalid argument: ${charset}`);
    }
  }

  encode(text: string): Uint8Array {
    return new Uint8Array(this.#door.encode(text));
  }
}
