// Bundles Workers as for a deployment.
import { join } from 'node:path';
import { root } from '../../../worker/commands/paths.ts';
import { bundleWorker } from '../../../worker/commands/runtime/bundle.ts';

const faults = join(root, 'test', 'faults', 'worker');

/** Workers that receive requests. */
export const fronts = { gateway: join(faults, 'front.ts') } as const;

/** Workers behind them. */
export const backs = { objects: join(faults, 'objects.ts'), kv: join(faults, 'kv.ts') } as const;

const built = new Map<string, Promise<string>>();

/** Bundles a Worker, once per process. */
export function bundle(entry: string): Promise<string> {
  const script = built.get(entry) ?? bundleWorker(entry);
  built.set(entry, script);
  return script;
}
