// /admin/v1/settings: the settings of the deployment that are in effect, without secrets.
import { maxListPage } from '../../../../shared/api/admin.ts';
import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import { maxUsageDays } from '../../../../shared/api/admin-reports.ts';
import { type SettingsView, secretNames } from '../../../../shared/api/admin-settings.ts';
import { maxRowsPage } from '../../../../shared/api/data-requests.ts';
import { maxAlerts } from '../../../../shared/api/schedules.ts';
import { families, familyNames } from '../../../../shared/families/index.ts';
import { maxLookupKeys, maxPreviewPages, maxRequestRecords, maxWaitMs } from '../../../../shared/limits.ts';
import { readAssistantSettings } from '../../../assistant/settings.ts';
import type { Env } from '../../../env.ts';
import { type Lifetimes, readLifetimes } from '../../../gateway/cache/freshness.ts';
import { readConfiguredRate } from '../../../gateway/provider-throttle/pace.ts';
import { MAX_CONNECTIONS } from '../../../gateway/single-flight/calls/call-queue.ts';
import { shards } from '../../../gateway/single-flight/client.ts';
import { isLocalProvider } from '../../../gateway/upstream/configured-upstream.ts';
import { NO_PREVIOUS_TOKEN, parsePreviousAdminToken } from '../../../http/previous-admin-token.ts';
import { ProblemError } from '../../../http/problem-error.ts';
import { getPublicOrigin } from '../../../http/public-origin.ts';
import { listRetentionPeriods } from '../../../jobs/retention.ts';
import { formatVersion, toIsoTime } from '../../../lib/format.ts';
import { findJurisdiction, findRegion } from '../../../lib/objects.ts';
import { readLowBalance, readOperatorSettings } from '../../../operations/operator-settings.ts';
import { getServiceAccount } from '../../../tables/push/pusher.ts';
import { describeProvider, resolveProvider } from '../provider.ts';
import { route } from '../route.ts';

/** A setting, or its problem. The problem contains no secret. */
export type SettingResult<T> = { value: T; problem: null } | { value: null; problem: string };

/** Reads a setting. @param read - throws ProblemError if it is wrong */
export function readSetting<T>(read: () => T): SettingResult<T> {
  try {
    return { value: read(), problem: null };
  } catch (error) {
    if (error instanceof ProblemError) return { value: null, problem: error.message };
    throw error;
  }
}

const limits: SettingsView['limits'] = {
  lookup_keys: maxLookupKeys,
  lookup_wait_ms: maxWaitMs,
  preview_pages: maxPreviewPages,
  order_records: maxRequestRecords,
  row_page: maxRowsPage,
  list_page: maxListPage,
  usage_days: maxUsageDays,
  alert_addresses: maxAlerts,
  single_flight_objects: shards.length,
  single_flight_calls: MAX_CONNECTIONS,
};

function toFreshnessView({ freshForS, keepForS }: Lifetimes): NonNullable<SettingsView['freshness']> {
  return {
    classes: Object.entries(freshForS).map(([name, seconds]) => ({
      name,
      families: familyNames.filter((family) => families[family].subject === name),
      fresh_for_s: Math.min(seconds, keepForS),
    })),
    keep_for_s: keepForS,
  };
}

function listSecrets(env: Env): SettingsView['secrets'] {
  return secretNames.map((name) => ({
    name,
    set: Boolean(env[name]) && env[name] !== NO_PREVIOUS_TOKEN,
  }));
}

/** @returns until when the previous admin token is accepted; null if it is not */
function getPreviousTokenEnd({ ADMIN_TOKEN_PREVIOUS: text = '' }: Env, now: number): string | null {
  const previous = parsePreviousAdminToken(text);
  return previous === undefined || now >= previous.until ? null : toIsoTime(previous.until);
}

export const getSettings = route(endpoints.getSettings, {
  summary: 'Get the settings of the deployment that are in effect, without secrets',
  returns: 'The settings',
  handle: async (_, context): Promise<SettingsView> => {
    const { env, now, request } = context;
    const lifetimes = readSetting(() => readLifetimes(env)).value;
    const account = readSetting(() => getServiceAccount(env));
    const provider = await resolveProvider(context);
    const isLocal = !(provider instanceof ProblemError) && isLocalProvider(provider);
    const assistant = readSetting(() => readAssistantSettings(env, isLocal));
    return {
      environment: env.ENVIRONMENT,
      version: formatVersion(env.VERSION),
      region: findRegion(env.REGION) ?? null,
      jurisdiction: findJurisdiction(env.JURISDICTION) ?? null,
      public_url: readSetting(() => getPublicOrigin(env, request)).value,
      access_team_domain: env.ACCESS_TEAM_DOMAIN || null,
      provider: {
        ...(await describeProvider(context)),
        rate_per_s: readSetting(() => readConfiguredRate(env)).value,
      },
      freshness: lifetimes && toFreshnessView(lifetimes),
      retention: listRetentionPeriods(),
      secrets: listSecrets(env),
      previous_admin_token_until: getPreviousTokenEnd(env, now),
      push_account: { email: account.value?.email ?? null, problem: account.problem },
      alerts: {
        configured: Boolean(env.OPERATOR_ALERT_URL),
        low_balance: readSetting(() => readLowBalance(env)).value,
        problem: readSetting(() => readOperatorSettings(env)).problem,
      },
      assistant: { model: assistant.value?.model ?? null, problem: assistant.problem },
      request_log: env.REQUEST_LOG === 'notable' ? 'notable' : 'all',
      metrics: env.METRICS !== undefined,
      limits,
    };
  },
});
