// One import into an instance of its own, watched from outside: how far it is, and what memory workerd has.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { startInstance } from '../../../worker/commands/instance.ts';
import { root } from '../../../worker/commands/paths.ts';
import type { Task, VariantModule } from '../harness/bench.ts';
import { residentMemory } from '../harness/memory.ts';

const givenSchema = z.object({ count: z.number(), family: z.string() });

type Given = z.infer<typeof givenSchema>;

const sampleSchema = z.object({
  records: z.number(),
  /** Since the import's command was started. */
  seconds: z.number(),
  /** Resident memory of all workerd processes of the instance, in bytes. */
  memory: z.number().optional(),
});

/** How one import went. */
export const importSchema = z.object({
  /** With no records in it. */
  idle: z.number().optional(),
  /** On the way, ascending; the last one is the end. */
  samples: z.array(sampleSchema),
});

export type Import = z.infer<typeof importSchema>;

/** What the command says on its way, and at its end. */
const PROGRESS = /^([\d,]+) records …$/;
const ADDED = /: (\d+) added, 0 changed, 0 unchanged$/;

/** Runs the command on an instance's folder. @throws Error where not all records are taken */
async function load(shared: string, dir: string, { count, family }: Given): Promise<Import['samples']> {
  const samples: Import['samples'] = [];
  const start = performance.now();
  const take = async (records: number): Promise<void> => {
    const seconds = (performance.now() - start) / 1000;
    const memory = await residentMemory('workerd');
    samples.push({ records, seconds, ...(memory !== undefined && { memory }) });
  };
  const script = join(root, 'worker', 'commands', 'import.ts');
  const file = join(shared, `${family}.jsonl`);
  const command = spawn(process.execPath, [script, '--family', family, file], {
    env: { ...process.env, DEV_DIR: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise((resolve) => command.once('exit', resolve));
  const complaint = text(command.stderr);
  const lines: string[] = [];
  for await (const line of createInterface({ input: command.stdout })) {
    lines.push(line);
    const records = Number(PROGRESS.exec(line)?.[1]?.replaceAll(',', ''));
    if (records < count) await take(records);
  }
  const added = Number(lines.flatMap((line) => ADDED.exec(line)?.[1] ?? [])[0]);
  if ((await code) !== 0 || added !== count) {
    throw new Error(`the import ended with\n${lines.slice(-5).join('\n')}\n${await complaint}`);
  }
  await take(count);
  return samples;
}

/**
 * The variant that imports into an instance whose workerd was started with some flags of V8.
 * @param flags - as V8 has them
 */
export function importing(flags: readonly string[]): VariantModule {
  return {
    async measure({ dir: taskDir, shared, given }: Task): Promise<Import> {
      // Miniflare, which wrangler runs on, hands them on to workerd.
      process.env.MINIFLARE_WORKERD_V8_FLAGS = flags.join(' ');
      const dir = join(taskDir, 'instance');
      const instance = await startInstance({ dir, port: 0 });
      process.once('SIGTERM', () => void instance.stop().finally(() => process.exit(1)));
      try {
        const idle = await residentMemory('workerd');
        const samples = await load(shared, dir, givenSchema.parse(given));
        return { samples, ...(idle !== undefined && { idle }) };
      } finally {
        await instance.stop();
        await rm(dir, { recursive: true, force: true });
      }
    },
  };
}

export const variant = importing([]);
