// @portkey-ai/gateway on Node as a proxy. Its package has no cache, so the provider answers every call.
import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '../../../worker/commands/instance/instance.ts';
import type { Task, VariantModule } from '../harness/bench.ts';
import { measureLoad } from '../load/measure.ts';
import { startProvider } from '../load/provider.ts';
import { formatGet } from '../load/request-text.ts';

const run = promisify(execFile);
const PACKAGE = '@portkey-ai/gateway';
const VERSION = '1.15.2';
const INSTALL_MS = 180_000;
const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

const getInstallDir = ({ sharedDir }: Task): string => join(sharedDir, 'portkey');

/**
 * Starts a program and waits until it answers.
 * @param url - requested until there is any response
 * @returns a function that stops it
 * @throws Error with its output if it exits or does not answer
 */
async function startProgram(
  command: string,
  args: readonly string[],
  url: string,
): Promise<() => Promise<void>> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-2_000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      output += error.message;
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await pause(POLL_MS)) {
    if (child.exitCode !== null || child.pid === undefined) break;
    try {
      await (await fetch(url)).arrayBuffer();
      return stop;
    } catch {
      // The program is not listening yet.
    }
  }
  await stop();
  throw new Error(`${command} does not answer: ${output}`);
}

export const variant: VariantModule = {
  async missing(task) {
    const dir = getInstallDir(task);
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'package.json'), JSON.stringify({ private: true }));
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev', '--loglevel=error'];
    try {
      await run('npm', ['install', ...quiet, `${PACKAGE}@${VERSION}`], { cwd: dir, timeout: INSTALL_MS });
      return undefined;
    } catch (error) {
      const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
      return `It is installed into a temporary folder by "npm install ${PACKAGE}@${VERSION}", which needs npm and its registry: ${why}`;
    }
  },
  async measure(task) {
    const provider = await startProvider();
    try {
      const port = await findFreePort(0);
      const program = join(getInstallDir(task), 'node_modules', PACKAGE, 'build', 'start-server.js');
      const args = [program, `--port=${port}`, '--headless'];
      const stop = await startProgram(process.execPath, args, `http://${HOST}:${port}/`);
      try {
        // Portkey's proxy route for a GET: its generic route fails on current Node ("immutable" headers).
        const text = formatGet('/v1/files/{n}', {
          'x-portkey-provider': 'openai',
          'x-portkey-custom-host': provider.baseUrl,
          'x-portkey-forward-headers': 'apikey',
          apikey: 'none',
        });
        const template = { host: HOST, port, text, from: 1, count: 100 };
        return await measureLoad({ template, server: 'start-server.js', warmUpResponses: 5_000 }, task.quick);
      } finally {
        await stop();
      }
    } finally {
      provider.stop();
    }
  },
};
