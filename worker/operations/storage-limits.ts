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
import { maxDailyAdditions } from '../tables/assistant-rows.ts';
import { MESSAGE_DAYS } from '../tables/retention.ts';
import { activityKeptDays, maxRuns } from '../tables/saved/activity.ts';
import { maxSpreadsheets } from '../tables/spreadsheets.ts';
import { CHANGE_DAYS } from '../tables/store.ts';

/**
 * `client`: a token of a team, or a person who signs in, causes each entry. `cap`: the most entries, per team unless it says
 * otherwise.
 */
export type StorageLimit = readonly [cause: 'client' | 'admin' | 'gateway', cap: string, retention: string];

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

/** By store, then by SQL name of the table or start of the keys. A test compares the tables with the schemas. */
export const storageLimits = {
  D1: {
    admin_tokens: ['admin', `${maxAdminTokens} in all that are valid`, 'permanent'],
    alerts: ['client', upTo(maxAlerts), 'until it is deleted'],
    alert_messages: ['client', `${maxAlerts} for each event of a request, run or push`, days(MESSAGE_DAYS)],
    request_queries: ['client', perRequest(1, 'query of 100,000 characters'), 'as long as the query'],
    audit: ['admin', 'none', 'permanent'],
    changes: ['client', '1 for each ended data request and run', days(CHANGE_DAYS)],
    console_sessions: ['admin', 'none', 'permanent'],
    cron_runs: ['gateway', '1 in all', 'until the next run'],
    dead_letters: ['gateway', 'none', days(dataRequestRetentionDays)],
    domains: ['admin', 'none', 'until it is removed'],
    enriched_keys: ['client', upTo(maxEnrichedKeys), 'as long as the column is kept filled'],
    enrichments: ['client', upTo(maxEnrichments), 'until it is turned off'],
    erased_keys: ['admin', 'none', 'permanent'],
    erasures: ['admin', 'none', 'permanent'],
    jobs: [
      'client',
      '1 for each open data request, schedule, enrichment, push, message, erasure and search for a person',
      'until it has ended',
    ],
    claimed_keys: ['client', perRequest(maxRequestRecords, 'keys'), 'until it has ended'],
    oauth_entries: [
      'client',
      `${formatNumber(maxOAuthClients)} clients in all, ${maxOAuthEntriesPerToken} grants, access tokens and codes for each token`,
      '90 days',
    ],
    operator_alerts: ['gateway', '1 for each kind', 'permanent'],
    people: [
      'client',
      `${formatNumber(maxPeople)} for each domain`,
      `${days(KEPT_DAYS)} after the last sign-in`,
    ],
    person_searches: ['admin', `${maxPersonSearches} in all`, `${personSearchHours} hours after its start`],
    pushes: ['client', '1 for each table and source of rows', days(CHANGE_DAYS)],
    request_files: ['client', perRequest(1, 'list of the provider'), '400 days'],
    request_webhooks: ['gateway', perRequest(10, 'bodies'), rowDays],
    request_rows: ['client', `${formatNumber(maxStoredRecords)} of data requests; ${tableRuns}`, rowDays],
    request_tickets: ['client', perRequest(maxRequestTickets, 'tickets'), '1 minute'],
    requests: ['client', orders, '400 days'],
    restores: ['admin', 'none', 'permanent'],
    runs: ['client', upTo(maxRuns), days(activityKeptDays)],
    schedules: ['client', `1 for each of ${formatNumber(maxTables)} tables`, 'as long as the table'],
    searches: ['client', upTo(maxSavedSearches), 'until it is deleted'],
    settings: ['gateway', '2 in all', 'permanent'],
    spreadsheets: ['client', upTo(maxSpreadsheets), '3 years after it was opened'],
    table_reports: ['client', `1 for each of ${formatNumber(maxTables)} tables`, 'as long as the table'],
    table_runs: ['client', `${tableRuns}; ${maxDailyAdditions} additions a day`, '90 days'],
    tables: ['client', upTo(maxTables), 'until it is deleted'],
    team_rules: [
      'admin',
      `${formatNumber(maxTeamRules)} in all`,
      'until an import without it, or the deletion of the team or person',
    ],
    teams: ['admin', 'none', 'permanent'],
    tokens: [
      'client',
      `1 for each of ${formatNumber(maxPeople)} people of a domain; others by the admin`,
      'permanent, because the ledger names them',
    ],
    usage_days: ['gateway', dailyUsage, '3 years'],
    usage_hours: ['gateway', '1 for each hour', '90 days'],
    webhook_secrets: ['client', '1', '60 days after the team is deleted'],
  },
  R2: {
    'selections/': [
      'client',
      perRequest(1, 'object'),
      'until the provider has the keys; queries as long as the rows',
    ],
    'journal/erasures/': ['admin', 'none', days(JOURNAL_DAYS)],
    'journal/revocations/': ['client', `${formatNumber(maxDailyRevocations)} a day`, days(JOURNAL_DAYS)],
    'journal/sent/': ['client', perRequest(1, 'object'), days(JOURNAL_DAYS)],
    'ledger/': ['gateway', '1 for 2,000 entries', 'as long as the team'],
    'requests/': ['client', `pages of ${formatNumber(maxStoredRecords)} records; ${tableRuns}`, rowDays],
    'split/': ['client', perRequest(1, 'object'), 'until the provider has the keys'],
  },
  KV: {
    'record:': ['client', boughtRecords, '12 months'],
    'alias:': [
      'client',
      `4 for each record; ${requestRate}, if there is none`,
      '12 months; 1 day if there is no record',
    ],
    'page:': ['client', requestRate, '10 minutes; previews, which are paid for, 12 months'],
  },
  LedgerObject: {
    archived_sums: ['gateway', '1 for each month, kind, token, operation and family', 'as long as the team'],
    archives: ['gateway', '1 for 2,000 entries', 'as long as the team'],
    entries: ['client', '1 for each purchase within the budget', '14 months'],
    reservations: [
      'client',
      '1 for each purchase within the budget',
      '35 days; until it is settled, if it is open',
    ],
    hours: ['gateway', '1 for each hour', '35 days'],
    leases: ['gateway', '1 for each token', 'as long as the team'],
    savings: ['gateway', '1 for each token, operation and family', '1 hour'],
    team: ['admin', '1', 'as long as the team'],
    tokens: ['admin', '1 for each token', 'as long as the team'],
    totals: [
      'gateway',
      '2 for each token, enrichment and schedule and day',
      '35 days; months as long as the team',
    ],
    usage: ['gateway', dailyUsage, '35 days'],
  },
  SingleFlightObject: {
    answer_parts: ['client', requestRate, '10 minutes'],
    answers: ['client', requestRate, '10 minutes'],
    copies: ['client', '1 for each entry in KV', 'as long as the entry'],
    erased: ['admin', 'none', 'permanent'],
    properties: ['gateway', '2 in all', 'permanent'],
    purchases: ['client', '1 for each purchase in flight', 'until it is booked and KV has its answer'],
    background_calls: ['client', requestRate, '15 minutes'],
    unclear: ['client', '1 for each purchase within the budget', '10 minutes'],
  },
  ProviderThrottleObject: {
    balance: ['gateway', '1 in all', 'permanent'],
    pace: ['gateway', '1 in all', 'permanent'],
    unclear: ['gateway', '1 for each unclear purchase', 'until it is resolved'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, StorageLimit>>>>;
