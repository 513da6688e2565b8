// Erasing from kept queries: thousands are looked through in a few statements, each that names somebody goes, and nothing is
// said to be done that is not.
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRowErasure } from '../../../worker/data-requests/erasure.ts';
import {
  getSelection,
  indexMissingQueries,
  indexQueryText,
  putSelection,
} from '../../../worker/data-requests/order/selection-store.ts';
import type { Env } from '../../../worker/env.ts';
import { newId, request } from '../routes/sheets/tables.ts';

const jane = [{ family: 'employee_clean', kind: 'shorthand_name', value: 'jane-doe' }] as const;

beforeEach(async () => {
  await env.DB.batch(['request_files', 'requests'].map((name) => env.DB.prepare(`DELETE FROM ${name}`)));
});

/** As many requests like one. @returns their ids */
async function more(like: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  await env.DB.prepare(
    `INSERT INTO requests (id, team_id, token_id, family, kind, idempotency_key, order_hash, "columns", origin, relay_url, asked,
       reserved, phase, watched, provider_id, hook_hash, failure, rows, charged, turns, run, relay_tries, created_at,
       updated_at, ended_at, due_at, cleared_at) SELECT value, team_id, token_id, family, kind, NULL, order_hash, "columns", origin, relay_url, asked,
       reserved, phase, watched, provider_id, hook_hash, failure, rows, charged, turns, run, relay_tries, created_at,
       updated_at, ended_at, due_at, cleared_at FROM requests, json_each(?) WHERE requests.id = ?`,
  )
    .bind(JSON.stringify(ids), like)
    .run();
  return ids;
}

const naming = (name: string): { query: string } => ({
  query: JSON.stringify({ term: { shorthand_names: name } }),
});

/** A request whose query is kept. @param isNoted - as it is where nobody was killed on the way */
async function asked(selection: { query: string }, isNoted = true): Promise<string> {
  const id = await request('team', { kind: 'es_dsl' });
  await putSelection(env, id, selection);
  if (isNoted) await indexQueryText(env, id, selection);
  return id;
}

const isKept = async (id: string): Promise<boolean> => (await getSelection(env, id)) !== undefined;

/** The bindings, with what R2 was asked counted. @param fails - names of calls that break */
function counting(fails?: string): { env: Env; calls: string[]; most: () => number } {
  const calls: string[] = [];
  let [now, most] = [0, 0];
  const ROWS = new Proxy(env.ROWS, {
    get: (bucket, name) => {
      const value: unknown = Reflect.get(bucket, name);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        calls.push(`${String(name)} ${String(given[0])}`);
        now += 1;
        most = Math.max(most, now);
        try {
          if (name === fails) throw new Error('R2 is down');
          return await value.apply(bucket, given);
        } finally {
          now -= 1;
        }
      };
    },
  });
  return { env: { ...env, ROWS }, calls, most: () => most };
}

describe('kept queries', () => {
  it('by the thousand are no reads by the thousand: only those that name somebody are touched', async () => {
    const keep = env.DB.prepare('INSERT INTO asked_queries (request_id, text) VALUES (?, ?)');
    const template = await asked(naming('somebody'));
    const ids = await more(template, 3000);
    // Each second one names somebody whose name has hers in it.
    await env.DB.batch(ids.map((id, at) => keep.bind(id, naming(at % 2 === 0 ? 'jane-doe-2' : 'joe').query)));
    const named = [await asked(naming('Jane-Doe')), await asked(naming('x.com/in/jane-doe'))];
    const { env: context, calls } = counting();
    await createRowErasure(context).remove(jane);
    expect(calls.toSorted()).toEqual(
      named.map((id) => `delete asked/${id}.json,split/${id}.json`).toSorted(),
    );
    expect(await Promise.all([template, ...named].map(isKept))).toEqual([true, false, false]);
  });

  it('whose words were never noted are read, a few at a time, and noted', async () => {
    const unnoted = await Promise.all(Array.from({ length: 40 }, () => asked(naming('joe'), false)));
    const named = await asked(naming('jane-doe'), false);
    const first = counting();
    await createRowErasure(first.env).remove(jane);
    expect(first.calls.filter((call) => call.startsWith('get'))).toHaveLength(41);
    expect(first.most()).toBeLessThanOrEqual(5);
    expect(await isKept(named)).toBe(false);
    expect(await Promise.all(unnoted.map(isKept))).not.toContain(false);
    const second = counting();
    await createRowErasure(second.env).remove(jane);
    expect(second.calls).toEqual([]);
  });

  it('that are too long for their words to be noted are read each time', async () => {
    const long = (name: string) => ({ query: JSON.stringify({ terms: { a: ['x'.repeat(120_000), name] } }) });
    const [named, other] = [await asked(long('jane-doe')), await asked(long('joe'))];
    await createRowErasure(env).remove(jane);
    expect([await isKept(named), await isKept(other)]).toEqual([false, true]);
  });

  it('of which too many are left to look at prove nothing: the same call and the sweep go on with them', async () => {
    const ids = await more(await request('team', { kind: 'es_dsl' }), 320);
    const last = ids.toSorted().at(-1) ?? '';
    await putSelection(env, last, naming('jane-doe'));
    await expect(createRowErasure(env).remove(jane)).rejects.toThrow('not indexed yet');
    expect(await indexMissingQueries(env, 10)).toBe(false);
    await createRowErasure(env).remove(jane);
    expect(await isKept(last)).toBe(false);
  });

  it.each(['get', 'delete'])(
    'of which one can’t be reached (%s) prove nothing, and go with the next call',
    async (call) => {
      const named = await asked(naming('jane-doe'), call === 'delete');
      await expect(createRowErasure(counting(call).env).remove(jane)).rejects.toThrow('R2 is down');
      expect(await isKept(named)).toBe(true);
      await createRowErasure(env).remove(jane);
      expect(await isKept(named)).toBe(false);
    },
  );
});
