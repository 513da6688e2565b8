// The key of a service account becomes a token when one is needed, and is told to nobody.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readServiceAccount } from '../../../../worker/tables/push/access-tokens.ts';
import { createPushCache, createPusher } from '../../../../worker/tables/push/pusher.ts';
import { EMAIL, googleError, keyFile, otherKey } from './fake-google.ts';
import { companies, PushHarness } from './harness.ts';

const MINUTE = 60_000;

let desk: PushHarness;
beforeEach(() => {
  desk = new PushHarness();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a token', () => {
  it('is asked for with a claim that Google takes, once for many calls and pushers of an isolate', async () => {
    expect(await desk.push(companies(2))).toMatchObject({ outcome: 'done', appended: 2 });
    await desk.createPusher().client.getSpreadsheet(desk.target.spreadsheetId);
    expect(desk.google.count('token')).toBe(1);
  });

  it('that ended early is replaced, and the push goes on', async () => {
    desk.google.tokenLife = 60;
    await desk.push([]);
    desk.now += 2 * MINUTE;
    expect(await desk.push(companies(1))).toMatchObject({ outcome: 'done', appended: 1 });
    expect(desk.google.count('token')).toBe(2);
    expect(desk.google.calls.filter(({ status }) => status === 401)).toHaveLength(1);
  });

  it('that is refused again and again is said to be, after one more try', async () => {
    desk.google.tokenLife = 0;
    const report = await desk.push(companies(1));
    expect(report).toMatchObject({ outcome: 'failed', problem: { code: 'push_not_configured' } });
    expect(report.problem?.detail).toContain(EMAIL);
    expect(desk.google.count('token')).toBe(2);
  });

  it.each([
    ['answers nothing', new Error('connection lost')],
    ['answers what is no token', Response.json({ access_token: '' })],
    ['fails', googleError(502, 'bad gateway')],
  ])('is missing where Google %s, and nothing counts as written', async (_, answer) => {
    desk.google.overrides.push({ kind: 'token', answer });
    const report = await desk.push(companies(1));
    expect(report).toMatchObject({
      outcome: 'failed',
      unclear: 0,
      left: 1,
      problem: { code: 'google_unavailable' },
    });
  });
});

describe('the key of a service account', () => {
  it('that Google does not know is refused in words that name the account', async () => {
    const report = await new PushHarness(JSON.stringify({ ...keyFile, private_key: otherKey })).push(
      companies(1),
    );
    expect(report.problem).toMatchObject({
      code: 'push_not_configured',
      detail: `Google does not take the key of ${EMAIL}.`,
    });
  });

  it.each([
    ['is no JSON', `secret-words ${keyFile.private_key}`],
    ['is of another kind', JSON.stringify({ type: 'authorized_user', refresh_token: 'secret-words' })],
    ['has no address', JSON.stringify({ ...keyFile, client_email: 'secret-words' })],
    ['has no key', JSON.stringify({ ...keyFile, private_key: 'secret-words' })],
  ])('that %s is refused without repeating it', (_, text) => {
    let refused: unknown;
    try {
      readServiceAccount(text);
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ problem: { code: 'push_not_configured' } });
    expect(`${JSON.stringify(refused)} ${String(refused)}`).not.toMatch(/secret-words|PRIVATE/);
  });

  it('that cannot be read ends a push, not the Worker, and is in no log', async () => {
    const logged = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
    const broken = '-----BEGIN PRIVATE KEY-----\nsecretwords\n-----END PRIVATE KEY-----\n';
    const report = await new PushHarness(JSON.stringify({ ...keyFile, private_key: broken })).push(
      companies(1),
    );
    expect(report).toMatchObject({ outcome: 'failed', problem: { code: 'push_not_configured' } });
    expect(JSON.stringify(report)).not.toContain('secretwords');
    expect(logged.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });

  it('is shown to nobody but Google where the Worker is deployed, whatever addresses are set', async () => {
    const asked: string[] = [];
    const platform = {
      now: () => desk.now,
      after: async () => {},
      random: () => 0,
      timeout: () => new AbortController().signal,
      fetch: async (url: string) => {
        asked.push(new URL(url).origin);
        return url.includes('token')
          ? Response.json({ access_token: 'token', expires_in: 3600 })
          : googleError(404, 'Requested entity was not found.');
      },
    };
    const elsewhere = 'https://elsewhere.example/token';
    const env = {
      ENVIRONMENT: 'production',
      GOOGLE_SERVICE_ACCOUNT: JSON.stringify(keyFile),
      GOOGLE_TOKEN_URL: elsewhere,
      GOOGLE_SHEETS_URL: elsewhere,
    };
    const pusher = createPusher(env, platform, createPushCache());
    await expect(pusher?.client.getSpreadsheet('a/../b')).rejects.toThrow();
    expect(asked).toEqual(['https://oauth2.googleapis.com', 'https://sheets.googleapis.com']);
  });
});
