// /admin/v1/people: people signed in with Google accounts.

import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../shared/api/admin-people.ts';
import type { Env } from '../../env.ts';
import * as people from '../../gateway/auth/identity/people-repository.ts';
import { deleteTeamRule, getAddressRuleId } from '../../gateway/auth/identity/team-rules.ts';
import { journalRevocation } from '../../gateway/auth/revocation-journal.ts';
import { findTokenTeam } from '../../gateway/auth/team-repository.ts';
import { setLedgerTokens } from '../../gateway/auth/tokens.ts';
import { decryptStored } from '../../http/secrets.ts';
import { toIsoTime } from '../../lib/format.ts';
import { deleteTokenSearches } from '../../tables/saved/saved-searches.ts';
import { cutPage, findStart } from '../paging.ts';
import { buildAuditInsert } from './audit-log.ts';
import { requireFound, route } from './route.ts';

export async function toPersonView(env: Env, row: people.PersonRow): Promise<api.PersonView> {
  const { id, email, domain, tokenId, createdAt, lastSeenAt, revokedAt } = row;
  return {
    id,
    email: email === null ? null : await decryptStored(env, email, people.getEmailPlace(id)),
    domain,
    token_id: tokenId,
    created_at: toIsoTime(createdAt),
    last_seen_at: toIsoTime(lastSeenAt),
    revoked_at: revokedAt === null ? null : toIsoTime(revokedAt),
  };
}

async function revokeInLedger(
  env: Env,
  orm: DrizzleD1Database,
  { tokenId: id }: people.PersonRow,
): Promise<void> {
  const teamId = await findTokenTeam(orm, id);
  if (teamId !== undefined) await setLedgerTokens(env, [{ id, teamId }], { revoked: true });
}

const listPeople = route(endpoints.listPeople, {
  summary: 'List people who have signed in, oldest first',
  returns: 'A page of people',
  handle: async ({ query: { domain, after, limit } }, { env, orm }) => {
    const start = await findStart(after, (start) => people.findPerson(orm, start), 'a person');
    const rows = await people.listPeople(orm, domain, start, limit + 1);
    const { shown, last } = cutPage(rows, limit);
    return {
      people: await Promise.all(shown.map((row) => toPersonView(env, row))),
      next: last?.id ?? null,
    };
  },
});

const getPerson = route(endpoints.getPerson, {
  summary: 'Get a person',
  returns: 'The person',
  handle: async ({ params: { id } }, { env, orm }) => {
    const person = requireFound(await people.findPerson(orm, id));
    return toPersonView(env, person);
  },
});

const updatePerson = route(endpoints.updatePerson, {
  summary: 'Revoke a person, or allow the person again',
  description:
    'A revoked token can’t spend or change anything from now on, and is rejected everywhere within 30 seconds. Formulas use the connection of the spreadsheet or the company, which stays.',
  returns: 'The person',
  handle: async ({ params: { id }, body: { revoked } }, { env, now, actor, orm }) => {
    const person = requireFound(await people.findPerson(orm, id));
    if (!revoked) {
      if (person.revokedAt === null) return toPersonView(env, person);
      await journalRevocation(env, now, { kind: 'person', id, change: 'allowed' });
      await orm.batch([
        people.setPersonRevoked(orm, id, null),
        buildAuditInsert({ env, now, actor }, 'person.allow', id),
      ]);
      return toPersonView(env, { ...person, revokedAt: null });
    }
    const revokedAt = person.revokedAt ?? now;
    await journalRevocation(env, now, { kind: 'person', id, change: 'revoked' });
    await orm.batch([
      people.setPersonRevoked(orm, id, revokedAt),
      people.revokePersonToken(orm, id, now),
      deleteTokenSearches(orm, person.tokenId),
      ...(person.revokedAt === null ? [buildAuditInsert({ env, now, actor }, 'person.revoke', id)] : []),
    ]);
    // Read again: a sign-in may have replaced the token. Repeated for revoked people, because the first call may have
    // failed before it reached the ledger.
    const current = (await people.findPerson(orm, id)) ?? person;
    await revokeInLedger(env, orm, current);
    return toPersonView(env, current);
  },
});

const deletePerson = route(endpoints.deletePerson, {
  summary: 'Delete a person’s e-mail address, its rule and token',
  description:
    'The person may sign in again. Of a revoked person a pseudonym stays, so that the person stays revoked.',
  returns: 'Deleted',
  handle: async ({ params: { id } }, { env, now, actor, orm }) => {
    const person = requireFound(await people.findPerson(orm, id));
    const { email } = await toPersonView(env, person);
    const rule = email === null ? undefined : await getAddressRuleId(env, email);
    await journalRevocation(env, now, { kind: 'person', id, change: 'deleted', rule });
    // The ledger first: if it fails, the person is still there, and the call can be repeated.
    await revokeInLedger(env, orm, person);
    const [revoked] = await orm.batch([
      people.revokePersonToken(orm, id, now),
      ...people.deletePerson(orm, id),
      deleteTokenSearches(orm, person.tokenId),
      ...(rule === undefined ? [] : [deleteTeamRule(orm, rule)]),
      buildAuditInsert({ env, now, actor }, 'person.delete', id),
    ]);
    // A sign-in may have replaced the token in between.
    await setLedgerTokens(env, revoked, { revoked: true });
    return undefined;
  },
});

export const peopleRoutes = {
  listPeople,
  getPerson,
  updatePerson,
  deletePerson,
};
