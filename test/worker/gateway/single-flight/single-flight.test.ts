// One call for many askers: whoever asks, whatever fails, a question is bought once.
import { describe, expect, it } from 'vitest';
import { company, enrich, payer, withHarness } from './harness.ts';

const gone = () => new Response('', { status: 503 });

describe('a question', () => {
  it('of a thousand askers is sent once, paid by the first and shared by all', () =>
    withHarness(async (world) => {
      const askings = Array.from({ length: 1000 }, (_, at) =>
        world.ask([enrich('a1.com')], { payer: payer(`team ${at % 7}`) }),
      );
      await world.settle();
      expect(world.provider.keys).toEqual(['a1.com']);
      world.provider.of('a1.com').answer(company('a1.com'));
      await world.settle();
      const rows = askings.flatMap((asking) => asking.rows ?? []);
      expect(rows).toHaveLength(1000);
      expect(rows[0]).toMatchObject({ outcome: 'fetched', credits: 10 });
      expect(new Set(rows.slice(1).map(({ outcome }) => outcome))).toEqual(new Set(['coalesced']));
      expect(rows.reduce((sum, { credits }) => sum + credits, 0)).toBe(10);
      expect([...world.ledgers.holds.values()].map(({ team }) => team)).toEqual(['team 0']);
      await world.pass(1000);
      expect([world.ledgers.spent, world.ledgers.unsettled, world.gate.out]).toEqual([10, 0, 0]);
    }));

  it('that was answered is known for ten minutes and until KV has it, over any restart', () =>
    withHarness(async (world) => {
      world.kv.failing = true;
      world.provider.script = ({ key }) => company(key);
      await world.rows([enrich('a1.com')]);
      world.kill();
      world.clock.moveTo(world.clock.now + 3_600_000);
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ outcome: 'hit', credits: 0 }]);
      world.kv.failing = false;
      await world.pass(700_000);
      expect(world.kv.entries.size).toBe(2);
      expect(world.store.answers.find(enrich('a1.com').name)).toBeUndefined();
      expect(world.provider.keys).toEqual(['a1.com']);
    }));

  it('is marked stale where what is remembered is no longer fresh', () =>
    withHarness(async (world) => {
      world.settings = { FRESH_FOR: 'company=1m' };
      world.kill();
      world.provider.script = ({ key }) => company(key);
      await world.rows([enrich('a1.com')]);
      await world.pass(60_001);
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ outcome: 'stale', credits: 0 }]);
    }));

  it('is not taken in where ten thousand wait already', () =>
    withHarness(async (world) => {
      world.gate.answer = () => new Promise(() => {});
      const calls = Array.from({ length: 10_001 }, (_, at) => enrich(`a${at}.com`));
      const { waitMs } = { waitMs: 1000 };
      const asking = world.ask(calls, { waitMs });
      await world.pass(waitMs);
      expect(asking.rows?.filter(({ outcome }) => outcome === 'pending')).toHaveLength(10_000);
      expect(asking.rows?.at(-1)).toMatchObject({ outcome: 'failed', problem: 'rate_limited' });
    }));
});

describe('a failing provider', () => {
  it('is told of to everyone who waits and everyone who asks within three seconds, and not asked by each', () =>
    withHarness(async (world) => {
      world.provider.script = gone;
      const askings = Array.from({ length: 1000 }, () => world.ask([enrich('a1.com')]));
      await world.settle();
      expect(world.provider.sent).toHaveLength(3);
      for (const { rows } of askings) {
        expect(rows).toMatchObject([{ outcome: 'failed', problem: 'provider_unavailable', credits: 0 }]);
      }
      await world.pass(2999);
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ outcome: 'failed', credits: 0 }]);
      expect(world.provider.sent).toHaveLength(3);
      await world.pass(2);
      world.provider.script = ({ key }) => company(key);
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ outcome: 'fetched' }]);
      expect(world.ledgers.spent).toBe(0);
      await world.pass(1000);
      expect([world.ledgers.spent, world.ledgers.unsettled, world.gate.out]).toEqual([10, 0, 0]);
    }));

  it('may say what it likes: what is remembered of its failures is bounded', () =>
    withHarness(async (world) => {
      world.provider.script = () => new Response('x'.repeat(60_000), { status: 400 });
      const calls = Array.from({ length: 40 }, (_, at) => enrich(`a${at}.com`));
      await world.rows(calls);
      expect(world.provider.sent).toHaveLength(40);
      // The oldest were forgotten: they are asked again, and nothing worse.
      await world.rows(calls.slice(-10));
      expect(world.provider.sent).toHaveLength(40);
      await world.rows(calls.slice(0, 1));
      expect(world.provider.sent).toHaveLength(41);
    }));
});

describe('whoever may not pay', () => {
  const refusing =
    (...teams: string[]) =>
    (team: string) =>
      teams.includes(team) ? ('over_budget' as const) : undefined;

  it('hands the lead to the next team that waits, which pays', () =>
    withHarness(async (world) => {
      world.ledgers.judge = refusing('poor');
      world.provider.script = ({ key }) => company(key);
      const poor = world.ask([enrich('a1.com')], { payer: payer('poor') });
      const poorToo = world.ask([enrich('a1.com')], { payer: payer('poor') });
      const rich = world.ask([enrich('a1.com')], { payer: payer('rich') });
      await world.settle();
      const refusal = { outcome: 'failed', problem: 'over_budget', credits: 0 };
      expect([poor.rows, poorToo.rows]).toMatchObject([[refusal], [refusal]]);
      expect(rich.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      expect([...world.ledgers.holds.values()].map(({ team }) => team)).toEqual(['rich']);
      // The refusal is none of the question.
      expect(await world.rows([enrich('b2.com')], { payer: payer('poor') })).toMatchObject([refusal]);
      expect(await world.rows([enrich('b2.com')], { payer: payer('rich') })).toMatchObject([
        { outcome: 'fetched' },
      ]);
      await world.pass(1000);
      expect(world.gate.out).toBe(0);
    }));

  it('hands it to another token of the same team', () =>
    withHarness(async (world) => {
      world.ledgers.judge = (_team, { token }) => (token === 'revoked' ? 'unauthorised' : undefined);
      world.provider.script = ({ key }) => company(key);
      const revoked = world.ask([enrich('a1.com')], { payer: payer('team', 'revoked') });
      const other = world.ask([enrich('a1.com')], { payer: payer('team', 'good') });
      await world.settle();
      expect(revoked.rows).toMatchObject([{ problem: 'unauthorised' }]);
      expect(other.rows).toMatchObject([{ outcome: 'fetched' }]);
    }));
});

describe('whoever does not wait any more', () => {
  it('does not pay for those who do', () =>
    withHarness(async (world) => {
      const turn = Promise.withResolvers<undefined>();
      world.gate.answer = () => turn.promise;
      world.provider.script = ({ key }) => company(key);
      const left = world.ask([enrich('a1.com')], { payer: payer('left'), waitMs: 1000 });
      const stayed = world.ask([enrich('a1.com')], { payer: payer('stayed') });
      await world.pass(1000);
      expect(left.rows).toMatchObject([{ outcome: 'pending' }]);
      turn.resolve(undefined);
      await world.settle();
      expect(stayed.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      expect([...world.ledgers.holds.values()].map(({ team }) => team)).toEqual(['stayed']);
    }));

  it('leaves nothing to be bought for nobody', () =>
    withHarness(async (world) => {
      const turn = Promise.withResolvers<undefined>();
      world.gate.answer = () => turn.promise;
      world.ask([enrich('a1.com')], { waitMs: 1000 });
      await world.pass(1000);
      turn.resolve(undefined);
      await world.pass(1000);
      expect(world.provider.sent).toEqual([]);
      expect([world.ledgers.holds.size, world.gate.out]).toEqual([0, 0]);
    }));
});

describe('work that outlives its askers', () => {
  it('goes on, is taken up by the alarm after a restart, and each of it is bought once', () =>
    withHarness(async (world) => {
      const calls = Array.from({ length: 30 }, (_, at) => enrich(`a${at}.com`));
      const asking = world.ask(calls, { background: true, waitMs: 2000 });
      await world.settle();
      for (const sent of [...world.provider.open]) sent.answer(company(sent.key));
      await world.pass(2000);
      expect(asking.rows?.filter(({ outcome }) => outcome === 'pending')).toHaveLength(25);
      const onWay = world.provider.open.map(({ key }) => key);
      expect(onWay).toHaveLength(5);
      world.kill();
      world.provider.script = ({ key }) => company(key);
      await world.pass(10_000);
      expect(new Set(world.provider.keys).size).toBe(30);
      expect(world.provider.sent).toHaveLength(30);
      const rows = await world.rows(calls, { waitMs: 0 });
      const unclear = rows.filter(({ outcome }) => outcome === 'failed');
      // What was on its way when the object ended may have been charged: nobody buys it again.
      expect(unclear).toHaveLength(5);
      expect(rows.filter(({ outcome }) => outcome === 'hit')).toHaveLength(25);
      expect(world.ledgers.spent).toBe(300);
    }));

  it('is given up after a quarter of an hour', () =>
    withHarness(async (world) => {
      world.provider.script = () => Response.json({ message: 'API rate limit exceeded' }, { status: 429 });
      world.gate.answer = async () => {
        await world.clock.after(100_000);
        return undefined;
      };
      world.ask([enrich('a1.com')], { background: true, waitMs: 0 });
      await world.pass(1_000_000);
      const sent = world.provider.sent.length;
      expect(sent).toBeGreaterThan(7);
      await world.pass(200_000);
      expect(world.provider.sent).toHaveLength(sent);
      expect(world.store.hasPendingWork()).toBe(false);
      expect(world.gate.out).toBe(0);
    }));

  it('ends with no timer, no alarm and nothing written down, once all is told and ten minutes are over', () =>
    withHarness(async (world) => {
      world.provider.script = ({ key }) => company(key);
      world.ask([enrich('a1.com'), enrich('b2.com')], { background: true });
      await world.pass(700_000);
      expect(world.clock.timers).toBe(0);
      expect(world.alarm).toBeUndefined();
      for (const table of ['answers', 'answer_rests', 'sent', 'unclear', 'standing', 'settlements']) {
        expect([table, world.sql.exec(`SELECT * FROM ${table}`).toArray()]).toEqual([table, []]);
      }
    }));
});

describe('an object that ends in the middle', () => {
  it('leaves what it had sent unclear: counted as charged, told to who asks, not bought again for ten minutes', () =>
    withHarness(async (world) => {
      world.ask([enrich('a1.com')]);
      await world.settle();
      world.kill();
      const unclear = [{ outcome: 'failed', problem: 'provider_unclear', credits: 0 }];
      expect(await world.rows([enrich('a1.com')])).toMatchObject(unclear);
      await world.pass(1000);
      expect([...world.ledgers.posted.values()]).toEqual(['unclear']);
      const reported = world.gate.reports.filter(({ unclearReservations }) => unclearReservations);
      expect(reported).toMatchObject([
        {
          unclear: 10,
          charged: 0,
          unclearReservations: [{ team: 'team', id: 'reservation-0', credits: 10 }],
        },
      ]);
      await world.pass(590_000);
      expect(await world.rows([enrich('a1.com')])).toMatchObject(unclear);
      await world.pass(20_000);
      world.provider.script = ({ key }) => company(key);
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ outcome: 'fetched' }]);
    }));
});

describe('what another flight heard', () => {
  const lesson = (world: { clock: { now: number } }, fetchedAt = world.clock.now) => ({
    fetchedAt,
    pseudonyms: [['somebody']],
    text: JSON.stringify({
      content: { kind: 'record', record: { id: 1 } },
      fetched_at: fetchedAt,
      fresh_until: fetchedAt + 1e9,
      keep_until: fetchedAt + 1e9,
    }),
  });

  it('is known here, for two minutes', () =>
    withHarness(async (world) => {
      world.flight.acceptAnswer(enrich('a1.com').name, lesson(world));
      expect(await world.rows([enrich('a1.com')])).toMatchObject([{ outcome: 'hit' }]);
      expect(await world.rows([enrich('a1.com', world.clock.now + 1)], { waitMs: 0 })).toMatchObject([
        { outcome: 'unknown' },
      ]);
      await world.pass(120_001);
      expect(await world.rows([enrich('a1.com')], { waitMs: 0 })).toMatchObject([{ outcome: 'unknown' }]);
    }));

  it('answers who waits for a turn to buy it again, and nobody who wants a younger one', () =>
    withHarness(async (world) => {
      const turn = Promise.withResolvers<undefined>();
      world.gate.answer = () => turn.promise;
      const waiting = world.ask([enrich('a1.com')]);
      const younger = world.ask([enrich('b2.com', world.clock.now + 1)]);
      await world.settle();
      for (const website of ['a1.com', 'b2.com'])
        world.flight.acceptAnswer(enrich(website).name, lesson(world));
      world.provider.script = ({ key }) => company(key);
      turn.resolve(undefined);
      await world.pass(1);
      expect(waiting.rows).toMatchObject([{ outcome: 'coalesced', credits: 0 }]);
      expect(younger.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      expect(world.provider.keys).toEqual(['b2.com']);
      await world.pass(1000);
      expect(world.gate.out).toBe(0);
    }));
});
