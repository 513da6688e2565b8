// A queue with the deployed limits of messages and batches.
import type { Invocation } from './invocation.ts';
import { BATCH_BYTES, BATCH_MESSAGES, countBytes, MESSAGE_BYTES } from './limits.ts';
import { type Override, withOverrides } from './with-overrides.ts';

/** Counts the bytes of a message. Objects are sent as JSON. */
function countMessageBytes(body: unknown): number {
  const isRaw = typeof body === 'string' || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  return countBytes(isRaw ? body : (JSON.stringify(body) ?? ''));
}

/** Wraps a queue. @param name - of the binding */
export function strictQueue(queue: Queue, name: string, invocation: Invocation): Queue {
  const send =
    (method: 'send' | 'sendBatch', getBodies: (first: unknown) => unknown[]): Override =>
    async (call, args) => {
      invocation.countOperation(name, method);
      const sizes = getBodies(args[0]).map(countMessageBytes);
      invocation.meter?.add('queue_messages', sizes.length);
      const largest = Math.max(0, ...sizes);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const refuse = (message: string): never => invocation.refuse('message_size', name, message);
      if (sizes.length > BATCH_MESSAGES) {
        refuse(`batch message count of ${sizes.length} exceeds limit of ${BATCH_MESSAGES}`);
      }
      if (largest > MESSAGE_BYTES)
        refuse(`message length of ${largest} bytes exceeds limit of ${MESSAGE_BYTES}`);
      if (total > BATCH_BYTES) refuse(`batch size of ${total} bytes exceeds limit of ${BATCH_BYTES}`);
      return invocation.callService(name, () => call(args));
    };
  return withOverrides(queue, name, {
    send: send('send', (body) => [body]),
    sendBatch: send('sendBatch', (messages) =>
      (Array.isArray(messages) ? messages : []).map((message: { body?: unknown }) => message.body),
    ),
  });
}
