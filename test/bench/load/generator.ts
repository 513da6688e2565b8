// The process that makes the load: a fixed number of connections, each with one question open at a time.
import { connect, type Socket } from 'node:net';
import { HttpReader } from './http-reader.ts';
import { commandSchema, type Load, type Question, type Reply, type Run } from './messages.ts';

/** A gateway that has answered nothing by then does not answer. */
const SILENCE_MS = 30_000;

/** Makes the requests, in turn. */
class Questions {
  readonly #parts: readonly string[];
  readonly #question: Question;
  #turn = 0;

  constructor(question: Question) {
    this.#question = question;
    this.#parts = question.text.split('{n}');
  }

  next(): string {
    const { from, count } = this.#question;
    const number = from + (this.#turn % count);
    this.#turn += 1;
    return this.#parts.join(String(number));
  }
}

function open({ host, port }: Question): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Asks on one connection for as long as `more` says so. */
function askOn(
  socket: Socket,
  questions: Questions,
  more: () => boolean,
  heard: (ms: number, bytes: number, cache: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = new HttpReader();
    let sent = 0;
    const fail = (why: string): void => {
      reject(new Error(why));
      socket.destroy();
    };
    const ask = (): void => {
      if (!more()) {
        resolve();
        socket.end();
        return;
      }
      sent = performance.now();
      socket.write(questions.next());
    };
    socket.on('data', (chunk) => {
      try {
        const answered = reader.read(chunk);
        if (answered === undefined) return;
        if (answered.status !== 200)
          return fail(`status ${answered.status}: ${chunk.toString().slice(0, 600)}`);
        heard(performance.now() - sent, answered.bytes, answered.cache);
      } catch (error) {
        return fail(String(error));
      }
      ask();
    });
    socket.setTimeout(SILENCE_MS, () => fail('no answer in time'));
    socket.once('error', (error) => fail(error.message));
    socket.once('close', () => reject(new Error('the connection was closed')));
    ask();
  });
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function load(question: Question, questions: Questions, run: Run): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: run.connections }, () => open(question)));
  const times: number[] = [];
  const cache: Record<string, number> = {};
  let bytes = 0;
  let asked = 0;
  const started = performance.now();
  const until = started + (run.ms ?? Number.POSITIVE_INFINITY);
  const most = run.questions ?? Number.POSITIVE_INFINITY;
  const more = (): boolean => {
    if (asked >= most || performance.now() >= until) return false;
    asked += 1;
    return true;
  };
  const heard = (ms: number, size: number, word: string): void => {
    times.push(ms);
    bytes += size;
    cache[word] = (cache[word] ?? 0) + 1;
  };
  await Promise.all(sockets.map((socket) => askOn(socket, questions, more, heard)));
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

let question: Question | undefined;
let questions: Questions | undefined;

async function obey(message: unknown): Promise<Reply> {
  const command = commandSchema.parse(message);
  if ('ask' in command) {
    question = command.ask;
    questions = new Questions(question);
    return { ready: true };
  }
  if (question === undefined || questions === undefined) throw new Error('nothing to ask');
  return { load: await load(question, questions, command.run) };
}

process.on('message', (message) => {
  obey(message).then(
    (reply) => process.send?.(reply),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies Reply),
  );
});
process.once('disconnect', () => process.exit());
