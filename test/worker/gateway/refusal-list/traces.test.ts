// An erasure finds an entry of KV by any key of anybody who is in it.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createTraces, findTracedEntries } from '../../../../worker/gateway/refusal-list/traces.ts';
import { sha256Hex } from '../../../../worker/lib/hash.ts';

const KV_MAX_METADATA = 1024;

/** Pseudonyms of so many keys of so many people, none like another. */
async function people(count: number, keys: number): Promise<string[][]> {
  return Promise.all(
    Array.from({ length: count }, (_, one) =>
      Promise.all(Array.from({ length: keys }, (_, key) => sha256Hex(`${one} ${key}`))),
    ),
  );
}

it('the metadata fits KV, and holds the first keys of everyone', async () => {
  for (const [count, keys] of [
    [0, 0],
    [1, 1],
    [1, 500],
    [20, 4],
    [20, 10],
  ] as const) {
    const who = await people(count, keys);
    const metadata = createTraces(who);
    expect(JSON.stringify(metadata).length).toBeLessThanOrEqual(KV_MAX_METADATA);
    for (const [first] of who) expect(metadata.traces).toContain(first?.slice(0, 12));
  }
});

it('finds every entry about somebody below a prefix, over many pages, and no other', async () => {
  const prefix = `traces-${crypto.randomUUID()}:`;
  const who = await people(30, 3);
  await Promise.all(
    who.map((keys, at) =>
      env.RECORDS.put(`${prefix}${at}`, 'x', { metadata: createTraces([keys, who[0] ?? []]) }),
    ),
  );
  await env.RECORDS.put(`${prefix}without`, 'x');
  await env.RECORDS.put(`${prefix}other`, 'x', { metadata: { traces: 7 } });
  await env.RECORDS.put(`elsewhere-${prefix}`, 'x', { metadata: createTraces(who) });
  const find = (pseudonym: string | undefined) =>
    findTracedEntries(env.RECORDS, prefix, new Set([pseudonym ?? '']));
  expect(await find(who[7]?.[2])).toEqual([`${prefix}7`]);
  expect(await find(who[0]?.[1])).toHaveLength(30);
  expect(await find(await sha256Hex('nobody'))).toEqual([]);
  expect(await findTracedEntries(env.RECORDS, prefix, new Set())).toEqual([]);
});

it('goes on where a list ends', async () => {
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
