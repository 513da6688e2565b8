// What Google allows is kept to: its pace, the size of a body, its wish to be asked again later; what it refuses is said.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Call, EMAIL, googleError } from './fake-google.ts';
import { companies, PushHarness, START } from './harness.ts';

let desk: PushHarness;
beforeEach(() => {
  desk = new PushHarness();
});

describe('a refusal', () => {
  it('of a spreadsheet that is not shared names the address to share it with', async () => {
    desk.spreadsheet.editors.clear();
    const report = await desk.push(companies(1));
    expect(report).toMatchObject({
      outcome: 'failed',
      left: 1,
      problem: { code: 'sheet_not_shared', status: 403 },
    });
    expect(report.problem?.detail).toBe(`The spreadsheet is not shared with ${EMAIL}.`);
    expect(report.problem?.fix).toBe(`Share it with ${EMAIL} as an editor, then run it again.`);
  });

  it('of an API that is switched off tells the admin to switch it on', async () => {
    const answer = googleError(403, 'Google Sheets API has not been used in project 1', 'SERVICE_DISABLED');
    desk.google.overrides.push({ kind: 'read', answer });
    const { problem } = await desk.push(companies(1));
    expect(problem).toMatchObject({ code: 'push_not_configured' });
    expect(problem?.fix).toContain('Switch the Google Sheets API on');
  });

  it.each([400, 403, 404])('of status %i is not tried again', async (status) => {
    desk.google.overrides.push({ kind: 'read', answer: googleError(status, 'no') });
    expect((await desk.push([])).outcome).toBe('failed');
    expect(desk.google.count('read')).toBe(1);
    expect(desk.waits).toEqual([]);
  });

  it('of a sheet that was renamed at the wrong moment says to run it again, and that works', async () => {
    await desk.push(companies(1));
    desk.google.overrides.push({
      kind: 'write',
      answer: googleError(400, "Unable to parse range: 'x'!A1:B2"),
    });
    const report = await desk.push(companies(2));
    expect(report.problem).toMatchObject({ code: 'sheet_refused', fix: 'Run it again.' });
    expect(await desk.push(companies(2))).toMatchObject({ outcome: 'done', appended: 1 });
  });
});

describe('an answer that does not come', () => {
  it('is waited for twenty seconds, and a call without one is not sent again', async () => {
    desk.google.overrides.push({ kind: 'read', answer: new DOMException('too late', 'TimeoutError') });
    expect(await desk.push([])).toMatchObject({ outcome: 'failed', problem: { code: 'google_unavailable' } });
    expect(desk.google.count('read')).toBe(1);
    expect(new Set(desk.timeouts)).toEqual(new Set([20_000]));
  });

  it.each([429, 500, 503])('but status %i is tried again, after pauses that double', async (status) => {
    for (let at = 0; at < 4; at += 1) {
      desk.google.overrides.push({ kind: 'read', answer: googleError(status, 'later') });
    }
    expect(await desk.push([])).toMatchObject({ outcome: 'done' });
    // Half of 1, 2, 4 and 8 seconds: the tests' chance is always one half.
    expect(desk.waits).toEqual([500, 1_000, 2_000, 4_000]);
  });

  it.each([
    ['seconds', '17'],
    ['a date', new Date(START + 17_000).toUTCString()],
  ])('is not asked for before the time that an answer names as %s', async (_, retryAfter) => {
    const answer = googleError(429, 'later', undefined, { 'retry-after': retryAfter });
    desk.google.overrides.push({ kind: 'write', answer });
    expect(await desk.push([])).toMatchObject({ outcome: 'done' });
    expect(desk.waits).toEqual([17_000]);
  });

  it.each([
    [429, 'rate_limited'],
    [503, 'google_unavailable'],
  ])('is given up after seven times of status %i', async (status, code) => {
    for (let at = 0; at < 8; at += 1) {
      desk.google.overrides.push({ kind: 'read', answer: googleError(status, 'later') });
    }
    expect((await desk.push([])).problem?.code).toBe(code);
    expect(desk.google.count('read')).toBe(7);
  });
});

/** The most calls of a kind that were heard within any minute. */
function busiest(calls: readonly Call[], kind: Call['kind']): number {
  const times = calls.filter((call) => call.kind === kind).map(({ at }) => at);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
}

describe('the pace', () => {
  it('is 60 reads a minute, for all pushers of an account together', async () => {
    for (let at = 0; at < 40; at += 1) {
      const other = { ...desk.pusher, ...(at % 2 === 0 ? {} : desk.createPusher()) };
      await other.client.writeValues(desk.target.spreadsheetId, [{ range: "'Notes'!A1:A1", values: [[at]] }]);
      expect(await desk.push(companies(1, at + 1))).toMatchObject({ outcome: 'done', appended: 1 });
    }
    expect(desk.google.calls.every(({ status }) => status === 200)).toBe(true);
    expect(busiest(desk.google.calls, 'read')).toBe(60);
    expect(desk.waits.every((ms) => ms <= 60_000)).toBe(true);
    expect(desk.sheet.values()).toHaveLength(41);
  });
});

describe('a body', () => {
  it('has at most 2 MB, in bytes and not in characters', async () => {
    const rows = companies(300).map(([id, , ...rest]) => [id, '€"'.repeat(5_000), ...rest]);
    expect(await desk.push(rows)).toMatchObject({ outcome: 'done', appended: 300 });
    const sizes = desk.google.calls.map(({ bytes }) => bytes);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000_000);
    expect(Math.max(...sizes)).toBeGreaterThan(1_700_000);
    expect(desk.sheet.values()).toHaveLength(301);
    expect(
      desk.sheet
        .values()
        .slice(1)
        .every(([, name]) => name === '€"'.repeat(5_000)),
    ).toBe(true);
  });

  it('takes a row that is longer in parts, the id first, so that a break leaves no row without one', async () => {
    desk.columns = ['id', ...Array.from({ length: 40 }, (_, at) => `field ${at}`)].map((heading) => ({
      heading,
    }));
    const [id] = companies(1)[0] ?? [];
    const row = [...desk.columns.slice(1).map((_, at) => `${at}${'€'.repeat(49_000)}`)];
    await desk.push([]);
    desk.sheet.reorderColumns([...Array.from({ length: 44 }, (_, at) => 44 - at)]);
    // The row itself is three writes or more.
    desk.google.faults.set(desk.google.count('write') + 2, { applied: false, outcome: 'lost' });
    const report = await desk.push([[id, ...row]]);
    expect(report).toMatchObject({ outcome: 'failed', unclear: 1, left: 0 });
    expect(await desk.push([[id, ...row]])).toMatchObject({ outcome: 'done', updated: 1, appended: 0 });
    expect(desk.sheet.values().slice(1)).toHaveLength(1);
    expect(
      desk.sheet
        .values()[1]
        ?.filter((value) => value !== '')
        .reverse(),
    ).toEqual([id, ...row]);
    expect(Math.max(...desk.google.calls.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2_000_000);
  });
});
