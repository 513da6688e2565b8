// Stores snapshots: the ranking of a preview at the time of its first page.
import * as z from 'zod';

/** A record and its score in a ranking. */
export interface RankedRecord {
  id: string;
  score: number;
}

/** The service documents no lifetime. */
const LIFETIME_MS = 15 * 60_000;
const TOKEN_BYTES = 24;

const rankingSchema = z.array(z.tuple([z.string(), z.number()]));

/** The snapshots of the sandbox. */
export class SnapshotStore {
  readonly #db: D1Database;
  readonly #randomBytes: (length: number) => Uint8Array;

  /** @param randomBytes - a cryptographic random source */
  constructor(db: D1Database, randomBytes: (length: number) => Uint8Array) {
    this.#db = db;
    this.#randomBytes = randomBytes;
  }

  /**
   * Saves a ranking.
   * @param queryHash - hash of its query
   * @returns the snapshot token
   */
  async save(ranked: readonly RankedRecord[], queryHash: string, now: number): Promise<string> {
    const token = Array.from(this.#randomBytes(TOKEN_BYTES), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('');
    const text = JSON.stringify(ranked.map(({ id, score }) => [id, score]));
    await this.#db.batch([
      this.#db.prepare('DELETE FROM snapshots WHERE kept_until <= ?1').bind(now),
      this.#db
        .prepare('INSERT INTO snapshots (token, asked, ranking, kept_until) VALUES (?1, ?2, ?3, ?4)')
        .bind(token, queryHash, text, now + LIFETIME_MS),
    ]);
    return token;
  }

  /**
   * Finds a ranking.
   * @returns undefined if the token is unknown, expired, or of another query
   */
  async find(token: string, queryHash: string, now: number): Promise<RankedRecord[] | undefined> {
    const text = await this.#db
      .prepare('SELECT ranking FROM snapshots WHERE token = ?1 AND asked = ?2 AND kept_until > ?3')
      .bind(token, queryHash, now)
      .first<string>('ranking');
    return text === null
      ? undefined
      : rankingSchema.parse(JSON.parse(text)).map(([id, score]) => ({ id, score }));
  }
}
