// All objects of an isolate share its memory: caches, calls in progress and bodies have limits for all of them together.
import { describe, expect, it } from 'vitest';
import { peerMemory } from '../../../../worker/gateway/single-flight/answers/known-results.ts';
import { Call } from '../../../../worker/gateway/single-flight/calls/call.ts';
import { CallRegistry } from '../../../../worker/gateway/single-flight/calls/call-registry.ts';
import { Waiter } from '../../../../worker/gateway/single-flight/calls/waiter.ts';
import { SharedCache, SharedMemory } from '../../../../worker/gateway/single-flight/shared-cache.ts';
import { buildPayer, enrichCall } from './builders.ts';

/** As many as the deployed Worker has. */
const OBJECTS = Array.from({ length: 64 }, (_, at) => at);

describe('a shared cache', () => {
  it('keeps the entries of objects apart, and bounds them together', () => {
    const memory = new SharedMemory<string>(100);
    const [one, other] = [new SharedCache(memory, 10, () => 0), new SharedCache(memory, 10, () => 0)];
    one.set('name', 'of one', 60);
    other.set('name', 'of the other', 40);
    expect([one.get('name'), other.get('name')]).toEqual(['of one', 'of the other']);
    other.deleteWhere(() => true);
    expect([one.get('name'), other.get('name')]).toEqual(['of one', undefined]);
    other.set('name', 'longer', 41);
    expect([one.get('name'), other.get('name')]).toEqual([undefined, 'longer']);
    other.delete('name');
    expect(memory.entries.size).toBe(0);
  });

  it('forgets old entries', () => {
    let now = 0;
    const cache = new SharedCache(new SharedMemory<string>(100), 10, () => now);
    cache.set('name', 'value', 1);
    now = 10;
    expect(cache.get('name')).toBe('value');
    now = 11;
    expect(cache.get('name')).toBeUndefined();
  });
});

it('the answers of other objects take eight million characters in all objects together', () => {
  const text = 'x'.repeat(100_000);
  const stores = OBJECTS.map(() => new SharedCache(peerMemory, 10, () => 0));
  const names = Array.from({ length: 20 }, (_, at) => `name ${at}`);
  for (const answers of stores) {
    for (const name of names)
      answers.set(name, { text, fetchedAt: 0, pseudonyms: [], references: [] }, text.length);
  }
  const kept = stores.flatMap((answers) => names.filter((name) => answers.get(name) !== undefined));
  expect(kept).toHaveLength(80);
});

it('calls in progress are refused beyond 5,000 calls or 8 million characters in all objects together', () => {
  const registries = OBJECTS.map(() => new CallRegistry());
  const [first, ...others] = registries;
  if (first === undefined) throw new Error('no object');
  const createCall = (name: string, body?: string) =>
    new Call({
      request: { ...enrichCall(name), name, ...(body === undefined ? {} : { body }) },
      identity: 'provider',
      lane: 'bulk',
      waiter: new Waiter({ payer: buildPayer('team'), background: false, since: 0 }),
      startedAt: 0,
    });
  const calls: Call[] = [];
  for (const registry of others) {
    for (let at = 0; at < 78; at += 1) {
      calls.push(createCall(`call ${at}`));
      registry.add(calls.at(-1) ?? createCall(''));
    }
  }
  for (let at = 0; at < 86; at += 1) first.add(createCall(`call ${at}`));
  for (const registry of registries) expect(registry.isFull({})).toBe(true);
  // Another object may still make some calls.
  expect(new CallRegistry().isFull({ body: 'x'.repeat(100_000) })).toBe(false);
  for (const [at, registry] of others.entries()) {
    for (const call of calls.slice(at * 78, (at + 1) * 78)) registry.delete(call);
  }
  expect(first.isFull({})).toBe(false);
  const long = createCall('long', 'x'.repeat(7_000_000));
  others[0]?.add(long);
  expect(first.isFull({ body: 'x'.repeat(1_000_001) })).toBe(true);
  others[0]?.delete(long);
  expect(first.isFull({ body: 'x'.repeat(1_000_001) })).toBe(false);
});
