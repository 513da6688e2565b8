// Runs wrangler, which builds and uploads Workers.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Environment } from '../instance/provider-settings.ts';
import { root, tools, wranglerEnvironment } from '../paths.ts';
import { UserError } from '../user-error.ts';
import type { Wrangler, WranglerResult } from './platform.ts';

/** Compressed size that every plan accepts (https://developers.cloudflare.com/workers/platform/limits/#worker-size). */
const MAX_COMPRESSED = 3 * 1024 * 1024;
/** Refusals of an upload by their code or words, and what to do. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [
    /\b100328\b/,
    'This account has the free plan, which refuses CPU limits. Switch to Workers Paid (docs/deploy.md says what it costs) and run the same command again, or add --free for a demo.',
  ],
  [
    /\b10089\b/,
    'Analytics Engine, which stores the metrics, is not enabled in this account: open https://dash.cloudflare.com/?to=/:account/workers/analytics-engine once and enable it, then run the same command again, or add --no-metrics.',
  ],
  [
    /fetch failed|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|socket|timed out/i,
    'Cloudflare can’t be reached to upload the gateway. Check the connection and run the same command again: it continues where it stopped.',
  ],
];

/** Runs wrangler in a process. @param signal - kills it */
export function runWrangler(
  args: readonly string[],
  environment: Environment,
  signal: AbortSignal,
): Promise<WranglerResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tools.wrangler, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, ...wranglerEnvironment },
      signal,
    });
    let output = '';
    const append = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', reject);
    child.once('close', (code) => resolve({ succeeded: code === 0, output }));
  });
}

/** Returns wrangler's own sentences about a failure. */
function extractErrors(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('If you think this is a bug'));
  const sentences = lines.flatMap((line, at) => {
    const [, text] = /\[ERROR\]\s*(.*)/.exec(line) ?? [];
    if (text === undefined) return [];
    const rest = lines.slice(at + 1).filter((next) => next !== '');
    const end = rest.findIndex((next) => /\[code: \d+\]/.test(next));
    return [text, ...rest.slice(0, end + 1)];
  });
  return (
    sentences.join(' ') ||
    lines
      .filter((line) => line !== '')
      .slice(-2)
      .join(' ')
  );
}

/**
 * Builds a Worker without an account and checks its size.
 * @param config - path of its configuration
 * @param outDir - receives the bundle
 * @returns its source, its bytes after compression, and the file that an upload would send
 * @throws UserError if it can't be built or is too large
 */
export async function buildWorker(wrangler: Wrangler, config: string, outDir: string) {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  const bundleFile = join(outDir, 'worker.bundle');
  const args = ['deploy', '--dry-run', '--config', config, '--outdir', outDir, '--outfile', bundleFile];
  const { succeeded, output } = await wrangler(args);
  if (!succeeded) throw new UserError(`The gateway can’t be built: ${extractErrors(output)}`);
  const source = await readFile(join(outDir, 'index.js'), 'utf8');
  const compressed = gzipSync(source).byteLength;
  if (compressed > MAX_COMPRESSED)
    throw new UserError(`The gateway is too large for Cloudflare: ${compressed} bytes after compression.`);
  return { source, compressed, bundleFile };
}
export type Build = Awaited<ReturnType<typeof buildWorker>>;

/**
 * Starts a built Worker locally and measures its start.
 * @returns milliseconds, more on a busy machine; undefined if they are not known, because this version of wrangler does not say
 * them, or the machine is too busy: Cloudflare measures the start of each upload again
 * @throws UserError if it does not start
 */
export async function measureStartup(wrangler: Wrangler, { bundleFile }: Build): Promise<number | undefined> {
  const profile = `${bundleFile}.cpuprofile`;
  const { succeeded, output } = await wrangler([
    'check',
    'startup',
    '--worker',
    bundleFile,
    '--outfile',
    profile,
  ]);
  if (!succeeded && /profiling timed out/.test(output)) return undefined;
  if (!succeeded) throw new UserError(`The gateway does not start: ${extractErrors(output)}`);
  const [, text] = /Active: ([\d.]+) ms/.exec(output) ?? [];
  return text === undefined ? undefined : Math.round(Number(text));
}

/**
 * Uploads a version of a Worker that no request reaches yet.
 * @returns its id
 * @throws UserError with the next step
 */
export async function uploadVersion(
  wrangler: Wrangler,
  config: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { succeeded, output } = await wrangler(
    ['versions', 'upload', '--config', config, ...args],
    environment,
  );
  const [, id] = /Worker Version ID: ([\da-f-]{36})/.exec(output) ?? [];
  if (succeeded && id !== undefined) return id;
  throw new UserError(
    `Cloudflare refused the upload: ${extractErrors(output)} A version that migrates Durable Objects can’t share the requests: deploy it without --canary.`,
  );
}

/**
 * Uploads a Worker with its triggers.
 * @param args - further arguments of `wrangler deploy`
 * @param environment - of wrangler
 * @throws UserError with the next step
 */
export async function uploadWorker(
  wrangler: Wrangler,
  config: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const { succeeded, output } = await wrangler(['deploy', '--config', config, ...args], environment);
  if (succeeded) return;
  const [, known] = refusals.find(([pattern]) => pattern.test(output)) ?? [];
  throw new UserError(
    known ??
      `Cloudflare refused the upload: ${extractErrors(output)} Solve this and run the same command again: it continues where it stopped.`,
  );
}
