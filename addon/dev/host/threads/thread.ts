// Web worker of an execution in a browser: runs one job.

import { execute, type RealmPlatform } from '../realm/execution.ts';
import { HostClient, type ToHost, type ToThread } from './channel.ts';

// Captured here: the realm loses these globals.
const post: (message: ToHost) => void = self.postMessage.bind(self);
const { port1, port2 } = new MessageChannel();
const encoder = new TextEncoder();
const NativeTextDecoder = TextDecoder;

self.onmessage = (event: MessageEvent<ToThread>): void => {
  const { job, memory } = event.data;
  const host = new HostClient(memory, post);
  const platform: RealmPlatform = {
    call: (name, args, bytes) => host.call({ name, args, bytes }),
    decode: (bytes, charset) => new NativeTextDecoder(charset).decode(bytes),
    encode: (text) => encoder.encode(text),
  };
  const outcome = execute(platform, job);
  // A message to itself arrives after all promises of the script.
  port1.onmessage = () => post({ kind: 'outcome', outcome: outcome() });
  port2.postMessage(null);
};
