// Runs each call of a variant in a process of its own, and lets none of them outlive the run.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Call, replySchema } from './call.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const CALL_TIMEOUT_MS = 45 * 60_000;
/** How long a process may take to end after it has answered. */
const EXIT_TIMEOUT_MS = 20_000;
/** How long it may take after it was told to. */
const KILL_TIMEOUT_MS = 8_000;
const MAX_OUTPUT_LENGTH = 4_000;

/** The processes, each with its end. */
const exitByProcess = new Map<ChildProcess, Promise<void>>();
let isStopping = false;

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
function stopProcess(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_TIMEOUT_MS);
  child.once('exit', () => clearTimeout(timer));
}

/** Ends what still runs and waits until it has ended; from then on no call begins or returns. */
export async function stopAll(): Promise<void> {
  isStopping = true;
  for (const child of exitByProcess.keys()) stopProcess(child);
  await Promise.all(exitByProcess.values());
}

/**
 * Makes one call of a variant in a fresh process.
 * @returns what the variant answered
 * @throws Error with the reason, where it failed, ended without an answer, or took too long
 */
export function callInNewProcess(call: Call): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (isStopping) return;
    const child = spawn(process.execPath, [CHILD], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    exitByProcess.set(
      child,
      new Promise((ended) => {
        child.once('exit', () => ended());
        child.once('error', () => ended());
      }),
    );
    let output = '';
    const appendOutput = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT_LENGTH);
    };
    child.stdout?.on('data', appendOutput);
    child.stderr?.on('data', appendOutput);
    let settle = (): void => reject(new Error(`it ended without an answer\n${output.trim()}`));
    let timer = setTimeout(() => {
      settle = () => reject(new Error(`it took more than ${CALL_TIMEOUT_MS / 60_000} minutes`));
      stopProcess(child);
    }, CALL_TIMEOUT_MS);
    child.once('message', (message) => {
      const { data: reply, error } = replySchema.safeParse(message);
      if (reply === undefined) settle = () => reject(error);
      else if ('error' in reply) settle = () => reject(new Error(reply.error));
      else settle = () => resolve(reply.value);
      clearTimeout(timer);
      timer = setTimeout(() => stopProcess(child), EXIT_TIMEOUT_MS);
    });
    child.on('error', (error) => {
      settle = () => reject(error);
    });
    child.once('close', () => {
      clearTimeout(timer);
      exitByProcess.delete(child);
      signalGroup(child, 'SIGKILL');
      if (!isStopping) settle();
    });
    // Where it has ended already, its end tells more than that it can't be told.
    child.send(call, () => {});
  });
}
