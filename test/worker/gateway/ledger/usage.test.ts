// Usage: counted by day, token, family and operation, and rolled up into D1 as often as it takes.
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { eq } from 'drizzle-orm/sql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { usageDays } from '../../../../worker/db/schema.ts';
import type { Usage } from '../../../../worker/gateway/ledger/types.ts';
import { type Books, call, hits, hold, setCaps, withLedger } from './ledger-harness.ts';

const DAY_MS = 86_400_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** The rows that D1 has of a team. */
function rolledUp({ team }: Books) {
  return drizzle(env.DB)
    .select()
    .from(usageDays)
    .where(eq(usageDays.teamId, team))
    .orderBy(usageDays.day, usageDays.tokenId, usageDays.family, usageDays.operation);
}

/** D1, with a batch that the test breaks into. */
function databaseWith(batch: (send: () => Promise<unknown>) => Promise<unknown>): D1Database {
  return new Proxy(env.DB, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const send = () => Reflect.apply(value, target, args);
        return name === 'batch' ? batch(send) : send();
      };
    },
  });
}

const mixed: Usage = {
  token: 'token',
  family: 'job_base',
  operation: 'search',
  outcomes: { hit: 1, stale: 2, coalesced: 3, fetched: 4, not_found: 5, failed: 6 },
  saved: 7,
  latencyMs: 8.6,
};

describe('usage', () => {
  it('is in D1 within 60 seconds of a change, with what was charged', () =>
    withLedger(async (books) => {
      books.ledger.recordUsage([mixed, hits(3)]);
      const id = await hold(books, call(10));
      books.ledger.settleMany([{ id, charged: 10 }]);
      expect(await rolledUp(books)).toEqual([]);
      await books.pass(59_999);
      const key = { day: '2026-09-15', teamId: books.team, tokenId: 'token' };
      const none = { stale: 0, coalesced: 0, fetched: 0, notFound: 0, failed: 0 };
      const some = { hit: 1, stale: 2, coalesced: 3, fetched: 4, notFound: 5, failed: 6 };
      expect(await rolledUp(books)).toEqual([
        {
          ...key,
          family: 'company_clean',
          operation: 'enrich',
          ...none,
          hit: 3,
          credits: 10,
          saved: 30,
          latencyMs: 6,
        },
        { ...key, family: 'job_base', operation: 'search', ...some, credits: 0, saved: 7, latencyMs: 9 },
      ]);
    }));

  it('adds up over roll-ups and restarts, a row for each day, token, family and operation', () =>
    withLedger(async (books) => {
      books.ledger.recordUsage([hits(1), hits(2, 20, 'other')]);
      await books.pass(60_000);
      books.open().recordUsage([hits(4)]);
      await books.pass(60_000);
      await books.pass(DAY_MS);
      books.ledger.recordUsage([hits(8)]);
      await books.pass(60_000);
      const rows = await rolledUp(books);
      expect(rows.map(({ day, tokenId, hit }) => [day, tokenId, hit])).toEqual([
        ['2026-09-15', 'other', 2],
        ['2026-09-15', 'token', 5],
        ['2026-09-16', 'token', 8],
      ]);
    }));

  it('is of any number of kinds', () =>
    withLedger(async (books) => {
      books.ledger.recordUsage(Array.from({ length: 250 }, (_, number) => hits(1, 0, `token-${number}`)));
      await books.pass(60_000);
      expect(await rolledUp(books)).toHaveLength(250);
    }));

  it('is kept as long as D1 takes nothing, and told again', () =>
    withLedger(async (books) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {});
      let tries = 0;
      books.open(
        databaseWith((send) => {
          tries += 1;
          return tries < 4 ? Promise.reject(new Error('D1_ERROR: secret')) : send();
        }),
      );
      books.ledger.recordUsage([hits(1)]);
      await books.pass(60_000);
      expect(await rolledUp(books)).toEqual([]);
      books.ledger.recordUsage([hits(2)]);
      await books.pass(60_000);
      expect(await rolledUp(books)).toMatchObject([{ hit: 3 }]);
      await books.pass(600_000);
      expect(tries).toBe(4);
      const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
      expect(lines).toMatchObject(Array(3).fill({ event: 'usage_rollup_failed', error: 'Error' }));
      expect(log.mock.calls.join()).not.toContain('secret');
    }));

  it('does not keep holds from expiring while D1 is down', () =>
    withLedger(async (books) => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      books.open(databaseWith(() => Promise.reject(new Error('down'))));
      books.ledger.recordUsage([hits(1)]);
      await hold(books, call(10));
      await books.pass(60_000);
      expect(books.ledger.getBudget()).toMatchObject({ held: 0, unclear: 10 });
    }));

  it('that changes while it is told is told again', () =>
    withLedger(async (books) => {
      let calls = 0;
      books.open(
        databaseWith(async (send) => {
          calls += 1;
          const answer = await send();
          if (calls === 1) books.ledger.recordUsage([hits(2)]);
          return answer;
        }),
      );
      books.ledger.recordUsage([hits(1)]);
      await books.pass(30_000);
      expect(await rolledUp(books)).toMatchObject([{ hit: 1 }]);
      await books.pass(60_000);
      expect(await rolledUp(books)).toMatchObject([{ hit: 3 }]);
      expect(calls).toBe(2);
    }));

  it('is told again, and not twice as much, after a kill between telling and noting that it was told', () =>
    withLedger(async (books) => {
      books.open(
        databaseWith(async (send) => {
          await send();
          throw new Error('killed');
        }),
      );
      vi.spyOn(console, 'error').mockImplementation(() => {});
      books.ledger.recordUsage([hits(1)]);
      await books.pass(30_000);
      expect(await rolledUp(books)).toMatchObject([{ hit: 1 }]);
      books.open();
      await books.pass(60_000);
      expect(await rolledUp(books)).toMatchObject([{ hit: 1 }]);
      expect(books.alarm.at).toBeUndefined();
    }));
});

describe('what is old', () => {
  /** How many rows of each table the storage holds. */
  function rows({ sql }: Books): Record<string, number> {
    const count = (table: string) => sql.exec(`SELECT * FROM ${table}`).toArray().length;
    return Object.fromEntries(['holds', 'usage', 'totals', 'entries'].map((table) => [table, count(table)]));
  }

  it('is forgotten after 35 days, but for lines, months and what is still unclear', () =>
    withLedger(async (books) => {
      setCaps(books, {});
      const ids = [await hold(books, call(10)), await hold(books, call(10))];
      books.ledger.settleMany([{ id: ids[0] ?? '', charged: 10 }]);
      await books.pass(DAY_MS);
      const settled = await hold(books, call(10));
      books.ledger.settleMany([{ id: settled, charged: 10 }]);
      await books.pass(34 * DAY_MS);
      books.ledger.recordUsage([hits(1)]);
      await books.pass(60_000);
      expect(rows(books)).toMatchObject({ holds: 3, usage: 3 });

      await books.pass(2 * DAY_MS);
      books.ledger.recordUsage([hits(1)]);
      await books.pass(60_000);
      // Left are the unclear hold with its day, and the days on which usage was noted.
      expect(rows(books)).toMatchObject({ holds: 1, usage: 3 });
      expect(books.ledger.reconcile([settled], false)).toBe(0);
      expect(books.ledger.reconcile(ids, false)).toBe(1);
      await books.pass(DAY_MS);
      books.ledger.recordUsage([hits(1)]);
      await books.pass(60_000);
      expect(rows(books)).toMatchObject({ holds: 0, usage: 3 });
      const months = books.sql.exec<{ spent: number }>(
        "SELECT spent FROM totals WHERE account = '' AND period = '2026-09'",
      );
      expect(months.one().spent).toBe(20);
      expect(await rolledUp(books)).toMatchObject([
        { day: '2026-09-15', credits: 10 },
        { day: '2026-09-16', credits: 10 },
        { hit: 1 },
        { hit: 1 },
        { hit: 1 },
      ]);
    }));
});

describe('records', () => {
  it('are counted by where they came from, today and in this month, and queries are not', () =>
    withLedger(async (books) => {
      const of = (hit: number, fetched: number): Usage => ({
        ...hits(0, 0),
        outcomes: { hit, stale: 1, coalesced: 1, fetched, not_found: 9, failed: 9 },
      });
      expect(books.ledger.countRecords()).toEqual({
        cached: { day: 0, month: 0 },
        fetched: { day: 0, month: 0 },
      });
      books.ledger.recordUsage([of(100, 10), mixed]);
      await books.pass(DAY_MS);
      books.ledger.recordUsage([of(5, 3), { ...of(1, 1), token: 'other', operation: 'collect' }]);
      expect(books.ledger.countRecords()).toEqual({
        cached: { day: 10, month: 112 },
        fetched: { day: 4, month: 14 },
      });
      await books.pass(20 * DAY_MS);
      expect(books.ledger.countRecords().cached).toEqual({ day: 0, month: 0 });
    }));
});
