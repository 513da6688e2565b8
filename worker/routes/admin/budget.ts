// /admin/v1/teams/{id}/budget and /topups: budgets and top-ups of a team.

import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../shared/api/admin.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import type { Entry } from '../../gateway/ledger/types.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { toIsoTime } from '../../lib/format.ts';
import { buildAuditInsert } from './audit-log.ts';
import { type Route, route } from './route.ts';
import { requireTeam } from './teams.ts';
import { toBudgetView } from './views.ts';

const getBudget = route({
  method: 'GET',
  path: '/teams/{id}/budget',
  summary: 'Get the budget of a team',
  problems: ['not_found'],
  request: z.object({ params: api.teamParams }),
  success: { status: 200, description: 'The budget', schema: api.budgetView },
  handle: async ({ params: { id } }, { env }) => {
    await requireTeam(drizzle(env.DB), id);
    return toBudgetView(await getLedger(env, id).getBudget());
  },
});

const setBudget = route({
  method: 'PUT',
  path: '/teams/{id}/budget',
  summary: 'Set the budget of a team (null: no cap), and switch spending on or off',
  problems: ['not_found', 'invalid_request', 'too_large'],
  request: z.object({ params: api.teamParams, body: api.newBudget }),
  success: { status: 200, description: 'The budget', schema: api.budgetView },
  handle: async ({ params: { id }, body }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    await buildAuditInsert(orm, { at: now, actor, action: 'budget.change', target: id, detail: body });
    const { spending, ...caps } = body;
    return toBudgetView(await getLedger(env, id).setBudget({ caps, spending }));
  },
});

function toTopUpView({ reference = '', at, credits, note }: Entry): api.TopUpView {
  return { id: reference, at: toIsoTime(at), credits, note: note ?? null };
}

const createTopUp = route({
  method: 'POST',
  path: '/teams/{id}/topups',
  summary: 'Add credits to a team beyond its caps; calls with the same Idempotency-Key add them once',
  problems: ['not_found', 'invalid_request', 'too_large'],
  request: z.object({ params: api.teamParams, headers: api.topUpHeaders, body: api.newTopUp }),
  success: { status: 201, description: 'The top-up', schema: api.topUpView },
  handle: async ({ params: { id }, headers, body: { credits, note } }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    const reference = headers['idempotency-key'];
    const ledger = getLedger(env, id);
    const findExisting = async () =>
      (await ledger.listTopUps()).find((entry) => entry.reference === reference);
    if ((await findExisting()) === undefined) {
      await buildAuditInsert(orm, {
        at: now,
        actor,
        action: 'top_up.create',
        target: id,
        detail: { credits },
      });
      await ledger.topUp({ id: reference, credits, ...(note === undefined ? {} : { note }) });
    }
    const entry = await findExisting();
    if (entry?.credits !== credits || entry.note !== note) {
      throw invalidRequest('idempotency-key', 'was used for another top-up: send a new key');
    }
    return toTopUpView(entry);
  },
});

const listTopUps = route({
  method: 'GET',
  path: '/teams/{id}/topups',
  summary: 'List the latest top-ups of a team, newest first',
  problems: ['not_found'],
  request: z.object({ params: api.teamParams }),
  success: { status: 200, description: 'The top-ups', schema: api.topUpList },
  handle: async ({ params: { id } }, { env }) => {
    await requireTeam(drizzle(env.DB), id);
    return { topups: (await getLedger(env, id).listTopUps()).map(toTopUpView) };
  },
});

export const budgetRoutes: readonly Route[] = [getBudget, setBudget, createTopUp, listTopUps];
