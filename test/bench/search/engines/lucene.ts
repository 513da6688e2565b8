// Lucene 8 on the JVM with one merged, memory-mapped index. It shares the query parser of the golden answers.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { indexFields } from '../../../../shared/families/registry.ts';
import { root } from '../../../../worker/commands/paths.ts';
import type { Task, VariantModule } from '../../harness/bench.ts';
import { getCompaniesFile } from '../companies.ts';
import { createEngineVariant, type Engine, type TimedAnswer } from '../measure.ts';
import { queries } from '../queries.ts';

const JARS = '/usr/share/java';
const PARTS = ['core', 'queryparser', 'queries', 'join', 'misc', 'sandbox', 'analyzers-common'];
const SOURCES = ['test/golden/java/{golden,org}', 'test/bench/search/java/golden'];

/** Finds the jars of Lucene 8; undefined for a missing part. */
function findJars(): (string | undefined)[] {
  const installed = existsSync(JARS) ? readdirSync(JARS) : [];
  return PARTS.map((part) => {
    const name = installed.find((file) => new RegExp(`^lucene-${part}-8[.\\d]*\\.jar$`).test(file));
    return name && join(JARS, name);
  });
}

function run(program: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} failed:\n${stderr}`);
}

/** Returns the program's files and the arguments of java. */
function getPaths(dir: string): { request: string; folder: string; program: string[] } {
  const classPath = [join(dir, 'classes'), ...findJars()].join(':');
  const program = ['-Xms512m', '-Xmx1g', '-classpath', classPath, 'golden.Serve'];
  return { request: join(dir, 'request.json'), folder: join(dir, 'index'), program };
}

async function buildIndex({ dir, sharedDir }: Task): Promise<void> {
  const { request, folder, program } = getPaths(dir);
  const sources = SOURCES.flatMap((source) => globSync(join(root, source, '**', '*.java')));
  run('javac', ['-d', join(dir, 'classes'), '-classpath', findJars().join(':'), ...sources]);
  const queryBodies = queries.map(({ query }) => query);
  await writeFile(
    request,
    JSON.stringify({ mapping: indexFields.company_clean, now: 0, queries: queryBodies }),
  );
  run('java', [...program, 'index', request, getCompaniesFile(sharedDir), folder]);
}

/** Parses `NANOSECONDS TOTAL ID:SCORE …`. */
function parseLine(line: string): TimedAnswer {
  const [nanoseconds, total, ...hits] = line.split(' ').filter(Boolean);
  const pairs = hits.map((hit) => hit.split(':'));
  return {
    ms: Number(nanoseconds) / 1e6,
    total: Number(total),
    ids: pairs.map(([id = '']) => id),
    scores: pairs.map(([, score]) => Number(score)),
  };
}

async function openEngine({ dir }: Task): Promise<Engine> {
  const { request, folder, program } = getPaths(dir);
  const java = spawn('java', [...program, 'serve', request, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(java, 'exit');
  const lines = createInterface({ input: java.stdout })[Symbol.asyncIterator]();
  return {
    async search(query, hits, repeat) {
      java.stdin.write(`${query} ${repeat} ${hits}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('Lucene has ended');
      return parseLine(value);
    },
    async close() {
      java.stdin.end();
      await ended;
    },
  };
}

export const variant: VariantModule = {
  ...createEngineVariant(buildIndex, openEngine),
  async missing() {
    const lacking = [
      ...(spawnSync('javac', ['-version']).error === undefined ? [] : ['openjdk-17-jdk-headless']),
      ...(findJars().includes(undefined) ? ['liblucene8-java'] : []),
    ];
    return lacking.length === 0 ? undefined : `On Debian: apt-get install ${lacking.join(' ')}.`;
  },
};
