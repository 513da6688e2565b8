// The client of a deployed gateway during a restore.
import { expect, it } from 'vitest';
import { DeployedGateway } from '../../../worker/commands/deploy/gateway.ts';

it('waits for a step whose calls proceed, however many they are, and not for one that stands still', async () => {
  const counts = {
    revocations: 0,
    orders_recovered: 0,
    orders_unclear: 0,
    orders_released: 0,
    erasures: 0,
  };
  const command = { id: '00000000-0000-4000-8000-000000000000', to: null };
  const complete = (views: readonly object[]) => {
    let calls = 0;
    let now = 0;
    const gateway = new DeployedGateway(
      {
        env: {},
        folder: '',
        wrangler: async () => ({ succeeded: false, output: '' }),
        readCommit: async () => '',
        log: () => {},
        isTerminal: false,
        ask: undefined,
        sleep: async () => {},
        now: () => now,
        signal: new AbortController().signal,
        fetch: async () => {
          now += 60_000;
          const view = views[Math.min(calls++, views.length - 1)];
          return Response.json({ id: command.id, done: false, step: 'unknown_rows', ...counts, ...view });
        },
      },
      'https://gateway.example',
      { ADMIN_TOKEN: '' },
    );
    return gateway.completeRestore(command, () => {});
  };
  const parts = Array.from({ length: 30 }, (_, part) => ({ after: `0:${part}` }));
  expect(await complete([...parts, { done: true, step: null, after: null }])).toMatchObject({ done: true });
  await expect(complete(parts)).rejects.toThrow(/no progress with the step unknown_rows/);
});
