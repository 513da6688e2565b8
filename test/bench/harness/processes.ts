// Runs each call of a variant in a new process and stops all processes with the run.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Call, replySchema } from './call.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const CALL_TIMEOUT_MS = 45 * 60_000;
/** How long a process may take to exit after its reply. */
const EXIT_TIMEOUT_MS = 20_000;
/** How long a process may take to exit after SIGTERM. */
const KILL_TIMEOUT_MS = 8_000;
const MAX_OUTPUT_LENGTH = 4_000;

/** Running processes with promises of their exits. */
const exitByProcess = new Map<ChildProcess, Promise<void>>();
let isStopping = false;

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    // Signals the group, which includes processes that the variant has started.
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // The process has already exited.
  }
}

/** Stops a process with SIGTERM, so that it can stop processes outside its group, and kills it after a timeout. */
function stopProcess(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_TIMEOUT_MS);
  child.once('exit', () => clearTimeout(timer));
}

/** Stops all processes and waits until they have exited. Afterwards no call starts or settles. */
export async function stopAll(): Promise<void> {
  isStopping = true;
  for (const child of exitByProcess.keys()) stopProcess(child);
  await Promise.all(exitByProcess.values());
}

/**
 * Runs one call of a variant in a new process.
 * @returns the variant's result
 * @throws Error with the reason if it fails, exits without a reply or times out
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
    // If the process has already exited, its exit is reported instead of the failed send.
    child.send(call, () => {});
  });
}
