// Revocations in the journal: a restore of D1 to an earlier time repeats later revocations and deletions.
import * as z from 'zod';
import { scopeName } from '../../../shared/api/admin.ts';
import { familyNames } from '../../../shared/families/names.ts';
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { writeDailyJournal, writeJournal } from '../journal.ts';

/** The assignment of a domain: its team, and what the tokens of its people may do. */
const assignmentSchema = z.object({
  teamId: z.string().nullable(),
  audience: z.string(),
  families: z.array(z.enum(familyNames)).nullable(),
  operations: z.array(scopeName).nullable(),
  ratePerMinute: z.int(),
  dayCap: z.int().nullable(),
  monthCap: z.int().nullable(),
  tokenDays: z.int(),
});

const revocationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), id: z.string() }),
  z.object({ kind: z.literal('team'), id: z.string() }),
  /** `assigned`: from now on; null if the assignment is removed. */
  z.object({ kind: z.literal('domain'), id: z.string(), assigned: assignmentSchema.nullable() }),
  /** All rules for teams, from now on; what they match is encrypted. */
  z.object({
    kind: z.literal('team_rules'),
    id: z.literal('all'),
    rows: z.array(z.object({ id: z.string(), match: z.string(), teamId: z.string() })),
  }),
  /** A team whose stale records are refreshed, or not, from now on. */
  z.object({ kind: z.literal('background_refresh'), id: z.string(), isOn: z.boolean() }),
  /** An enrichment that was changed or deleted: `id` is the table. */
  z.object({ kind: z.literal('schedule'), id: z.string(), team: z.string() }),
  /** A table that was deleted, or buys something else, or sends its rows elsewhere. */
  z.object({ kind: z.literal('table'), id: z.string(), team: z.string() }),
  /** A receiver of alerts that was replaced or deleted. */
  z.object({ kind: z.literal('alert'), id: z.string(), team: z.string() }),
  /** `rule`: id of the rule for the address of a deleted person. */
  z.object({
    kind: z.literal('person'),
    id: z.string(),
    change: z.enum(['revoked', 'allowed', 'deleted']),
    rule: z.string().optional(),
  }),
]);

/** A change that takes away, or gives back, the right to read, to spend or to receive. */
export type Revocation = z.infer<typeof revocationSchema>;

const entrySchema = z.object({ at: z.int(), revocation: revocationSchema });

/** A revocation with its time, in milliseconds since 1970. */
export type RevocationEntry = z.infer<typeof entrySchema>;

/** Parses an entry of the journal. @throws if it is damaged */
export const parseRevocation = (body: unknown): RevocationEntry => entrySchema.parse(body);

/**
 * Writes a revocation, before D1 has it.
 * @throws if it can't be stored: then nothing may be revoked, so that the caller repeats the call
 */
export async function journalRevocation(env: Env, at: number, revocation: Revocation): Promise<void> {
  await writeJournal(env, 'revocations', { id: crypto.randomUUID(), at, body: { at, revocation } });
}

/** Tables, schedules and alert addresses that a team changes or deletes in a day. */
export const maxDailyRevocations = 500;

/**
 * Writes a revocation that a client makes, as {@link journalRevocation}. Several of one subject in a day are one entry.
 * @throws ProblemError `rate_limited` if the team has made too many today
 */
export async function journalClientRevocation(
  env: Env,
  at: number,
  revocation: Extract<Revocation, { kind: 'schedule' | 'table' | 'alert' }>,
): Promise<void> {
  const { kind, team, id } = revocation;
  const entry = { group: team, id: `${kind}-${id}`, at, body: { at, revocation } };
  if (await writeDailyJournal(env, 'revocations', entry, maxDailyRevocations)) return;
  throw new ProblemError(
    'rate_limited',
    `Your team has changed or deleted ${maxDailyRevocations} tables, schedules and alerts today.`,
    'Go on tomorrow.',
  );
}
