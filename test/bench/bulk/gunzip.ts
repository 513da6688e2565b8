// The baseline of the bulk bench: unpacks the file with gunzip and counts its lines with wc.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { VariantModule } from '../harness/bench.ts';
import { getResultFile, parametersSchema } from './data.ts';
import type { Figure } from './figures.ts';

const run = promisify(execFile);

/** Processor time of a shell's children in the output of `times`: user, then system. */
const TIMES_LINE = /^(\d+)m([\d.]+)s\s+(\d+)m([\d.]+)s$/;

function runShell(command: string, file: string): Promise<{ stdout: string }> {
  return run('sh', ['-c', command, 'sh', file]);
}

/** Parses the processor time. @param line - the last line that `times` writes */
function parseProcessorSeconds(line: string | undefined): number | undefined {
  const match = TIMES_LINE.exec(line?.trim() ?? '');
  if (match === null) return undefined;
  const [userMinutes = 0, user = 0, systemMinutes = 0, system = 0] = match.slice(1).map(Number);
  return 60 * (userMinutes + systemMinutes) + user + system;
}

export const variant: VariantModule = {
  async missing() {
    return spawnSync('gunzip', ['--version']).status === 0 ? undefined : 'apt-get install gzip';
  },
  async measure({ sharedDir, parameters }): Promise<Figure[]> {
    const figures: Figure[] = [];
    for (const records of parametersSchema.parse(parameters).counts) {
      const file = getResultFile(sharedDir, records);
      const start = performance.now();
      const { stdout } = await runShell('gunzip -c "$1" | wc -l; times', file);
      const seconds = (performance.now() - start) / 1000;
      const [lines, , children] = stdout.split('\n');
      if (Number(lines) !== records) throw new Error(`${file} has ${lines} lines`);
      const processor = parseProcessorSeconds(children);
      const counted = await runShell('gunzip -c "$1" | wc -c', file);
      figures.push({
        records,
        bytes: Number(counted.stdout),
        seconds,
        ...(processor !== undefined && { processor }),
      });
    }
    return figures;
  },
};
