// /admin/v1/teams/{id}/tokens: team tokens.

import pMap from 'p-map';
import type { TokenView } from '../../../shared/api/admin.ts';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import { formatConnectionLink } from '../../../shared/connection.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { generateToken } from '../../../shared/tokens.ts';
import { findEmails } from '../../gateway/auth/identity/payer-names.ts';
import { journalRevocation } from '../../gateway/auth/revocation-journal.ts';
import * as repository from '../../gateway/auth/team-repository.ts';
import { createTokenRow, defaultRatePerMinute } from '../../gateway/auth/tokens.ts';
import { getLedger } from '../../gateway/ledger/ledger-object.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { getPublicOrigin } from '../../http/public-origin.ts';
import { buildTokenRevocation } from '../../operations/revocations.ts';
import { cutPage, findStart } from '../paging.ts';
import { buildAuditInsert } from './audit-log.ts';
import { type RouteContext, requireFound, route } from './route.ts';
import { MAX_CONCURRENCY, requireTeam } from './teams.ts';
import { toTokenView } from './views.ts';

const createToken = route(endpoints.createToken, {
  summary: 'Create a token; only this response contains it',
  returns: 'The token and its connection link',
  handle: async ({ params: { id }, body }, { env, now, actor, request, randomBytes, orm }) => {
    const expiresAt = body.expires_at === null ? null : Date.parse(body.expires_at);
    if (expiresAt !== null && expiresAt <= now) throw invalidRequest('expires_at', 'is in the past');
    const url = getPublicOrigin(env, request);
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
      repository.insertToken(orm, row),
      buildAuditInsert({ env, now, actor }, 'token.create', row.id, { team: id, ...body }),
    ]);
    const link = formatConnectionLink({ url, token });
    return { ...toTokenView(row, budget), token, connection_link: link };
  },
});

async function toViews(
  { env, orm }: RouteContext,
  team: string,
  rows: readonly repository.TokenRow[],
): Promise<TokenView[]> {
  const people = rows.flatMap(({ personId }) => personId ?? []);
  const emails = await findEmails(env, orm, people);
  const ledger = getLedger(env, team);
  return pMap(
    rows,
    async (row) =>
      toTokenView(row, await ledger.getTokenBudget(row.id), emails.get(row.personId ?? '') ?? null),
    { concurrency: MAX_CONCURRENCY },
  );
}

const listTokens = route(endpoints.listTokens, {
  summary: 'List tokens of a team, including revoked ones, oldest first',
  returns: 'A page of tokens',
  handle: async ({ params: { id }, query: { after, limit } }, context) => {
    const { orm } = context;
    await requireTeam(orm, id);
    const start = await findStart(
      after,
      (start) => repository.findToken(orm, id, start),
      'a token of this team',
    );
    const rows = await repository.listTokens(orm, id, start, limit + 1);
    const { shown, last } = cutPage(rows, limit);
    return { tokens: await toViews(context, id, shown), next: last?.id ?? null };
  },
});

const getToken = route(endpoints.getToken, {
  summary: 'Get a token',
  returns: 'The token',
  handle: async ({ params: { id, token_id: tokenId } }, context) => {
    await requireTeam(context.orm, id);
    const token = requireFound(await repository.findToken(context.orm, id, tokenId));
    const [view] = await toViews(context, id, [token]);
    return requireFound(view);
  },
});

const updateToken = route(endpoints.updateToken, {
  summary: 'Rename a token, or set its caps or rate limit',
  returns: 'The token',
  handle: async ({ params: { id, token_id: tokenId }, body }, context) => {
    const { env, now, actor, orm } = context;
    await requireTeam(orm, id);
    const token = requireFound(await repository.findToken(orm, id, tokenId));
    const { budget: caps, rate_per_minute: ratePerMinute } = body;
    const changed = {
      name: body.name ?? token.name,
      ratePerMinute: ratePerMinute ?? token.ratePerMinute,
    };
    if (Object.keys(body).length > 0) {
      await orm.batch([
        repository.updateToken(orm, tokenId, changed),
        buildAuditInsert({ env, now, actor }, 'token.change', tokenId, { team: id, ...body }),
      ]);
    }
    if (caps !== undefined || ratePerMinute !== undefined)
      await getLedger(env, id).setToken(tokenId, defined({ caps, ratePerMinute }));
    const [view] = await toViews(context, id, [{ ...token, ...changed }]);
    return requireFound(view);
  },
});

const revokeToken = route(endpoints.revokeToken, {
  summary:
    'Revoke a token: it can’t spend or change anything from now on, and is rejected everywhere within 30 seconds',
  description: 'Its private saved searches are deleted. The person of a sign-in is revoked with it.',
  returns: 'Revoked, or already revoked before',
  handle: async ({ params: { id, token_id: tokenId } }, { env, now, actor, orm }) => {
    const token = requireFound(await repository.findToken(orm, id, tokenId));
    if (token.revokedAt === null) {
      await journalRevocation(env, now, { kind: 'token', id: tokenId });
      await orm.batch([
        ...buildTokenRevocation(orm, tokenId, now),
        buildAuditInsert({ env, now, actor }, 'token.revoke', tokenId, { team: id }),
      ]);
    }
    // Repeated for revoked tokens, because the first call may have failed before it reached the ledger.
    await getLedger(env, id).setToken(tokenId, { revoked: true });
    return undefined;
  },
});

export const tokenRoutes = {
  createToken,
  listTokens,
  getToken,
  updateToken,
  revokeToken,
};
