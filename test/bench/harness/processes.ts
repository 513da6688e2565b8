// Runs each call of a variant in a process of its own, and lets none of them outlive the run.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Call, replySchema } from './call.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const LONGEST_MS = 45 * 60_000;
/** How long a process may take to end after it has answered. */
const GRACE_MS = 20_000;
/** How long it may take after it was told to. */
const STOP_MS = 8_000;
const KEPT_OUTPUT = 4_000;

/** The processes, each with its end. */
const running = new Map<ChildProcess, Promise<void>>();
let stopping = false;

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    // The whole group: what the variant started belongs to it.
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended already.
  }
}

/** Tells a process to end, so that it can end what is not in its group, and makes it end where it does not. */
function end(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_MS);
  child.once('exit', () => clearTimeout(timer));
}

/** Ends what still runs and waits until it has ended; from then on no call begins or returns. */
export async function endAll(): Promise<void> {
  stopping = true;
  for (const child of running.keys()) end(child);
  await Promise.all(running.values());
}

/**
 * Makes one call of a variant in a fresh process.
 * @returns what the variant answered
 * @throws Error with the reason, where it failed, ended without an answer, or took too long
 */
export function callFresh(call: Call): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (stopping) return;
    const child = spawn(process.execPath, [CHILD], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    running.set(
      child,
      new Promise((ended) => {
        child.once('exit', () => ended());
        child.once('error', () => ended());
      }),
    );
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    let settle = (): void => reject(new Error(`it ended without an answer\n${output.trim()}`));
    let timer = setTimeout(() => {
      settle = () => reject(new Error(`it took more than ${LONGEST_MS / 60_000} minutes`));
      end(child);
    }, LONGEST_MS);
    child.once('message', (message) => {
      const { data: reply, error } = replySchema.safeParse(message);
      if (reply === undefined) settle = () => reject(error);
      else if ('error' in reply) settle = () => reject(new Error(reply.error));
      else settle = () => resolve(reply.value);
      clearTimeout(timer);
      timer = setTimeout(() => end(child), GRACE_MS);
    });
    child.on('error', (error) => {
      settle = () => reject(error);
    });
    child.once('close', () => {
      clearTimeout(timer);
      running.delete(child);
      signalGroup(child, 'SIGKILL');
      if (!stopping) settle();
    });
    // Where it has ended already, its end tells more than that it can't be told.
    child.send(call, () => {});
  });
}
