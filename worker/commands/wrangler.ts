// Runs the platform's command-line tool, quietly and without asking anybody anything.
import { type ChildProcess, spawn } from 'node:child_process';
import { root, tools } from './paths.ts';

const MAX_KEPT_OUTPUT = 20_000;

/** A running tool and the end of what it printed. */
export interface Running {
  child: ChildProcess;
  /** The last characters that it printed. */
  output: () => string;
  /** Its exit code, once it has ended. */
  ended: Promise<number>;
}

/**
 * Starts wrangler in a process group of its own, so that Ctrl-C reaches it only through us.
 * @param args - its arguments
 */
export function startWrangler(args: readonly string[]): Running {
  const child = spawn(process.execPath, [tools.wrangler, ...args], {
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
 * Runs wrangler to its end.
 * @throws Error with what it printed, where it failed
 */
export async function runWrangler(args: readonly string[]): Promise<void> {
  const { ended, output } = startWrangler(args);
  const code = await ended;
  if (code !== 0) throw new Error(`wrangler ${args.join(' ')} failed:\n${output()}`);
}
