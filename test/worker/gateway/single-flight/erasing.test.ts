// Somebody is erased while a flight is at work: whatever comes later is refused.
import { describe, expect, it } from 'vitest';
import { call, company, enrich, missing, type SingleFlightHarness, withHarness } from './harness.ts';
import { pseudonymsOf } from './pseudonyms.ts';

const erased = { outcome: 'failed', problem: 'erased' };

async function erase(world: SingleFlightHarness, ...keys: [string, string, string][]): Promise<void> {
  world.flight.erase(await pseudonymsOf(...keys), []);
}

/** Everything that the flight holds or has handed on, as one text. */
function everything(world: SingleFlightHarness): string {
  const tables = ['answers', 'answer_rests', 'standing', 'unclear', 'sent'];
  const rows = tables.map((table) => world.sql.exec(`SELECT * FROM ${table}`).toArray());
  return JSON.stringify([rows, [...world.kv.entries.values()], world.publications]);
}

describe('a record on its way', () => {
  it.each([
    ['its id', ['company', 'id', '1']],
    ['its website', ['company', 'website', 'a1.com']],
    ['its shorthand name', ['company', 'shorthand_name', 'acme']],
    ['a name that only led to it', ['company', 'shorthand_name', 'other-name']],
  ] as [string, [string, string, string]][])('is refused when %s is erased, and paid once', (_, key) =>
    withHarness(async (world) => {
      const asking = world.ask([call('company_clean', 'shorthand_name', 'other-name')]);
      await world.settle();
      await erase(world, key);
      world.provider
        .of('other-name')
        .answer(company('a1.com', { websites_professional_network: 'https://x.com/company/acme' }));
      await world.settle();
      expect(asking.rows).toMatchObject([{ ...erased, credits: 10 }]);
      // Under that name, too, from now on.
      expect(await world.rows([call('company_clean', 'shorthand_name', 'other-name')])).toMatchObject([
        { ...erased, credits: 0 },
      ]);
      await world.pass(2000);
      expect([world.ledgers.spent, world.ledgers.unsettled, world.gate.out]).toEqual([10, 0, 0]);
      expect(everything(world)).not.toContain('a1.com');
      expect(world.provider.sent).toHaveLength(1);
    }),
  );

  it('that turns out not to exist leaves no word of its key', () =>
    withHarness(async (world) => {
      const asking = world.ask([enrich('a1.com')]);
      await world.settle();
      await erase(world, ['company', 'website', 'a1.com']);
      world.provider.of('a1.com').answer(missing());
      await world.settle();
      expect(asking.rows).toMatchObject([{ ...erased, credits: 0 }]);
      expect(everything(world)).not.toContain('a1.com');
    }));

  it('that was not sent yet is not sent', () =>
    withHarness(async (world) => {
      const turn = Promise.withResolvers<undefined>();
      world.gate.answer = () => turn.promise;
      const asking = world.ask([enrich('a1.com')], { background: true });
      await world.settle();
      world.flight.erase(await pseudonymsOf(['company', 'website', 'a1.com']), [enrich('a1.com').name]);
      turn.resolve(undefined);
      await world.pass(2000);
      expect(asking.rows).toMatchObject([erased]);
      expect(world.provider.sent).toEqual([]);
      expect([world.gate.out, world.store.hasPendingWork()]).toEqual([0, false]);
    }));
});

describe('what a flight knows', () => {
  it('of somebody is gone under every name, and nothing of anybody else', () =>
    withHarness(async (world) => {
      world.provider.script = ({ key }) => company(key.startsWith('old') ? 'a1.com' : key);
      const calls = [enrich('a1.com'), call('company_clean', 'shorthand_name', 'old'), enrich('b2.com')];
      await world.rows(calls);
      await erase(world, ['company', 'id', '1']);
      const rows = await world.rows(calls, { waitMs: 0 });
      expect(rows).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }, { outcome: 'hit' }]);
      // They are asked once more each, since only the provider knows whose they are; then they are refused.
      expect(await world.rows(calls)).toMatchObject([erased, erased, { outcome: 'hit' }]);
      expect(await world.rows(calls)).toMatchObject([erased, erased, { outcome: 'hit' }]);
      expect(world.provider.sent).toHaveLength(5);
    }));

  it('from another flight is refused, whether it comes before or after', () =>
    withHarness(async (world) => {
      const [one, other] = await pseudonymsOf(['company', 'id', '1'], ['company', 'id', '2']);
      const kept = (keys: string[]) => ({
        fetchedAt: world.clock.now,
        pseudonyms: [keys],
        text: JSON.stringify({
          content: { kind: 'record', record: {} },
          fetched_at: world.clock.now,
          fresh_until: world.clock.now + 1e9,
          keep_until: world.clock.now + 1e9,
        }),
      });
      world.flight.acceptAnswer(enrich('a1.com').name, kept([one ?? '']));
      world.flight.acceptAnswer(enrich('b2.com').name, kept([other ?? '']));
      world.flight.erase([one ?? ''], []);
      world.flight.acceptAnswer(enrich('c3.com').name, kept([one ?? '']));
      const rows = await world.rows([enrich('a1.com'), enrich('b2.com'), enrich('c3.com')], { waitMs: 0 });
      expect(rows.map(({ outcome }) => outcome)).toEqual(['unknown', 'hit', 'unknown']);
    }));

  it('of erasures holds after a restart, and for a flight that was not there yet', () =>
    withHarness(async (world) => {
      world.refused = await pseudonymsOf(['company', 'website', 'a1.com']);
      world.provider.script = ({ key }) => company(key);
      expect(await world.rows([enrich('a1.com'), enrich('b2.com')])).toMatchObject([
        erased,
        { outcome: 'fetched' },
      ]);
      world.kill();
      world.refused = [];
      expect(await world.rows([enrich('a1.com')])).toMatchObject([erased]);
      expect(world.provider.keys).toEqual(['b2.com']);
    }));

  it('can’t be known while D1 is down: nothing is bought', () =>
    withHarness(async (world) => {
      world.d1 = 'down';
      await expect(world.rows([enrich('a1.com')])).rejects.toThrow('D1 is down');
      expect(world.provider.sent).toEqual([]);
    }));
});

describe('a preview', () => {
  const preview = {
    name: 'preview:team:company_clean:hash',
    operation: 'preview',
    family: 'company_clean',
    method: 'POST',
    path: '/v2/company_clean/search/es_dsl/preview',
    body: '{}',
    credits: 10,
    since: 0,
  } as const;
  const items = () =>
    Response.json([
      { id: 1, name: 'One', websites_main: 'a1.com' },
      { id: 2, name: 'Two' },
      { name: 'without an id' },
      'no object',
    ]);

  it('is remembered without the rows of whoever was erased meanwhile', () =>
    withHarness(async (world) => {
      const asking = world.ask([preview]);
      await world.settle();
      await erase(world, ['company', 'website', 'a1.com']);
      world.provider.open[0]?.answer(items());
      await world.settle();
      expect(asking.rows).toMatchObject([
        { outcome: 'fetched', credits: 10, envelope: { content: { items: [{ id: 2 }, {}, 'no object'] } } },
      ]);
      expect(everything(world)).not.toContain('a1.com');
    }));
});
