// Traces: an erasure finds the KV entries about a subject by any of its keys.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createTraces, findTracedEntries } from '../../../../worker/gateway/refusal-list/traces.ts';
import { sha256Hex } from '../../../../worker/lib/hash.ts';

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
