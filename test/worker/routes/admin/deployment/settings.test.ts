// The settings in effect: values, problems of wrong ones, and no secret.
import { expect, it } from 'vitest';
import type { SettingsView } from '../../../../../shared/api/admin-settings.ts';
import { shards } from '../../../../../worker/gateway/single-flight/client.ts';
import { createRemoteUpstream } from '../../../../../worker/gateway/upstream/configured-upstream.ts';
import { formatPreviousAdminToken } from '../../../../../worker/http/previous-admin-token.ts';
import { ProblemError } from '../../../../../worker/http/problem-error.ts';
import { admin } from '../harness.ts';
import { ACCOUNT_EMAIL, completeSettings, MARKER } from './markers.ts';

const DAY_S = 86_400;

const getSettings = (settings: Parameters<typeof admin>[0], upstream?: Parameters<typeof admin>[1]) =>
  admin(settings, upstream).ok<SettingsView>('GET', '/settings');

it('states what is in effect, without secrets', async () => {
  const upstream = () => createRemoteUpstream(completeSettings.CDAPI_BASE_URL, MARKER);
  const until = Date.now() + 3_600_000;
  const view = await getSettings(
    {
      ...completeSettings,
      VERSION: { id: 'id', tag: 'abc123', timestamp: '' },
      REQUEST_LOG: 'notable',
      OPERATOR_LOW_BALANCE: '250',
      FRESH_FOR: 'company=90d, job=12h',
      KEEP_FOR: '60d',
      PROVIDER_RATE_PER_S: '18',
      ASSISTANT_MODEL: 'model-1',
      ASSISTANT_URL: 'https://models.example.com/v1/chat/completions',
      ASSISTANT_KEY: MARKER,
      ACCESS_TEAM_DOMAIN: 'acme.cloudflareaccess.com',
      ADMIN_TOKEN_PREVIOUS: formatPreviousAdminToken({ token: MARKER, until }),
    },
    upstream,
  );
  expect(view).toMatchObject({
    environment: 'production',
    version: 'abc123',
    region: 'weur',
    jurisdiction: null,
    public_url: 'https://data.example.com',
    access_team_domain: 'acme.cloudflareaccess.com',
    provider: { mode: 'live', identity: (await upstream()).identity, problem: null, rate_per_s: 18 },
    previous_admin_token_until: new Date(until).toISOString(),
    push_account: { email: ACCOUNT_EMAIL, problem: null },
    alerts: { configured: true, low_balance: 250, problem: null },
    assistant: { model: 'model-1', problem: null },
    request_log: 'notable',
    limits: {
      lookup_keys: 1000,
      order_records: 10_000,
      list_page: 100,
      single_flight_objects: shards.length,
    },
  });
  const freshFor = view.freshness?.classes.map(({ name, fresh_for_s }) => [name, fresh_for_s]);
  expect(Object.fromEntries(freshFor ?? [])).toEqual({
    // Nothing is fresh for longer than it is kept.
    company: 60 * DAY_S,
    employee: 14 * DAY_S,
    job: DAY_S / 2,
    post: 7 * DAY_S,
    missing: DAY_S,
    preview: DAY_S,
    search: 600,
  });
  expect(view.freshness?.keep_for_s).toBe(60 * DAY_S);
  const jobs = view.freshness?.classes.find(({ name }) => name === 'job');
  expect(jobs?.families).toEqual(['job_base', 'job_multi_source']);
  const days = Object.fromEntries(view.retention.map((period) => [period.data, period.days]));
  // Of the two rules of dead letters, the longer one.
  expect(days).toMatchObject({ dead_letters: 30, requests: 400, people: 365, journal: 31, pushes: 30 });
  expect(view.secrets.every(({ set }) => set)).toBe(true);
  expect(JSON.stringify(view)).not.toContain(MARKER);
});

it('states what is missing', async () => {
  const missing = () => Promise.reject(new ProblemError('not_configured', 'No key yet.'));
  const view = await getSettings(
    {
      ENVIRONMENT: 'production',
      PUBLIC_URL: undefined,
      REGION: undefined,
      METRICS: undefined,
      REQUEST_LOG: undefined,
      PROVIDER_RATE_PER_S: undefined,
      ADMIN_TOKEN_PREVIOUS: 'none',
    },
    missing,
  );
  expect(view).toMatchObject({
    version: 'development',
    region: null,
    jurisdiction: null,
    public_url: null,
    access_team_domain: null,
    provider: { mode: 'none', identity: null, problem: 'No key yet.', rate_per_s: 5 },
    previous_admin_token_until: null,
    push_account: { email: null, problem: null },
    alerts: { configured: false, low_balance: 1000, problem: null },
    request_log: 'all',
    metrics: false,
  });
  const set = view.secrets.filter((secret) => secret.set).map(({ name }) => name);
  expect(set).toEqual(['ADMIN_TOKEN', 'ENCRYPTION_SECRET', 'PSEUDONYM_SECRET']);
});

it('names wrong settings without quoting secrets', async () => {
  const view = await getSettings({
    PUBLIC_URL: 'http://data.example.com',
    ENVIRONMENT: 'production',
    FRESH_FOR: 'company=soon',
    PROVIDER_RATE_PER_S: 'fast',
    GOOGLE_SERVICE_ACCOUNT: MARKER,
    OPERATOR_ALERT_URL: `http://${MARKER}.example`,
    OPERATOR_LOW_BALANCE: '-1',
  });
  expect(view).toMatchObject({
    public_url: null,
    freshness: null,
    provider: { rate_per_s: null },
    push_account: { email: null, problem: expect.stringContaining('GOOGLE_SERVICE_ACCOUNT') },
    alerts: { configured: true, low_balance: null, problem: expect.stringContaining('OPERATOR_ALERT_URL') },
  });
  expect(JSON.stringify(view)).not.toContain(MARKER);
});

it('states that a previous admin token has expired', async () => {
  const until = Date.now() - 1;
  const previous = formatPreviousAdminToken({ token: MARKER, until });
  const view = await getSettings({ ADMIN_TOKEN_PREVIOUS: previous });
  expect(view.previous_admin_token_until).toBeNull();
});
