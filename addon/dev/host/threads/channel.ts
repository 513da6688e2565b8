// Channel between host and thread: messages carry calls, shared memory carries replies.
import type { Call, CallHandler, Execution, Job, Outcome, Reply } from './protocol.ts';

export type ToHost =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'more' }
  | { readonly kind: 'outcome'; readonly outcome: Outcome };

export interface ToThread {
  readonly job: Job;
  readonly memory: SharedArrayBuffer;
}

/** The host's handle on a thread of any platform. */
export interface Thread {
  send(message: ToThread): void;
  /** Called once, before `send`. */
  listen(onMessage: (message: ToHost) => void, onError: (why: Error) => void): void;
  /** Ends the thread. `reusable` is true after a job that finished normally. */
  end(reusable: boolean): void;
}

// Captured here: a browser's realm loses these globals before its first call.
const { load, notify, store, wait } = Atomics;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const STATE_INDEX = 0;
const LENGTH_INDEX = 1;
const MORE_INDEX = 2;
const HEADER_BYTES = 16;
/** Longer replies are sent in chunks. */
const CHUNK_BYTES = 256 * 1024;

/** The thread's side: sends calls and blocks until the reply arrives. */
export class HostClient {
  readonly #header: Int32Array;
  readonly #body: Uint8Array;
  readonly #send: (message: ToHost) => void;

  constructor(memory: SharedArrayBuffer, send: (message: ToHost) => void) {
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.#body = new Uint8Array(memory, HEADER_BYTES);
    this.#send = send;
  }

  /** Sends a call and waits for its reply. */
  call(call: Call): Reply {
    this.#send({ kind: 'call', call });
    const chunks: Uint8Array[] = [];
    for (;;) {
      // A late notification of the previous reply can wake this wait early.
      while (load(this.#header, STATE_INDEX) === 0) wait(this.#header, STATE_INDEX, 0);
      chunks.push(this.#body.slice(0, load(this.#header, LENGTH_INDEX)));
      const more = load(this.#header, MORE_INDEX) === 1;
      store(this.#header, STATE_INDEX, 0);
      if (!more) return decodeReply(chunks);
      this.#send({ kind: 'more' });
    }
  }
}

/** Memory of earlier jobs: clearing new memory takes longer than most replies. */
const memories: SharedArrayBuffer[] = [];

/**
 * Creates an Execution on a thread: sends the job and handles its calls.
 * `run` rejects if the thread breaks or is terminated early.
 */
export function createExecution(thread: Thread): Execution {
  let stop: (why: Error) => void = () => undefined;
  let ended = false;
  const end = (used: boolean): void => {
    if (ended) return;
    ended = true;
    thread.end(used);
  };
  return {
    run(job: Job, handleCall: CallHandler): Promise<Outcome> {
      return new Promise((resolve, reject) => {
        const memory = memories.pop() ?? new SharedArrayBuffer(HEADER_BYTES + CHUNK_BYTES);
        const replies = new ReplyWriter(memory);
        stop = (why) => {
          end(false);
          reject(why);
        };
        const onMessage = (message: ToHost): void => {
          if (ended) return;
          if (message.kind === 'more') replies.writeChunk();
          else if (message.kind === 'call')
            handleCall(message.call).then((reply) => replies.write(reply), stop);
          else {
            end(true);
            memories.push(memory);
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
class ReplyWriter {
  readonly #header: Int32Array;
  readonly #body: Uint8Array;
  #remaining: Uint8Array = new Uint8Array(0);

  constructor(memory: SharedArrayBuffer) {
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.#body = new Uint8Array(memory, HEADER_BYTES);
  }

  write(reply: Reply): void {
    this.#remaining = encodeReply(reply);
    this.writeChunk();
  }

  writeChunk(): void {
    const chunk = this.#remaining.subarray(0, CHUNK_BYTES);
    this.#remaining = this.#remaining.subarray(chunk.length);
    this.#body.set(chunk);
    store(this.#header, LENGTH_INDEX, chunk.length);
    store(this.#header, MORE_INDEX, this.#remaining.length > 0 ? 1 : 0);
    store(this.#header, STATE_INDEX, 1);
    notify(this.#header, STATE_INDEX);
  }
}

interface ReplyHeader {
  readonly reply: { readonly ok: true; readonly value: string } | Extract<Reply, { ok: false }>;
  readonly lengths: readonly number[];
}

/** Encodes a reply: length of the header, header, then the binary parts. */
function encodeReply(reply: Reply): Uint8Array {
  const bytes = reply.ok ? reply.bytes : [];
  const lengths = bytes.map((part) => part.length);
  const header: ReplyHeader = { reply: reply.ok ? { ok: true, value: reply.value } : reply, lengths };
  const text = encoder.encode(JSON.stringify(header));
  const buffer = new Uint8Array(4 + text.length + lengths.reduce((sum, length) => sum + length, 0));
  new DataView(buffer.buffer).setUint32(0, text.length);
  buffer.set(text, 4);
  let offset = 4 + text.length;
  for (const part of bytes) {
    buffer.set(part, offset);
    offset += part.length;
  }
  return buffer;
}

function decodeReply(chunks: readonly Uint8Array[]): Reply {
  const buffer = concat(chunks);
  const size = new DataView(buffer.buffer).getUint32(0);
  const header: ReplyHeader = JSON.parse(decoder.decode(buffer.subarray(4, 4 + size)));
  if (!header.reply.ok) return header.reply;
  let offset = 4 + size;
  const bytes = header.lengths.map((length) => {
    offset += length;
    return buffer.slice(offset - length, offset);
  });
  return { ...header.reply, bytes };
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const buffer = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const piece of chunks) {
    buffer.set(piece, offset);
    offset += piece.length;
  }
  return buffer;
}
