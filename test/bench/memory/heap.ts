// Reads the heap of a running isolate through its inspector (Chrome DevTools Protocol).
import { once } from 'node:events';
import * as z from 'zod';

const targetsSchema = z.array(z.object({ webSocketDebuggerUrl: z.string() }));
const replySchema = z.object({
  id: z.number().exactOptional(),
  result: z.object({ usedSize: z.number().exactOptional() }).exactOptional(),
});

/** An open connection to an inspector. */
export interface HeapReader {
  /** Collects garbage and returns the bytes in use. */
  read: () => Promise<number>;
  close: () => void;
}

/** Connects to the first isolate of an inspector. */
export async function openHeap(inspector: URL): Promise<HeapReader> {
  const list = new URL('/json', inspector.href.replace(/^ws/, 'http'));
  const [target] = targetsSchema.parse(await (await fetch(list)).json());
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? inspector);
  await once(socket, 'open');
  const waiting = new Map<number, (usedSize: number) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = replySchema.parse(JSON.parse(String(data)));
    if (id !== undefined) waiting.get(id)?.(result?.usedSize ?? 0);
  });
  let sent = 0;
  const send = (method: string): Promise<number> => {
    sent += 1;
    const { promise, resolve } = Promise.withResolvers<number>();
    waiting.set(sent, resolve);
    socket.send(JSON.stringify({ id: sent, method }));
    return promise;
  };
  return {
    read: async () => {
      await send('HeapProfiler.collectGarbage');
      return send('Runtime.getHeapUsage');
    },
    close: () => socket.close(),
  };
}
