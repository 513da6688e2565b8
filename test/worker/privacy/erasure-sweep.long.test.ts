// Jobs of several unfinished erasures within the limits of their invocations.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import { beginErasure } from '../../../worker/gateway/refusal-list/erasure-repository.ts';
import { createWork } from '../../../worker/privacy/erasure-run.ts';
import { GatewayHarness } from '../gateway/harness.ts';
import { clock } from '../platform.ts';
import { StrictRuntime } from '../strict/index.ts';

const MAX_CALLS = 700;
const ERASURES = 3;

it('runs each unfinished erasure in an invocation of its own, and completes all of them', async () => {
  const harness = new GatewayHarness(() => Response.json({}));
  for (let number = 0; number < ERASURES; number += 1) {
    const work = createWork({ family: 'company_clean', kind: 'website', value: `many-${number}.example` });
    const at = clock.now - ERASURES + number;
    await beginErasure(env.DB, { id: crypto.randomUUID(), at, subject: 'company', work });
  }
  const runtime = new StrictRuntime({ clock: () => clock.now });
  const strict = runtime.wrapBindings<DevelopmentEnv>({ ...env });
  await harness.runErasures(strict.env);
  expect(strict.listViolations()).toEqual([]);
  expect(strict.countCalls()).toBeLessThan(ERASURES * MAX_CALLS);
  const left = await env.DB.prepare('SELECT count(*) AS count FROM erasures WHERE work IS NOT NULL').first(
    'count',
  );
  expect(left).toBe(0);
});
