// Runs the platform's command-line tool, and programs beside it, quietly and without asking anybody anything.
import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, tools } from './paths.ts';

const MAX_KEPT_OUTPUT = 20_000;
const STOP_TIMEOUT_MS = 5_000;

/** A running program and the end of what it printed. */
export interface Running {
  child: ChildProcess;
  /** The last characters that it printed. */
  output: () => string;
  /** Its exit code, once it has ended. */
  ended: Promise<number>;
}

/** In a process group of its own, so that Ctrl-C reaches it only through us. */
function start(script: string, args: readonly string[]): Running {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true', NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG: 'warn' },
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-MAX_KEPT_OUTPUT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
  return { child, output: () => output.trim(), ended };
}

/**
 * Starts wrangler.
 * @param args - its arguments
 */
export const startWrangler = (args: readonly string[]): Running => start(tools.wrangler, args);

function signalGroup(running: Running, signal: NodeJS.Signals): void {
  const { pid } = running.child;
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

/** Ends a running program and everything that it started, and waits until it has. */
export async function stopWrangler(running: Running): Promise<void> {
  signalGroup(running, 'SIGTERM');
  await Promise.race([running.ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  signalGroup(running, 'SIGKILL');
  await running.ended;
}

/**
 * Runs a program of the project to its end.
 * @param script - its file
 * @param signal - stops it before
 * @throws Error with what it printed, where it failed; the signal's reason, where it was stopped
 */
export async function runProgram(
  script: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const running = start(script, args);
  const stop = (): void => void stopWrangler(running);
  signal?.addEventListener('abort', stop);
  const code = await running.ended.finally(() => signal?.removeEventListener('abort', stop));
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`${basename(script)} ${args.join(' ')} failed:\n${running.output()}`);
}
