// The process of one variant call: receives the task as a message, sends the result and exits.

import type { VariantModule } from './bench.ts';
import { callSchema, type Reply } from './call.ts';

function isVariantModule(value: unknown): value is VariantModule {
  return typeof value === 'object' && value !== null && 'measure' in value;
}

async function runCall(message: unknown): Promise<Reply> {
  try {
    const { module, step, task } = callSchema.parse(message);
    const { variant }: { variant?: unknown } = await import(module);
    if (!isVariantModule(variant)) throw new TypeError(`${module} exports no variant`);
    return { value: await variant[step]?.({ ...task, parameters: task.parameters }) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.once('message', async (message) => {
  const reply = await runCall(message);
  process.send?.(reply, () => process.disconnect());
});
