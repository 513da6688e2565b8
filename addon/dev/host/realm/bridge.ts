// The realm's way to the host: every call of a service goes through here and throws what the host refuses.
import type { Reply } from '../threads/protocol.ts';
import { pack, unpack } from '../threads/serializer.ts';

/** What the platform lends a realm. Nothing of it may become reachable for a script. */
export interface Door {
  /** Asks the host and waits for its answer. */
  ask(name: string, args: string, bytes: readonly Uint8Array[]): Reply;
  /** Tells the host something that needs no answer. */
  tell(name: string, args: string): void;
  /** Throws a RangeError for a charset that is none. */
  decode(bytes: Uint8Array, charset: string): string;
  encode(text: string): Uint8Array;
}

/** An answer with bytes of this realm. */
export interface Answered {
  readonly value: unknown;
  readonly bytes: readonly Uint8Array[];
}

/** An error in Google's words, as a script catches it. */
export function exception(message: string, name = 'Exception'): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return error;
}

/** Calls of the host by name, with values of this realm. */
export class Bridge {
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
  }

  /** The value of the host's answer; throws what the host threw. */
  ask(name: string, ...args: readonly unknown[]): unknown {
    return this.send(name, args, []).value;
  }

  /** As `ask`, with bytes either way. */
  send(name: string, args: readonly unknown[], bytes: readonly Uint8Array[]): Answered {
    const reply = this.#door.ask(name, pack(args), bytes);
    if (!reply.ok) throw exception(reply.failure.message, reply.failure.name);
    return { value: unpack(reply.value), bytes: reply.bytes.map((part) => new Uint8Array(part)) };
  }

  tell(name: string, ...args: readonly unknown[]): void {
    this.#door.tell(name, pack(args));
  }

  /** The text that bytes hold; throws "Invalid argument: charset". */
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
