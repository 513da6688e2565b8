// Runs a Worker on workerd in a child process. The proxy of `wrangler dev` dropped connections under load.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { root, wranglerEnvironment } from '../paths.ts';
import { UserError } from '../user-error.ts';

const HOST_PROCESS = fileURLToPath(new URL('./host.ts', import.meta.url));
const MAX_KEPT_OUTPUT = 20_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 20;

/** The start of the Worker's log lines (worker/http/log.ts). */
const LOG_LINE_START = '{"event":';

/** What workerd prints when a client closes its connection early. */
const DISCONNECT_NOISE = /^(?:kj::\S+ = .*disconnected: |stack: )/;

/** Sends a signal to a process group. @returns false if the group has already ended */
function signalGroup({ pid }: ChildProcess, signal: 'SIGKILL' | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Kills a process group and waits until no process is left. */
async function killGroup(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGKILL');
  // workerd is a grandchild and ends a moment after its parent.
  for (let waited = 0; waited < STOP_TIMEOUT_MS && signalGroup(child, 0); waited += POLL_MS) {
    await sleep(POLL_MS);
  }
}

/** Waits for the reply of the host process. @throws Error with its output if the Worker does not start */
function waitForReply(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The Worker did not start:\n${output()}`)));
    child.once('message', (message) => {
      const reply = replySchema.parse(message);
      if ('ready' in reply) resolve();
      else if (reply.isUserError) reject(new UserError(reply.failed));
      else reject(new Error(`The Worker did not start: ${reply.failed}\n${output()}`));
    });
  });
}

/**
 * Starts a Worker, migrates its databases and waits until it answers.
 * @param signal - cancels the start
 * @returns `ended` resolves with the last output when the Worker has ended; `stop` waits for it
 * @throws UserError if its databases belong to another version; Error with the output if it does not start; the
 * signal's reason if it is aborted
 */
export async function startRuntime(start: StartMessage, signal?: AbortSignal) {
  signal?.throwIfAborted();
  // A separate process group: Ctrl-C in the terminal must not reach it before this process stops it.
  const child = spawn(process.execPath, [HOST_PROCESS], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...wranglerEnvironment },
  });
  let output = '';
  const appendOutput = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-MAX_KEPT_OUTPUT);
  };
  child.stdout?.on('data', appendOutput);
  child.stderr?.on('data', appendOutput);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    await killGroup(child);
    await exited;
  };
  const onAbort = (): void => void stop();
  signal?.addEventListener('abort', onAbort);
  try {
    const ready = waitForReply(child, () => output.trim());
    child.send(start);
    await ready;
  } catch (error) {
    await stop();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  /** Forwards the Worker's log lines from now on. @param verbose - includes request lines; otherwise only warnings and errors */
  const followLog = (print: (line: string) => void, verbose: boolean): void => {
    const forwardLines = (input: NodeJS.ReadableStream | null, isWanted: (line: string) => boolean): void => {
      if (input !== null)
        createInterface({ input }).on('line', (line) => {
          if (isWanted(line)) print(line);
        });
    };
    forwardLines(child.stderr, (line) => line.trim() !== '' && !DISCONNECT_NOISE.test(line));
    forwardLines(child.stdout, (line) => verbose && line.startsWith(LOG_LINE_START));
  };
  return { processGroup: child.pid, followLog, ended: exited.then(() => output.trim()), stop };
}
export type Runtime = Awaited<ReturnType<typeof startRuntime>>;

export const startSchema = z.object({
  config: z.string(),
  /** Environment of the configuration; absent for the top level. */
  env: z.string().exactOptional(),
  /** Settings and secrets that extend those of the configuration. */
  vars: z.record(z.string(), z.string()),
  /** Folder of the platform's stored data. */
  stateDir: z.string(),
  host: z.string(),
  port: z.int(),
});
export type StartMessage = z.infer<typeof startSchema>;

/** The only reply: the Worker is ready, or why it failed. */
export const replySchema = z.union([
  z.object({ ready: z.literal(true) }),
  /** `isUserError`: the message is for the person who ran the command. */
  z.object({ failed: z.string(), isUserError: z.boolean() }),
]);
export type Reply = z.infer<typeof replySchema>;
