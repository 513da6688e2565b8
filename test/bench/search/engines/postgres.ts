// PostgreSQL full text: tsvector with GIN, ts_rank for the order, count(*) for the total; asked through psql.
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Task, VariantModule } from '../../harness/bench.ts';
import { sum } from '../../harness/numbers.ts';
import { type Answer, answerAll, drive, type Engine, HITS } from '../drive.ts';
import { LineTalk } from '../line-talk.ts';
import { type Cluster, findPrograms, makeCluster, serverUser, startCluster } from '../postgres/cluster.ts';
import { writeRows } from '../postgres/rows.ts';
import { queries } from '../queries.ts';
import type { PostgresQuery } from '../query.ts';

const END = '-- answered';
const TIME = /^Time: ([\d.]+) ms/;

const sql = (name: string): Promise<string> =>
  readFile(new URL(`../postgres/${name}`, import.meta.url), 'utf8');

async function runScript(cluster: Cluster, script: string): Promise<void> {
  const psql = cluster.psql(['-f', '-']);
  psql.stdin?.end(script);
  const [complaint, code] = await Promise.all([
    psql.stderr === null ? '' : text(psql.stderr),
    new Promise((resolve) => psql.once('exit', resolve)),
    psql.stdout?.resume(),
  ]);
  if (code !== 0) throw new Error(`psql: ${complaint}`);
}

async function prepare({ dir, shared }: Task): Promise<void> {
  makeCluster(dir);
  const copies = await writeRows(shared, dir);
  const cluster = await startCluster(dir);
  try {
    await runScript(cluster, [await sql('schema.sql'), ...copies, await sql('indexes.sql')].join('\n'));
  } finally {
    await cluster.stop();
  }
  const engine = await open(dir);
  try {
    await answerAll(engine, { name: 'postgres', asked, shared });
  } finally {
    await engine.close();
  }
}

const asked = [...queries.keys()].filter((at) => queries[at]?.postgres !== undefined);

function queryAt(at: number): PostgresQuery {
  const query = queries[at]?.postgres;
  if (query === undefined) throw new RangeError(`PostgreSQL has nothing to ask for query ${at}`);
  return query;
}

function statements({ where, rank }: PostgresQuery): string {
  const order = rank === undefined ? 'id' : `${rank} DESC, id`;
  return [
    `SELECT id FROM companies WHERE ${where} ORDER BY ${order} LIMIT ${HITS};`,
    `SELECT count(*) FROM companies WHERE ${where};`,
  ].join('\n');
}

function isNumber(line: string): boolean {
  return /^\d+$/.test(line);
}

/** Of one repetition: ids, a time, the total, a time. */
function readAnswer(lines: readonly string[]): Answer {
  const times = lines.flatMap((line) => TIME.exec(line)?.[1] ?? []).map(Number);
  const figures = lines.filter(isNumber);
  return { ids: figures.slice(0, -1).slice(0, HITS), total: Number(figures.at(-1)), ms: sum(times) };
}

function engineOn(cluster: Cluster, psql: ChildProcess): Engine {
  const talk = new LineTalk(psql, (line) => line === END);
  return {
    async ask(at, repeat) {
      const once = statements(queryAt(at));
      const lines = (await talk.ask(`${`${once}\n`.repeat(repeat)}\\echo ${END}`)).slice(0, -1);
      const { ms } = readAnswer(lines);
      return { ...readAnswer(lines.slice(0, lines.length / repeat)), ms };
    },
    async askAll(query) {
      const { where } = queryAt(query);
      const lines = await talk.ask(`SELECT id FROM companies WHERE ${where};\n\\echo ${END}`);
      return { query, ids: lines.filter(isNumber) };
    },
    async close() {
      psql.stdin?.end();
      await cluster.stop();
    },
  };
}

async function open(dir: string): Promise<Engine> {
  const cluster = await startCluster(dir);
  const psql = cluster.psql([]);
  psql.stdin?.write('\\timing on\n');
  return engineOn(cluster, psql);
}

export const variant: VariantModule = {
  async missing() {
    if (process.platform === 'win32') return 'It is asked on a Unix socket, which this system lacks.';
    if (findPrograms() === undefined) return 'On Debian: apt-get install postgresql.';
    if (serverUser() === undefined) return 'As the superuser it needs a user "postgres" to run as.';
    return undefined;
  },
  prepare,
  async measure({ dir, quick }) {
    const engine = await open(dir);
    try {
      return await drive(engine, asked, quick);
    } finally {
      await engine.close();
    }
  },
};
