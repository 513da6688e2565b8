// Builds Workers into one text each, as they are when they are deployed.
import { join } from 'node:path';
import { root } from '../../../worker/commands/paths.ts';
import { bundleWorker } from '../../../worker/commands/runtime/bundle.ts';

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
  const known = built.get(entry) ?? bundleWorker(entry);
  built.set(entry, known);
  return known;
}
