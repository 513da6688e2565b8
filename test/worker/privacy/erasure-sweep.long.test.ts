// The cron continues several unfinished erasures within the limits of one invocation.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import { beginErasure } from '../../../worker/gateway/refusal-list/erasure-repository.ts';
import { shards } from '../../../worker/gateway/single-flight/client.ts';
import { createWork } from '../../../worker/privacy/erasure-run.ts';
import { GatewayHarness } from '../gateway/harness.ts';
import { clock } from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';

/** An invocation may make a thousand, with those of the other sweeps. */
const MAX_CALLS = 700;
/** Together they call objects more often: each erasure calls each object at least three times. */
const ERASURES = Math.ceil((1.1 * MAX_CALLS) / (3 * shards.length));

it('shares the calls of an invocation between erasures, and completes all of them', async () => {
  const harness = new GatewayHarness(() => Response.json({}));
  for (let number = 0; number < ERASURES; number += 1) {
    const work = createWork({ family: 'company_clean', kind: 'website', value: `many-${number}.example` });
    const at = clock.now + number;
    await beginErasure(env.DB, {
      id: crypto.randomUUID(),
      at,
      subject: 'company',
      request: null,
      work,
      leasedUntil: 0,
    });
  }
  const countUnfinished = () =>
    env.DB.prepare('SELECT count(*) AS count FROM erasures WHERE work IS NOT NULL').first<number>('count');
  const left: (number | null)[] = [];
  while (left.length < ERASURES && left.at(-1) !== 0) {
    const runtime = new StrictRuntime({ clock: () => clock.now });
    const strict = runtime.wrapBindings<DevelopmentEnv>({ ...env });
    await harness.sweepErasures(strict.env);
    expect(strict.listViolations()).toEqual([]);
    expect(strict.countCalls()).toBeLessThan(MAX_CALLS);
    left.push(await countUnfinished());
  }
  // Each sweep completes at least one.
  expect(left.at(-1)).toBe(0);
  expect(left.length).toBeGreaterThan(1);
});
