// Calls to Google: errors, retries, rate limit, size of bodies, tokens and keys.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readServiceAccount } from '../../../../worker/tables/push/access-tokens.ts';
import { createPushCache, createPusher } from '../../../../worker/tables/push/pusher.ts';
import { type Call, EMAIL, googleError, keyFile, otherKey } from './fake-google.ts';
import { companies, PushHarness, START, toColumns } from './harness.ts';

let harness: PushHarness;
beforeEach(() => {
  harness = new PushHarness();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('an error of Google', () => {
  it('for an unshared spreadsheet names the address to share it with', async () => {
    harness.spreadsheet.editors.clear();
    const report = await harness.push(companies(1));
    expect(report).toMatchObject({
      outcome: 'failed',
      problem: { code: 'sheet_not_shared', status: 403 },
    });
    expect(report.problem?.detail).toBe(`The spreadsheet is not shared with ${EMAIL}.`);
    expect(report.problem?.fix).toBe(`Share it with ${EMAIL} as an editor, then run it again.`);
  });

  it('for a disabled API tells the admin to enable it', async () => {
    const answer = googleError(403, 'Google Sheets API has not been used in project 1', 'SERVICE_DISABLED');
    harness.google.overrides.push({ kind: 'read', answer });
    const { problem } = await harness.push(companies(1));
    expect(problem).toMatchObject({ code: 'push_not_configured' });
    expect(problem?.fix).toContain('Switch the Google Sheets API on');
  });

  it.each([400, 403, 404])('with status %i is not retried', async (status) => {
    harness.google.overrides.push({ kind: 'read', answer: googleError(status, 'no') });
    expect((await harness.push([])).outcome).toBe('failed');
    expect(harness.google.count('read')).toBe(1);
    expect(harness.waits).toEqual([]);
  });

  it('for a sheet renamed during the push recommends another run', async () => {
    await harness.push(companies(1));
    harness.google.overrides.push({
      kind: 'write',
      answer: googleError(400, "Unable to parse range: 'x'!A1:B2"),
    });
    const report = await harness.push(companies(2));
    expect(report.problem).toMatchObject({ code: 'sheet_refused', fix: 'Run it again.' });
    expect(await harness.push(companies(2))).toMatchObject({ outcome: 'done', appended: 1 });
  });
});

describe('a call without a result', () => {
  it('ends after 20 seconds and is not retried', async () => {
    harness.google.overrides.push({ kind: 'read', answer: new DOMException('too late', 'TimeoutError') });
    expect(await harness.push([])).toMatchObject({
      outcome: 'failed',
      problem: { code: 'google_unavailable' },
    });
    expect(harness.google.count('read')).toBe(1);
    expect(new Set(harness.timeouts)).toEqual(new Set([20_000]));
  });

  it.each([429, 500, 503])('is retried with exponential back-off after status %i', async (status) => {
    for (let at = 0; at < 4; at += 1) {
      harness.google.overrides.push({ kind: 'read', answer: googleError(status, 'later') });
    }
    expect(await harness.push([])).toMatchObject({ outcome: 'done' });
    // Half of 1, 2, 4 and 8 seconds: `random` is 0.5.
    expect(harness.waits).toEqual([500, 1_000, 2_000, 4_000]);
  });

  it.each([
    ['seconds', '17'],
    ['a date', new Date(START + 17_000).toUTCString()],
  ])('is not retried before `Retry-After` in %s', async (_, retryAfter) => {
    const answer = googleError(429, 'later', undefined, { 'retry-after': retryAfter });
    harness.google.overrides.push({ kind: 'write', answer });
    expect(await harness.push([])).toMatchObject({ outcome: 'done' });
    expect(harness.waits).toEqual([17_000]);
  });

  it.each([
    [429, 'rate_limited'],
    [503, 'google_unavailable'],
  ])('fails after seven attempts with status %i', async (status, code) => {
    for (let at = 0; at < 8; at += 1) {
      harness.google.overrides.push({ kind: 'read', answer: googleError(status, 'later') });
    }
    expect((await harness.push([])).problem?.code).toBe(code);
    expect(harness.google.count('read')).toBe(7);
  });
});

/** Counts the most calls of a kind within any minute. */
function countBusiestMinute(calls: readonly Call[], kind: Call['kind']): number {
  const times = calls.filter((call) => call.kind === kind).map(({ at }) => at);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
}

describe('the rate limit', () => {
  it('allows 60 reads a minute for all pushers of an account', async () => {
    for (let at = 0; at < 40; at += 1) {
      const other = { ...harness.pusher, ...(at % 2 === 0 ? {} : harness.createPusher()) };
      await other.client.writeValues(harness.target.spreadsheetId, [
        { range: "'Notes'!A1:A1", values: [[at]] },
      ]);
      expect(await harness.push(companies(1, at + 1))).toMatchObject({ outcome: 'done', appended: 1 });
    }
    expect(harness.google.calls.every(({ status }) => status === 200)).toBe(true);
    expect(countBusiestMinute(harness.google.calls, 'read')).toBe(60);
    expect(harness.waits.every((ms) => ms <= 60_000)).toBe(true);
    expect(harness.sheet.values()).toHaveLength(41);
  });
});

describe('a body', () => {
  it('has at most 2 MB in bytes', async () => {
    const rows = companies(300).map(([id, , ...rest]) => [id, '€"'.repeat(5_000), ...rest]);
    expect(await harness.push(rows)).toMatchObject({ outcome: 'done', appended: 300 });
    const sizes = harness.google.calls.map(({ bytes }) => bytes);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000_000);
    expect(Math.max(...sizes)).toBeGreaterThan(1_700_000);
    expect(harness.sheet.values()).toHaveLength(301);
    expect(
      harness.sheet
        .values()
        .slice(1)
        .every(([, name]) => name === '€"'.repeat(5_000)),
    ).toBe(true);
  });

  it('holds a part of a longer row, the id first, so that an interrupted row can be found', async () => {
    harness.columns = toColumns('id', ...Array.from({ length: 40 }, (_, at) => `field${at}`));
    const [id] = companies(1)[0] ?? [];
    const row = [...harness.columns.slice(1).map((_, at) => `${at}${'€'.repeat(49_000)}`)];
    await harness.push([]);
    harness.sheet.reorder('column', [...Array.from({ length: 44 }, (_, at) => 44 - at)]);
    // The row takes at least three writes.
    harness.google.faults.set(harness.google.count('write') + 2, { applied: false, outcome: 'lost' });
    const report = await harness.push([[id, ...row]]);
    expect(report).toMatchObject({ outcome: 'failed' });
    expect(await harness.push([[id, ...row]])).toMatchObject({ outcome: 'done', updated: 1, appended: 0 });
    expect(harness.sheet.values().slice(1)).toHaveLength(1);
    expect(
      harness.sheet
        .values()[1]
        ?.filter((value) => value !== '')
        .reverse(),
    ).toEqual([id, ...row]);
    expect(Math.max(...harness.google.calls.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2_000_000);
  });
});

describe('an access token', () => {
  it('is requested once for all pushers of an isolate', async () => {
    expect(await harness.push(companies(2))).toMatchObject({ outcome: 'done', appended: 2 });
    await harness.createPusher().client.getSpreadsheet(harness.target.spreadsheetId);
    expect(harness.google.count('token')).toBe(1);
  });

  it('is replaced when it expires early', async () => {
    harness.google.tokenLife = 60;
    await harness.push([]);
    harness.now += 2 * 60_000;
    expect(await harness.push(companies(1))).toMatchObject({ outcome: 'done', appended: 1 });
    expect(harness.google.count('token')).toBe(2);
    expect(harness.google.calls.filter(({ status }) => status === 401)).toHaveLength(1);
  });

  it('is requested once more when Google rejects it, then the push fails', async () => {
    harness.google.tokenLife = 0;
    const report = await harness.push(companies(1));
    expect(report).toMatchObject({ outcome: 'failed', problem: { code: 'push_not_configured' } });
    expect(report.problem?.detail).toContain(EMAIL);
    expect(harness.google.count('token')).toBe(2);
  });

  it.each([
    ['does not answer', new Error('connection lost')],
    ['returns no token', Response.json({ access_token: '' })],
    ['fails', googleError(502, 'bad gateway')],
  ])('is missing when Google %s, and nothing counts as written', async (_, answer) => {
    harness.google.overrides.push({ kind: 'token', answer });
    const report = await harness.push(companies(1));
    expect(report).toMatchObject({
      outcome: 'failed',
      problem: { code: 'google_unavailable' },
    });
  });
});

describe('a service account key', () => {
  it('that Google does not know is reported with the account', async () => {
    const report = await new PushHarness(JSON.stringify({ ...keyFile, private_key: otherKey })).push(
      companies(1),
    );
    expect(report.problem).toMatchObject({
      code: 'push_not_configured',
      detail: `Google does not take the key of ${EMAIL}.`,
    });
  });

  it.each([
    ['is not JSON', `secret-words ${keyFile.private_key}`],
    ['is of another type', JSON.stringify({ type: 'authorized_user', refresh_token: 'secret-words' })],
    ['has no address', JSON.stringify({ ...keyFile, client_email: 'secret-words' })],
    ['has no key', JSON.stringify({ ...keyFile, private_key: 'secret-words' })],
  ])('that %s is rejected without quoting it', (_, text) => {
    let error: unknown;
    try {
      readServiceAccount(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ problem: { code: 'push_not_configured' } });
    expect(`${JSON.stringify(error)} ${String(error)}`).not.toMatch(/secret-words|PRIVATE/);
  });

  it('that cannot be parsed fails the push and is never logged', async () => {
    const logged = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
    const broken = '-----BEGIN PRIVATE KEY-----\nsecretwords\n-----END PRIVATE KEY-----\n';
    const report = await new PushHarness(JSON.stringify({ ...keyFile, private_key: broken })).push(
      companies(1),
    );
    expect(report).toMatchObject({ outcome: 'failed', problem: { code: 'push_not_configured' } });
    expect(JSON.stringify(report)).not.toContain('secretwords');
    expect(logged.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });

  it('is sent only to Google in production, whatever URLs are configured', async () => {
    const origins: string[] = [];
    const google = {
      now: () => harness.now,
      sleep: async () => {},
      random: () => 0,
      timeout: () => new AbortController().signal,
      fetch: async (url: string) => {
        origins.push(new URL(url).origin);
        return url.includes('token')
          ? Response.json({ access_token: 'token', expires_in: 3600 })
          : googleError(404, 'Requested entity was not found.');
      },
    };
    const elsewhere = 'https://elsewhere.example/token';
    const settings = {
      ENVIRONMENT: 'production',
      GOOGLE_SERVICE_ACCOUNT: JSON.stringify(keyFile),
      GOOGLE_TOKEN_URL: elsewhere,
      GOOGLE_SHEETS_URL: elsewhere,
    };
    const pusher = createPusher({ settings, google, cache: createPushCache() });
    await expect(pusher.client.getSpreadsheet('a/../b')).rejects.toThrow();
    expect(origins).toEqual(['https://oauth2.googleapis.com', 'https://sheets.googleapis.com']);
  });
});
