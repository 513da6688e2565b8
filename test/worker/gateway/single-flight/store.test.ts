// What a flight writes down, on real storage: whole answers, what was sent, and who is refused.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { StoredAnswer } from '../../../../worker/gateway/single-flight/storage/answer-repository.ts';
import { SingleFlightStore } from '../../../../worker/gateway/single-flight/storage/store.ts';
import { strictStorage } from '../../strict/index.ts';
import { START } from './harness.ts';

/** Runs a test on a store over strict storage; `open` makes it anew, as after a restart. */
async function withStore(
  test: (store: SingleFlightStore, open: () => SingleFlightStore) => void | Promise<void>,
): Promise<void> {
  const stub = env.SINGLE_FLIGHT.getByName(`store-${crypto.randomUUID()}:0`);
  await runInDurableObject(stub, async (_instance, { storage }) => {
    const strict = strictStorage(storage);
    const open = () => new SingleFlightStore(strict);
    await test(open(), open);
  });
}

const answer = (text: string, who: string[][] = [], fetchedAt = START): StoredAnswer => ({
  text,
  fetchedAt,
  pseudonyms: who,
});
const at = (kvKey: string) => [{ kvKey, ttl: 60 }];

describe('an answer', () => {
  it('is kept whole, however long, where a value holds 2 MB', () =>
    withStore((store, open) => {
      const texts = [
        'x',
        'x'.repeat(599_999),
        'x'.repeat(600_000),
        'x'.repeat(600_001),
        '€'.repeat(1_900_000),
        // A character of two halves at every boundary.
        `x${'🙂'.repeat(700_000)}`,
      ];
      texts.forEach((text, index) => {
        store.answers.put(`name ${index}`, answer(text), at('place'));
      });
      const again = open();
      for (const [index, text] of texts.entries()) {
        // Not by toEqual, which would print them.
        expect(again.answers.find(`name ${index}`)?.text === text).toBe(true);
        expect(again.answers.getKvWrites(`name ${index}`, START)[0]?.text === text).toBe(true);
      }
    }));

  it('takes the place of an older one, with nothing left of it', () =>
    withStore((store) => {
      store.answers.put('name', answer('x'.repeat(1_500_000)), at('place'));
      store.answers.put('name', answer('y'.repeat(600_000), [], START + 1), at('place'));
      expect(store.answers.find('name')?.text.length).toBe(600_000);
      expect(store.answers.has('name', START)).toBe(false);
      expect(store.answers.getKvWrites('name', START)).toEqual([]);
      expect(store.answers.has('name', START + 1)).toBe(true);
    }));
});

describe('an erasure', () => {
  it('from before the flight is read once', () =>
    withStore(async (store, open) => {
      const read = vi.fn(async () => ['somebody']);
      await store.loadErased(read);
      const again = open();
      await again.loadErased(read);
      expect([read.mock.calls.length, again.isErased(['somebody'])]).toEqual([1, true]);
    }));
});

it('the provider’s identity is known after a restart', () =>
  withStore((store, open) => {
    expect(store.identity).toBeUndefined();
    store.identity = 'one';
    expect(open().identity).toBe('one');
  }));

it('any text comes back as it was, alone or among others', () =>
  withStore((store) => {
    const text = fc.string({ unit: 'binary', maxLength: 50 }).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.string(), (all, name) => {
        all.forEach((one, index) => {
          store.answers.put(`${name}${index}`, answer(one), at('place'));
        });
        expect(all.map((_, index) => store.answers.find(`${name}${index}`)?.text)).toEqual(all);
      }),
      { numRuns: 50 },
    );
  }));
