// The app as a whole: what every one of its routes shares.
import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../worker/app.ts';
import { isUnreachableError } from '../../worker/lib/unreachable.ts';
import { captureErrorLog } from './logged-errors.ts';
import { testPlatform } from './platform.ts';

it('finds its routes by the faster of its routers, which takes no parameter beside a fixed part of a path', async () => {
  const app = createApp(testPlatform);
  const response = await app.request('/health', {}, env, createExecutionContext());
  expect(response.status).toBe(200);
  expect(app.router.name).toContain('RegExpRouter');
});

// "Our own object is unreachable" and "the provider is down" are different problems. (issue 14, 5)
describe('an object that cannot be reached', () => {
  const broken = (flags: object) => Object.assign(new Error('jane-doe'), flags);
  const ask = (path: string, error: Error) =>
    createApp(testPlatform, (app) =>
      app.get(path, () => {
        throw error;
      }),
    ).request(path, {}, env, createExecutionContext());

  it.each([{ retryable: true }, { overloaded: true }, { durableObjectReset: true }])(
    'is told apart from the provider and from a mistake of ours: %o',
    async (flags) => {
      const lines = captureErrorLog();
      const response = await ask('/sheets/v1/throws', broken(flags));
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await response.json()).toMatchObject({ code: 'gateway_unavailable' });
      const dropIn = await ask('/cdapi/v2/throws', broken(flags));
      expect([dropIn.status, dropIn.headers.get('x-problem')]).toEqual([503, 'gateway_unavailable']);
      expect(lines).toMatchObject([{ event: 'object_unreachable' }, { event: 'object_unreachable' }]);
      expect(JSON.stringify(lines)).not.toContain('jane-doe');
    },
  );

  it('is none where the code of the object threw', async () => {
    const lines = captureErrorLog();
    const response = await ask('/sheets/v1/throws', broken({ remote: true, retryable: true }));
    expect(response.status).toBe(500);
    expect(lines).toMatchObject([{ event: 'internal_error' }]);
  });

  it('is recognised by the error of the platform itself', async () => {
    const stub = env.LEDGER.getByName('reset');
    const reset = runInDurableObject(stub, (_, state) => state.abort('reset by the test'));
    const error: unknown = await reset.catch((thrown: unknown) => thrown);
    expect(isUnreachableError(error)).toBe(true);
  });
});
