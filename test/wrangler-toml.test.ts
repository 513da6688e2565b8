// wrangler.toml: environments inherit no bindings, so the development environment repeats those of production.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { root } from '../worker/commands/paths.ts';

const config = join(root, 'wrangler.toml');
const production = unstable_readConfig({ config });
const development = unstable_readConfig({ config, env: 'dev' });

/** Parts that differ on purpose. */
const DIFFERENT_PARTS = new Set([
  'name',
  'main',
  'vars',
  'assets',
  'topLevelName',
  'targetEnvironment',
  'definedEnvironments',
]);

/** Items of lists that only development has begin so. */
const SANDBOX = /^SANDBOX_/;

interface Item {
  binding?: string;
  name?: string;
  tag?: string;
}

/** A list of production, as development has to repeat it. */
function toExpected(part: string, value: unknown): unknown {
  if (part !== 'workflows' || !Array.isArray(value)) return value;
  return value.map((item: Item) => ({ ...item, name: `${item.name}-dev` }));
}

/** A list of development, without the bindings of the sandbox. */
function withoutSandbox(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter(
      ({ binding, name, tag }: Item) => !SANDBOX.test(binding ?? name ?? '') && tag !== 'sandbox-1',
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSandbox(inner)]));
}

const parts = Object.entries(production).filter(([part]) => !DIFFERENT_PARTS.has(part));

it.each(parts)('the development environment repeats %s of production', (part, value) => {
  const own: unknown = Object.entries(development).find(([name]) => name === part)?.[1];
  expect(withoutSandbox(own)).toEqual(toExpected(part, value));
});

it('the development environment has the settings of production, with other values', () => {
  expect(Object.keys(development.vars)).toEqual(Object.keys(production.vars));
});
