// Names for keys of records that tell nobody whose they are: HMAC-SHA-256 under a key that the deployment made for itself.

import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { DataRecord } from '../../../shared/api/common.ts';
import { families, type Subject } from '../../../shared/families/index.ts';
import { extractKeys, normaliseId } from '../../../shared/keys/index.ts';
import { settings } from '../../db/schema.ts';
import type { RecordKey } from '../cache/cache-keys.ts';

const SETTING = 'pseudonym_key';
const KEY_BYTES = 32;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

const encoder = new TextEncoder();

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hex(bytes: ArrayBuffer | Uint8Array): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += PAIRS[byte];
  return text;
}

/** Makes pseudonyms. One for all families of a subject, so that whoever is erased is erased in each of them. */
export class Pseudonyms {
  readonly #key: CryptoKey;

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /**
   * Reads the deployment's key, and makes it where there is none yet.
   */
  static async load(db: D1Database): Promise<Pseudonyms> {
    const orm = drizzle(db);
    const read = () => orm.select().from(settings).where(eq(settings.name, SETTING)).get();
    let row = await read();
    if (row === undefined) {
      const value = hex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
      await orm.insert(settings).values({ name: SETTING, value }).onConflictDoNothing();
      row = await read();
    }
    const bytes = new TextEncoder().encode(row?.value);
    return new Pseudonyms(await crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['sign']));
  }

  /** @returns the pseudonym of a text, hexadecimal */
  async create(text: string): Promise<string> {
    return hex(await crypto.subtle.sign(ALGORITHM.name, this.#key, encoder.encode(text)));
  }

  /** @returns the pseudonym of a key, the same in every family of its subject */
  forKey({ family, kind, value }: RecordKey): Promise<string> {
    return this.#ofSubject(families[family].subject, kind, value);
  }

  /** @returns the pseudonyms of all keys that a record carries */
  async forRecord(family: RecordKey['family'], record: DataRecord): Promise<string[]> {
    const { subject } = families[family];
    const id = normaliseId(String(record.id ?? ''));
    const { website, shorthand_name } = extractKeys(family, record);
    return Promise.all([
      ...(id.ok ? [this.#ofSubject(subject, 'id', id.value)] : []),
      ...website.map((value) => this.#ofSubject(subject, 'website', value)),
      ...shorthand_name.map((value) => this.#ofSubject(subject, 'shorthand_name', value)),
    ]);
  }

  #ofSubject(subject: Subject, kind: RecordKey['kind'], value: string): Promise<string> {
    return this.create(`${subject}:${kind}:${value}`);
  }
}
