// /admin/v1/domains: domains of Google Workspace whose people sign in to a team.

import { drizzle } from 'drizzle-orm/d1';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../shared/api/admin-people.ts';
import type { Env } from '../../env.ts';
import * as domains from '../../gateway/auth/identity/domain-repository.ts';
import { journalRevocation } from '../../gateway/auth/revocation-journal.ts';
import { findTeamNames } from '../../gateway/auth/team-repository.ts';
import { defaultRatePerMinute, setLedgerTokens } from '../../gateway/auth/tokens.ts';
import { toIsoTime } from '../../lib/format.ts';
import { deleteTokenSearches } from '../../tables/saved/saved-searches.ts';
import { cutPage } from '../paging.ts';
import { buildAuditInsert } from './audit-log.ts';
import { requireFound, route } from './route.ts';
import { requireTeam } from './teams.ts';

function toDomainView(row: domains.DomainRow, teamNames: ReadonlyMap<string, string>): api.DomainView {
  return {
    domain: row.domain,
    team: row.teamId,
    team_name: teamNames.get(row.teamId ?? '') ?? null,
    audience: row.audience,
    families: row.families,
    operations: row.operations,
    rate_per_minute: row.ratePerMinute,
    budget: { day: row.dayCap, month: row.monthCap },
    token_days: row.tokenDays,
    created_at: toIsoTime(row.createdAt),
  };
}

/** Revokes tokens in their ledgers, and deletes the searches that they saved for themselves. */
async function endTokens(env: Env, tokens: readonly { id: string; teamId: string }[]): Promise<void> {
  await setLedgerTokens(env, tokens, { revoked: true });
  await deleteTokenSearches(drizzle(env.DB), ...tokens.map(({ id }) => id));
}

const putDomain = route(endpoints.putDomain, {
  summary:
    'Assign a domain of Google Workspace to a team: its people then connect the sidebar without a link',
  description:
    'Replaces an earlier assignment. The tokens of its people get the new scopes, rate and caps at once; if the team changes, they are revoked, and the sidebar gets new ones.',
  returns: 'The assignment',
  handle: async ({ params: { domain }, body }, { env, now, actor, orm }) => {
    const team = body.team === null ? undefined : await requireTeam(orm, body.team);
    const existing = await domains.findDomain(orm, domain);
    const { day = null, month = null } = body.budget;
    const row: domains.DomainRow = {
      domain,
      audience: body.audience,
      teamId: body.team,
      families: body.families,
      operations: body.operations,
      ratePerMinute: body.rate_per_minute ?? defaultRatePerMinute,
      dayCap: day,
      monthCap: month,
      tokenDays: body.token_days,
      createdAt: existing?.createdAt ?? now,
      version: crypto.randomUUID(),
    };
    if (existing !== undefined)
      await journalRevocation(env, now, { kind: 'domain', id: domain, assigned: row });
    const [, revoked] = await orm.batch([
      domains.putDomain(orm, row),
      domains.revokeDomainTokens(orm, domain, now, row.teamId),
      domains.updateDomainTokens(orm, row, now),
      buildAuditInsert({ env, now, actor }, 'domain.assign', domain, body),
    ]);
    await endTokens(env, revoked);
    const { ratePerMinute } = row;
    await setLedgerTokens(env, await domains.listDomainTokens(orm, domain), {
      caps: { day, month },
      ratePerMinute,
    });
    return toDomainView(row, new Map(team === undefined ? [] : [[team.id, team.name]]));
  },
});

const listDomains = route(endpoints.listDomains, {
  summary: 'List assigned domains, in alphabetical order',
  returns: 'A page of assignments',
  handle: async ({ query: { after, limit } }, { orm }) => {
    const rows = await domains.listDomains(orm, after, limit + 1);
    const { shown, last } = cutPage(rows, limit);
    const teams = shown.flatMap(({ teamId }) => teamId ?? []);
    const names = await findTeamNames(orm, teams);
    return { domains: shown.map((row) => toDomainView(row, names)), next: last?.domain ?? null };
  },
});

const deleteDomain = route(endpoints.deleteDomain, {
  summary: 'Remove the assignment of a domain: the tokens of its people are revoked',
  returns: 'Removed',
  handle: async ({ params: { domain } }, { env, now, actor, orm }) => {
    requireFound(await domains.findDomain(orm, domain));
    await journalRevocation(env, now, { kind: 'domain', id: domain, assigned: null });
    // The ledgers first: if one of them fails, the assignment is still there, and the call can be repeated.
    await setLedgerTokens(env, await domains.listDomainTokens(orm, domain), { revoked: true });
    const [, revoked] = await orm.batch([
      domains.deleteDomain(orm, domain),
      domains.revokeDomainTokens(orm, domain, now),
      buildAuditInsert({ env, now, actor }, 'domain.remove', domain),
    ]);
    // Tokens that were issued in between.
    await endTokens(env, revoked);
    return undefined;
  },
});

export const domainRoutes = {
  putDomain,
  listDomains,
  deleteDomain,
};
