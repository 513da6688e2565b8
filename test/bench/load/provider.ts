// Runs the benches' provider in a separate process.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const replySchema = z.union([z.object({ port: z.number() }), z.object({ failed: z.string() })]);
/** A reply of the provider's process. */
export type UpstreamReply = z.infer<typeof replySchema>;

const UPSTREAM_SCRIPT = fileURLToPath(new URL('./upstream.ts', import.meta.url));

/** A running provider. */
export interface Provider {
  port: number;
  /** Ends in `/cdapi`. */
  baseUrl: string;
  stop: () => void;
}

function receiveReply(child: ChildProcess): Promise<UpstreamReply> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('the provider ended'));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(replySchema.parse(message));
    });
  });
}

/** Starts the provider. @param port - 0 selects any free port */
export async function startProvider(port = 0): Promise<Provider> {
  const child = fork(UPSTREAM_SCRIPT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send({ port });
  const started = await receiveReply(child);
  if (!('port' in started)) throw new Error(`the provider does not answer: ${JSON.stringify(started)}`);
  return {
    port: started.port,
    baseUrl: `http://127.0.0.1:${started.port}/cdapi`,
    stop: () => child.disconnect(),
  };
}
