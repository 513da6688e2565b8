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

  it.each(tooMuch)('of the local platform without a consumer takes %s', async (_, send) => {
    expect(await send(env.STRICT_QUEUE)).toBeDefined();
  });

  it('takes what is smaller', async () => {
    const { env: bindings, violations } = strict();
    await bindings.STRICT_QUEUE.send('x'.repeat(128_000));
    await bindings.STRICT_QUEUE.send({ text: 'é'.repeat(63_994) });
    await bindings.STRICT_QUEUE.sendBatch(batch(100, 'x'.repeat(2_500)));
    expect(violations()).toEqual([]);
  });
});

describe('an object', () => {
  it('is reached by name and by id, its methods called as they are', async () => {
    const { env: bindings, touched } = strict();
    const { PROVIDER_ACCOUNT: own } = env;
    const { PROVIDER_ACCOUNT: strictly } = bindings;
    const id = strictly.idFromName('strict');
    expect(id.equals(own.idFromName('strict'))).toBe(true);
    expect(strictly.getByName('strict').id.equals(id)).toBe(true);
    expect(await strictly.getByName('strict').state()).toEqual(await own.getByName('strict').state());
    expect(await strictly.get(id).state()).toEqual(await own.get(id).state());
    expect(touched()).toEqual(['PROVIDER_ACCOUNT.state', 'PROVIDER_ACCOUNT.state']);
  });
});

describe('a bucket', () => {
  it('keeps what is put into it', async () => {
    const { env: bindings, touched } = strict();
    await bindings.PROVIDER_FILES.put('strict', 'kept');
    expect(await (await bindings.PROVIDER_FILES.get('strict'))?.text()).toBe('kept');
    await bindings.PROVIDER_FILES.delete('strict');
    expect(touched()).toEqual(['PROVIDER_FILES.put', 'PROVIDER_FILES.get', 'PROVIDER_FILES.delete']);
  });
});
