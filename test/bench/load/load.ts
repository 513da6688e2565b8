// Generates load from a separate process and measures what it costs the server.
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

/** The result of a load. */
export interface MeasuredLoad extends LoadResult {
  /** Responses per second. */
  perS: number;
  /** Microseconds of the server's processor time per response; undefined if the system cannot measure it. */
  processorMicros: number | undefined;
}

/** A load generator with a request template. */
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
 * @param server - part of the command line of the server's processes, which are descendants of this process
 */
export async function startGenerator(template: RequestTemplate, server: string): Promise<Generator> {
  const child = fork(GENERATOR, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await sendCommand(child, { template });
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
