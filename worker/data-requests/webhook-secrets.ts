// The secrets that sign webhooks to the callers of a team. After a rotation, the previous one signs beside the new one.
import { and, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { RequestRow } from '../db/schema.ts';
import { webhookSecrets } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { decryptStored, encryptStored } from '../http/secrets.ts';

const SECRET_BYTES = 32;

/** How long the previous secret signs too, so that receivers can replace theirs. */
const PREVIOUS_SIGNS_MS = 86_400_000;

type SecretsEnv = Pick<Env, 'DB' | 'ENCRYPTION_SECRET'>;

/** Creates a webhook secret: `whsec_` and 256 bits in base64. */
function createWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** Creates the secret of a team, unless a concurrent call has. */
async function createFirstSecret(env: SecretsEnv, team: string, now: number): Promise<void> {
  const secret = await encryptStored(env, createWebhookSecret(), getSecretPlace(team));
  await drizzle(env.DB)
    .insert(webhookSecrets)
    .values({ teamId: team, secret, createdAt: now })
    .onConflictDoNothing();
}

/**
 * Lists the secrets that sign a webhook now, the newest first. Creates one for a team without any.
 * @throws ProblemError `not_configured` if a secret can't be decrypted
 */
export async function listSigningSecrets(env: SecretsEnv, team: string, now: number): Promise<string[]> {
  const find = () =>
    drizzle(env.DB).select().from(webhookSecrets).where(eq(webhookSecrets.teamId, team)).get();
  let row = await find();
  if (row === undefined) {
    await createFirstSecret(env, team, now);
    row = await find();
  }
  if (row === undefined) throw new Error('The webhook secret was deleted meanwhile.');
  const { previousSecret, previousUntil } = row;
  const isSigning = previousSecret !== null && previousUntil !== null && now < previousUntil;
  const encrypted = isSigning ? [row.secret, previousSecret] : [row.secret];
  return Promise.all(encrypted.map((text) => decryptStored(env, text, getSecretPlace(team))));
}

/**
 * Creates a secret and builds the statement that makes it the current one of a team.
 * @throws ProblemError `not_configured`
 */
export async function createRotation(env: SecretsEnv, team: string, now: number) {
  const created = createWebhookSecret();
  const secret = await encryptStored(env, created, getSecretPlace(team));
  const statement = drizzle(env.DB)
    .insert(webhookSecrets)
    .values({ teamId: team, secret, createdAt: now })
    .onConflictDoUpdate({
      target: webhookSecrets.teamId,
      set: {
        secret,
        createdAt: now,
        // The value before this statement: SQLite evaluates all expressions first.
        previousSecret: sql`${webhookSecrets.secret}`,
        previousUntil: now + PREVIOUS_SIGNS_MS,
      },
    });
  return { secret: created, statement };
}

/** Deletes previous secrets that no longer sign. */
export async function deletePreviousSecrets(db: D1Database, now: number): Promise<void> {
  await drizzle(db)
    .update(webhookSecrets)
    .set({ previousSecret: null, previousUntil: null })
    .where(and(isNotNull(webhookSecrets.previousUntil), lte(webhookSecrets.previousUntil, now)));
}

/** Returns where the webhook URL of a data request is encrypted for. */
export const getWebhookUrlPlace = ({ id, teamId }: Pick<RequestRow, 'id' | 'teamId'>): string =>
  `requests.webhook_url ${teamId} ${id}`;
/** Of the current and the previous secret: a rotation moves one to the other column. */
const getSecretPlace = (team: string): string => `webhook_secrets.secret ${team}`;
