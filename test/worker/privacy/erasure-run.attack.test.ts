// An erasure whose keys lead from one to the next: none may be left out of the list of refused keys.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { DevelopmentEnv } from '../../../worker/env.ts';
import { erase } from '../../../worker/privacy/erase.ts';
import { GatewayHarness } from '../gateway/harness.ts';

const LONG_CHAIN = 60;

/** Wraps the bindings so that single-flight objects find one more key after each refusal of the last one. */
function findKeysOneByOne(prefix: string): DevelopmentEnv {
  const names = Array.from({ length: LONG_CHAIN }, (_, at) => `${prefix}-${at}`);
  const getByName = (id: string): ReturnType<typeof env.SINGLE_FLIGHT.getByName> =>
    new Proxy(env.SINGLE_FLIGHT.getByName(id), {
      get: (stub, method) =>
        method === 'refuse'
          ? async ({ pseudonyms }: { pseudonyms: string[] }) => ({
              keys: [],
              pseudonyms: names.slice(0, names.findLastIndex((name) => pseudonyms.includes(name)) + 2),
            })
          : Reflect.get(stub, method),
    });
  const objects = new Proxy(env.SINGLE_FLIGHT, {
    get: (target, name) => (name === 'getByName' ? getByName : Reflect.get(target, name)),
  });
  return { ...env, SINGLE_FLIGHT: objects };
}

it('keys lead to further keys for longer than one invocation follows them: all are refused at the end', async () => {
  const harness = new GatewayHarness(() => Response.json({}));
  const prefix = crypto.randomUUID();
  const bindings = findKeysOneByOne(prefix);
  const key = { family: 'company_clean', kind: 'website', value: `${prefix}.example` } as const;
  const { id, completeAt } = await erase(key, harness.createErasureContext({ env: bindings }));
  expect(completeAt).toBeNull();
  await harness.runErasures(bindings);
  const refused = await env.DB.prepare('SELECT count(*) AS count FROM erased_keys WHERE pseudonym LIKE ?')
    .bind(`${prefix}-%`)
    .first('count');
  const work = await env.DB.prepare('SELECT work FROM erasures WHERE id = ?').bind(id).first('work');
  expect({ refused, work }).toEqual({ refused: LONG_CHAIN, work: null });
});
