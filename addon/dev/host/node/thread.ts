// Worker thread of executions in Node: creates a vm context for each job.
import { constants, createContext, Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { execute, RealmPlatform } from '../realm/execution.ts';
import { HostClient, type ToHost, type ToThread } from '../threads/channel.ts';

const port = parentPort;
if (!port) throw new Error('not a worker thread');
const encoder = new TextEncoder();
/** The built execution.ts: evaluates to `execute` with the classes of its context. */
const realm = new Script(String(workerData), { filename: 'host.js' });

port.on('message', ({ job, memory }: ToThread) => {
  const post = (message: ToHost): void => port.postMessage(message);
  const host = new HostClient(memory, post);
  const platform: RealmPlatform = {
    call: (name, args, bytes) => host.call({ name, args, bytes }),
    notify: (name, args) => host.notify({ name, args, bytes: [] }),
    decode: (bytes, charset) => new TextDecoder(charset).decode(bytes),
    encode: (text) => encoder.encode(text),
  };
  const run: typeof execute = realm.runInContext(createContext(constants.DONT_CONTEXTIFY));
  const outcome = run(platform, job);
  // Runs after all promises of the script.
  setImmediate(() => post({ kind: 'outcome', outcome: outcome() }));
});
