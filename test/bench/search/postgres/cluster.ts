// A private PostgreSQL server: its data in a folder, reached by a socket there, run by an unprivileged user.
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where Debian keeps one folder for each version. */
const DEBIAN = '/usr/lib/postgresql';
const PROGRAMS = ['initdb', 'postgres', 'psql'];
/** Who runs the server where we are the superuser, whom PostgreSQL refuses. */
const SERVER_USER = 'postgres';
const START_MS = 30_000;
const DATABASE = 'postgres';

function debianFolders(): string[] {
  if (!existsSync(DEBIAN)) return [];
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN, version, 'bin'));
}

/** The folder of PostgreSQL's programs; undefined where it is not installed. */
export function findPrograms(): string | undefined {
  const folders = [...debianFolders(), ...(process.env.PATH ?? '').split(':').filter(Boolean)];
  return folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
}

function idOf(flag: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, SERVER_USER], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/** As whom the server runs. @returns undefined where there is no such user, nothing to change where we are one */
export function serverUser(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/** A server that answers. */
export interface Cluster {
  /** Starts psql on it, with its input and output as pipes. */
  psql: (args: readonly string[]) => ChildProcess;
  stop: () => Promise<void>;
}

/** More than the built-in settings, which are for a small machine: everything fits into memory, as for the others. */
const SETTINGS = [
  'shared_buffers=512MB',
  'work_mem=64MB',
  'maintenance_work_mem=256MB',
  'random_page_cost=1.1',
];

interface Place {
  programs: string;
  data: string;
  sockets: string;
  as: SpawnOptions;
}

function placeIn(dir: string): Place {
  const programs = findPrograms();
  const as = serverUser();
  if (programs === undefined || as === undefined) throw new Error('PostgreSQL is missing');
  return { programs, data: join(dir, 'data'), sockets: join(dir, 's'), as: { ...as, cwd: '/' } };
}

/** Makes a cluster in a folder. @throws Error with what initdb said */
export function makeCluster(dir: string): void {
  const { programs, data, sockets, as } = placeIn(dir);
  for (const folder of [data, sockets]) {
    mkdirSync(folder, { mode: 0o700 });
    if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
  }
  const { status, stderr } = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', DATABASE, '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...as, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`initdb failed:\n${stderr}`);
}

async function untilReady(psql: Cluster['psql'], server: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(100)) {
    if (server.exitCode !== null) break;
    const probe = psql(['-c', 'SELECT 1']);
    const code = await new Promise((resolve) => probe.once('exit', resolve));
    if (code === 0) return;
  }
  throw new Error('the PostgreSQL server did not start');
}

/** Starts the server of a cluster that was made. */
export async function startCluster(dir: string): Promise<Cluster> {
  const { programs, data, sockets, as } = placeIn(dir);
  const settings = [...SETTINGS, 'listen_addresses=', `unix_socket_directories=${sockets}`];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...as, stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const psql: Cluster['psql'] = (args) =>
    spawn(
      join(programs, 'psql'),
      ['-XqAt', '-v', 'ON_ERROR_STOP=1', '-h', sockets, '-U', DATABASE, ...args],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
  const stop = async (): Promise<void> => {
    // PostgreSQL's fast shutdown.
    server.kill('SIGINT');
    await ended;
  };
  try {
    await untilReady(psql, server);
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  }
  return { psql, stop };
}
