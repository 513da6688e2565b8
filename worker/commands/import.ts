// npm run import -- [--family company_clean] [--map file.json] FILE: loads records into the sandbox.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { familyNames, isFamily } from '../../shared/families/index.ts';
import { type ImportReport, importFile } from './import/load.ts';
import { readMap } from './import/map.ts';
import { withInstance } from './instance/with-instance.ts';
import { devDir } from './paths.ts';
import { command, UserError } from './user-error.ts';

const USAGE = 'Usage: npm run import -- [--family company_clean] [--map file.json] FILE.csv|FILE.jsonl';
const MAX_NAMED = 20;

/** @returns `1 line`, `2 lines` */
function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function print(report: ImportReport): void {
  for (const [family, { added, changed, unchanged }] of report.counts) {
    console.log(`${family}: ${added} added, ${changed} changed, ${unchanged} unchanged`);
    const shared = [...(report.shared.get(family) ?? [])];
    if (shared.length > 0) {
      console.log(`  ${counted(shared.length, 'website')} of several records; the lowest id answers:`);
      for (const [website, ids] of shared.slice(0, MAX_NAMED)) console.log(`  ${website}: ${ids.join(', ')}`);
      if (shared.length > MAX_NAMED) console.log(`  … and ${shared.length - MAX_NAMED} more`);
    }
  }
  const { refused } = report;
  console.log(`${counted(refused.length, 'line')} refused${refused.length > 0 ? ':' : ''}`);
  for (const { line, reason } of refused) console.log(`  line ${line}: ${reason}`);
}

/**
 * Finds a file that was named by the person at the keyboard.
 * @throws UserError where it is not there
 */
async function findFile(name: string): Promise<string> {
  // npm runs a script in the project's folder and says here where it was called.
  const file = resolve(process.env.INIT_CWD ?? '.', name);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new UserError(`There is no file ${file}.`);
  return file;
}

function readArguments() {
  try {
    return parseArgs({
      options: { family: { type: 'string' }, map: { type: 'string' } },
      allowPositionals: true,
    });
  } catch {
    throw new UserError(USAGE);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UserError(USAGE);
  const { family } = values;
  if (family !== undefined && !isFamily(family))
    throw new UserError(`The families are ${familyNames.join(', ')}.`);
  const file = await findFile(name);
  const map = values.map === undefined ? undefined : await readMap(await findFile(values.map));
  const log = (line: string): void => console.log(line);
  await withInstance(devDir, log, async (session) => {
    const report = await importFile(session, {
      file,
      log,
      ...(map === undefined ? {} : { map }),
      ...(family === undefined ? {} : { family }),
    });
    print(report);
    const isAnyTaken = [...report.counts.values()].some(
      (count) => count.added + count.changed + count.unchanged > 0,
    );
    if (!isAnyTaken) process.exitCode = 1;
  });
}

if (import.meta.main) await command(main);
