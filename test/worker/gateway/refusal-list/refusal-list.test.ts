// Pseudonyms of keys, and the list of erased keys.

import { env } from 'cloudflare:workers';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  addErasedKeys,
  filterErasedPseudonyms,
  isErasedKey,
  listErasedPseudonyms,
} from '../../../../worker/gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../../../worker/gateway/refusal-list/pseudonyms.ts';
import { addErasure } from '../../refuse-keys.ts';
import { StrictRuntime } from '../../strict/index.ts';

const generateSecret = (): string => crypto.randomUUID();

describe('Pseudonyms', () => {
  const deleteSettings = () => env.DB.prepare('DELETE FROM settings').run();

  /** Creates a deployment with an empty database. */
  async function createDeployment() {
    await deleteSettings();
    onTestFinished(async () => void (await deleteSettings()));
    return { ...env, PSEUDONYM_SECRET: generateSecret() };
  }

  it('stores one fingerprint of the secret, even if several requests store it', async () => {
    const deployment = await createDeployment();
    const instances = await Promise.all(Array.from({ length: 20 }, () => Pseudonyms.load(deployment)));
    const names = await Promise.all(instances.map((pseudonyms) => pseudonyms.create('somebody')));
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toMatch(/^[0-9a-f]{64}$/);
    const { results } = await env.DB.prepare('SELECT name FROM settings').all();
    expect(results).toEqual([{ name: 'pseudonym_fingerprint' }]);
  });

  it('differs between deployments', async () => {
    const before = await (await Pseudonyms.load(await createDeployment())).create('somebody');
    expect(await (await Pseudonyms.load(await createDeployment())).create('somebody')).not.toBe(before);
  });

  it('is the same in every family of a subject', async () => {
    const pseudonyms = await Pseudonyms.load(env);
    const forKey = (
      family: 'company_clean' | 'company_base' | 'employee_base',
      kind: 'id' | 'shorthand_name',
    ) => pseudonyms.forKey({ family, kind, value: '7' });
    expect(await forKey('company_clean', 'id')).toBe(await forKey('company_base', 'id'));
    expect(await forKey('company_clean', 'id')).not.toBe(await forKey('company_clean', 'shorthand_name'));
    expect(await forKey('company_clean', 'id')).not.toBe(await forKey('employee_base', 'id'));
  });
});

describe('the erasure list', () => {
  it('applies to every family of the subject, and returns keys of earlier erasures', async () => {
    const pseudonyms = await Pseudonyms.load(env);
    const key = { family: 'company_clean', kind: 'id', value: '7' } as const;
    const pseudonym = await pseudonyms.forKey(key);
    await addErasure('first');
    expect(await addErasedKeys(env.DB, 'first', [pseudonym, 'other key'])).toEqual([]);
    expect(await isErasedKey(env, { ...key, family: 'company_base' })).toBe(true);
    await addErasure('second');
    expect((await addErasedKeys(env.DB, 'second', ['other key', 'third key'])).toSorted()).toEqual(
      ['other key', pseudonym].toSorted(),
    );
  });

  it('adds and lists many keys within the limits of D1', async () => {
    await addErasure('many');
    const {
      env: strict,
      listCalls,
      listViolations,
    } = new StrictRuntime({ clock: () => 0 }).wrapBindings(env);
    const many = Array.from({ length: 10_000 }, (_, at) => `${at}`.padStart(64, '0'));
    const [first = ''] = many;
    await addErasedKeys(strict.DB, 'many', many);
    expect(await addErasedKeys(strict.DB, 'many', [first])).toHaveLength(many.length);
    const all = new Set<string>();
    for await (const page of listErasedPseudonyms(strict.DB)) for (const key of page) all.add(key);
    expect(many.every((key) => all.has(key))).toBe(true);
    expect(await filterErasedPseudonyms(strict.DB, many)).toHaveLength(many.length);
    expect(listViolations()).toEqual([]);
    expect(listCalls().length).toBeLessThan(20);
  });
});
