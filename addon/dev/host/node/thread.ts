// Worker thread of executions in Node: creates a vm context for each job.
import { constants, createContext, Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { execute, RealmPlatform } from '../realm/execution.ts';
import { HostClient, type ToHost, type ToThread } from '../threads/channel.ts';
import { toExpression } from './second-script.ts';

const port = parentPort;
if (!port) throw new Error('not a worker thread');
const encoder = new TextEncoder();
/** The built execution.ts: evaluates to `execute` with the classes of its context. */
const realm = new Script(String(workerData), { filename: 'host.js' });
/** Compiled scripts by their text: compiling the second script takes longer than most executions. */
const scripts = new Map<string, Script>();

function compile(code: string, filename: string): Script {
  const script = scripts.get(code) ?? new Script(code, { filename });
  scripts.set(code, script);
  return script;
}

port.on('message', ({ job, memory }: ToThread) => {
  const post = (message: ToHost): void => port.postMessage(message);
  const host = new HostClient(memory, post);
  const context = createContext(constants.DONT_CONTEXTIFY);
  const platform: RealmPlatform = {
    call: (name, args, bytes) => host.call({ name, args, bytes }),
    decode: (bytes, charset) => new TextDecoder(charset).decode(bytes),
    encode: (text) => encoder.encode(text),
    evaluateScript: (code) => compile(code, 'Code.js').runInContext(context),
    evaluateSecondScript: (code) => {
      const expression = toExpression(code);
      if (expression === undefined) return undefined;
      return { value: compile(`"use strict";${expression}`, 'Later.js').runInContext(context) };
    },
  };
  const run: typeof execute = realm.runInContext(context);
  const outcome = run(platform, job);
  // Runs after all promises of the script.
  setImmediate(() => post({ kind: 'outcome', outcome: outcome() }));
});
