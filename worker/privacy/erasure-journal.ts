// Erasures in the journal: after a restore of D1 to an earlier time they are repeated, also on rows that came back.
import * as z from 'zod';
import { type Subject, subjectNames } from '../../shared/families/index.ts';
import type { Env } from '../env.ts';
import { writeJournal } from '../gateway/journal.ts';
import {
  type ErasureCounts,
  type ErasureWork,
  erasureCountsSchema,
  erasureKeysSchema,
  reopenErasure,
} from '../gateway/refusal-list/erasure-repository.ts';
import { decryptStored, encryptStored } from '../http/secrets.ts';

const partSchema = z.object({
  id: z.string(),
  /** Start of the erasure, milliseconds since 1970. */
  at: z.int(),
  subject: z.enum(subjectNames),
  /** Encrypted JSON: they name the person or company. */
  keys: z.string(),
  pseudonyms: z.array(z.string()),
  removed: erasureCountsSchema,
});

/** An erasure, by its first key's subject. */
interface JournaledErasure {
  id: string;
  at: number;
  subject: Subject;
}

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
    const { id, at, subject } = this.#erasure;
    await writeJournal(this.#env, 'erasures', {
      id: `${id}-${crypto.randomUUID()}`,
      at: this.#now(),
      body: {
        id,
        at,
        subject,
        keys: await encryptStored(this.#env, JSON.stringify(keys), getPlace(id)),
        pseudonyms,
        removed,
      } satisfies z.input<typeof partSchema>,
    });
  }
}

/**
 * Opens an erasure again with the keys of an entry: they are refused at once, and its job erases restored data.
 * @param body - an entry of the journal
 * @throws if it is damaged or was encrypted with another secret
 */
export async function replayErasure(env: Env, body: unknown): Promise<void> {
  const { id, at, subject, keys: encrypted, pseudonyms, removed } = partSchema.parse(body);
  const json: unknown = JSON.parse(await decryptStored(env, encrypted, getPlace(id)));
  const work = {
    keys: erasureKeysSchema.parse(json),
    pseudonyms,
    shards: null,
    rowsAfter: '',
    removed,
  };
  await reopenErasure(env.DB, { id, at, subject, work });
}
