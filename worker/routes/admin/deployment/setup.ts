// /admin/v1/setup: what a new deployment still needs, as checks.

import { drizzle } from 'drizzle-orm/d1';
import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import { type SetupCheck, type SetupCheckId, setupCheckIds } from '../../../../shared/api/admin-settings.ts';
import { formatNumber } from '../../../../shared/lib/format-count.ts';
import { listDomains } from '../../../gateway/auth/identity/domain-repository.ts';
import { hasValidToken, listTeams } from '../../../gateway/auth/team-repository.ts';
import { hasJournalEntry } from '../../../gateway/journal.ts';
import { getLedger } from '../../../gateway/ledger/ledger-object.ts';
import type { Budget } from '../../../gateway/ledger/types.ts';
import { readOperatorSettings } from '../../../operations/operator-settings.ts';
import { getServiceAccount } from '../../../tables/push/pusher.ts';
import { describeProvider } from '../provider.ts';
import { type RouteContext, route } from '../route.ts';
import { readSetting } from './settings.ts';

/** The oldest teams whose budgets are read. */
const MAX_TEAMS = 5;

type Outcome = Pick<SetupCheck, 'done' | 'detail'>;
type Check = (context: RouteContext) => Promise<Outcome>;

async function checkProvider(context: RouteContext): Promise<Outcome> {
  const { mode, problem } = await describeProvider(context);
  if (problem !== null) {
    const { CDAPI_BASE_URL, CDAPI_KEY } = context.env;
    const isMissing = !CDAPI_BASE_URL && !CDAPI_KEY;
    return { done: false, detail: isMissing ? `${problem} Run npm run deploy, which asks for it.` : problem };
  }
  const detail =
    mode === 'sandbox' ? 'The sandbox with fictional records is in use.' : 'The provider’s API key is set.';
  return { done: true, detail };
}

const canSpend = ({ spending, caps: { day, month }, topUp }: Budget): boolean =>
  spending && ((day !== 0 && month !== 0) || topUp > 0);

function describeBudget({ caps: { day, month }, topUp }: Budget): string {
  const parts = [
    ...(day === null ? [] : [`${formatNumber(day)} credits a day`]),
    ...(month === null ? [] : [`${formatNumber(month)} credits a month`]),
    ...(topUp === 0 ? [] : [`${formatNumber(topUp)} credits of top-ups`]),
  ];
  return parts.length === 0 ? 'any number of credits, because it has no cap' : parts.join(', ');
}

async function checkTeam({ env }: RouteContext): Promise<Outcome> {
  const teams = await listTeams(drizzle(env.DB), undefined, MAX_TEAMS);
  if (teams.length === 0) return { done: false, detail: 'No team exists yet. Create one with a budget.' };
  const budgets = await Promise.all(
    teams.map(async ({ id, name }) => ({ name, budget: await getLedger(env, id).getBudget() })),
  );
  const first = budgets.find(({ budget }) => canSpend(budget));
  return first === undefined
    ? { done: false, detail: 'No team may spend. Switch its spending on and set a budget.' }
    : { done: true, detail: `${first.name} may spend ${describeBudget(first.budget)}.` };
}

async function checkConnection({ env, now }: RouteContext): Promise<Outcome> {
  const orm = drizzle(env.DB);
  if (await hasValidToken(orm, now)) return { done: true, detail: 'A token exists: people can connect.' };
  const [domain] = await listDomains(orm, undefined, 1);
  return domain === undefined
    ? { done: false, detail: 'Nobody can connect yet. Create a token, or assign your domain to a team.' }
    : { done: true, detail: `People of ${domain.domain} can connect with their Google accounts.` };
}

async function checkPushAccount({ env }: RouteContext): Promise<Outcome> {
  const { value: account, problem } = readSetting(() => getServiceAccount(env));
  if (account) return { done: true, detail: `Closed spreadsheets are shared with ${account.email}.` };
  const missing = 'Rows reach open spreadsheets only. Set the secret GOOGLE_SERVICE_ACCOUNT for closed ones.';
  return { done: false, detail: problem ?? missing };
}

async function checkAlerts({ env }: RouteContext): Promise<Outcome> {
  const { value: settings, problem } = readSetting(() => readOperatorSettings(env));
  if (settings) return { done: true, detail: 'A webhook hears of problems. Send a test message to it.' };
  const missing = 'Nobody hears of problems. Set the secret OPERATOR_ALERT_URL to an incoming webhook.';
  return { done: false, detail: problem ?? missing };
}

async function checkMonitoring(): Promise<Outcome> {
  const detail =
    'Let a monitoring service outside Cloudflare call /health/deep every few minutes: nothing inside notices a silent cron.';
  return { done: null, detail };
}

async function checkBackups({ env }: RouteContext): Promise<Outcome> {
  const journal = (await hasJournalEntry(env))
    ? 'The journal in R2 has what a restore repeats.'
    : 'The journal in R2 is empty: nothing was ordered, erased or revoked yet.';
  return { done: true, detail: `D1 keeps earlier states by itself (Time Travel). ${journal}` };
}

const checks: Readonly<Record<SetupCheckId, { required: boolean; run: Check }>> = {
  provider: { required: true, run: checkProvider },
  team: { required: true, run: checkTeam },
  connection: { required: true, run: checkConnection },
  push_account: { required: false, run: checkPushAccount },
  operator_alerts: { required: false, run: checkAlerts },
  monitoring: { required: false, run: checkMonitoring },
  backups: { required: false, run: checkBackups },
};

export const getSetup = route(endpoints.getSetup, {
  summary: 'Get what a new deployment still needs',
  returns: 'The checks',
  handle: async (_, context) => {
    const results = await Promise.all(
      setupCheckIds.map(async (id) => ({
        id,
        required: checks[id].required,
        ...(await checks[id].run(context)),
      })),
    );
    return { done: results.every(({ required, done }) => !required || done === true), checks: results };
  },
});
