// Names for people that tell nobody whose they are, and who is refused by them.
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  addErasedKeys,
  beginErasure,
  isErasedKey,
  listErasedPseudonyms,
} from '../../../../worker/gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../../../worker/gateway/refusal-list/pseudonyms.ts';

describe('a pseudonym', () => {
  it('is made with one key, however many ask for it first', async () => {
    await env.DB.prepare('DELETE FROM settings').run();
    const makers = await Promise.all(Array.from({ length: 20 }, () => Pseudonyms.load(env.DB)));
    const names = await Promise.all(makers.map((maker) => maker.create('somebody')));
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await (await Pseudonyms.load(env.DB)).create('somebody')).toBe(names[0]);
  });

  it('is another in another deployment', async () => {
    const before = await (await Pseudonyms.load(env.DB)).create('somebody');
    await env.DB.prepare('DELETE FROM settings').run();
    expect(await (await Pseudonyms.load(env.DB)).create('somebody')).not.toBe(before);
  });

  it('of a key is one in every family of a subject, and no other kind’s or subject’s', async () => {
    const maker = await Pseudonyms.load(env.DB);
    const of = (family: 'company_clean' | 'company_base' | 'employee_base', kind: 'id' | 'shorthand_name') =>
      maker.forKey({ family, kind, value: '7' });
    expect(await of('company_clean', 'id')).toBe(await of('company_base', 'id'));
    expect(await of('company_clean', 'id')).not.toBe(await of('company_clean', 'shorthand_name'));
    expect(await of('company_clean', 'id')).not.toBe(await of('employee_base', 'id'));
  });

  it('of a record is one for each key that it carries, its id first', async () => {
    const maker = await Pseudonyms.load(env.DB);
    const record = {
      id: 7,
      websites_main: 'https://www.a.com',
      websites_professional_network: 'https://x.com/company/acme',
    };
    const keys = (['id', 'website', 'shorthand_name'] as const).map((kind, at) =>
      maker.forKey({ family: 'company_base', kind, value: ['7', 'a.com', 'acme'][at] ?? '' }),
    );
    expect(await maker.forRecord('company_clean', record)).toEqual(await Promise.all(keys));
    expect(await maker.forRecord('company_clean', {})).toEqual([]);
  });
});

describe('a refusal', () => {
  it('holds for every family of the subject, and tells what was refused together with it', async () => {
    const maker = await Pseudonyms.load(env.DB);
    const key = { family: 'company_clean', kind: 'id', value: '7' } as const;
    const pseudonym = await maker.forKey(key);
    await beginErasure(env.DB, 'first', 1, 'company');
    expect(await addErasedKeys(env.DB, 'first', [pseudonym, 'other key'])).toEqual([]);
    expect(await isErasedKey(env.DB, { ...key, family: 'company_base' })).toBe(true);
    await beginErasure(env.DB, 'second', 2, 'company');
    expect((await addErasedKeys(env.DB, 'second', ['other key', 'third key'])).toSorted()).toEqual(
      ['other key', pseudonym].toSorted(),
    );
  });

  it('is told to a new flight with all others, however many there are', async () => {
    await beginErasure(env.DB, 'many', 3, 'employee');
    const many = Array.from({ length: 5001 }, (_, at) => `key ${at}`);
    await addErasedKeys(env.DB, 'many', many);
    const all = await listErasedPseudonyms(env.DB);
    expect(new Set(all).size).toBe(all.length);
    expect(many.every((key) => all.includes(key))).toBe(true);
  });
});
