// @portkey-ai/gateway on Node as a proxy. Its package has no cache, so the provider answers every call.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Task, VariantModule } from '../harness/bench.ts';
import { measureLoad } from '../load/measure.ts';
import { startProvider } from '../load/provider.ts';
import { formatGet } from '../load/request-text.ts';
import { findFreePort, HOST, startProgram } from './program.ts';

const run = promisify(execFile);
const PACKAGE = '@portkey-ai/gateway';
const VERSION = '1.15.2';
const INSTALL_MS = 180_000;

const getInstallDir = ({ sharedDir }: Task): string => join(sharedDir, 'portkey');

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
      const port = await findFreePort();
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
