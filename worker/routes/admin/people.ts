// /admin/v1/people: people signed in with Google accounts.

import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import * as api from '../../../shared/api/admin-people.ts';
import type { Env } from '../../env.ts';
import {
  deletePerson,
  findPerson,
  getEmailPlace,
  listPeople,
  type PersonRow,
  revokePersonToken,
  setPersonRevoked,
} from '../../gateway/auth/identity/people-repository.ts';
import { journalRevocation } from '../../gateway/auth/revocation-journal.ts';
import { findTokenTeam } from '../../gateway/auth/team-repository.ts';
import { setLedgerTokens } from '../../gateway/auth/tokens.ts';
import { invalidRequest } from '../../http/problem-error.ts';
import { decryptStored } from '../../http/stored-secrets.ts';
import { toIsoTime } from '../../lib/format.ts';
import { deleteTokenSearches } from '../../tables/saved/saved-searches.ts';
import { buildAuditInsert } from './audit-log.ts';
import { notFound, type Route, route } from './route.ts';

async function toPersonView(env: Env, row: PersonRow): Promise<api.PersonView> {
  const { id, email, domain, tokenId, createdAt, lastSeenAt, revokedAt } = row;
  return {
    id,
    email: email === null ? null : await decryptStored(env, email, getEmailPlace(id)),
    domain,
    token_id: tokenId,
    created_at: toIsoTime(createdAt),
    last_seen_at: toIsoTime(lastSeenAt),
    revoked_at: revokedAt === null ? null : toIsoTime(revokedAt),
  };
}

/** Revokes a person's token in its ledger. */
async function revokeInLedger(env: Env, orm: DrizzleD1Database, { tokenId: id }: PersonRow): Promise<void> {
  const teamId = await findTokenTeam(orm, id);
  if (teamId !== undefined) await setLedgerTokens(env, [{ id, teamId }], { revoked: true });
}

const list = route({
  method: 'GET',
  path: '/people',
  summary: 'List people who have signed in, oldest first',
  problems: ['invalid_request'],
  request: z.object({ query: api.peoplePage }),
  success: { status: 200, description: 'A page of people', schema: api.personList },
  handle: async ({ query: { domain, after, limit } }, { env }) => {
    const orm = drizzle(env.DB);
    const start = after === undefined ? undefined : await findPerson(orm, after);
    if (after !== undefined && start === undefined)
      throw invalidRequest('after', 'is not the id of a person');
    const rows = await listPeople(orm, domain, start, limit + 1);
    const shown = rows.slice(0, limit);
    return {
      people: await Promise.all(shown.map((row) => toPersonView(env, row))),
      next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

const get = route({
  method: 'GET',
  path: '/people/{id}',
  summary: 'Get a person',
  problems: ['not_found'],
  request: z.object({ params: api.personParams }),
  success: { status: 200, description: 'The person', schema: api.personView },
  handle: async ({ params: { id } }, { env }) => {
    const person = await findPerson(drizzle(env.DB), id);
    if (person === undefined) throw notFound();
    return toPersonView(env, person);
  },
});

const update = route({
  method: 'PATCH',
  path: '/people/{id}',
  summary: 'Revoke a person, or allow the person again',
  description:
    'A revoked token can’t spend or change anything from now on, and is rejected everywhere within 30 seconds. Formulas use the connection of the spreadsheet or the company, which stays.',
  problems: ['not_found', 'invalid_request', 'too_large', 'not_configured'],
  request: z.object({ params: api.personParams, body: api.personChange }),
  success: { status: 200, description: 'The person', schema: api.personView },
  handle: async ({ params: { id }, body: { revoked } }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    const person = await findPerson(orm, id);
    if (person === undefined) throw notFound();
    if (!revoked) {
      if (person.revokedAt === null) return toPersonView(env, person);
      await journalRevocation(env, now, { kind: 'person', id, change: 'allowed' });
      await orm.batch([
        setPersonRevoked(orm, id, null),
        buildAuditInsert(orm, { at: now, actor, action: 'person.allow', target: id }),
      ]);
      return toPersonView(env, { ...person, revokedAt: null });
    }
    const revokedAt = person.revokedAt ?? now;
    await journalRevocation(env, now, { kind: 'person', id, change: 'revoked' });
    await orm.batch([
      setPersonRevoked(orm, id, revokedAt),
      revokePersonToken(orm, id, now),
      deleteTokenSearches(orm, person.tokenId),
      ...(person.revokedAt === null
        ? [buildAuditInsert(orm, { at: now, actor, action: 'person.revoke', target: id })]
        : []),
    ]);
    // Read again: a sign-in may have replaced the token. Repeated for revoked people, because the first call may have
    // failed before it reached the ledger.
    const current = (await findPerson(orm, id)) ?? person;
    await revokeInLedger(env, orm, current);
    return toPersonView(env, current);
  },
});

const remove = route({
  method: 'DELETE',
  path: '/people/{id}',
  summary: 'Delete a person’s e-mail address and token',
  description:
    'The person may sign in again. Of a revoked person a pseudonym stays, so that the person stays revoked.',
  problems: ['not_found'],
  request: z.object({ params: api.personParams }),
  success: { status: 204, description: 'Deleted' },
  handle: async ({ params: { id } }, { env, now, actor }) => {
    const orm = drizzle(env.DB);
    const person = await findPerson(orm, id);
    if (person === undefined) throw notFound();
    await journalRevocation(env, now, { kind: 'person', id, change: 'deleted' });
    // The ledger first: if it fails, the person is still there, and the call can be repeated.
    await revokeInLedger(env, orm, person);
    const [revoked] = await orm.batch([
      revokePersonToken(orm, id, now),
      ...deletePerson(orm, id),
      deleteTokenSearches(orm, person.tokenId),
      buildAuditInsert(orm, { at: now, actor, action: 'person.delete', target: id }),
    ]);
    // A sign-in may have replaced the token in between.
    await setLedgerTokens(env, revoked, { revoked: true });
    return undefined;
  },
});

export const peopleRoutes: readonly Route[] = [list, get, update, remove];
