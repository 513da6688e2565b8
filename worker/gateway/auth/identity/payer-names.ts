// Names of who pays, for admins: the e-mail address of a person, or the name of a connection.
import { eq } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { isInList } from '../../../db/json-list.ts';
import { people, tokens } from '../../../db/schema.ts';
import type { Env } from '../../../env.ts';
import { decryptStored } from '../../../http/secrets.ts';
import { getEmailPlace } from './people-repository.ts';

/** Token id of purchases by the admin. No real token has this id. */
export const ADMIN_PAYER = 'admin';

/**
 * Finds the addresses of people by their ids. Deleted ones have none.
 * @throws ProblemError `not_configured`
 */
export async function findEmails(
  env: Env,
  orm: DrizzleD1Database,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await orm
    .select({ id: people.id, email: people.email })
    .from(people)
    .where(isInList(people.id, ids));
  const found = await Promise.all(
    rows.map(
      async ({ id, email }): Promise<[string, string][]> =>
        email === null ? [] : [[id, await decryptStored(env, email, getEmailPlace(id))]],
    ),
  );
  return new Map(found.flat());
}

/**
 * Finds the names of tokens by their ids: the addresses of their people, or their own names. Tokens without a name have none.
 * @throws ProblemError `not_configured`
 */
export async function findPayerNames(
  env: Env,
  orm: DrizzleD1Database,
  ids: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const rows = await orm
    .select({ id: tokens.id, name: tokens.name, personId: people.id })
    .from(tokens)
    .leftJoin(people, eq(people.id, tokens.personId))
    .where(
      isInList(
        tokens.id,
        [...new Set(ids)].filter((id) => typeof id === 'string'),
      ),
    );
  const emails = await findEmails(
    env,
    orm,
    rows.flatMap(({ personId }) => personId ?? []),
  );
  const names = new Map([[ADMIN_PAYER, 'Admin']]);
  for (const { id, name, personId } of rows) {
    const shown = emails.get(personId ?? '') ?? name;
    if (shown !== '') names.set(id, shown);
  }
  return names;
}
