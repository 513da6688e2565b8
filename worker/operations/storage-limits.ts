// All stored data: the cause of each entry, its cap and its retention. `npm run docs:pages` renders it.
import { maxPersonSearches, personSearchHours } from '../../shared/api/admin-person-searches.ts';
import { maxAdminTokens } from '../../shared/api/admin-tokens.ts';
import {
  dataRequestRetentionDays,
  maxRequestTickets,
  maxStoredRecords,
  maxStoredRequests,
} from '../../shared/api/data-requests.ts';
import { maxEnrichedKeys, maxEnrichments } from '../../shared/api/enrichments.ts';
import { maxSavedSearches } from '../../shared/api/saved-searches.ts';
import { maxAlerts } from '../../shared/api/schedules.ts';
import { maxTables } from '../../shared/api/tables.ts';
import { formatNumber } from '../../shared/lib/format-count.ts';
import { maxRequestRecords, maxRunsPerMonth } from '../../shared/limits.ts';
import { KEPT_DAYS, maxPeople } from '../gateway/auth/identity/people-repository.ts';
import { maxTeamRules } from '../gateway/auth/identity/team-rules.ts';
import { maxOAuthClients, maxOAuthEntriesPerToken } from '../gateway/auth/oauth-store.ts';
import { maxDailyRevocations } from '../gateway/auth/revocation-journal.ts';
import { JOURNAL_DAYS } from '../gateway/journal.ts';
import { MAX_DAILY_SPREADSHEETS } from '../gateway/ledger/usage-counters.ts';
import { MESSAGE_DAYS } from '../tables/alerts/store.ts';
import { maxDailyAdditions } from '../tables/assistant-rows.ts';
import { activityKeptDays, maxRuns } from '../tables/saved/activity.ts';
import { maxSpreadsheets } from '../tables/spreadsheets.ts';
import { CHANGE_DAYS } from '../tables/store.ts';

/** A table, or a group of objects or entries. */
export interface StorageLimit {
  /** `D1`, `R2`, `KV`, or the class of a Durable Object. */
  store: 'D1' | 'R2' | 'KV' | 'LedgerObject' | 'SingleFlightObject' | 'ProviderThrottleObject';
  /** SQL name of the table, or start of the keys. */
  name: string;
  /** `client`: a token of a team, or a person who signs in, causes each entry. */
  cause: 'client' | 'admin' | 'gateway';
  /** The most entries, per team unless it says otherwise. */
  cap: string;
  retention: string;
}

const days = (count: number): string => `${count} days`;
const perRequest = (count: number, what: string): string =>
  `${formatNumber(count)} ${what} for each data request`;
const upTo = (count: number): string => formatNumber(count);

const rowDays = days(dataRequestRetentionDays);
const orders = `${formatNumber(maxStoredRequests)} in ${rowDays}`;
const tableRuns = `${formatNumber(maxTables)} schedules with up to ${formatNumber(maxRunsPerMonth.hour)} runs a month`;
const boughtRecords = '1 for each record that the budget has bought';
const dailyUsage = `1 for each token, family, operation and day; ${formatNumber(MAX_DAILY_SPREADSHEETS)} spreadsheets a day have their own`;
const requestRate = '1 for each call that the rate limit and the provider’s pace allow';

const limit = (
  store: StorageLimit['store'],
  name: string,
  cause: StorageLimit['cause'],
  cap: string,
  retention: string,
): StorageLimit => ({ store, name, cause, cap, retention });

/** By store. A test compares the tables with the schemas. */
export const storageLimits: readonly StorageLimit[] = [
  limit('D1', 'admin_tokens', 'admin', `${maxAdminTokens} in all that are valid`, 'permanent'),
  limit('D1', 'alerts', 'client', upTo(maxAlerts), 'until it is deleted'),
  limit(
    'D1',
    'alert_messages',
    'client',
    `${maxAlerts} for each event of a request, run or push`,
    days(MESSAGE_DAYS),
  ),
  limit(
    'D1',
    'request_queries',
    'client',
    perRequest(1, 'query of 100,000 characters'),
    'as long as the query',
  ),
  limit('D1', 'audit', 'admin', 'none', 'permanent'),
  limit('D1', 'changes', 'client', '1 for each ended data request and run', days(CHANGE_DAYS)),
  limit('D1', 'console_sessions', 'admin', 'none', 'permanent'),
  limit('D1', 'cron_runs', 'gateway', '1 in all', 'until the next run'),
  limit('D1', 'dead_letters', 'gateway', 'none', days(dataRequestRetentionDays)),
  limit('D1', 'domains', 'admin', 'none', 'until it is removed'),
  limit('D1', 'enriched_keys', 'client', upTo(maxEnrichedKeys), 'as long as the column is kept filled'),
  limit('D1', 'enrichments', 'client', upTo(maxEnrichments), 'until it is turned off'),
  limit('D1', 'erased_keys', 'admin', 'none', 'permanent'),
  limit('D1', 'erasures', 'admin', 'none', 'permanent'),
  limit(
    'D1',
    'jobs',
    'client',
    '1 for each open data request, schedule, enrichment, push, message, erasure and search for a person',
    'until it has ended',
  ),
  limit('D1', 'claimed_keys', 'client', perRequest(maxRequestRecords, 'keys'), 'until it has ended'),
  limit(
    'D1',
    'oauth_entries',
    'client',
    `${formatNumber(maxOAuthClients)} clients in all, ${maxOAuthEntriesPerToken} grants, access tokens and codes for each token`,
    '90 days',
  ),
  limit('D1', 'operator_alerts', 'gateway', '1 for each kind', 'permanent'),
  limit(
    'D1',
    'people',
    'client',
    `${formatNumber(maxPeople)} for each domain`,
    `${days(KEPT_DAYS)} after the last sign-in`,
  ),
  limit(
    'D1',
    'person_searches',
    'admin',
    `${maxPersonSearches} in all`,
    `${personSearchHours} hours after its start`,
  ),
  limit('D1', 'pushes', 'client', '1 for each table and source of rows', days(CHANGE_DAYS)),
  limit('D1', 'request_files', 'client', perRequest(1, 'list of the provider'), '400 days'),
  limit('D1', 'request_webhooks', 'gateway', perRequest(10, 'bodies'), rowDays),
  limit(
    'D1',
    'request_rows',
    'client',
    `${formatNumber(maxStoredRecords)} of data requests; ${tableRuns}`,
    rowDays,
  ),
  limit('D1', 'request_tickets', 'client', perRequest(maxRequestTickets, 'tickets'), '1 minute'),
  limit('D1', 'requests', 'client', orders, '400 days'),
  limit('D1', 'restores', 'admin', 'none', 'permanent'),
  limit('D1', 'runs', 'client', upTo(maxRuns), days(activityKeptDays)),
  limit(
    'D1',
    'schedules',
    'client',
    `1 for each of ${formatNumber(maxTables)} tables`,
    'as long as the table',
  ),
  limit('D1', 'searches', 'client', upTo(maxSavedSearches), 'until it is deleted'),
  limit('D1', 'settings', 'gateway', '2 in all', 'permanent'),
  limit('D1', 'spreadsheets', 'client', upTo(maxSpreadsheets), '3 years after it was opened'),
  limit(
    'D1',
    'table_reports',
    'client',
    `1 for each of ${formatNumber(maxTables)} tables`,
    'as long as the table',
  ),
  limit('D1', 'table_runs', 'client', `${tableRuns}; ${maxDailyAdditions} additions a day`, '90 days'),
  limit('D1', 'tables', 'client', upTo(maxTables), 'until it is deleted'),
  limit(
    'D1',
    'team_rules',
    'admin',
    `${formatNumber(maxTeamRules)} in all`,
    'until an import without it, or the deletion of the team or person',
  ),
  limit('D1', 'teams', 'admin', 'none', 'permanent'),
  limit(
    'D1',
    'tokens',
    'client',
    `1 for each of ${formatNumber(maxPeople)} people of a domain; others by the admin`,
    'permanent, because the ledger names them',
  ),
  limit('D1', 'usage_days', 'gateway', dailyUsage, '3 years'),
  limit('D1', 'usage_hours', 'gateway', '1 for each hour', '90 days'),
  limit('D1', 'webhook_secrets', 'client', '1', '60 days after the team is deleted'),

  limit(
    'R2',
    'selections/',
    'client',
    perRequest(1, 'object'),
    'until the provider has the keys; queries as long as the rows',
  ),
  limit('R2', 'journal/erasures/', 'admin', 'none', days(JOURNAL_DAYS)),
  limit(
    'R2',
    'journal/revocations/',
    'client',
    `${formatNumber(maxDailyRevocations)} a day`,
    days(JOURNAL_DAYS),
  ),
  limit('R2', 'journal/sent/', 'client', perRequest(1, 'object'), days(JOURNAL_DAYS)),
  limit('R2', 'ledger/', 'gateway', '1 for 2,000 entries', 'as long as the team'),
  limit(
    'R2',
    'requests/',
    'client',
    `pages of ${formatNumber(maxStoredRecords)} records; ${tableRuns}`,
    rowDays,
  ),
  limit('R2', 'split/', 'client', perRequest(1, 'object'), 'until the provider has the keys'),

  limit('KV', 'record:', 'client', boughtRecords, '12 months'),
  limit(
    'KV',
    'alias:',
    'client',
    `4 for each record; ${requestRate}, if there is none`,
    '12 months; 1 day if there is no record',
  ),
  limit('KV', 'page:', 'client', requestRate, '10 minutes; previews, which are paid for, 12 months'),

  limit(
    'LedgerObject',
    'archived_sums',
    'gateway',
    '1 for each month, kind, token, operation and family',
    'as long as the team',
  ),
  limit('LedgerObject', 'archives', 'gateway', '1 for 2,000 entries', 'as long as the team'),
  limit('LedgerObject', 'entries', 'client', '1 for each purchase within the budget', '14 months'),
  limit(
    'LedgerObject',
    'reservations',
    'client',
    '1 for each purchase within the budget',
    '35 days; until it is settled, if it is open',
  ),
  limit('LedgerObject', 'hours', 'gateway', '1 for each hour', '35 days'),
  limit('LedgerObject', 'leases', 'gateway', '1 for each token', 'as long as the team'),
  limit('LedgerObject', 'savings', 'gateway', '1 for each token, operation and family', '1 hour'),
  limit('LedgerObject', 'team', 'admin', '1', 'as long as the team'),
  limit('LedgerObject', 'tokens', 'admin', '1 for each token', 'as long as the team'),
  limit(
    'LedgerObject',
    'totals',
    'gateway',
    '2 for each token, enrichment and schedule and day',
    '35 days; months as long as the team',
  ),
  limit('LedgerObject', 'usage', 'gateway', dailyUsage, '35 days'),

  limit('SingleFlightObject', 'answer_rests', 'client', requestRate, '10 minutes'),
  limit('SingleFlightObject', 'answers', 'client', requestRate, '10 minutes'),
  limit('SingleFlightObject', 'copies', 'client', '1 for each entry in KV', 'as long as the entry'),
  limit('SingleFlightObject', 'erased', 'admin', 'none', 'permanent'),
  limit('SingleFlightObject', 'facts', 'gateway', '2 in all', 'permanent'),
  limit(
    'SingleFlightObject',
    'purchases',
    'client',
    '1 for each purchase in flight',
    'until it is booked and KV has its answer',
  ),
  limit('SingleFlightObject', 'background_calls', 'client', requestRate, '15 minutes'),
  limit('SingleFlightObject', 'unclear', 'client', '1 for each purchase within the budget', '10 minutes'),

  limit('ProviderThrottleObject', 'balance', 'gateway', '1 in all', 'permanent'),
  limit('ProviderThrottleObject', 'pace', 'gateway', '1 in all', 'permanent'),
  limit(
    'ProviderThrottleObject',
    'unclear',
    'gateway',
    '1 for each unclear purchase',
    'until it is resolved',
  ),
];
