// Erasures in the journal: after a restore of D1 to an earlier time they are repeated, also on rows that came back.
import { drizzle } from 'drizzle-orm/d1';
import * as z from 'zod';
import { removedCounts } from '../../shared/api/admin-erasures.ts';
import { subjectNames } from '../../shared/families/index.ts';
import type { Env } from '../env.ts';
import { writeJournal } from '../gateway/journal.ts';
import { deleteErasedKeys } from '../gateway/refusal-list/erasure-list.ts';
import {
  type ErasureCounts,
  type ErasureWork,
  erasureKeysSchema,
  markAllowed,
  reopenErasure,
} from '../gateway/refusal-list/erasure-repository.ts';
import { decryptStored, encryptStored } from '../http/secrets.ts';

const partSchema = z.object({
  id: z.string(),
  /** Start of the erasure, milliseconds since 1970. */
  at: z.int(),
  subject: z.enum(subjectNames),
  /** Encrypted reference and requester, as D1 has them. */
  request: z.string().nullable(),
  /** Encrypted JSON: they name the person or company. */
  keys: z.string(),
  pseudonyms: z.array(z.string()),
  removed: removedCounts,
});

/** A company that was allowed again, by the id of its erasure. */
const allowedSchema = z.object({ id: z.string(), allowedAt: z.int() });

type JournaledErasure = Pick<z.output<typeof partSchema>, 'id' | 'at' | 'subject' | 'request'>;

const getPlace = (id: string): string => `journal.erasures ${id}`;

/** Writes keys of an erasure to the journal, each once in an invocation. */
export class ErasureJournal {
  readonly #env: Env;
  readonly #now: () => number;
  readonly #erasure: JournaledErasure;
  readonly #written = new Set<string>();

  constructor(env: Env, now: () => number, erasure: JournaledErasure) {
    this.#env = env;
    this.#now = now;
    this.#erasure = erasure;
  }

  /**
   * Writes new entries. Call it before the write to D1.
   * @throws if it can't be stored
   */
  async write(
    keys: ErasureWork['keys'],
    pseudonyms: Iterable<string>,
    removed: ErasureCounts,
  ): Promise<void> {
    const newKeys = keys.filter((key) => !this.#written.has(JSON.stringify(key)));
    const newPseudonyms = [...pseudonyms].filter((pseudonym) => !this.#written.has(pseudonym));
    if (newKeys.length === 0 && newPseudonyms.length === 0) return;
    await this.#put(newKeys, newPseudonyms, removed);
    for (const key of newKeys) this.#written.add(JSON.stringify(key));
    for (const pseudonym of newPseudonyms) this.#written.add(pseudonym);
  }

  /** Writes what the complete erasure has removed, for its proof. */
  async writeCounts(removed: ErasureCounts): Promise<void> {
    await this.#put([], [], removed);
  }

  async #put(keys: ErasureWork['keys'], pseudonyms: string[], removed: ErasureCounts): Promise<void> {
    const { id, at, subject, request } = this.#erasure;
    await writeJournal(this.#env, 'erasures', {
      id: `${id}-${crypto.randomUUID()}`,
      at: this.#now(),
      body: {
        id,
        at,
        subject,
        request,
        keys: await encryptStored(this.#env, JSON.stringify(keys), getPlace(id)),
        pseudonyms,
        removed,
      } satisfies z.input<typeof partSchema>,
    });
  }
}

/** Writes that a company is allowed again. @throws if it can't be stored */
export async function journalAllowed(env: Env, id: string, allowedAt: number): Promise<void> {
  const body = { id, allowedAt } satisfies z.input<typeof allowedSchema>;
  await writeJournal(env, 'erasures', { id: `${id}-${crypto.randomUUID()}`, at: allowedAt, body });
}

/**
 * Opens an erasure again with the keys of an entry: they are refused at once, and its job erases restored data.
 * The entry of a company that was allowed again ends the refusal of the earlier entries.
 * @param body - an entry of the journal
 * @throws if it is damaged or was encrypted with another secret
 */
export async function replayErasure(env: Env, body: unknown): Promise<void> {
  const allowed = allowedSchema.safeParse(body).data;
  if (allowed !== undefined) {
    await drizzle(env.DB).batch(markAllowed(drizzle(env.DB), allowed.id, allowed.allowedAt));
    return deleteErasedKeys(env.DB, allowed.id);
  }
  const { keys: encrypted, pseudonyms, removed, ...erasure } = partSchema.parse(body);
  const json: unknown = JSON.parse(await decryptStored(env, encrypted, getPlace(erasure.id)));
  const work = {
    keys: erasureKeysSchema.parse(json),
    pseudonyms,
    shards: null,
    rowsAfter: '',
    removed,
  };
  await reopenErasure(env.DB, { ...erasure, work });
}
