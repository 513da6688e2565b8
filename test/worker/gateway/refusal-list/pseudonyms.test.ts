// Pseudonyms, and the list of erased keys.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  addErasedKeys,
  beginErasure,
  isErasedKey,
  listErasedPseudonyms,
} from '../../../../worker/gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../../../worker/gateway/refusal-list/pseudonyms.ts';

describe('Pseudonyms', () => {
  it('uses one secret key, even if several requests create it', async () => {
    await env.DB.prepare('DELETE FROM settings').run();
    const instances = await Promise.all(Array.from({ length: 20 }, () => Pseudonyms.load(env.DB)));
    const names = await Promise.all(instances.map((pseudonyms) => pseudonyms.create('somebody')));
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await (await Pseudonyms.load(env.DB)).create('somebody')).toBe(names[0]);
  });

  it('differs between deployments', async () => {
    const before = await (await Pseudonyms.load(env.DB)).create('somebody');
    await env.DB.prepare('DELETE FROM settings').run();
    expect(await (await Pseudonyms.load(env.DB)).create('somebody')).not.toBe(before);
  });

  it('is the same in every family of a subject', async () => {
    const pseudonyms = await Pseudonyms.load(env.DB);
    const forKey = (
      family: 'company_clean' | 'company_base' | 'employee_base',
      kind: 'id' | 'shorthand_name',
    ) => pseudonyms.forKey({ family, kind, value: '7' });
    expect(await forKey('company_clean', 'id')).toBe(await forKey('company_base', 'id'));
    expect(await forKey('company_clean', 'id')).not.toBe(await forKey('company_clean', 'shorthand_name'));
    expect(await forKey('company_clean', 'id')).not.toBe(await forKey('employee_base', 'id'));
  });

  it('lists one pseudonym for each key of a record, id first', async () => {
    const pseudonyms = await Pseudonyms.load(env.DB);
    const record = {
      id: 7,
      websites_main: 'https://www.a.com',
      websites_professional_network: 'https://x.com/company/acme',
    };
    const keys = (['id', 'website', 'shorthand_name'] as const).map((kind, at) =>
      pseudonyms.forKey({ family: 'company_base', kind, value: ['7', 'a.com', 'acme'][at] ?? '' }),
    );
    expect(await pseudonyms.forRecord('company_clean', record)).toEqual(await Promise.all(keys));
    expect(await pseudonyms.forRecord('company_clean', {})).toEqual([]);
  });
});

describe('the erasure list', () => {
  it('applies to every family of the subject, and returns keys of earlier erasures', async () => {
    const pseudonyms = await Pseudonyms.load(env.DB);
    const key = { family: 'company_clean', kind: 'id', value: '7' } as const;
    const pseudonym = await pseudonyms.forKey(key);
    await beginErasure(env.DB, 'first', 1, 'company');
    expect(await addErasedKeys(env.DB, 'first', [pseudonym, 'other key'])).toEqual([]);
    expect(await isErasedKey(env.DB, { ...key, family: 'company_base' })).toBe(true);
    await beginErasure(env.DB, 'second', 2, 'company');
    expect((await addErasedKeys(env.DB, 'second', ['other key', 'third key'])).toSorted()).toEqual(
      ['other key', pseudonym].toSorted(),
    );
  });

  it('lists any number of keys', async () => {
    await beginErasure(env.DB, 'many', 3, 'employee');
    const many = Array.from({ length: 5001 }, (_, at) => `key ${at}`);
    await addErasedKeys(env.DB, 'many', many);
    const all = await listErasedPseudonyms(env.DB);
    expect(new Set(all).size).toBe(all.length);
    expect(many.every((key) => all.includes(key))).toBe(true);
  });
});
