// Objects, queues and buckets: they answer as they are, and what the platform refuses is noted.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { strictEnv } from './index.ts';

const strict = () => strictEnv(env, { clock: () => Date.now() });

describe('a queue', () => {
  const batch = (count: number, body: unknown) => Array.from({ length: count }, () => ({ body }));
  const tooMuch: [string, (queue: Queue) => Promise<unknown>][] = [
    ['a message of more than 128 KB', (queue) => queue.send('x'.repeat(128_001))],
    ['an object of more than 128 KB', (queue) => queue.send({ text: 'é'.repeat(63_995) })],
    ['more than 100 messages at once', (queue) => queue.sendBatch(batch(101, ''))],
    ['more than 256 KB at once', (queue) => queue.sendBatch(batch(3, 'x'.repeat(100_000)))],
  ];

  it.each(tooMuch)('refuses %s, which is noted', async (_, send) => {
    const { env: bindings, violations } = strict();
    await expect(send(bindings.STRICT_QUEUE)).rejects.toThrow('exceeds limit');
    expect(violations().map(({ code, binding }) => [code, binding])).toEqual([
      ['message_size', 'STRICT_QUEUE'],
    ]);
  });
});
