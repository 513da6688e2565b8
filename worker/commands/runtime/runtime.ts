// Runs a Worker on workerd in a process of its own, without the proxy of `wrangler dev`: that proxy dropped connections
// while the machine was busy.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { root } from '../paths.ts';
import { UserError } from '../user-error.ts';
import { replySchema, type Start } from './messages.ts';

const HOST_PROCESS = fileURLToPath(new URL('./host.ts', import.meta.url));
const MAX_KEPT_OUTPUT = 20_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 20;

/** How the log lines of the Worker's requests begin (worker/http/log.ts). */
const WORKER_LINE = '{"event":';

/** What workerd itself prints when a client closes its connection early. */
const DISCONNECTED = /^(?:kj::\S+ = .*disconnected: |stack: )/;

/** A Worker that answers. */
export interface Runtime {
  /** Process group of everything that was started. */
  group: number | undefined;
  /**
   * Passes on the lines that the Worker logs from now on.
   * @param print - receives each line
   * @param verbose - request lines too; otherwise warnings and errors only
   */
  follow: (print: (line: string) => void, verbose: boolean) => void;
  /** Resolves when it has ended, with the end of what it printed. */
  ended: Promise<string>;
  /** Ends it, and waits until it has ended. */
  stop: () => Promise<void>;
}

/** The tool is told not to report, and not to write log files that an erasure would not reach. */
const QUIET = {
  CI: 'true',
  NO_COLOR: '1',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
};

/** @returns false where the group has ended already */
function signalGroup({ pid }: ChildProcess, signal: 'SIGKILL' | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Ends everything that a process started, and waits until none of it is left. */
async function endGroup(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGKILL');
  // workerd is a process below the child, and ends a moment after it.
  for (let waited = 0; waited < STOP_TIMEOUT_MS && signalGroup(child, 0); waited += POLL_MS) {
    await sleep(POLL_MS);
  }
}

/** Waits for the reply of the process. @throws Error with what it printed, where the Worker does not start */
function untilReady(child: ChildProcess, output: () => string): Promise<void> {
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
 * Starts a Worker, brings its databases up to their schema, and waits until it answers.
 * @param signal - stops the start
 * @throws UserError where its databases belong to another version; Error with what it printed, where it does not start
 * for another reason; the signal's reason, where it was stopped
 */
export async function startRuntime(start: Start, signal?: AbortSignal): Promise<Runtime> {
  signal?.throwIfAborted();
  // In a process group of its own, so that Ctrl-C reaches it only through us.
  const child = spawn(process.execPath, [HOST_PROCESS], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...QUIET },
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-MAX_KEPT_OUTPUT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    await endGroup(child);
    await exited;
  };
  const onAbort = (): void => void stop();
  signal?.addEventListener('abort', onAbort);
  try {
    const ready = untilReady(child, () => output.trim());
    child.send(start);
    await ready;
  } catch (error) {
    await stop();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  const follow: Runtime['follow'] = (print, verbose) => {
    const each = (input: NodeJS.ReadableStream | null, isWanted: (line: string) => boolean): void => {
      if (input !== null)
        createInterface({ input }).on('line', (line) => {
          if (isWanted(line)) print(line);
        });
    };
    each(child.stderr, (line) => line.trim() !== '' && !DISCONNECTED.test(line));
    each(child.stdout, (line) => verbose && line.startsWith(WORKER_LINE));
  };
  return { group: child.pid, follow, ended: exited.then(() => output.trim()), stop };
}
