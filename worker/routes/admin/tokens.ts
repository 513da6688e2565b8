// /admin/v1/teams/{id}/tokens: team tokens.

import { drizzle } from 'drizzle-orm/d1';
import pMap from 'p-map';
import * as z from 'zod';
import * as api from '../../../shared/api/admin.ts';
import { formatConnectionLink } from '../../../shared/connection.ts';
import { generateToken } from '../../../shared/tokens.ts';
import { journalRevocation } from '../../gateway/auth/revocation-journal.ts';
import { findToken, insertToken, listTokens, updateToken } from '../../gateway/auth/team-repository.ts';
import { createTokenRow, defaultRatePerMinute } from '../../gateway/auth/tokens.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { getPublicOrigin } from '../../http/public-origin.ts';
import { buildTokenRevocation } from '../../operations/revocations.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, type Route, route } from './route.ts';
import { MAX_CONCURRENCY, requireTeam } from './teams.ts';
import { toTokenView } from './views.ts';

const create = route({
  method: 'POST',
  path: '/teams/{id}/tokens',
  summary: 'Create a token; only this response contains it',
  problems: ['not_found', 'invalid_request', 'too_large', 'not_configured'],
  request: z.object({ params: api.teamParams, body: api.newToken }),
  success: {
    status: 201,
    description: 'The token and its connection link',
    schema: api.issuedToken,
  },
  handle: async ({ params: { id }, body }, { env, now, actor, request, randomBytes }) => {
    const expiresAt = body.expires_at === null ? null : Date.parse(body.expires_at);
    if (expiresAt !== null && expiresAt <= now) throw invalidRequest('expires_at', 'is in the past');
    const url = getPublicOrigin(env, request);
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    const { name, families, operations, rate_per_minute: ratePerMinute = defaultRatePerMinute } = body;
    const token = generateToken(randomBytes);
    const row = await createTokenRow(
      id,
      token,
      { name, families, operations, ratePerMinute, expiresAt },
      now,
    );
    const { budget: caps = {} } = body;
    // The row is inserted last, so that every valid token has its caps.
    const budget = await getLedger(env, id).setToken(row.id, { caps, ratePerMinute });
    await orm.batch([
      insertToken(orm, row),
      buildAuditInsert(orm, {
        at: now,
        actor,
        action: 'token.create',
        target: row.id,
        detail: { team: id, ...body },
      }),
    ]);
    const link = formatConnectionLink({ url, token });
    return { ...toTokenView(row, budget), token, connection_link: link };
  },
});

const list = route({
  method: 'GET',
  path: '/teams/{id}/tokens',
  summary: 'List tokens of a team, including revoked ones, oldest first',
  problems: ['not_found', 'invalid_request'],
  request: z.object({ params: api.teamParams, query: api.page }),
  success: { status: 200, description: 'A page of tokens', schema: api.tokenList },
  handle: async ({ params: { id }, query: { after, limit } }, { env }) => {
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    const start = after === undefined ? undefined : await findToken(orm, id, after);
    if (after !== undefined && start === undefined)
      throw invalidRequest('after', 'is not the id of a token of this team');
    const rows = await listTokens(orm, id, start, limit + 1);
    const shown = rows.slice(0, limit);
    const ledger = getLedger(env, id);
    return {
      tokens: await pMap(shown, async (row) => toTokenView(row, await ledger.getTokenBudget(row.id)), {
        concurrency: MAX_CONCURRENCY,
      }),
      next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

const get = route({
  method: 'GET',
  path: '/teams/{id}/tokens/{token_id}',
  summary: 'Get a token',
  problems: ['not_found'],
  request: z.object({ params: api.tokenParams }),
  success: { status: 200, description: 'The token', schema: api.tokenView },
  handle: async ({ params: { id, token_id: tokenId } }, { env }) => {
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    const token = await findToken(orm, id, tokenId);
    if (token === undefined) throw notFound();
    return toTokenView(token, await getLedger(env, id).getTokenBudget(tokenId));
  },
});

const update = route({
  method: 'PATCH',
  path: '/teams/{id}/tokens/{token_id}',
  summary: 'Rename a token, or set its caps or rate limit',
  problems: ['not_found', 'invalid_request', 'too_large'],
  request: z.object({ params: api.tokenParams, body: api.tokenChange }),
  success: { status: 200, description: 'The token', schema: api.tokenView },
  handle: async ({ params: { id, token_id: tokenId }, body }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    await requireTeam(orm, id);
    const token = await findToken(orm, id, tokenId);
    if (token === undefined) throw notFound();
    const { budget: caps, rate_per_minute: ratePerMinute } = body;
    const changed = {
      name: body.name ?? token.name,
      ratePerMinute: ratePerMinute ?? token.ratePerMinute,
    };
    if (Object.keys(body).length > 0) {
      await orm.batch([
        updateToken(orm, tokenId, changed),
        buildAuditInsert(orm, {
          at: now,
          actor,
          action: 'token.change',
          target: tokenId,
          detail: { team: id, ...body },
        }),
      ]);
    }
    const ledger = getLedger(env, id);
    const budget =
      caps === undefined && ratePerMinute === undefined
        ? await ledger.getTokenBudget(tokenId)
        : await ledger.setToken(tokenId, {
            ...(caps === undefined ? {} : { caps }),
            ...(ratePerMinute === undefined ? {} : { ratePerMinute }),
          });
    return toTokenView({ ...token, ...changed }, budget);
  },
});

const revoke = route({
  method: 'DELETE',
  path: '/teams/{id}/tokens/{token_id}',
  summary:
    'Revoke a token: it can’t spend or change anything from now on, and is rejected everywhere within 30 seconds',
  description: 'Its private saved searches are deleted. The person of a sign-in is revoked with it.',
  problems: ['not_found'],
  request: z.object({ params: api.tokenParams }),
  success: { status: 204, description: 'Revoked, or already revoked before' },
  handle: async ({ params: { id, token_id: tokenId } }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    const token = await findToken(orm, id, tokenId);
    if (token === undefined) throw notFound();
    if (token.revokedAt === null) {
      await journalRevocation(env, now, { kind: 'token', id: tokenId });
      await orm.batch([
        ...buildTokenRevocation(orm, tokenId, now),
        buildAuditInsert(orm, {
          at: now,
          actor,
          action: 'token.revoke',
          target: tokenId,
          detail: { team: id },
        }),
      ]);
    }
    // Repeated for revoked tokens, because the first call may have failed before it reached the ledger.
    await getLedger(env, id).setToken(tokenId, { revoked: true });
    return undefined;
  },
});

export const tokenRoutes: readonly Route[] = [create, list, get, update, revoke];
