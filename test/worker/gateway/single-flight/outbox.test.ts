// What a flight tells others: each of it until it was heard, in as few writes as can be.
import { describe, expect, it } from 'vitest';
import { company, enrich, type SingleFlightHarness, withHarness } from './harness.ts';
import { pseudonymsOf } from './pseudonyms.ts';

const fetching = (world: SingleFlightHarness): void => {
  world.provider.script = ({ key }) =>
    company(key, { websites_professional_network: `x.com/company/${key[0]}` });
};

describe('KV', () => {
  it('has a record under its id, and names that lead there, with the times of its family', () =>
    withHarness(async (world) => {
      fetching(world);
      await world.rows([enrich('a1.com')]);
      const places = [...world.kv.entries.values()].map(({ kvKey, text, ttl }) => [
        kvKey,
        text.slice(0, 40),
        ttl,
      ]);
      const year = 365 * 86_400;
      expect(places).toEqual([
        ['record:scripted:company_clean:id:1', expect.stringContaining('{"content":{"kind":"record"'), year],
        ['alias:scripted:company_clean:website:a1.com', '{"record_name":"company_clean:id:1"}', year],
        ['alias:scripted:company_clean:shorthand_name:a', '{"record_name":"company_clean:id:1"}', year],
      ]);
    }));

  it('that fails for one answer has the others', () =>
    withHarness(async (world) => {
      fetching(world);
      const { write } = world.kv;
      world.kv.write = (one) =>
        one.kvKey.endsWith('id:1') ? Promise.reject(new Error('too soon')) : write.call(world.kv, one);
      await world.rows([enrich('a1.com'), enrich('b2.com')]);
      expect([...world.kv.entries.keys()].some((place) => place.endsWith('id:2'))).toBe(true);
      expect(world.store.answers.listUnwritten()).toHaveLength(2);
      await world.pass(1100);
      expect(world.store.answers.listUnwritten().map(({ name }) => name)).toEqual([enrich('a1.com').name]);
      world.kv.write = write;
      await world.pass(6000);
      expect([...world.kv.entries.keys()].some((place) => place.endsWith('id:1'))).toBe(true);
    }));

  it('gets nothing of what was erased while it was about to be written', () =>
    withHarness(async (world) => {
      fetching(world);
      const { promise, resolve } = Promise.withResolvers<void>();
      world.kv.held = promise;
      await world.rows([enrich('a1.com'), enrich('b2.com')]);
      const [erased] = await pseudonymsOf(['company', 'website', 'a1.com']);
      world.flight.erase([erased ?? ''], []);
      let settled = false;
      void world.outbox.waitForWrites().then(() => {
        settled = true;
      });
      await world.settle();
      // One write had begun: whoever erases waits for it before deleting.
      expect(settled).toBe(false);
      resolve();
      await world.settle();
      expect(settled).toBe(true);
      const places = world.kv.writes.map(({ kvKey }) => kvKey);
      expect(places).toEqual([
        'record:scripted:company_clean:id:1',
        'record:scripted:company_clean:id:2',
        'alias:scripted:company_clean:website:b2.com',
        'alias:scripted:company_clean:shorthand_name:b',
      ]);
    }));
});

describe('other flights', () => {
  it('hear of a record under its other names', () =>
    withHarness(async (world) => {
      fetching(world);
      await world.rows([enrich('a1.com')]);
      await world.pass(20);
      expect(world.publications.map(({ name }) => name)).toEqual([
        'company_clean:id:1',
        'company_clean:shorthand_name:a',
      ]);
    }));

  it('hear nothing of a record that is too large to be passed around', () =>
    withHarness(async (world) => {
      world.provider.script = ({ key }) => company(key, { description: 'x'.repeat(600_000) });
      await world.rows([enrich('a1.com')]);
      await world.pass(1000);
      expect(world.publications).toEqual([]);
      expect(world.kv.entries.size).toBe(2);
    }));
});

describe('telling', () => {
  it('is done together for calls that end together', () =>
    withHarness(async (world) => {
      fetching(world);
      await world.rows(Array.from({ length: 5 }, (_, at) => enrich(`a${at}.com`)));
      let told = 0;
      const { report } = world.gate;
      world.gate.report = (reports) => {
        told += 1;
        report.call(world.gate, reports);
      };
      await world.pass(1000);
      expect([told, world.ledgers.calls.settle]).toEqual([1, 1]);
      expect(world.gate.out).toBe(0);
    }));

  it('to a gate that is gone does not keep the rest from being told', () =>
    withHarness(async (world) => {
      fetching(world);
      world.gate.report = () => {
        throw new Error('the gate is gone');
      };
      await world.rows([enrich('a1.com')]);
      await world.pass(6000);
      expect(world.ledgers.spent).toBe(10);
      expect(world.store.hasPendingWork()).toBe(false);
    }));
});
