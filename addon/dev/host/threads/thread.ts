// Web worker of an execution in a browser: runs one job.

import { type Door, execute } from '../realm/execution.ts';
import { Line, type ToHost, type ToThread } from './channel.ts';

// Captured here: the realm loses these globals.
const post: (message: ToHost) => void = self.postMessage.bind(self);
const { port1, port2 } = new MessageChannel();
const encoder = new TextEncoder();
const Decoder = TextDecoder;

self.onmessage = (event: MessageEvent<ToThread>): void => {
  const { job, memory } = event.data;
  const line = new Line(memory, post);
  const door: Door = {
    ask: (name, args, bytes) => line.ask({ name, args, bytes }),
    tell: (name, args) => line.tell({ name, args, bytes: [] }),
    decode: (bytes, charset) => new Decoder(charset).decode(bytes),
    encode: (text) => encoder.encode(text),
  };
  const outcome = execute(door, job);
  // A message to itself arrives after all promises of the script.
  port1.onmessage = () => post({ kind: 'outcome', outcome: outcome() });
  port2.postMessage(null);
};
