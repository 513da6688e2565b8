// The load generator's process: a fixed number of connections, each with one request in flight.
import { connect, type Socket } from 'node:net';
import { HttpReader } from './http-reader.ts';
import { commandSchema, type LoadResult, type Reply, type RequestTemplate, type Run } from './messages.ts';

/** Deadline of a response. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** Builds requests with ascending numbers. */
class RequestSequence {
  readonly #textParts: readonly string[];
  readonly #template: RequestTemplate;
  #sentCount = 0;

  constructor(template: RequestTemplate) {
    this.#template = template;
    this.#textParts = template.text.split('{n}');
  }

  next(): string {
    const { from, count } = this.#template;
    const number = from + (this.#sentCount % count);
    this.#sentCount += 1;
    return this.#textParts.join(String(number));
  }
}

function openConnection({ host, port }: RequestTemplate): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Sends requests over one connection while `canSend` returns true. */
function sendRequests(
  socket: Socket,
  requests: RequestSequence,
  canSend: () => boolean,
  onResponse: (ms: number, bytes: number, cache: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = new HttpReader();
    let sentAt = 0;
    const rejectWith = (why: string): void => {
      reject(new Error(why));
      socket.destroy();
    };
    const sendNext = (): void => {
      if (!canSend()) {
        resolve();
        socket.end();
        return;
      }
      sentAt = performance.now();
      socket.write(requests.next());
    };
    socket.on('data', (chunk) => {
      try {
        const response = reader.read(chunk);
        if (response === undefined) return;
        if (response.status !== 200)
          return rejectWith(`status ${response.status}: ${chunk.toString().slice(0, 600)}`);
        onResponse(performance.now() - sentAt, response.bytes, response.cache);
      } catch (error) {
        return rejectWith(String(error));
      }
      sendNext();
    });
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => rejectWith('no answer in time'));
    socket.once('error', (error) => rejectWith(error.message));
    socket.once('close', () => reject(new Error('the connection was closed')));
    sendNext();
  });
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function runLoad(template: RequestTemplate, requests: RequestSequence, run: Run): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: run.connections }, () => openConnection(template)));
  const times: number[] = [];
  const cache: Record<string, number> = {};
  let bytes = 0;
  let sentCount = 0;
  const started = performance.now();
  const endsAt = started + (run.ms ?? Number.POSITIVE_INFINITY);
  const maxRequests = run.requests ?? Number.POSITIVE_INFINITY;
  const canSend = (): boolean => {
    if (sentCount >= maxRequests || performance.now() >= endsAt) return false;
    sentCount += 1;
    return true;
  };
  const onResponse = (ms: number, size: number, word: string): void => {
    times.push(ms);
    bytes += size;
    cache[word] = (cache[word] ?? 0) + 1;
  };
  await Promise.all(sockets.map((socket) => sendRequests(socket, requests, canSend, onResponse)));
  const ms = performance.now() - started;
  const sorted = Float64Array.from(times).sort();
  return {
    answers: times.length,
    ms,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    bytes: bytes / times.length,
    cache,
  };
}

let template: RequestTemplate | undefined;
let requests: RequestSequence | undefined;

async function handleCommand(message: unknown): Promise<Reply> {
  const command = commandSchema.parse(message);
  if ('template' in command) {
    template = command.template;
    requests = new RequestSequence(template);
    return { ready: true };
  }
  if (template === undefined || requests === undefined) throw new Error('there is no request template');
  return { load: await runLoad(template, requests, command.run) };
}

process.on('message', (message) => {
  handleCommand(message).then(
    (reply) => process.send?.(reply),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies Reply),
  );
});
process.once('disconnect', () => process.exit());
