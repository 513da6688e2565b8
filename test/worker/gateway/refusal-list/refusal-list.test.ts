// Erasures: pseudonyms of keys, the list of erased keys, and traces of KV entries.

import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  addErasedKeys,
  beginErasure,
  isErasedKey,
  listErasedPseudonyms,
} from '../../../../worker/gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../../../worker/gateway/refusal-list/pseudonyms.ts';
import { createTraces, findTracedEntries } from '../../../../worker/gateway/refusal-list/traces.ts';
import { sha256Hex } from '../../../../worker/lib/hash.ts';

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

const KV_MAX_METADATA = 1024;

/** Creates unique pseudonyms by person and key. */
async function createPseudonyms(count: number, keys: number): Promise<string[][]> {
  return Promise.all(
    Array.from({ length: count }, (_, one) =>
      Promise.all(Array.from({ length: keys }, (_, key) => sha256Hex(`${one} ${key}`))),
    ),
  );
}

it("fits KV's metadata limit and contains the first keys of every subject", async () => {
  for (const [count, keys] of [
    [0, 0],
    [1, 1],
    [1, 500],
    [20, 4],
    [20, 10],
  ] as const) {
    const subjects = await createPseudonyms(count, keys);
    const metadata = createTraces(subjects);
    expect(JSON.stringify(metadata).length).toBeLessThanOrEqual(KV_MAX_METADATA);
    for (const [first] of subjects) expect(metadata.traces).toContain(first?.slice(0, 12));
  }
});

it('finds every entry about a subject below a prefix', async () => {
  const prefix = `traces-${crypto.randomUUID()}:`;
  const subjects = await createPseudonyms(30, 3);
  await Promise.all(
    subjects.map((keys, at) =>
      env.RECORDS.put(`${prefix}${at}`, 'x', { metadata: createTraces([keys, subjects[0] ?? []]) }),
    ),
  );
  await env.RECORDS.put(`${prefix}without`, 'x');
  await env.RECORDS.put(`${prefix}other`, 'x', { metadata: { traces: 7 } });
  await env.RECORDS.put(`elsewhere-${prefix}`, 'x', { metadata: createTraces(subjects) });
  const find = (pseudonym: string | undefined) =>
    findTracedEntries(env.RECORDS, prefix, new Set([pseudonym ?? '']));
  expect(await find(subjects[7]?.[2])).toEqual([`${prefix}7`]);
  expect(await find(subjects[0]?.[1])).toHaveLength(30);
  expect(await find(await sha256Hex('nobody'))).toEqual([]);
  expect(await findTracedEntries(env.RECORDS, prefix, new Set())).toEqual([]);
});

it('continues with the next page of a list', async () => {
  const [wanted, other] = [await sha256Hex('somebody'), await sha256Hex('other')];
  const pages = [
    { keys: [{ name: 'one', metadata: createTraces([[wanted]]) }], list_complete: false, cursor: 'next' },
    { keys: [{ name: 'two' }], list_complete: false, cursor: 'last' },
    { keys: [{ name: 'three', metadata: createTraces([[other], [wanted]]) }], list_complete: true },
  ];
  const cursors: unknown[] = [];
  const kv = new Proxy(env.RECORDS, {
    get: (target, name) =>
      name === 'list'
        ? async ({ cursor }: KVNamespaceListOptions) => {
            cursors.push(cursor);
            return pages.shift();
          }
        : Reflect.get(target, name),
  });
  expect(await findTracedEntries(kv, '', new Set([wanted]))).toEqual(['one', 'three']);
  expect(cursors).toEqual([null, 'next', 'last']);
});
