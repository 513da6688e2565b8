// Builds Workers into one text each, as they are when they are deployed.
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../../worker/commands/paths.ts';

const faults = join(root, 'test', 'faults', 'worker');

/** What stands at the front: the gateway as it is deployed, or a Worker that runs a test's commands. */
export const fronts = {
  gateway: join(root, 'worker', 'index.ts'),
  control: join(faults, 'control.ts'),
} as const;

/** The Workers behind the front. */
export const backs = { objects: join(faults, 'objects.ts'), kv: join(faults, 'kv.ts') } as const;

const built = new Map<string, Promise<string>>();

/** A Worker as it is deployed, built once in the life of this process. */
export function bundle(entry: string): Promise<string> {
  const known = built.get(entry) ?? buildWorker(entry);
  built.set(entry, known);
  return known;
}

/** Builds a Worker with the deployment tool's settings. */
export async function buildWorker(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    keepNames: false,
    write: false,
    logLevel: 'error',
  });
  return outputFiles.map((file) => file.text).join('\n');
}
