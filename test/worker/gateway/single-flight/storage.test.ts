// What a single-flight object stores, and what its outbox delivers from there.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import type { NewAnswer } from '../../../../worker/gateway/single-flight/storage/answer-repository.ts';
import { SingleFlightStore } from '../../../../worker/gateway/single-flight/storage/store.ts';
import { strictStorage } from '../../strict/index.ts';
import { companyResponse, createPseudonyms, enrichCall } from './builders.ts';
import { type SingleFlightHarness, START, withHarness } from './harness.ts';

/** Runs a test on a store over strict storage; `open` opens it again, as after a restart. */
async function withStore(
  test: (store: SingleFlightStore, open: () => SingleFlightStore) => void | Promise<void>,
): Promise<void> {
  const stub = env.SINGLE_FLIGHT.getByName(`store-${crypto.randomUUID()}:0`);
  await runInDurableObject(stub, async (_instance, { storage }) => {
    const open = () => new SingleFlightStore(strictStorage(storage));
    await test(open(), open);
  });
}

describe('the store', () => {
  const buildAnswer = (text: string, fetchedAt = START): NewAnswer => ({
    text,
    fetchedAt,
    pseudonyms: [],
    references: [],
    kvEntries: [{ kvKey: 'key', ttl: 60 }],
  });

  it('keeps answers of any length whole, although a value holds 2 MB', () =>
    withStore((store, open) => {
      const texts = [
        'x',
        'x'.repeat(599_999),
        'x'.repeat(600_000),
        'x'.repeat(600_001),
        '€'.repeat(1_900_000),
        // A surrogate pair at every boundary.
        `x${'🙂'.repeat(700_000)}`,
      ];
      for (const [at, text] of texts.entries()) store.answers.put(`name ${at}`, buildAnswer(text));
      const { answers } = open();
      for (const [at, text] of texts.entries()) {
        // Not toEqual, which would print them.
        expect(answers.find(`name ${at}`)?.text === text).toBe(true);
        expect(answers.getKvWrites(`name ${at}`, START)[0]?.text === text).toBe(true);
      }
    }));

  it('keeps the price of a purchase until it is settled, also if its answer is replaced or erased', () =>
    withStore((store, open) => {
      const names = ['answered', 'erased', 'replaced'];
      for (const id of names) {
        store.markSent(id, START, { team: 'team', id, credits: 10 });
        store.finishCall(id, START, { team: 'team', settlement: { id, charged: 10 } }, buildAnswer('x'));
      }
      store.answers.erase([], ['erased']);
      store.answers.put('replaced', buildAnswer('y', START + 1));
      const next = open();
      expect(next.listSettlements().get('team')).toEqual(names.map((id) => ({ id, charged: 10 })));
      expect(next.lostCalls).toEqual([]);
      expect(next.answers.listUnwritten().map(({ name }) => name)).toEqual(['answered', 'replaced']);
    }));

  it('refuses many erased keys, also after a restart', () =>
    withStore(async (store, open) => {
      const pages = Array.from({ length: 4 }, (_, page) =>
        Array.from({ length: 2_500 }, (_, at) => `${page}${at}`.padStart(64, '0')),
      );
      const all = pages.flat();
      store.addErasedKeys(all.slice(0, 4_000));
      await store.loadErased(async function* () {
        yield* pages;
      });
      expect(open().findErased([...all, 'f'.repeat(64)])).toEqual(new Set(all));
    }));

  it('loads the erased keys again if it was interrupted', () =>
    withStore(async (store, open) => {
      const interrupted = store.loadErased(async function* () {
        yield ['a'];
        throw new Error('D1 is unreachable');
      });
      await expect(interrupted).rejects.toThrow('unreachable');
      const next = open();
      await next.loadErased(async function* () {
        yield ['a', 'b'];
      });
      expect(next.findErased(['a', 'b', 'c'])).toEqual(new Set(['a', 'b']));
    }));

  it('replaces an older answer completely', () =>
    withStore(({ answers }) => {
      answers.put('name', buildAnswer('x'.repeat(1_500_000)));
      answers.put('name', buildAnswer('y'.repeat(600_000), START + 1));
      expect(answers.find('name')?.text.length).toBe(600_000);
      expect([answers.has('name', START), answers.has('name', START + 1)]).toEqual([false, true]);
      expect(answers.getKvWrites('name', START)).toEqual([]);
    }));
});

describe('the outbox', () => {
  const script = ({ key }: { key: string }) =>
    companyResponse(key, { websites_professional_network: `x.com/company/${key[0]}` });
  const fetchAs = async (harness: SingleFlightHarness, ...websites: string[]) => {
    harness.provider.script = script;
    await harness.fetch(websites.map((website) => enrichCall(website)));
  };

  it('writes a record to KV under its id, with aliases and the lifetime of its family', () =>
    withHarness(async (harness) => {
      await fetchAs(harness, 'a1.com');
      const entries = [...harness.kv.entries.values()].map(({ kvKey, text, ttl }) => [
        kvKey,
        text.slice(0, 40),
        ttl,
      ]);
      const year = 365 * 86_400;
      expect(entries).toEqual([
        ['record:scripted:company_clean:id:1', expect.stringContaining('{"content":{"kind":"record"'), year],
        ['alias:scripted:company_clean:website:a1.com', '{"record_name":"company_clean:id:1"}', year],
        ['alias:scripted:company_clean:shorthand_name:a', '{"record_name":"company_clean:id:1"}', year],
      ]);
    }));

  it('repeats a KV write that failed, and writes the other answers', () =>
    withHarness(async (harness) => {
      const { write } = harness.kv;
      harness.kv.write = (entry) =>
        entry.kvKey.endsWith('id:1') ? Promise.reject(new Error('too soon')) : write.call(harness.kv, entry);
      const has = (id: string) => [...harness.kv.entries.keys()].some((kvKey) => kvKey.endsWith(id));
      await fetchAs(harness, 'a1.com', 'b2.com');
      await harness.advance(1100);
      expect([has('id:1'), has('id:2')]).toEqual([false, true]);
      harness.crash();
      const unwritten = harness.store.answers.listUnwritten().map(({ name }) => name);
      expect(unwritten).toEqual([enrichCall('a1.com').name]);
      harness.kv.write = write;
      await harness.advance(6000);
      expect(has('id:1')).toBe(true);
    }));

  it('does not write an answer that was erased meanwhile, and an erasure waits for a write in progress', () =>
    withHarness(async (harness) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      harness.kv.delay = promise;
      await fetchAs(harness, 'a1.com', 'b2.com');
      harness.singleFlight.erase(await createPseudonyms(['company', 'website', 'a1.com']), []);
      let hasWaited = false;
      void harness.outbox.waitForWrites().then(() => {
        hasWaited = true;
      });
      await harness.flush();
      expect(hasWaited).toBe(false);
      resolve();
      await harness.flush();
      expect(hasWaited).toBe(true);
      expect(harness.kv.writes.map(({ kvKey }) => kvKey)).toEqual([
        'record:scripted:company_clean:id:1',
        'record:scripted:company_clean:id:2',
        'alias:scripted:company_clean:website:b2.com',
        'alias:scripted:company_clean:shorthand_name:b',
      ]);
    }));

  it('publishes a record under its other names, unless it is very large', () =>
    withHarness(async (harness) => {
      await fetchAs(harness, 'a1.com');
      harness.provider.script = ({ key }) => companyResponse(key, { description: 'x'.repeat(600_000) });
      await harness.fetch([enrichCall('b2.com')]);
      await harness.advance(1000);
      const names = harness.publications.map(({ name }) => name);
      expect(names).toEqual(['company_clean:id:1', 'company_clean:shorthand_name:a']);
      expect(harness.kv.entries.size).toBe(5);
    }));

  it('sends the settlements and reports of simultaneous calls together', () =>
    withHarness(async (harness) => {
      await fetchAs(harness, ...Array.from({ length: 5 }, (_, at) => `a${at}.com`));
      const report = vi.spyOn(harness.throttle, 'report');
      await harness.expectSettled(50);
      expect([report.mock.calls.length, harness.ledgers.requests.settle]).toEqual([1, 1]);
    }));

  it('settles although the throttle is unreachable', () =>
    withHarness(async (harness) => {
      harness.throttle.report = () => {
        throw new Error('unreachable');
      };
      await fetchAs(harness, 'a1.com');
      await harness.advance(6000);
      expect([harness.ledgers.spent, harness.store.hasPendingWork()]).toEqual([10, false]);
    }));
});
