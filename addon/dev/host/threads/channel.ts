// Channel between host and thread: messages carry calls, shared memory carries replies.
import type { Answer, Call, Execution, Job, Outcome, Reply } from './protocol.ts';

/** A message from a thread to the host. */
export type ToHost =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'tell'; readonly call: Call }
  | { readonly kind: 'more' }
  | { readonly kind: 'outcome'; readonly outcome: Outcome };

/** A message from the host to a thread. */
export interface ToThread {
  readonly job: Job;
  readonly memory: SharedArrayBuffer;
}

/** The host's handle on a thread of any platform. */
export interface Thread {
  send(message: ToThread): void;
  /** Called once, before `send`. */
  listen(onMessage: (message: ToHost) => void, onBreak: (why: Error) => void): void;
  /** Ends the thread. `reusable` is true after a job that finished normally. */
  end(used: boolean): void;
}

// Captured here: a browser's realm loses these globals before its first call.
const { load, notify, store, wait } = Atomics;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const STATE = 0;
const LENGTH = 1;
const MORE = 2;
const HEAD_BYTES = 16;
/** Longer replies are sent in chunks. */
const PIECE_BYTES = 256 * 1024;

/** The thread's side: sends calls and blocks until the reply arrives. */
export class Line {
  readonly #head: Int32Array;
  readonly #body: Uint8Array;
  readonly #send: (message: ToHost) => void;

  constructor(memory: SharedArrayBuffer, send: (message: ToHost) => void) {
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#body = new Uint8Array(memory, HEAD_BYTES);
    this.#send = send;
  }

  /** Sends a call and waits for its reply. */
  ask(call: Call): Reply {
    this.#send({ kind: 'call', call });
    const pieces: Uint8Array[] = [];
    for (;;) {
      // A late notification of the previous reply can wake this wait early.
      while (load(this.#head, STATE) === 0) wait(this.#head, STATE, 0);
      pieces.push(this.#body.slice(0, load(this.#head, LENGTH)));
      const more = load(this.#head, MORE) === 1;
      store(this.#head, STATE, 0);
      if (!more) return decode(pieces);
      this.#send({ kind: 'more' });
    }
  }

  /** Sends a call without a reply, such as a log line. */
  tell(call: Call): void {
    this.#send({ kind: 'tell', call });
  }
}

/**
 * Creates an Execution on a thread: sends the job and handles its calls.
 * `run` rejects if the thread breaks or is terminated early.
 */
export function executionOver(thread: Thread): Execution {
  let stop: (why: Error) => void = () => undefined;
  let over = false;
  const end = (used: boolean): void => {
    if (over) return;
    over = true;
    thread.end(used);
  };
  return {
    run(job: Job, answer: Answer): Promise<Outcome> {
      return new Promise((resolve, reject) => {
        const memory = new SharedArrayBuffer(HEAD_BYTES + PIECE_BYTES);
        const desk = new Desk(memory);
        stop = (why) => {
          end(false);
          reject(why);
        };
        const onMessage = (message: ToHost): void => {
          if (over) return;
          if (message.kind === 'more') desk.next();
          else if (message.kind === 'tell') answer(message.call).catch(stop);
          else if (message.kind === 'call') answer(message.call).then((reply) => desk.put(reply), stop);
          else {
            end(true);
            resolve(message.outcome);
          }
        };
        thread.listen(onMessage, stop);
        thread.send({ job, memory });
      });
    },
    terminate(): void {
      stop(new Error('terminated'));
      end(false);
    },
  };
}

/** The host's side of the shared memory: writes a reply in chunks. */
class Desk {
  readonly #head: Int32Array;
  readonly #body: Uint8Array;
  #left: Uint8Array = new Uint8Array(0);

  constructor(memory: SharedArrayBuffer) {
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#body = new Uint8Array(memory, HEAD_BYTES);
  }

  put(reply: Reply): void {
    this.#left = encode(reply);
    this.next();
  }

  next(): void {
    const piece = this.#left.subarray(0, PIECE_BYTES);
    this.#left = this.#left.subarray(piece.length);
    this.#body.set(piece);
    store(this.#head, LENGTH, piece.length);
    store(this.#head, MORE, this.#left.length > 0 ? 1 : 0);
    store(this.#head, STATE, 1);
    notify(this.#head, STATE);
  }
}

interface Heading {
  readonly reply: { readonly ok: true; readonly value: string } | Extract<Reply, { ok: false }>;
  readonly lengths: readonly number[];
}

/** Encodes a reply: length of the header, header, then the binary parts. */
function encode(reply: Reply): Uint8Array {
  const bytes = reply.ok ? reply.bytes : [];
  const lengths = bytes.map((part) => part.length);
  const heading: Heading = { reply: reply.ok ? { ok: true, value: reply.value } : reply, lengths };
  const text = encoder.encode(JSON.stringify(heading));
  const whole = new Uint8Array(4 + text.length + lengths.reduce((sum, length) => sum + length, 0));
  new DataView(whole.buffer).setUint32(0, text.length);
  whole.set(text, 4);
  let at = 4 + text.length;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function decode(pieces: readonly Uint8Array[]): Reply {
  const whole = joined(pieces);
  const size = new DataView(whole.buffer).getUint32(0);
  const heading: Heading = JSON.parse(decoder.decode(whole.subarray(4, 4 + size)));
  if (!heading.reply.ok) return heading.reply;
  let at = 4 + size;
  const bytes = heading.lengths.map((length) => {
    at += length;
    return whole.slice(at - length, at);
  });
  return { ...heading.reply, bytes };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
