// /admin/v1/teams/{id}/budget and /topups: what a team may spend.
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../shared/api/admin.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import type { Entry } from '../../gateway/ledger/types.ts';
import { toIsoTime } from '../../lib/format.ts';
import { buildAuditInsert } from './audit-log.ts';
import { invalidRequest, type Route, route } from './route.ts';
import { requireTeam } from './teams.ts';
import { toBudgetView } from './views.ts';

const getBudget = route({
  method: 'GET',
  path: '/teams/{id}/budget',
  summary: 'Caps of a team, and what it spent',
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
  summary: 'Set the caps of a team (null is no cap), and switch its spending',
  problems: ['not_found', 'invalid_request', 'too_large'],
  request: z.object({ params: api.teamParams, body: api.newBudget }),
  success: { status: 200, description: 'The budget', schema: api.budgetView },
  handle: async ({ params: { id }, body }, { env, now }) => {
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    await buildAuditInsert(orm, { at: now, action: 'budget.change', target: id, detail: body });
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
  summary: 'Give a team credits beyond its caps; sent again with the same Idempotency-Key it changes nothing',
  problems: ['not_found', 'invalid_request', 'too_large'],
  request: z.object({ params: api.teamParams, headers: api.topUpHeaders, body: api.newTopUp }),
  success: { status: 201, description: 'The top-up', schema: api.topUpView },
  handle: async ({ params: { id }, headers, body: { credits, note } }, { env, now }) => {
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    const reference = headers['idempotency-key'];
    const ledger = getLedger(env, id);
    const made = async () => (await ledger.listTopUps()).find((entry) => entry.reference === reference);
    if ((await made()) === undefined) {
      await buildAuditInsert(orm, { at: now, action: 'top_up.create', target: id, detail: { credits } });
      await ledger.topUp({ id: reference, credits, ...(note === undefined ? {} : { note }) });
    }
    const standing = await made();
    if (standing?.credits !== credits || standing.note !== note) {
      throw invalidRequest('idempotency-key', 'was used for another top-up; send a new one');
    }
    return toTopUpView(standing);
  },
});

const listTopUps = route({
  method: 'GET',
  path: '/teams/{id}/topups',
  summary: 'The latest top-ups of a team, the newest first',
  problems: ['not_found'],
  request: z.object({ params: api.teamParams }),
  success: { status: 200, description: 'The top-ups', schema: api.topUpList },
  handle: async ({ params: { id } }, { env }) => {
    await requireTeam(drizzle(env.DB), id);
    return { topups: (await getLedger(env, id).listTopUps()).map(toTopUpView) };
  },
});

export const budgetRoutes: readonly Route[] = [getBudget, setBudget, createTopUp, listTopUps];
