// Load on a server from a process of its own, with what it costs the server.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { measureUsage } from '../harness/usage.ts';
import {
  type Command,
  type LoadResult,
  type Reply,
  type RequestTemplate,
  type Run,
  replySchema,
} from './messages.ts';

const GENERATOR = fileURLToPath(new URL('./generator.ts', import.meta.url));

/** What came of a load. */
export interface MeasuredLoad extends LoadResult {
  /** Answers a second. */
  perS: number;
  /** Microseconds of processor time that the server took for an answer; undefined where the system can't say. */
  processorMicros: number | undefined;
}

/** A generator that knows what to ask. */
export interface Generator {
  run: (run: Run) => Promise<MeasuredLoad>;
  stop: () => void;
}

function sendCommand(child: ChildProcess, command: Command): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('the load generator ended'));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      const reply = replySchema.parse(message);
      if ('failed' in reply) reject(new Error(reply.failed));
      else resolve(reply);
    });
    child.send(command);
  });
}

/**
 * Starts the load generator.
 * @param server - part of the commands of the server's processes, which are our descendants
 */
export async function startGenerator(question: RequestTemplate, server: string): Promise<Generator> {
  const child = fork(GENERATOR, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await sendCommand(child, { ask: question });
  return {
    async run(run) {
      const before = await measureUsage(server);
      const reply = await sendCommand(child, { run });
      const after = await measureUsage(server);
      if (!('load' in reply)) throw new Error('the load generator said nothing');
      const { load } = reply;
      const spent = before === undefined || after === undefined ? undefined : after.seconds - before.seconds;
      return {
        ...load,
        perS: load.answers / (load.ms / 1000),
        processorMicros: spent === undefined ? undefined : (spent * 1_000_000) / load.answers,
      };
    },
    stop: () => child.disconnect(),
  };
}
