// Signs people in: exchanges Google's identity token for a token of the team of their rule, or of their domain.
import { drizzle } from 'drizzle-orm/d1';
import type { SignInResponse } from '../../../../shared/api/account.ts';
import { DAY_MS } from '../../../../shared/lib/durations.ts';
import { generateToken } from '../../../../shared/tokens.ts';
import type { Env } from '../../../env.ts';
import { ProblemError } from '../../../http/problem-error.ts';
import { encryptStored } from '../../../http/secrets.ts';
import { toIsoTime } from '../../../lib/format.ts';
import { getLedger } from '../../ledger/ledger-object.ts';
import { Pseudonyms } from '../../refusal-list/pseudonyms.ts';
import { createTokenRow, setLedgerTokens } from '../tokens.ts';
import { type DomainRow, findActiveDomain } from './domain-repository.ts';
import { findPersonWithToken, getEmailPlace, hasSpaceForPerson, storeSignIn } from './people-repository.ts';
import { findRuleTeam } from './team-rules.ts';
import type { Identity } from './verify-identity.ts';

/** Sign-ins of one person, or changes by the admin, that happen at the same time. */
const MAX_ATTEMPTS = 5;
/** 128 bits, hexadecimal. */
const ID_LENGTH = 32;

export interface SignInContext {
  env: Env;
  now: number;
  randomBytes: (length: number) => Uint8Array;
  /** Called after a token was revoked because the person now belongs to another team. */
  onRevoked: (tokenId: string) => Promise<void>;
}

/**
 * Returns the pseudonym of a Google account.
 * @throws ProblemError `not_configured`
 */
async function getPersonId(env: Env, { subject }: Identity): Promise<string> {
  const pseudonym = await (await Pseudonyms.load(env)).create(`google account:${subject}`);
  return pseudonym.slice(0, ID_LENGTH);
}

function refuseDomain({ domain, audience }: Identity): ProblemError {
  return new ProblemError(
    'domain_not_assigned',
    `No team is assigned to ${domain} for this release of CDAPI.`,
    `Ask your admin to assign ${domain} to a team with the client ID ${audience}.`,
  );
}

/**
 * Finds the team of a person: that of the most specific rule, otherwise that of the domain.
 * @throws ProblemError `domain_not_assigned`
 */
async function findTeam({ env }: SignInContext, identity: Identity) {
  const orm = drizzle(env.DB);
  // The domain first: an import of rules changes its version, so that no earlier rules are stored with a later version.
  const found = await findActiveDomain(orm, identity.domain);
  const rule = await findRuleTeam(env, orm, identity);
  if (found === undefined || found.assignment.audience !== identity.audience) throw refuseDomain(identity);
  const { assignment } = found;
  if (rule !== undefined) return { ...rule, assignment, byRule: true };
  if (assignment.teamId === null || found.team === null)
    throw new ProblemError(
      'domain_not_assigned',
      'Your company uses CDAPI, but no rule assigns your address to a team.',
      'Ask your admin to add your address to the rules for teams.',
    );
  return { teamId: assignment.teamId, team: found.team, assignment, byRule: false };
}

/**
 * Issues a person's token. The person's former token, if any, keeps its id, so that budget, schedules and saved searches
 * go on; its value stops working.
 * @param identity - verified
 * @throws ProblemError `domain_not_assigned`, `person_revoked`, `rate_limited`, `not_configured`
 */
export async function signIn(context: SignInContext, identity: Identity): Promise<SignInResponse> {
  const id = await getPersonId(context.env, identity);
  // A person can't cause writes without limit.
  const { success } = await context.env.AUTH_RATE_LIMIT.limit({ key: `sign-in:${id}` });
  for (let attempt = 0; success && attempt < MAX_ATTEMPTS; attempt += 1) {
    const response = await trySignIn(context, identity, id);
    if (response !== undefined) return response;
  }
  throw new ProblemError('rate_limited');
}

const createGrant = (
  { domain, families, operations, ratePerMinute, tokenDays }: DomainRow,
  person: string,
  now: number,
) => ({
  name: `${domain}, person ${person.slice(0, 8)}`,
  families,
  operations,
  ratePerMinute,
  expiresAt: now + tokenDays * DAY_MS,
});

/** @returns undefined if something has changed meanwhile */
async function trySignIn(
  context: SignInContext,
  identity: Identity,
  id: string,
): Promise<SignInResponse | undefined> {
  const { env, now, randomBytes, onRevoked } = context;
  const orm = drizzle(env.DB);
  const { assignment, teamId, team, byRule } = await findTeam(context, identity);
  const former = await findPersonWithToken(orm, id);
  if (former !== undefined && former.person.revokedAt !== null) throw new ProblemError('person_revoked');
  if (former === undefined && !(await hasSpaceForPerson(orm, identity.domain)))
    throw new ProblemError(
      'too_many',
      'Too many people of this domain have signed in.',
      'Ask your admin to delete people.',
    );
  const formerToken = former?.token ?? undefined;
  const value = generateToken(randomBytes);
  const grant = createGrant(assignment, id, now);
  const created = await createTokenRow(teamId, value, grant, now);
  const kept = formerToken?.teamId === teamId ? formerToken : undefined;
  const token = kept === undefined ? created : { ...created, id: kept.id, createdAt: kept.createdAt };
  // Before the row is written, so that every valid token has its caps.
  if (kept === undefined || former?.person.domain !== identity.domain) {
    const caps = { day: assignment.dayCap, month: assignment.monthCap };
    await getLedger(env, teamId).setToken(token.id, { caps, ratePerMinute: assignment.ratePerMinute });
  }
  const isStored = await storeSignIn(orm, {
    assignment,
    person: {
      id,
      domain: identity.domain,
      email: await encryptStored(env, identity.email, getEmailPlace(id)),
      tokenId: token.id,
      createdAt: now,
      lastSeenAt: now,
      revokedAt: null,
      byRule,
    },
    token,
    formerTokenId: former?.person.tokenId,
  });
  if (!isStored) return undefined;
  if (formerToken !== undefined && kept === undefined) {
    await setLedgerTokens(env, [formerToken], { revoked: true });
    await onRevoked(formerToken.id);
  }
  return { token: value, team, expires_at: toIsoTime(grant.expiresAt) };
}
