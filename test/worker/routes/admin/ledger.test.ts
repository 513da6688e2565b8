// The ledger export as JSON and CSV: every entry once, without formula injection.
import { env } from 'cloudflare:workers';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerAnswer, LedgerLine } from '../../../../shared/api/admin-reports.ts';
import { getLedger } from '../../../../worker/gateway/ledger/ledger-object.ts';
import { formatCsvRow } from '../../../../worker/routes/admin/csv.ts';
import { hits } from '../../gateway/ledger/ledger-harness.ts';
import { admin } from './harness.ts';

const HEADING = 'team,number,at,day,kind,token,operation,family,subject,reference,credits,saved,calls,note';

/** Adds entries to a team's ledger. */
async function addEntries(team: string, lines: number): Promise<void> {
  const usages = Array.from({ length: lines }, (_, saved) => hits(1, saved + 1, 't'));
  await getLedger(env, team).recordUsage(usages);
}

describe('the ledger', () => {
  it('lists every entry of a team once, in order, over many pages', async () => {
    const { ok, team } = admin();
    const { id } = await team();
    await addEntries(id, 1100);
    const { entries, next } = await ok<LedgerAnswer>('GET', `/ledger?team=${id}`);
    expect(entries.map(({ number }) => number)).toEqual(Array.from({ length: 1101 }, (_, at) => at + 1));
    expect(next).toBeNull();
    expect(entries[0]).toMatchObject({ team: id, kind: 'budget', token: null, family: null });
    expect(entries.at(-1)).toEqual({
      team: id,
      number: 1101,
      at: expect.stringMatching(/Z$/),
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      kind: 'saved',
      token: 't',
      operation: 'enrich',
      family: 'company_clean',
      subject: null,
      reference: null,
      credits: 0,
      saved: 1100,
      calls: 1,
      note: null,
    });
  });

  it('lists the entries of all teams, including deleted ones', async () => {
    const { ok, pages, remove, team } = admin();
    const [one, other] = await Promise.all([team(), team()]);
    await addEntries(one.id, 3);
    await addEntries(other.id, 4);
    await remove(`/teams/${other.id}`);
    const { entries } = await ok<LedgerAnswer>('GET', '/ledger');
    const saved = (id: string) => entries.filter((line) => line.team === id && line.kind === 'saved').length;
    expect([saved(one.id), saved(other.id)]).toEqual([3, 4]);
    const own = await pages(`/ledger?team=${one.id}&`, 3, (page: LedgerAnswer) => page.entries);
    expect(own.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    const { entries: few, next } = await ok<LedgerAnswer>('GET', '/ledger?limit=5');
    expect(few).toEqual(entries.slice(0, 5));
    expect(next).toBeNull();
  });
});

describe('the ledger as CSV', () => {
  it('has a heading and the same entries as JSON', async () => {
    const { call, ok, team } = admin();
    const { id } = await team();
    await addEntries(id, 700);
    await ok('POST', `/teams/${id}/topups`, { credits: 5, note: '=1+1,"x"' }, { 'idempotency-key': '-1' });
    const { entries } = await ok<LedgerAnswer>('GET', `/ledger?team=${id}`);
    const responses = [
      await call('GET', `/ledger?team=${id}&format=csv`),
      await call('GET', `/ledger?team=${id}`, { headers: { accept: 'text/csv;q=0.9' } }),
    ];
    for (const response of responses) {
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      expect(response.headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; filename="ledger-${id}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
      );
      const text = await response.text();
      expect(text.split('\r\n')[0]).toBe(HEADING);
      expect(text.endsWith('\r\n')).toBe(true);
      expect(text.replaceAll('\r\n', '')).not.toContain('\n');
      const rows: string[][] = parse(text, { from_line: 2 });
      const escapeLine = (line: LedgerLine) =>
        line.kind === 'top_up' ? { ...line, reference: "'-1", note: `'=1+1,"x"` } : line;
      expect(rows).toEqual(
        entries.map((line) =>
          Object.values(escapeLine(line)).map((cell) => (cell === null ? '' : String(cell))),
        ),
      );
    }
  });

  it('keeps every text, and escapes formulas with an apostrophe', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝'), fc.string())
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
          if (typeof cell === 'number') expect(written).toBe(String(cell));
          else expect([cell, `'${cell}`]).toContain(written);
          if (typeof cell === 'string') expect(written).not.toMatch(/^[=+\-@\t\r\n]/);
        }
      }),
      { numRuns: 200 },
    );
  });
});
