// The gateway as it is deployed, on real workerd: two Workers over the same objects, KV and database, which can be killed
// and started again on what they had stored.
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

/** How a cluster is made. */
export interface ClusterOptions {
  /** What stands in front; the gateway where absent. */
  front?: keyof typeof fronts;
  /** Settings and secrets, in addition to those of wrangler.toml. */
  vars?: Readonly<Record<string, string>>;
  /** How long KV hides writes, milliseconds; absent: the local platform's KV, which hides none. */
  hideWritesMs?: number;
}

/** The Workers of a cluster. */
export type WorkerName = keyof Addresses;

/** Two gateways and what they share. */
export interface Cluster {
  /** Where everything is stored that outlives a kill. */
  folder: string;
  /** Where a Worker answers, without a slash at the end. It changes with each start. */
  url: (worker: WorkerName) => string;
  /** Runs a command in a Worker: in `objects`, or in any where the front is `control`. */
  run: (command: CommandBody, worker?: WorkerName) => Promise<unknown>;
  /** `kill -9` of everything; what was stored stays. */
  kill: () => Promise<void>;
  /** Starts everything again on what was stored. */
  start: () => Promise<void>;
  /** The end of what the Workers printed, over all starts. */
  output: () => string;
  /** Ends it for good, with everything that it stored. */
  close: () => Promise<void>;
}

interface Running {
  child: ChildProcess;
  addresses: Addresses;
}

/** Starts a cluster with nothing stored. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { front = 'gateway', vars = {}, hideWritesMs } = options;
  const folder = await mkdtemp(join(tmpdir(), 'cdapi-faults-'));
  const [frontScript, objects, kv] = await Promise.all([fronts[front], backs.objects, backs.kv].map(bundle));
  const settings: Start = {
    platform: buildPlatformOptions({
      folder,
      scripts: { front: frontScript ?? '', objects: objects ?? '', kv: kv ?? '' },
      vars: { DIARY: 'http://127.0.0.1:9/', ...vars },
      hideWritesMs,
    }),
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
    if (running === undefined) throw new Error('the cluster does not run');
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
    run: async (command, worker = 'objects') => {
      const { status, text } = await call(url(worker), { method: 'POST', body: JSON.stringify(command) })
        .answer;
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
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed += chunk.toString();
    print(chunk.toString());
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the Workers ended before they answered\n${printed}`)));
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

/** Ends the process and the platform's, which is in its group, without a word. */
function signalGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

async function killProcess({ child, addresses }: Running): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.signalCode === null) {
    signalGroup(child);
    await ended;
  }
  // The platform's process may take a moment longer, and holds the files until then.
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
