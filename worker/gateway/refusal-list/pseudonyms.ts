// Pseudonyms of record keys: HMAC-SHA-256 with the secret PSEUDONYM_SECRET. They don't reveal whose key it is.
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { settings } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { ProblemError } from '../../http/problem-error.ts';
import { readSecret } from '../../http/secrets.ts';
import { toHex } from '../../lib/hash.ts';
import type { RecordKey } from '../cache/cache-keys.ts';
import { type SubjectKey, toKeyText, toRecordKeyText } from './named-subjects.ts';

/** Setting with the pseudonym of {@link FINGERPRINT_TEXT}. It reveals nothing about the secret. */
const FINGERPRINT = 'pseudonym_fingerprint';
const FINGERPRINT_TEXT = 'fingerprint';
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

const encoder = new TextEncoder();

/** Compares the fingerprint of the secret with the stored one, and stores it on first use. */
async function verifyFingerprint(db: D1Database, fingerprint: string): Promise<void> {
  const orm = drizzle(db);
  const read = () => orm.select().from(settings).where(eq(settings.name, FINGERPRINT)).get();
  let stored = await read();
  if (stored === undefined) {
    await orm.insert(settings).values({ name: FINGERPRINT, value: fingerprint }).onConflictDoNothing();
    stored = await read();
  }
  if (stored?.value === fingerprint) return;
  throw new ProblemError(
    'not_configured',
    'The secret PSEUDONYM_SECRET has changed, so erased people and companies would no longer be refused.',
    'Ask your admin to set the secret PSEUDONYM_SECRET to its earlier value, then deploy again.',
  );
}

/** Creates pseudonyms. A key has the same one in every family of its subject, so that an erasure applies to all of them. */
export class Pseudonyms {
  /** The last verified secret of this isolate, so that D1 is read once. */
  static #verified: { secret: string; pseudonyms: Pseudonyms } | undefined;

  readonly #key: CryptoKey;

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /**
   * Creates the pseudonyms of the deployment.
   * @throws ProblemError `not_configured` if the secret is missing or too short, or has changed: erased keys would be forgotten
   */
  static async load(env: Pick<Env, 'DB' | 'PSEUDONYM_SECRET'>): Promise<Pseudonyms> {
    const secret = readSecret(env, 'PSEUDONYM_SECRET');
    if (Pseudonyms.#verified?.secret === secret) return Pseudonyms.#verified.pseudonyms;
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), ALGORITHM, false, ['sign']);
    const pseudonyms = new Pseudonyms(key);
    await verifyFingerprint(env.DB, await pseudonyms.create(FINGERPRINT_TEXT));
    Pseudonyms.#verified = { secret, pseudonyms };
    return pseudonyms;
  }

  /** Returns the pseudonym of a text, hexadecimal. */
  async create(text: string): Promise<string> {
    return toHex(await crypto.subtle.sign(ALGORITHM.name, this.#key, encoder.encode(text)));
  }

  forKey(key: RecordKey): Promise<string> {
    return this.create(toRecordKeyText(key));
  }

  /** Returns the pseudonym of a key, which is valid in every family of its subject. */
  forSubjectKey(key: SubjectKey): Promise<string> {
    return this.create(toKeyText(key));
  }
}

/** 48 bits, so that collisions are unlikely among millions of copies. A copy that is found wrongly stays unchanged. */
const TRACE_LENGTH = 12;

/** Returns the short name of a person or company in a copy, by which an erasure finds it. */
export const toReference = (pseudonym: string): string => pseudonym.slice(0, TRACE_LENGTH);

/** Returns the reference of an item in a page of ids. A page may have a thousand, so they have no pseudonyms. */
export const toIdReference = ({ subject, value }: SubjectKey): string => `#${subject}:${value}`;
