// Runs the platform's command-line tool, and programs beside it, quietly and without asking anybody anything.
import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { root, tools } from './paths.ts';

const MAX_KEPT_OUTPUT = 20_000;
const STOP_TIMEOUT_MS = 5_000;

/** The tool's levels: `warn` drops what the Worker logs with `console.log`, such as its request lines. */
export type LogLevel = 'warn' | 'log';

/** How each log line of the Worker begins (worker/log.ts). */
const WORKER_LINE = '{"event":';

/** A running program and the end of what it printed. */
export interface Running {
  child: ChildProcess;
  /** The last characters that it printed. */
  output: () => string;
  /** Its exit code, once it has ended. */
  ended: Promise<number>;
}

/** What the tool is told to leave undone: it would ask, report, or keep what a person's key may be in. */
const QUIET = {
  CI: 'true',
  NO_COLOR: '1',
  WRANGLER_SEND_METRICS: 'false',
  // Its log file in the home folder is outside of what an erasure reaches.
  WRANGLER_WRITE_LOGS: 'false',
  // Its trace store keeps full request URLs, with websites and profile names, and an erasure does not reach it.
  X_LOCAL_OBSERVABILITY: 'false',
};

/** In a process group of its own, so that Ctrl-C reaches it only through us. */
function start(script: string, args: readonly string[], logLevel: LogLevel = 'warn'): Running {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...QUIET, WRANGLER_LOG: logLevel },
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
export const startWrangler = (args: readonly string[], logLevel?: LogLevel): Running =>
  start(tools.wrangler, args, logLevel);

/**
 * Passes on the lines that a running Worker logs from now on: warnings and errors, and at the level `log` its request
 * lines.
 * @param print - receives each line, without colours
 * @param signal - stops it
 */
export function followLog({ child }: Running, print: (line: string) => void, signal: AbortSignal): void {
  const follow = (input: NodeJS.ReadableStream | null, isWanted: (line: string) => boolean): void => {
    if (input === null) return;
    const lines = createInterface({ input, signal });
    lines.on('line', (text) => {
      const line = stripVTControlCharacters(text);
      if (!signal.aborted && isWanted(line)) print(line);
    });
  };
  follow(child.stderr, (line) => line.trim() !== '');
  // Beside the Worker's lines the tool prints its own, which name paths with keys in them.
  follow(child.stdout, (line) => line.startsWith(WORKER_LINE));
}

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
