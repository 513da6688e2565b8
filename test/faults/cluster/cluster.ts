// Runs the deployed gateway in workerd: two Workers that share objects, KV and database, and can be killed and restarted.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { call } from '../leave.ts';
import type { CommandBody } from '../worker/commands.ts';
import { backs, bundle, fronts } from './bundle.ts';
import { type Addresses, replySchema, type Start } from './messages.ts';
import { readMigrations } from './migrations.ts';
import { buildPlatformOptions } from './services.ts';

const HOST_PROCESS = fileURLToPath(new URL('./host.ts', import.meta.url));
const MAX_OUTPUT_CHARACTERS = 200_000;
const POLL_MS = 20;

/** Options of a cluster. */
export interface ClusterOptions {
  /** Settings and secrets in addition to wrangler.toml. */
  vars?: Readonly<Record<string, string>>;
  /** Uses a fake KV that hides writes for this time in milliseconds. */
  hideWritesMs?: number;
}

/** The Workers of a cluster. */
export type WorkerName = keyof Addresses;

/** A running cluster. */
export interface Cluster {
  /** Folder of the durable state. */
  folder: string;
  /** Returns the origin of a Worker, without a trailing slash. It changes with each start. */
  url: (worker: WorkerName) => string;
  /** Runs a command in the Worker with the objects. */
  run: (command: CommandBody) => Promise<unknown>;
  /** Kills all processes with SIGKILL. */
  kill: () => Promise<void>;
  /** Starts all processes again on the stored state. */
  start: () => Promise<void>;
  /** Returns the last output of the Workers, over all starts. */
  output: () => string;
  /** Kills the cluster and deletes its state. */
  close: () => Promise<void>;
}

interface Running {
  child: ChildProcess;
  addresses: Addresses;
}

/** Starts a cluster with empty state. */
export async function startCluster({ vars = {}, hideWritesMs }: ClusterOptions = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'cdapi-faults-'));
  const entries = [fronts.gateway, backs.objects, backs.kv];
  const [front = '', objects = '', kv = ''] = await Promise.all(entries.map(bundle));
  const settings: Start = {
    platform: buildPlatformOptions({ folder, scripts: { front, objects, kv }, vars, hideWritesMs }),
    migrations: await readMigrations(),
  };
  let output = '';
  let running: Running | undefined;
  const begin = async (): Promise<void> => {
    running = await startProcess(settings, (text) => {
      output = (output + text).slice(-MAX_OUTPUT_CHARACTERS);
    });
  };
  const kill = async (): Promise<void> => {
    if (running !== undefined) await killProcess(running);
    running = undefined;
  };
  const url = (worker: WorkerName): string => {
    if (running === undefined) throw new Error('the cluster is not running');
    return new URL(running.addresses[worker]).origin;
  };
  const close = async (): Promise<void> => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await begin();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    folder,
    url,
    run: async (command) => {
      const init = { method: 'POST', body: JSON.stringify(command) };
      const { status, text } = await call(url('objects'), init).answer;
      if (status >= 400) throw new Error(text);
      return JSON.parse(text);
    },
    kill,
    start: begin,
    output: () => output,
    close,
  };
}

function startProcess(settings: Start, print: (text: string) => void): Promise<Running> {
  const child = spawn(process.execPath, [HOST_PROCESS], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
    print(chunk.toString());
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the Workers ended before they were ready\n${output}`)));
    child.once('message', (message) => {
      const answer = replySchema.parse(message);
      if ('ready' in answer) resolve({ child, addresses: answer.ready });
      else {
        signalGroup(child);
        reject(new Error(answer.failed));
      }
    });
    child.send(settings);
  });
}

/** Kills the process group, which includes workerd. */
function signalGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

async function killProcess({ child, addresses }: Running): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.signalCode === null) {
    signalGroup(child);
    await ended;
  }
  // workerd may end a moment later, and locks the files until then.
  while (await isListening(addresses.objects)) await pause(POLL_MS);
}

function isListening(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}
