// Lucene 8 on the JVM: the queries as the golden answers' program reads them, one merged index on disk, mapped.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { indexFields } from '../../../../shared/families/index.ts';
import { root } from '../../../../worker/commands/paths.ts';
import type { Task, VariantModule } from '../../harness/bench.ts';
import { companiesFile, givenSchema } from '../companies.ts';
import { answerAll, drive, type Engine, HITS } from '../drive.ts';
import { LineTalk } from '../line-talk.ts';
import { NOW, queries } from '../queries.ts';

const JARS = '/usr/share/java';
const PARTS = ['core', 'queryparser', 'queries', 'join', 'misc', 'sandbox', 'analyzers-common'];
const SOURCES = ['test/golden/java/{golden,org}', 'test/bench/search/java/golden'];

/** The jars of Lucene 8; undefined for a part that is not installed. */
function jars(): (string | undefined)[] {
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

interface Place {
  request: string;
  folder: string;
  /** Arguments for java. */
  program: string[];
}

function placeIn(dir: string): Place {
  const classes = join(dir, 'classes');
  return {
    request: join(dir, 'request.json'),
    folder: join(dir, 'index'),
    program: ['-Xms512m', '-Xmx1g', '-classpath', [classes, ...jars()].join(':'), 'golden.Serve'],
  };
}

const asked = [...queries.keys()];

async function prepare(task: Task): Promise<void> {
  const { dir, shared } = task;
  const { request, folder, program } = placeIn(dir);
  const sources = SOURCES.flatMap((source) => globSync(join(root, source, '**', '*.java')));
  run('javac', ['-d', join(dir, 'classes'), '-classpath', jars().join(':'), ...sources]);
  await writeFile(
    request,
    JSON.stringify({
      mapping: indexFields.company_clean,
      now: NOW,
      queries: queries.map(({ query }) => query),
    }),
  );
  run('java', [...program, 'index', request, companiesFile(shared), folder]);
  const engine = open(task);
  try {
    await answerAll(engine, { name: 'lucene', asked, shared });
  } finally {
    await engine.close();
  }
}

interface Found {
  nanoseconds: number;
  total: number;
  ids: string[];
  scores: number[];
}

function readLine(line: string): Found {
  const [nanoseconds, total, ...hits] = line.split(' ').filter(Boolean);
  const pairs = hits.map((hit) => hit.split(':'));
  return {
    nanoseconds: Number(nanoseconds),
    total: Number(total),
    ids: pairs.map(([id = '']) => id),
    scores: pairs.map(([, score]) => Number(score)),
  };
}

function open({ dir, given }: Task): Engine {
  const { count } = givenSchema.parse(given);
  const { request, folder, program } = placeIn(dir);
  const java = spawn('java', [...program, 'serve', request, folder], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => java.once('exit', () => resolve()));
  const talk = new LineTalk(java, () => true);
  const search = async (query: number, repeat: number, hits: number): Promise<Found> => {
    const [line = ''] = await talk.ask(`${query} ${repeat} ${hits}`);
    return readLine(line);
  };
  return {
    async ask(query, repeat) {
      const { nanoseconds, total, ids } = await search(query, repeat, HITS);
      return { total, ids, ms: nanoseconds / 1e6 };
    },
    async askAll(query) {
      const { ids, scores } = await search(query, 1, count);
      return { query, ids, scores };
    },
    async close() {
      java.stdin.end();
      await ended;
    },
  };
}

export const variant: VariantModule = {
  async missing() {
    const lacking = [
      ...(spawnSync('javac', ['-version']).error === undefined ? [] : ['openjdk-17-jdk-headless']),
      ...(jars().includes(undefined) ? ['liblucene8-java'] : []),
    ];
    return lacking.length === 0 ? undefined : `On Debian: apt-get install ${lacking.join(' ')}.`;
  },
  prepare,
  async measure(task) {
    const engine = open(task);
    try {
      return await drive(engine, asked, task.quick);
    } finally {
      await engine.close();
    }
  },
};
