// /sheets/v1/enrichments: enrichments that look up the new keys of a column.
import { countField, findAccountList } from '../../../shared/accounts.ts';
import { type Enrichment, type EnrichmentBody, maxEnrichments } from '../../../shared/api/enrichments.ts';
import { sheetsEndpoints as endpoints } from '../../../shared/api/sheets-endpoints.ts';
import { describeUnknownRecordFields } from '../../../shared/query/known-fields.ts';
import type { EnrichmentRow } from '../../db/schema.ts';
import { canUse, findCallerByTokenId } from '../../gateway/auth/tokens.ts';
import { rejectUnknownFields } from '../../gateway/query.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { createAccountQuery } from '../../matching/accounts/query.ts';
import { readMonthSpending, toEnrichmentBudget } from '../../tables/budgets.ts';
import { fillKeys, requireEnrichmentScope, tooManyKeys } from '../../tables/enrichments/fill.ts';
import { createKeyPseudonyms, parseEnrichmentKey, toKeyName } from '../../tables/enrichments/keys.ts';
import { alertStopped } from '../../tables/enrichments/run-enrichment.ts';
import { EnrichmentStore } from '../../tables/enrichments/store.ts';
import { getEnrichmentStatus } from '../../tables/enrichments/view.ts';
import { requireServiceAccount } from '../../tables/push/pusher.ts';
import { sheetMissing } from '../../tables/schedules/failures.ts';
import { alignNextRun, intervalMs } from '../../tables/schedules/timing.ts';
import { type Route, type RouteContext, route, smallRoute } from './route.ts';

/** A pushed enrichment whose token has ended would stop at its next run: it shows that at once. */
async function toView(
  { env, now }: RouteContext,
  row: EnrichmentRow,
  spending?: number,
): Promise<Enrichment> {
  const { id, title, family, by, spreadsheet, columns, query } = row;
  const hasPayer =
    !row.push || row.state !== 'on' || (await findCallerByTokenId(env.DB, row.tokenId, now)) !== undefined;
  const spent = spending ?? (await readMonthSpending(env, row.teamId, [toEnrichmentBudget(row)]))[0] ?? 0;
  const status = getEnrichmentStatus(row, hasPayer, spent);
  return {
    id,
    title,
    family,
    by,
    spreadsheet,
    key: row.key,
    columns,
    ...(query === null ? {} : { count: query, alert_at: row.alertAt }),
    paused: status.state === 'paused',
    ...status,
  };
}

/**
 * Finds an enrichment of the team that the caller may change.
 * @throws ProblemError `not_found`, also for those of other teams; `forbidden_scope`
 */
async function find({ env, caller }: RouteContext, id: string): Promise<EnrichmentRow> {
  const row = await new EnrichmentStore(env.DB).get({ teamId: caller.teamId, id });
  if (row === undefined)
    throw new ProblemError('not_found', 'This column is not kept filled.', 'Check the list of such columns.');
  requireEnrichmentScope(caller, row);
  return row;
}

/** Plans the next run in the closed spreadsheet: at the chosen time, or at the earlier one if nothing else is chosen. */
function getNextTime({ at, every }: EnrichmentBody, before: EnrichmentRow | undefined, now: number): number {
  if (at !== undefined) return alignNextRun(every, Date.parse(at), undefined, now);
  const isUnchanged = before?.state === 'on' && before.push && before.every === every;
  return (isUnchanged ? before.nextAt : null) ?? now + intervalMs[every];
}

function toRow(
  id: string,
  body: EnrichmentBody,
  before: EnrichmentRow | undefined,
  { caller, now }: RouteContext,
): EnrichmentRow {
  const { title, family, by, spreadsheet, columns, push, every, paused } = body;
  return {
    id,
    teamId: caller.teamId,
    tokenId: caller.tokenId,
    title,
    family,
    by,
    spreadsheet,
    key: body.key,
    columns,
    push,
    every,
    maxCredits: body.max_credits,
    monthCredits: body.month_credits,
    state: paused ? 'paused' : 'on',
    problem: null,
    lastAt: null,
    lastRows: 0,
    lastCredits: 0,
    refreshDays: body.refresh_days,
    query: body.count ?? null,
    alertAt: body.alert_at ?? null,
    lastChanges: 0,
    changesSheetId: null,
    keyCount: 0,
    nextAt: paused || !push ? null : getNextTime(body, before, now),
    createdAt: now,
    updatedAt: now,
  };
}

/** @throws ProblemError `unknown_field`, also of a query; `invalid_request` for counts that no list has */
function requireKnownColumns({ family, columns, count }: EnrichmentBody): void {
  const paths = columns.map(({ path }) => path);
  if (count === undefined) {
    rejectUnknownFields(describeUnknownRecordFields(family, paths));
    return;
  }
  const list = findAccountList(family);
  if (list === undefined || paths.some((path) => path !== countField))
    throw new ProblemError(
      'invalid_request',
      'A column of counts has the path count, and people or jobs of a family that has lists at companies.',
      'Use the family employee_clean or job_base.',
    );
  createAccountQuery(list, count);
}

const list = smallRoute(endpoints.listEnrichments, {
  summary: 'List the columns that are kept filled',
  description: 'Families outside the token’s scopes are left out.',
  returns: 'The enrichments of the team',
  handle: async (_, context) => {
    const rows = await new EnrichmentStore(context.env.DB).list(context.caller.teamId);
    const visible = rows.filter(({ family }) => canUse(context.caller, family));
    const { env, caller } = context;
    const spending = await readMonthSpending(env, caller.teamId, visible.map(toEnrichmentBudget));
    return { enrichments: await Promise.all(visible.map((row, at) => toView(context, row, spending[at]))) };
  },
});

const put = smallRoute(endpoints.putEnrichment, {
  summary: 'Keep the columns of a table filled; spends nothing now',
  description: `Only keys that were not there before are bought, each once: send the present keys to \`/known\` first, with the enrichment paused. Runs in the closed spreadsheet spend on the token of this call; the first is one interval from now, or at the next time of \`at\`. With \`refresh_days\` they also refresh older values: changed cells that nobody has edited are written, and listed in the sheet *Changes* with their old values. With \`count\`, the numbers of matching people or open jobs are written, for free. At most ${maxEnrichments} for each team.`,
  returns: 'The enrichment',
  handle: async ({ params: { id }, body }, context) => {
    const { env, caller } = context;
    requireEnrichmentScope(caller, { ...body, query: body.count ?? null });
    requireKnownColumns(body);
    if (body.push) requireServiceAccount(env);
    const store = new EnrichmentStore(env.DB);
    const before = await store.get({ teamId: caller.teamId, id });
    if (before !== undefined) requireEnrichmentScope(caller, before);
    const row = toRow(id, body, before, context);
    if (!(await store.put(row))) throw new ProblemError('too_many');
    if (before !== undefined && JSON.stringify(before.query) !== JSON.stringify(row.query))
      await store.clearValues(row);
    return toView(context, await find(context, id));
  },
});

const remove = smallRoute(endpoints.deleteEnrichment, {
  summary: 'Stop to keep a column filled',
  description: 'The sheet stays unchanged.',
  returns: 'Deleted',
  handle: async ({ params: { id } }, context) => {
    const row = await find(context, id);
    await new EnrichmentStore(context.env.DB).remove(row);
    return undefined;
  },
});

const addKnown = route(endpoints.addKnownKeys, {
  summary: 'Record keys that are never bought: present ones, or those whose values are written; free',
  returns: 'Recorded',
  handle: async ({ params: { id }, body }, context) => {
    const row = await find(context, id);
    const keys = body.keys.flatMap((text) => parseEnrichmentKey(row, text) ?? []);
    const pseudonyms = await createKeyPseudonyms(context.env, row, keys);
    const store = new EnrichmentStore(context.env.DB);
    if (!(await store.hasSpace(row.teamId, pseudonyms.size)))
      throw new ProblemError('too_many', tooManyKeys.detail, tooManyKeys.fix);
    await store.addKeys(row, [...pseudonyms.values()], true);
    return undefined;
  },
});

const fill = route(endpoints.fillKeys, {
  summary: 'Look up the keys of rows without values; buys only new keys, within both budgets',
  description:
    'The token of this call pays. A row without a record and without a problem other than `max_credits_reached` stays as it is. Send the keys to `/known` when their values are written: until then they are answered again, from the cache.',
  returns: 'One row for each distinct valid key',
  handle: async ({ params: { id }, body }, context) => {
    const { env, now } = context;
    const row = await find(context, id);
    const store = new EnrichmentStore(env.DB);
    if (row.state !== 'on') return { rows: [], enrichment: await toView(context, row) };
    const texts = new Map(
      body.keys.flatMap((text) => {
        const key = parseEnrichmentKey(row, text);
        return key === undefined ? [] : [[toKeyName(key), { key, text }] as const];
      }),
    );
    const gateway = await context.getGatewayContext('schedule');
    const keys = [...texts.values()].map(({ key }) => key);
    const duplicates = (body.duplicates ?? []).flatMap((text) => parseEnrichmentKey(row, text) ?? []);
    const {
      rows,
      credits,
      problem = null,
    } = await fillKeys(
      {
        env,
        store,
        row,
        context: {
          ...gateway,
          payer: { ...gateway.payer, budget: toEnrichmentBudget(row) },
          backgroundRefresh: false,
        },
      },
      keys,
      new Set(duplicates.map(toKeyName)),
    );
    const isStopping = problem !== null;
    const found = [...rows.values()].filter(({ record }) => record !== undefined).length;
    const result = { rows: found, credits, problem, isStopping, nextAt: row.nextAt };
    if ((await store.finishRun(row, result, now)) && problem !== null)
      await alertStopped(env, row, problem, now);
    return {
      rows: [...rows].map(([name, each]) => ({ ...each, key: texts.get(name)?.text ?? each.key })),
      enrichment: await toView(context, await find(context, id)),
    };
  },
});

const reportMissing = smallRoute(endpoints.reportMissingEnrichment, {
  summary: 'Report that the sheet of a kept column was deleted; stops it',
  returns: 'Recorded',
  handle: async ({ params: { id } }, context) => {
    const row = await find(context, id);
    if (await new EnrichmentStore(context.env.DB).stop(row, sheetMissing))
      await alertStopped(context.env, row, sheetMissing, context.now);
    return undefined;
  },
});

export const enrichmentRoutes: readonly Route[] = [list, put, remove, addKnown, fill, reportMissing];
