// Erasures and cancellations while calls are in progress.
import { describe, expect, it } from 'vitest';
import {
  buildCall,
  buildPageCall,
  buildPayer,
  buildPeerAnswer,
  companyResponse,
  createPseudonyms,
  enrichCall,
  notFoundResponse,
  respondWithCompany,
} from './builders.ts';
import { type SingleFlightHarness, withHarness } from './harness.ts';

const ERASED = { outcome: 'failed', problem: 'erased' };

async function erase(harness: SingleFlightHarness, ...keys: [string, string, string][]): Promise<void> {
  harness.singleFlight.erase(await createPseudonyms(...keys), []);
}

/** Everything that the object has stored or sent to others, as one text. */
function dump(harness: SingleFlightHarness): string {
  const tables = ['answers', 'answer_parts', 'background_calls', 'unclear', 'purchases'];
  const rows = tables.map((table) => harness.sql.exec(`SELECT * FROM ${table}`).toArray());
  return JSON.stringify([rows, [...harness.kv.entries.values()], harness.publications]);
}

describe('an erasure during a call', () => {
  const shorthandCall = buildCall('company_clean', 'shorthand_name', 'other-name');

  it.each([
    ['id', ['company', 'id', '1']],
    ['website', ['company', 'website', 'a1.com']],
    ['shorthand name', ['company', 'shorthand_name', 'acme']],
    ['requested alias', ['company', 'shorthand_name', 'other-name']],
  ] as [string, [string, string, string]][])('refuses the record by its %s, and it is paid once', (_, key) =>
    withHarness(async (harness) => {
      const request = harness.request([shorthandCall]);
      await harness.flush();
      await erase(harness, key);
      const link = { websites_professional_network: 'https://x.com/company/acme' };
      harness.provider.answer('other-name', companyResponse('a1.com', link));
      await harness.flush();
      expect(request.rows).toMatchObject([{ ...ERASED, credits: 10 }]);
      expect(await harness.fetch([shorthandCall])).toMatchObject([{ ...ERASED, credits: 0 }]);
      await harness.expectSettled(10);
      expect(dump(harness)).not.toContain('a1.com');
      expect(harness.provider.sent).toHaveLength(1);
    }),
  );

  it('stores nothing about the key if the record does not exist', () =>
    withHarness(async (harness) => {
      const request = harness.request([enrichCall('a1.com')]);
      await harness.flush();
      await erase(harness, ['company', 'website', 'a1.com']);
      harness.provider.answer('a1.com', notFoundResponse());
      await harness.flush();
      expect(request.rows).toMatchObject([{ ...ERASED, credits: 0 }]);
      expect(dump(harness)).not.toContain('a1.com');
    }));

  it('ends a call that was not sent', () =>
    withHarness(async (harness) => {
      const permit = Promise.withResolvers<undefined>();
      harness.throttle.decide = () => permit.promise;
      const call = enrichCall('a1.com');
      const request = harness.request([call], { background: true });
      await harness.flush();
      harness.singleFlight.erase(await createPseudonyms(['company', 'website', 'a1.com']), [call.name]);
      permit.resolve(undefined);
      await harness.expectSettled(0);
      expect(request.rows).toMatchObject([ERASED]);
      expect(harness.provider.sent).toEqual([]);
    }));

  it('pays a background call once, although the object ends while it refuses the linked keys', () =>
    withHarness(async (harness) => {
      harness.keepsRefusing = true;
      harness.request([enrichCall('a1.com')], { background: true, waitMs: 2000 });
      await harness.flush();
      await erase(harness, ['company', 'id', '1']);
      harness.provider.answer('a1.com', companyResponse('a1.com'));
      await harness.flush();
      harness.crash();
      harness.provider.script = respondWithCompany;
      await harness.advance(30_000);
      expect(harness.provider.keys).toEqual(['a1.com']);
      await harness.expectSettled(10);
    }));

  it('removes the erased items of a preview', () =>
    withHarness(async (harness) => {
      const request = harness.request([buildPageCall('preview')]);
      await harness.flush();
      await erase(harness, ['company', 'website', 'a1.com']);
      const items = [{ id: 1, websites_main: 'a1.com' }, { id: 2 }, { name: 'without an id' }, 'no object'];
      harness.provider.answerAll(() => Response.json(items));
      await harness.flush();
      const content = { items: { value: [{ id: 2 }, {}, 'no object'] } };
      expect(request.rows).toMatchObject([{ outcome: 'fetched', credits: 10, envelope: { content } }]);
      expect(dump(harness)).not.toContain('a1.com');
    }));
});

describe('an erasure', () => {
  it('deletes the record under every key, and no other record', () =>
    withHarness(async (harness) => {
      harness.provider.script = ({ key }) => companyResponse(key === 'old' ? 'a1.com' : key);
      const old = buildCall('company_clean', 'shorthand_name', 'old');
      const calls = [enrichCall('a1.com'), old, enrichCall('b2.com')];
      await harness.fetch(calls);
      await erase(harness, ['company', 'id', '1']);
      const rows = await harness.fetch(calls, { waitMs: 0 });
      expect(rows).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }, { outcome: 'hit' }]);
      // Only the provider knows whose keys the others are: one more call each, and then they are refused.
      for (const _ of ['first', 'second']) {
        expect(await harness.fetch(calls)).toMatchObject([ERASED, ERASED, { outcome: 'hit' }]);
      }
      expect(harness.provider.sent).toHaveLength(5);
    }));

  it('refuses answers of other objects that come before or after it', () =>
    withHarness(async (harness) => {
      const accept = (website: string, pseudonym: string) => {
        const answer = buildPeerAnswer(harness.clock.now, [pseudonym]);
        harness.singleFlight.acceptAnswer(enrichCall(website).name, answer);
      };
      accept('a1.com', 'erased');
      accept('b2.com', 'other');
      harness.singleFlight.erase(['erased'], []);
      accept('c3.com', 'erased');
      const calls = ['a1.com', 'b2.com', 'c3.com'].map((website) => enrichCall(website));
      const rows = await harness.fetch(calls, { waitMs: 0 });
      expect(rows.map(({ outcome }) => outcome)).toEqual(['unknown', 'hit', 'unknown']);
    }));

  it('from before the object existed holds, also after a crash', () =>
    withHarness(async (harness) => {
      harness.erasedKeys = await createPseudonyms(['company', 'website', 'a1.com']);
      harness.provider.script = respondWithCompany;
      const calls = [enrichCall('a1.com'), enrichCall('b2.com')];
      expect(await harness.fetch(calls)).toMatchObject([ERASED, { outcome: 'fetched' }]);
      harness.crash();
      harness.erasedKeys = [];
      expect(await harness.fetch([enrichCall('a1.com')])).toMatchObject([ERASED]);
      expect(harness.provider.keys).toEqual(['b2.com']);
    }));

  it('may be unknown while D1 is down, so nothing is bought', () =>
    withHarness(async (harness) => {
      harness.isD1Down = true;
      await expect(harness.fetch([enrichCall('a1.com')])).rejects.toThrow('D1 is down');
      expect(harness.provider.sent).toEqual([]);
    }));
});

describe('a cancelled request', () => {
  const ID = '0d2f7a0e-7a51-4b1f-9d3c-0c6a3b6f1c11';
  const cancellable = { cancelId: ID, waitMs: 4000 };
  /** As many calls as an object sends at once, and one more. */
  const six = [1, 2, 3, 4, 5, 6].map((at) => enrichCall(`a${at}.com`));

  it('pays for the calls that were sent, and for no other', () =>
    withHarness(async (harness) => {
      const request = harness.request(six, cancellable);
      await harness.flush();
      expect(harness.singleFlight.cancelCalls('team', ID)).toBe(1);
      harness.provider.answerAll(companyResponse);
      await harness.flush();
      expect(request.rows?.map(({ outcome }) => outcome)).toEqual([...Array(5).fill('fetched'), 'pending']);
      await harness.expectSettled(50);
      expect(harness.provider.keys).toHaveLength(5);
    }));

  it.each([
    ['before its calls', true],
    ['while its keys are compared with the erased keys', false],
  ])('buys nothing if the cancellation arrives %s', (_, isFirst) =>
    withHarness(async (harness) => {
      if (isFirst) expect(harness.singleFlight.cancelCalls('team', ID)).toBe(0);
      const request = harness.request([enrichCall('a1.com')], cancellable);
      if (!isFirst) harness.singleFlight.cancelCalls('team', ID);
      await harness.flush();
      expect(request.rows).toMatchObject([{ outcome: 'unknown', credits: 0 }]);
      expect(harness.provider.keys).toEqual([]);
    }),
  );

  it('returns the credits of a call that was being reserved', () =>
    withHarness(async (harness) => {
      const { promise, resolve: reserve } = Promise.withResolvers<void>();
      harness.ledgers.delay = promise;
      const request = harness.request([enrichCall('a1.com')], cancellable);
      await harness.flush();
      harness.singleFlight.cancelCalls('team', ID);
      reserve();
      await harness.expectSettled(0);
      expect(request.rows).toMatchObject([{ outcome: 'pending', credits: 0 }]);
      expect(harness.provider.keys).toEqual([]);
    }));

  it('leaves a call to another team that waits for it and then pays', () =>
    withHarness(async (harness) => {
      const { promise, resolve: reserve } = Promise.withResolvers<void>();
      harness.ledgers.delay = promise;
      harness.request([enrichCall('a1.com')], cancellable);
      await harness.flush();
      const other = harness.request([enrichCall('a1.com')], { payer: buildPayer('other') });
      await harness.flush();
      harness.singleFlight.cancelCalls('team', ID);
      reserve();
      await harness.flush();
      harness.provider.answer('a1.com', companyResponse('a1.com'));
      await harness.expectSettled(10);
      expect(other.rows).toMatchObject([{ outcome: 'fetched', credits: 10 }]);
      const { payers, settled } = harness.ledgers;
      expect([payers, [...settled.values()]]).toEqual([
        ['team', 'other'],
        [0, 10],
      ]);
    }));

  it('continues if another team or another id is cancelled', () =>
    withHarness(async (harness) => {
      const request = harness.request(six, cancellable);
      await harness.flush();
      expect(harness.singleFlight.cancelCalls('other', ID)).toBe(0);
      expect(harness.singleFlight.cancelCalls('team', ID.replace('0', '1'))).toBe(0);
      harness.provider.script = respondWithCompany;
      harness.provider.answerAll(companyResponse);
      await harness.flush();
      expect(request.rows?.every(({ outcome }) => outcome === 'fetched')).toBe(true);
    }));

  it('withdraws unsent calls at its deadline and waits for sent ones', () =>
    withHarness(async (harness) => {
      const request = harness.request(six, cancellable);
      await harness.advance(5000);
      expect(request.rows).toBeUndefined();
      harness.provider.answerAll(companyResponse);
      await harness.flush();
      expect(request.rows?.map(({ credits }) => credits)).toEqual([10, 10, 10, 10, 10, 0]);
      await harness.advance(900_000);
      expect(harness.provider.keys).toHaveLength(5);
    }));
});
