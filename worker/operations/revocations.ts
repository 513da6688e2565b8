// What a revocation changes in D1, in the tables of all folders: for the admin API, and to repeat it after a restore.
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { Env } from '../env.ts';
import {
  deleteDomain,
  findDomain,
  putDomain,
  revokeDomainTokens,
  updateDomainTokens,
} from '../gateway/auth/identity/domain-repository.ts';
import {
  deletePerson,
  findPerson,
  revokePersonToken,
  revokeTokenPerson,
  setPersonRevoked,
} from '../gateway/auth/identity/people-repository.ts';
import { deleteTeamRule, deleteTeamRules, replaceTeamRules } from '../gateway/auth/identity/team-rules.ts';
import type { Revocation, RevocationEntry } from '../gateway/auth/revocation-journal.ts';
import { deleteTeam, insertLostTeam, updateTeam, updateToken } from '../gateway/auth/team-repository.ts';
import { AlertStore } from '../tables/alerts/store.ts';
import { deleteTeamTables } from '../tables/retention.ts';
import { deleteTokenSearches } from '../tables/saved/saved-searches.ts';
import { ScheduleStore } from '../tables/schedules/store.ts';
import { TableStore } from '../tables/store.ts';

/** Builds the statements that revoke a token and its person, and delete the token's searches. */
export function buildTokenRevocation(orm: DrizzleD1Database, id: string, now: number) {
  return [
    updateToken(orm, id, { revokedAt: now }),
    // The sidebar would get another token, with a new budget.
    revokeTokenPerson(orm, id, now),
    deleteTokenSearches(orm, id),
  ] as const;
}

export function buildTeamDeletion(orm: DrizzleD1Database, id: string, now: number) {
  return [...deleteTeam(orm, id, now), ...deleteTeamRules(orm, id), ...deleteTeamTables(orm, id)] as const;
}

/** Repeats a change of a person. It does not apply to a person with a later first sign-in. */
async function repeatPersonChange(
  orm: DrizzleD1Database,
  id: string,
  change: 'revoked' | 'allowed' | 'deleted',
  at: number,
): Promise<void> {
  const person = await findPerson(orm, id);
  if (person === undefined || person.createdAt > at) return;
  if (change === 'allowed') {
    await setPersonRevoked(orm, id, null);
    return;
  }
  await orm.batch([
    revokePersonToken(orm, id, at),
    ...(change === 'deleted' ? deletePerson(orm, id) : [setPersonRevoked(orm, id, person.revokedAt ?? at)]),
    deleteTokenSearches(orm, person.tokenId),
  ]);
}

/**
 * Gives the assignment of a domain the rights of a later change. Removes it if it has since been removed or given to another
 * team.
 */
async function repeatDomainChange(
  orm: DrizzleD1Database,
  { id: domain, assigned }: Extract<Revocation, { kind: 'domain' }>,
  at: number,
): Promise<void> {
  const existing = await findDomain(orm, domain);
  if (existing === undefined) return;
  if (assigned?.teamId !== existing.teamId) {
    const exceptTeam = assigned === null ? [] : [assigned.teamId];
    await orm.batch([deleteDomain(orm, domain), revokeDomainTokens(orm, domain, at, ...exceptTeam)]);
    return;
  }
  const row = { ...existing, ...assigned, version: crypto.randomUUID() };
  await orm.batch([putDomain(orm, row), updateDomainTokens(orm, row, at)]);
}

/**
 * Repeats a revocation in D1 after a restore. The ledgers know it already. It is idempotent.
 * @param entry - of the journal
 */
export async function repeatRevocation(env: Env, { at, revocation }: RevocationEntry): Promise<void> {
  const orm = drizzle(env.DB);
  const { kind, id } = revocation;
  switch (kind) {
    case 'token':
      await orm.batch([...buildTokenRevocation(orm, id, at)]);
      return;
    case 'team':
      await orm.batch([insertLostTeam(orm, id, at), ...buildTeamDeletion(orm, id, at)]);
      return;
    case 'schedule':
      return new ScheduleStore(env.DB).pause(revocation.team, id, at);
    case 'table':
      await new ScheduleStore(env.DB).pause(revocation.team, id, at);
      return new TableStore(env.DB).stopPushes(revocation.team, id);
    case 'alert':
      await new AlertStore(env.DB).remove(id);
      return;
    case 'domain':
      return repeatDomainChange(orm, revocation, at);
    case 'team_rules':
      await orm.batch([...replaceTeamRules(orm, revocation.rows)]);
      return;
    case 'background_refresh':
      await updateTeam(orm, id, { backgroundRefresh: revocation.isOn });
      return;
    case 'person':
      if (revocation.rule !== undefined) await deleteTeamRule(orm, revocation.rule);
      return repeatPersonChange(orm, id, revocation.change, at);
  }
}
