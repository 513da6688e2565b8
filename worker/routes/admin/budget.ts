// /admin/v1/teams/{id}/budget and /top-ups: budgets and top-ups of a team.

import type * as api from '../../../shared/api/admin.ts';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import { toCapColumns, updateTeam } from '../../gateway/auth/team-repository.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import type { Entry } from '../../gateway/ledger/types.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { buildAuditInsert } from './audit-log.ts';
import { type Route, route } from './route.ts';
import { requireTeam } from './teams.ts';
import { toBudgetView } from './views.ts';

const getBudget = route(endpoints.getBudget, {
  summary: 'Get the budget of a team',
  returns: 'The budget',
  handle: async ({ params: { id } }, { env, orm }) => {
    await requireTeam(orm, id);
    return toBudgetView(await getLedger(env, id).getBudget());
  },
});

const setBudget = route(endpoints.setBudget, {
  summary: 'Set the budget of a team (null: no cap), and switch spending on or off',
  returns: 'The budget',
  handle: async ({ params: { id }, body }, { env, now, actor, orm }) => {
    await requireTeam(orm, id);
    await buildAuditInsert({ env, now, actor }, 'budget.change', id, body);
    const { spending, ...caps } = body;
    const budget = await getLedger(env, id).setBudget({ caps, spending });
    await updateTeam(orm, id, toCapColumns(budget.caps));
    return toBudgetView(budget);
  },
});

function toTopUpView({ reference = '', at, credits, note }: Entry): api.TopUpView {
  return { id: reference, at: toIsoTime(at), credits, note: note ?? null };
}

const createTopUp = route(endpoints.createTopUp, {
  summary: 'Add credits to a team beyond its caps; calls with the same Idempotency-Key add them once',
  returns: 'The top-up',
  handle: async ({ params: { id }, headers, body: { credits, note } }, { env, now, actor, orm }) => {
    await requireTeam(orm, id);
    const reference = headers['idempotency-key'];
    const ledger = getLedger(env, id);
    const findExisting = async () =>
      (await ledger.listTopUps()).find((entry) => entry.reference === reference);
    if ((await findExisting()) === undefined) {
      await buildAuditInsert({ env, now, actor }, 'top_up.create', id, { credits });
      await ledger.topUp({ id: reference, credits, ...(note === undefined ? {} : { note }) });
    }
    const entry = await findExisting();
    if (entry?.credits !== credits || entry.note !== note) {
      throw invalidRequest('idempotency-key', 'was used for another top-up: send a new key');
    }
    return toTopUpView(entry);
  },
});

const listTopUps = route(endpoints.listTopUps, {
  summary: 'List the latest top-ups of a team, newest first',
  returns: 'The top-ups',
  handle: async ({ params: { id } }, { env, orm }) => {
    await requireTeam(orm, id);
    return { top_ups: (await getLedger(env, id).listTopUps()).map(toTopUpView) };
  },
});

export const budgetRoutes: readonly Route[] = [getBudget, setBudget, createTopUp, listTopUps];
