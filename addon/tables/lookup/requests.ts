// Sends the lookups of a column, by keys or by company names.
import { countField, findAccountList } from '../../../shared/accounts.ts';
import type { LookupRequest, LookupResponse } from '../../../shared/api/lookup.ts';
import type { Connection } from '../../../shared/connection.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { call, callAll } from '../../client/gateway.ts';
import { createFailure, type GatewayResult } from '../../client/http.ts';
import type { TableRecord } from '../registry.ts';
import { lookupNames } from './names.ts';
import type { TableLookup, TableLookupRow } from './rows.ts';

export const isByKey = (request: TableLookup): request is LookupRequest => request.by !== 'name';

/** Counts the matches of companies. Free. */
export function sendCounts(
  connection: Connection,
  { family, query = { text: '' } }: TableRecord,
  { keys, by, cancel_id, wait_ms }: TableLookup,
): GatewayResult<AnsweredBody> {
  const list = findAccountList(family);
  if (list === undefined) return createFailure('invalid_request');
  const body = { ...query, companies: keys, ...defined({ cancel_id, wait_ms }) };
  const answer = call(connection, 'countAtCompanies', { params: { list }, body });
  if (!answer.ok) return answer;
  const rows = answer.body.accounts.map(({ company: key, total, problem }): AnsweredRow => {
    const row = { key, by, credits: 0 };
    if (problem === undefined) return { ...row, status: 'fetched', record: { [countField]: total } };
    return { ...row, status: problem === 'pending' ? 'pending' : 'failed', problem };
  });
  return { ok: true, body: { credits: { spent: 0, saved: 0, remaining: null }, rows } };
}

/** A row of a response, and what its key is. */
export type AnsweredRow = TableLookupRow & { by: TableLookup['by'] };

export type AnsweredBody = Pick<LookupResponse, 'credits'> & { rows: AnsweredRow[] };

/** Sends lookups: by key first, then by name with the credits that are left. A step has at most one call by name. */
export function sendLookups(
  connection: Connection,
  requests: readonly TableLookup[],
): GatewayResult<AnsweredBody>[] {
  const byKey = requests.filter(isByKey);
  const byName = requests.filter((request) => !isByKey(request));
  const answers = callAll(connection, 'lookup', byKey);
  const spent = answers.reduce((sum, answer) => sum + (answer.ok ? answer.body.credits.spent : 0), 0);
  const named = byName.map(({ max_credits: most, ...request }) =>
    lookupNames(connection, {
      ...request,
      ...(most === undefined ? {} : { max_credits: Math.max(0, most - spent) }),
    }),
  );
  return [...answers, ...named].map((answer, at): GatewayResult<AnsweredBody> => {
    if (!answer.ok) return answer;
    const by: TableLookup['by'] = byKey[at]?.by ?? 'name';
    const rows = answer.body.rows.map((row: TableLookupRow): AnsweredRow => ({ ...row, by }));
    return { ok: true, body: { credits: answer.body.credits, rows } };
  });
}
