// Rules that map people to teams. A rule matches an address, all addresses at a host (`*@sales.acme.com`), or a whole domain
// with the hosts below it (`acme.com`). The most specific rule applies.
import { and, eq, gt, isNotNull, isNull, notExists, or, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { isInList } from '../../../db/json-list.ts';
import { domains, people, teamRules, teams, tokens } from '../../../db/schema.ts';
import type { Env } from '../../../env.ts';
import { decryptStored, encryptStored } from '../../../http/secrets.ts';
import { Pseudonyms } from '../../refusal-list/pseudonyms.ts';
import { getEmailPlace } from './people-repository.ts';
import type { Identity } from './verify-identity.ts';

export type RuleRow = typeof teamRules.$inferSelect;

/** Maximum number of rules of the deployment. */
export const maxTeamRules = 5000;

/** Maximum number of people whose rules are compared with their teams. */
const MAX_COMPARED = 10_000;

/** 128 bits, hexadecimal. */
const ID_LENGTH = 32;

const getMatchPlace = (id: string): string => `team_rules.match ${id}`;

async function getRuleId(pseudonyms: Pseudonyms, match: string): Promise<string> {
  return (await pseudonyms.create(`team rule:${match}`)).slice(0, ID_LENGTH);
}

/** Tells whether a host is a domain or below it. */
export const isWithin = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);

/** Returns the host of an address or pattern. */
export const getHost = (match: string): string => match.slice(match.lastIndexOf('@') + 1);

/**
 * Lists what a rule for a person may match, the most specific first.
 * @param email - an address of another domain than the account's matches nothing: whoever controls one domain must not join the
 *   team of another one's people
 * @param domain - of the account, as Google confirms it
 */
function listMatches({ email, domain }: Pick<Identity, 'email' | 'domain'>): string[] {
  const address = email.toLowerCase();
  const host = getHost(address);
  if (!isWithin(host, domain)) return [];
  const labels = host.split('.');
  const hosts = labels.map((_, at) => labels.slice(at).join('.')).filter((name) => isWithin(name, domain));
  return [address, `*@${host}`, ...hosts];
}

/**
 * Finds the team of the most specific rule for a person.
 * @returns undefined if no rule matches
 * @throws ProblemError `not_configured`
 */
export async function findRuleTeam(
  env: Env,
  orm: DrizzleD1Database,
  identity: Identity,
): Promise<{ teamId: string; team: string } | undefined> {
  const pseudonyms = await Pseudonyms.load(env);
  const ids = await Promise.all(listMatches(identity).map((match) => getRuleId(pseudonyms, match)));
  const found = await orm
    .select({ id: teamRules.id, teamId: teamRules.teamId, team: teams.name })
    .from(teamRules)
    .innerJoin(teams, eq(teams.id, teamRules.teamId))
    .where(and(isInList(teamRules.id, ids), isNull(teams.deletedAt)));
  return ids.flatMap((id) => found.find((rule) => rule.id === id) ?? [])[0];
}

/** A rule that can be read. */
export interface TeamRule {
  match: string;
  teamId: string;
}

/** Lists all rules, by what they match. @throws ProblemError `not_configured` */
export async function listTeamRules(env: Env, orm: DrizzleD1Database): Promise<TeamRule[]> {
  const rows = await orm.select().from(teamRules);
  const rules = await Promise.all(
    rows.map(async ({ id, match, teamId }) => ({
      match: await decryptStored(env, match, getMatchPlace(id)),
      teamId,
    })),
  );
  return rules.sort((one, other) =>
    getHost(one.match) === getHost(other.match)
      ? one.match.localeCompare(other.match)
      : getHost(one.match).localeCompare(getHost(other.match)),
  );
}

/** Creates the rows of rules. @throws ProblemError `not_configured` */
export async function createRuleRows(env: Env, rules: readonly TeamRule[]): Promise<RuleRow[]> {
  const pseudonyms = await Pseudonyms.load(env);
  return Promise.all(
    rules.map(async ({ match, teamId }) => {
      const id = await getRuleId(pseudonyms, match);
      return { id, match: await encryptStored(env, match, getMatchPlace(id)), teamId };
    }),
  );
}

/** Builds the statements that replace all rules. Rules of a team that does not exist any more are left out. */
export function replaceTeamRules(orm: DrizzleD1Database, rows: readonly RuleRow[]) {
  const list = JSON.stringify(rows.map(({ id, match, teamId }) => [id, match, teamId]));
  const value = (at: number) => sql.raw(`value ->> ${at}`);
  const isTeam = sql`EXISTS (SELECT 1 FROM ${teams} WHERE ${teams.id} = ${value(2)} AND ${teams.deletedAt} IS NULL)`;
  return [
    orm
      .delete(teamRules)
      .where(sql`${teamRules.id} NOT IN (SELECT ${value(0)} FROM json_each(${list}) WHERE ${isTeam})`),
    orm
      .insert(teamRules)
      .select(sql`SELECT ${value(0)}, ${value(1)}, ${value(2)} FROM json_each(${list}) WHERE ${isTeam}`)
      .onConflictDoUpdate({
        target: teamRules.id,
        set: { teamId: sql`excluded.team_id` },
        setWhere: sql`excluded.team_id <> ${teamRules.teamId}`,
      }),
    // A sign-in that has read earlier rules starts again.
    orm.update(domains).set({ version: sql`lower(hex(randomblob(16)))` }),
  ] as const;
}

/**
 * Builds the statements that delete the rules of a team, and its domains. If other teams have rules, the domains stay without a
 * team.
 */
export function deleteTeamRules(orm: DrizzleD1Database, team: string) {
  return [
    orm.delete(teamRules).where(eq(teamRules.teamId, team)),
    orm.delete(domains).where(and(eq(domains.teamId, team), notExists(orm.select().from(teamRules)))),
    orm
      .update(domains)
      .set({ teamId: null, version: sql`lower(hex(randomblob(16)))` })
      .where(eq(domains.teamId, team)),
  ] as const;
}

/** Returns the id of the rule for exactly one address, whether it exists or not. @throws ProblemError `not_configured` */
export async function getAddressRuleId(env: Env, email: string): Promise<string> {
  return getRuleId(await Pseudonyms.load(env), email.toLowerCase());
}

export function deleteTeamRule(orm: DrizzleD1Database, id: string) {
  return orm.delete(teamRules).where(eq(teamRules.id, id));
}

/** Counts the rules for exactly one address: one or none. @throws ProblemError `not_configured` */
export async function countAddressRules(env: Env, orm: DrizzleD1Database, email: string): Promise<number> {
  return orm.$count(teamRules, eq(teamRules.id, await getAddressRuleId(env, email)));
}

/** Connected people whose rules lead to another team than their connection. */
export interface MismatchedPeople {
  /** They move to another team with the next sign-in. */
  moving: number;
  /** No rule matches them and their domain has no team: they can't sign in again. */
  unmatched: number;
  /** There may be more people than were compared. */
  more: boolean;
}

/**
 * Counts the connected people whom a list of rules leads to another team.
 * @param now - milliseconds since 1970
 * @returns also the ids of people whose team came from a rule, and whom none matches
 * @throws ProblemError `not_configured`
 */
export async function findMismatchedPeople(
  env: Env,
  orm: DrizzleD1Database,
  rules: readonly TeamRule[],
  now: number,
): Promise<{ mismatched: MismatchedPeople; withoutRule: string[] }> {
  const teamsByMatch = new Map(rules.map(({ match, teamId }) => [match, teamId]));
  const [assigned, connected] = await Promise.all([
    orm.select({ domain: domains.domain, teamId: domains.teamId }).from(domains),
    orm
      .select({
        id: people.id,
        email: people.email,
        domain: people.domain,
        byRule: people.byRule,
        teamId: tokens.teamId,
      })
      .from(people)
      .innerJoin(tokens, eq(tokens.id, people.tokenId))
      .where(
        and(
          isNull(people.revokedAt),
          isNull(tokens.revokedAt),
          isNotNull(people.email),
          or(isNull(tokens.expiresAt), gt(tokens.expiresAt, now)),
        ),
      )
      .limit(MAX_COMPARED),
  ]);
  const teamsByDomain = new Map(assigned.map(({ domain, teamId }) => [domain, teamId]));
  const mismatched: MismatchedPeople = { moving: 0, unmatched: 0, more: connected.length === MAX_COMPARED };
  const withoutRule: string[] = [];
  for (const { id, email, domain, byRule, teamId } of connected) {
    const address = await decryptStored(env, email ?? '', getEmailPlace(id));
    const match = listMatches({ email: address, domain }).find((each) => teamsByMatch.has(each));
    if (byRule && match === undefined) withoutRule.push(id);
    const next = match === undefined ? teamsByDomain.get(domain) : teamsByMatch.get(match);
    if (next === undefined || next === null) mismatched.unmatched += 1;
    else if (next !== teamId) mismatched.moving += 1;
  }
  return { mismatched, withoutRule };
}

/** Builds the statement that makes people depend on the team of their domain again. */
export function endTeamsByRule(orm: DrizzleD1Database, ids: readonly string[]) {
  return orm.update(people).set({ byRule: false }).where(isInList(people.id, ids));
}
