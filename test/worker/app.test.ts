// The app: routing and error handling of all routes, and aborting of calls within the process.
import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../worker/app.ts';
import { isUnreachableError } from '../../worker/lib/unreachable.ts';
import { withAbort } from '../../worker/lib/with-abort.ts';
import { captureErrorLog } from './logged-errors.ts';
import { testPlatform } from './platform.ts';

it('matches the drop-in API and all other paths apart', async () => {
  const app = createApp(testPlatform);
  const request = (path: string) => app.request(path, {}, env, createExecutionContext());
  expect((await request('/health')).status).toBe(200);
  expect(await (await request('/cdapi')).json()).toEqual({ message: 'No API key found in request' });
  expect(await (await request('/cdapis')).json()).toMatchObject({ code: 'unknown_address' });
});

// "Our own object is unreachable" and "the provider is down" are different problems.
describe('an unreachable Durable Object', () => {
  const createError = (flags: object) => Object.assign(new Error('jane-doe'), flags);
  const request = (path: string, error: Error) =>
    createApp(testPlatform, (app) =>
      app.get(path, () => {
        throw error;
      }),
    ).request(path, {}, env, createExecutionContext());

  /** A request of the drop-in API, whose first binding fails. */
  const requestDropIn = (error: Error) => {
    const bindings = Object.defineProperty({ ...env }, 'DB', {
      get: () => {
        throw error;
      },
    });
    const init = { headers: { apikey: env.TEAM_TOKEN } };
    const app = createApp(testPlatform);
    return app.request('/cdapi/v2/company_clean/collect/1', init, bindings, createExecutionContext());
  };

  it.each([{ retryable: true }, { overloaded: true }, { durableObjectReset: true }])(
    'becomes the problem gateway_unavailable: %o',
    async (flags) => {
      const lines = captureErrorLog();
      const response = await request('/sheets/v1/throws', createError(flags));
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await response.json()).toMatchObject({ code: 'gateway_unavailable' });
      const dropIn = await requestDropIn(createError(flags));
      expect([dropIn.status, dropIn.headers.get('x-problem')]).toEqual([503, 'gateway_unavailable']);
      expect(lines).toMatchObject([{ event: 'object_unreachable' }, { event: 'object_unreachable' }]);
      expect(JSON.stringify(lines)).not.toContain('jane-doe');
    },
  );

  it('is not assumed if the code of the object threw', async () => {
    const lines = captureErrorLog();
    const response = await request('/sheets/v1/throws', createError({ remote: true, retryable: true }));
    expect(response.status).toBe(500);
    expect(lines).toMatchObject([{ event: 'internal_error' }]);
  });

  it('is recognised by the platform’s error', async () => {
    const stub = env.LEDGER.getByName('reset');
    const reset = runInDurableObject(stub, (_, state) => state.abort('reset by the test'));
    const error: unknown = await reset.catch((thrown: unknown) => thrown);
    expect(isUnreachableError(error)).toBe(true);
  });
});

describe('withAbort', () => {
  const { signal } = new AbortController();

  it('returns the result or throws the error of the call', async () => {
    expect(await withAbort(signal, Promise.resolve(5))).toBe(5);
    await expect(withAbort(signal, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  });

  it('throws the reason of the signal, if it aborts before or during the call', async () => {
    const controller = new AbortController();
    const waiting = withAbort(controller.signal, new Promise(() => {}));
    controller.abort(new DOMException('too late', 'TimeoutError'));
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(withAbort(AbortSignal.abort(new Error('gone')), Promise.resolve(5))).rejects.toThrow('gone');
  });
});
