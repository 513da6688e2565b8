// wrangler.toml: environments inherit no bindings, so development must repeat those of production.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { root } from '../worker/commands/paths.ts';

const config = join(root, 'wrangler.toml');
const production = unstable_readConfig({ config });
const development = unstable_readConfig({ config, env: 'dev' });

/** Parts that differ intentionally. */
const DIFFERENT_PARTS = new Set([
  'name',
  'main',
  'vars',
  'assets',
  // How the local platform consumes a queue.
  'compatibility_flags',
  // Only a deployment has a log Worker.
  'tail_consumers',
  'topLevelName',
  'targetEnvironment',
  'definedEnvironments',
]);

/** Ids of development. Those of a deployment belong to its account: npm run deploy inserts them. */
const developmentIds = {
  kv_namespaces: { id: 'records' },
  d1_databases: { database_id: 'gateway' },
} as const;

/** Bindings that only development has. */
const SANDBOX_BINDING = /^SANDBOX_/;

interface Item {
  binding?: string;
  name?: string;
  tag?: string;
}

/** Returns a production value as development must repeat it. */
function toExpected(part: string, value: unknown): unknown {
  if (Array.isArray(value) && (part === 'kv_namespaces' || part === 'd1_databases'))
    return value.map((item: Item) => ({ ...item, ...developmentIds[part] }));
  return value;
}

/** Removes the sandbox's bindings from a development value. */
function removeSandbox(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter(
      ({ binding, name, tag }: Item) => !SANDBOX_BINDING.test(binding ?? name ?? '') && tag !== 'sandbox-1',
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, removeSandbox(inner)]));
}

it('development repeats the bindings of production', () => {
  const parts = Object.entries(production).filter(([part]) => !DIFFERENT_PARTS.has(part));
  const values = new Map(Object.entries(development));
  for (const [part, value] of parts)
    expect(removeSandbox(values.get(part)), part).toEqual(toExpected(part, value));
});

it('development has the same settings as production', () => {
  expect(Object.keys(development.vars)).toEqual(Object.keys(production.vars));
});

it('names no id of an account: a deployment of the repository can never reach the data of another one', () => {
  const ids = [
    ...production.kv_namespaces.map(({ id }: { id?: string }) => id),
    ...production.d1_databases.map((database: { database_id?: string }) => database.database_id),
  ];
  expect(ids).toEqual([undefined, undefined]);
});
