// The fresh process of one call of a variant: takes its task as a message, answers with one, and ends.

import type { VariantModule } from './bench.ts';
import { callSchema, type Reply } from './call.ts';

function isVariant(value: unknown): value is VariantModule {
  return typeof value === 'object' && value !== null && 'measure' in value;
}

async function call(message: unknown): Promise<Reply> {
  try {
    const { module, step, task } = callSchema.parse(message);
    const { variant }: { variant?: unknown } = await import(module);
    if (!isVariant(variant)) throw new TypeError(`${module} exports no variant`);
    return { value: await variant[step]?.({ ...task, given: task.given }) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.once('message', async (message) => {
  const reply = await call(message);
  process.send?.(reply, () => process.disconnect());
});
