// Snapshots: the ranking of a preview as it was when its first page was asked.
import * as z from 'zod';

/** A record and its score in a ranking. */
export interface RankedRecord {
  id: string;
  score: number;
}

/** The service documents no lifetime. */
const KEEP_MS = 15 * 60_000;
const TOKEN_BYTES = 24;

const rankingSchema = z.array(z.tuple([z.string(), z.number()]));

/** The snapshots of one provider. */
export class SnapshotStore {
  readonly #db: D1Database;
  readonly #randomBytes: (length: number) => Uint8Array;

  /** @param randomBytes - a cryptographic source */
  constructor(db: D1Database, randomBytes: (length: number) => Uint8Array) {
    this.#db = db;
    this.#randomBytes = randomBytes;
  }

  /**
   * Keeps a ranking.
   * @param asked - names the query that it answers
   * @param now - milliseconds since 1970
   * @returns the token that leads to it
   */
  async save(ranked: readonly RankedRecord[], asked: string, now: number): Promise<string> {
    const token = Array.from(this.#randomBytes(TOKEN_BYTES), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('');
    const text = JSON.stringify(ranked.map(({ id, score }) => [id, score]));
    await this.#db.batch([
      this.#db.prepare('DELETE FROM snapshots WHERE kept_until <= ?1').bind(now),
      this.#db
        .prepare('INSERT INTO snapshots (token, asked, ranking, kept_until) VALUES (?1, ?2, ?3, ?4)')
        .bind(token, asked, text, now + KEEP_MS),
    ]);
    return token;
  }

  /**
   * Finds a ranking.
   * @returns undefined where the token is forged, expired, or of another query
   */
  async find(token: string, asked: string, now: number): Promise<RankedRecord[] | undefined> {
    const text = await this.#db
      .prepare('SELECT ranking FROM snapshots WHERE token = ?1 AND asked = ?2 AND kept_until > ?3')
      .bind(token, asked, now)
      .first<string>('ranking');
    return text === null
      ? undefined
      : rankingSchema.parse(JSON.parse(text)).map(([id, score]) => ({ id, score }));
  }
}
