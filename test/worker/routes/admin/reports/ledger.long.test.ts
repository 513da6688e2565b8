// The ledger export as JSON and CSV: every entry once, without formula injection; and the ledger in pages.
import { env } from 'cloudflare:workers';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdminResponse } from '../../../../../shared/api/admin-endpoints.ts';
import type { LedgerLine, TeamLedger } from '../../../../../shared/api/admin-reports.ts';
import { formatCsvRow } from '../../../../../shared/lib/csv.ts';
import { getLedger } from '../../../../../worker/gateway/ledger/ledger-object.ts';
import { unicodeText } from '../../../../unicode-text.ts';
import { call } from '../../../gateway/ledger/ledger-harness.ts';
import { admin } from '../harness.ts';

const HEADING =
  'team,number,at,day,kind,token,operation,family,subject,reference,credits,saved,calls,note,source,team_name,token_name';

/** Adds entries to a team's ledger, each for one purchase. */
async function addEntries(team: string, lines: number): Promise<void> {
  const ledger = getLedger(env, team);
  await ledger.setBudget({ caps: { day: null, month: null } });
  const calls = Array.from({ length: lines }, (_, at) => call(at + 1, 't'));
  await ledger.reserveMany(calls, 0);
  await ledger.settleMany(calls.map(({ id, credits }) => ({ id, charged: credits })));
}

describe('the ledger', () => {
  it('lists every entry of a team once, in order, over many pages', async () => {
    const { ok, team } = admin();
    const { id } = await team();
    await addEntries(id, 600);
    const { entries, next } = await ok<AdminResponse<'exportLedger'>>('GET', `/ledger?team=${id}`);
    expect(entries.map(({ number }) => number)).toEqual(Array.from({ length: 602 }, (_, at) => at + 1));
    expect(next).toBeNull();
    expect(entries[0]).toMatchObject({ team: id, kind: 'budget', token: null, family: null });
    expect(entries.at(-1)).toEqual({
      team: id,
      team_name: 'Sales',
      token_name: null,
      number: 602,
      at: expect.stringMatching(/Z$/),
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      kind: 'charge',
      token: 't',
      operation: 'enrich',
      family: 'company_clean',
      subject: 'hmac-of-a',
      reference: expect.any(String),
      credits: 600,
      saved: 0,
      calls: 1,
      source: null,
      note: null,
    });
  });

  it('lists the entries of all teams, including deleted ones', async () => {
    const { ok, pages, remove, team } = admin();
    const [one, other] = await Promise.all([team(), team()]);
    await addEntries(one.id, 3);
    await addEntries(other.id, 4);
    await remove(`/teams/${other.id}`);
    const { entries } = await ok<AdminResponse<'exportLedger'>>('GET', '/ledger');
    const charges = (id: string) =>
      entries.filter((line) => line.team === id && line.kind === 'charge').length;
    expect([charges(one.id), charges(other.id)]).toEqual([3, 4]);
    const own = await pages(
      `/ledger?team=${one.id}&`,
      3,
      (page: AdminResponse<'exportLedger'>) => page.entries,
    );
    expect(own.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    const { entries: few, next } = await ok<AdminResponse<'exportLedger'>>('GET', '/ledger?limit=5');
    expect(few).toEqual(entries.slice(0, 5));
    expect(next).toBeNull();
  });
});

describe('filters', () => {
  it('apply to the export in JSON and CSV, also beyond the first page of the ledger', async () => {
    const { call: send, ok, team, pages } = admin();
    const { id } = await team();
    const ledger = getLedger(env, id);
    await addEntries(id, 520);
    const wanted = [call(20, 'other'), call(30, 'other')];
    await ledger.reserveMany(wanted, 0);
    await ledger.settleMany(wanted.map(({ id, credits }) => ({ id, charged: credits })));
    await ok('POST', `/teams/${id}/top-ups`, { credits: 5, note: '=1+1' }, { 'idempotency-key': 'k' });
    const query = `team=${id}&token=other&family=company_clean&operation=enrich&kind=charge`;
    const { entries } = await ok<AdminResponse<'exportLedger'>>('GET', `/ledger?${query}`);
    expect(entries.map(({ credits }) => credits)).toEqual([20, 30]);
    expect(
      await pages(`/ledger?${query}&`, 1, (page: AdminResponse<'exportLedger'>) => page.entries),
    ).toEqual(entries);
    expect(
      (await ok<AdminResponse<'exportLedger'>>('GET', `/ledger?${query}&day=2020-02-02`)).entries,
    ).toEqual([]);
    const csv = await (await send('GET', `/ledger?team=${id}&kind=top_up&format=csv`)).text();
    const rows: string[][] = parse(csv);
    expect(rows).toHaveLength(2);
    expect(rows[1]?.at(-4)).toBe("'=1+1");
  });
});

describe('the ledger of a team', () => {
  it('is listed in pages with a running balance, and texts stay as they are', async () => {
    const { ok, team, pages } = admin();
    const { id } = await team({ name: '<script>alert(1)</script>' });
    await addEntries(id, 3);
    const note = '=HYPERLINK("//evil.example")<img src=x onerror=alert(1)>';
    await ok('POST', `/teams/${id}/top-ups`, { credits: 5, note }, { 'idempotency-key': 'k' });
    const lines = await pages(`/teams/${id}/ledger?`, 2, (page: TeamLedger) => page.entries, 'before');
    expect(lines.map(({ kind, credits, balance }) => [kind, credits, balance])).toEqual([
      ['top_up', 5, 6],
      ['charge', 3, 6],
      ['charge', 2, 3],
      ['charge', 1, 1],
      ['budget', 0, 0],
      ['budget', 0, 0],
    ]);
    expect(lines[0]?.note).toBe(note);
    const { entries } = await ok<AdminResponse<'exportLedger'>>('GET', `/ledger?team=${id}`);
    expect(lines.map(({ balance: _, ...line }) => line).toReversed()).toEqual(entries);
    const charges = await ok<TeamLedger>('GET', `/teams/${id}/ledger?kind=charge&token=t&limit=1`);
    expect(charges).toMatchObject({ entries: [{ credits: 3, balance: 6 }], next: 5, archived: false });
  });

  it('is empty if no line matches', async () => {
    const { ok, team } = admin();
    const { id } = await team();
    const empty = { entries: [], next: null, archived: false };
    expect(await ok('GET', `/teams/${id}/ledger?day=2026-01-01`)).toEqual(empty);
  });
});

describe('the ledger as CSV', () => {
  it('has a heading and the same entries as JSON', async () => {
    const { call: send, ok, team } = admin();
    const { id } = await team();
    await addEntries(id, 20);
    await ok(
      'POST',
      `/teams/${id}/top-ups`,
      { credits: 5, note: '=1+1,"x";=2' },
      { 'idempotency-key': '-1' },
    );
    const { entries } = await ok<AdminResponse<'exportLedger'>>('GET', `/ledger?team=${id}`);
    const responses = [
      await send('GET', `/ledger?team=${id}&format=csv`),
      await send('GET', `/ledger?team=${id}`, { headers: { accept: 'text/csv;q=0.9' } }),
    ];
    for (const response of responses) {
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      expect(response.headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; filename="ledger-${id}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
      );
      const bytes = await response.arrayBuffer();
      // Excel reads a file with a byte order mark as UTF-8.
      expect([...new Uint8Array(bytes, 0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      const text = new TextDecoder().decode(bytes);
      expect(text.split('\r\n')[0]).toBe(HEADING);
      expect(text.endsWith('\r\n')).toBe(true);
      expect(text.replaceAll('\r\n', '')).not.toContain('\n');
      const rows: string[][] = parse(text, { from_line: 2 });
      const escapeLine = (line: LedgerLine) =>
        line.kind === 'top_up' ? { ...line, reference: "'-1", note: `'=1+1,"x";'=2` } : line;
      expect(rows).toEqual(
        entries.map((line) =>
          Object.values(escapeLine(line)).map((cell) => (cell === null ? '' : String(cell))),
        ),
      );
    }
  });

  it('keeps every text, and escapes formulas with an apostrophe', () => {
    const text = fc.oneof(
      unicodeText(),
      fc
        .tuple(
          fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', 'a;=', ';;+', 'a; -', '\t@'),
          fc.string(),
        )
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.integer()), { minLength: 2, maxLength: 40 }), (cells) => {
        const [row = []] = parse(formatCsvRow(cells), {
          relax_column_count: true,
          skip_empty_lines: false,
        });
        expect(row).toHaveLength(cells.length);
        for (const [at, cell] of cells.entries()) {
          const written = row[at];
          if (typeof cell === 'number') {
            expect(written).toBe(String(cell));
            continue;
          }
          expect(written?.replaceAll("'", '')).toBe(cell.replaceAll("'", ''));
          // A spreadsheet may split the line at semicolons and tabs, too.
          for (const part of written?.split(/[;\t\r\n]/) ?? [])
            expect(part).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
        }
      }),
      { numRuns: 100 },
    );
  });
});
