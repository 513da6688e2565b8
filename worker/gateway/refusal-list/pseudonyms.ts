// Pseudonyms of record keys: HMAC-SHA-256 with a secret key of the deployment. They don't reveal whose key it is.

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

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function toHex(bytes: ArrayBuffer | Uint8Array): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += HEX_BYTES[byte];
  return text;
}

/** Creates pseudonyms. A key has the same one in every family of its subject, so that an erasure applies to all of them. */
export class Pseudonyms {
  readonly #key: CryptoKey;

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /** Reads the deployment's secret key, and creates it on first use. */
  static async load(db: D1Database): Promise<Pseudonyms> {
    const orm = drizzle(db);
    const read = () => orm.select().from(settings).where(eq(settings.name, SETTING)).get();
    let row = await read();
    if (row === undefined) {
      const value = toHex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
      await orm.insert(settings).values({ name: SETTING, value }).onConflictDoNothing();
      row = await read();
    }
    const bytes = new TextEncoder().encode(row?.value);
    return new Pseudonyms(await crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['sign']));
  }

  /** Returns the pseudonym of a text, hexadecimal. */
  async create(text: string): Promise<string> {
    return toHex(await crypto.subtle.sign(ALGORITHM.name, this.#key, encoder.encode(text)));
  }

  /** Returns the pseudonym of a key. */
  forKey({ family, kind, value }: RecordKey): Promise<string> {
    return this.#createForSubject(families[family].subject, kind, value);
  }

  /** Returns the pseudonyms of all keys in a record. */
  async forRecord(family: RecordKey['family'], record: DataRecord): Promise<string[]> {
    const { subject } = families[family];
    const id = normaliseId(String(record.id ?? ''));
    const { website, shorthand_name } = extractKeys(family, record);
    return Promise.all([
      ...(id.ok ? [this.#createForSubject(subject, 'id', id.value)] : []),
      ...website.map((value) => this.#createForSubject(subject, 'website', value)),
      ...shorthand_name.map((value) => this.#createForSubject(subject, 'shorthand_name', value)),
    ]);
  }

  #createForSubject(subject: Subject, kind: RecordKey['kind'], value: string): Promise<string> {
    return this.create(`${subject}:${kind}:${value}`);
  }
}
