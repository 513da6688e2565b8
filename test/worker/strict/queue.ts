// A queue as it is deployed: messages and batches that fit.
import { countBytes } from './bytes.ts';
import type { Invocation } from './invocation.ts';
import { BATCH_BYTES, BATCH_MESSAGES, MESSAGE_BYTES } from './limits.ts';
import { type Override, withOverrides } from './with-overrides.ts';

/** Bytes of a message; what is sent as JSON, as everything is by default, counts as such. */
function bytesOf(body: unknown): number {
  const plain = typeof body === 'string' || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  return countBytes(plain ? body : (JSON.stringify(body) ?? ''));
}

/**
 * Wraps a queue.
 * @param name - of the binding
 */
export function strictQueue(queue: Queue, name: string, invocation: Invocation): Queue {
  const send =
    (method: 'send' | 'sendBatch', bodies: (first: unknown) => unknown[]): Override =>
    async (call, args) => {
      invocation.countOperation(name, method);
      const sizes = bodies(args[0]).map(bytesOf);
      const largest = Math.max(0, ...sizes);
      const whole = sizes.reduce((sum, size) => sum + size, 0);
      const refuse = (message: string): never => invocation.refuse('message_size', name, message);
      if (sizes.length > BATCH_MESSAGES) {
        refuse(`batch message count of ${sizes.length} exceeds limit of ${BATCH_MESSAGES}`);
      }
      if (largest > MESSAGE_BYTES)
        refuse(`message length of ${largest} bytes exceeds limit of ${MESSAGE_BYTES}`);
      if (whole > BATCH_BYTES) refuse(`batch size of ${whole} bytes exceeds limit of ${BATCH_BYTES}`);
      return invocation.withConnection(() => invocation.recordRefusal(name, () => call(args)));
    };
  return withOverrides(queue, name, {
    send: send('send', (body) => [body]),
    sendBatch: send('sendBatch', (messages) =>
      (Array.isArray(messages) ? messages : []).map((message: unknown) =>
        typeof message === 'object' && message !== null && 'body' in message ? message.body : undefined,
      ),
    ),
  });
}
