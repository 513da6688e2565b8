// Which records of a page belong to somebody who has been erased: they are known by pseudonyms alone.
import type { Family, KeyKind } from '../../../shared/families/index.ts';
import { keyKinds } from '../../../shared/families/index.ts';
import { filterErasedPseudonyms } from '../../gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import type { LineRecord } from './parse-line.ts';

/** @returns the kind and the value of a key as `website:example.com` */
function parseKey(text: string): { kind: KeyKind; value: string } | undefined {
  const kind = keyKinds.find((name) => text.startsWith(`${name}:`));
  return kind && { kind, value: text.slice(kind.length + 1) };
}

/** The erasures, as one file is put in. */
export class ErasedRecordFilter {
  readonly #db: D1Database;
  readonly #family: Family;
  #pseudonyms: Promise<Pseudonyms> | undefined;

  constructor(db: D1Database, family: Family) {
    this.#db = db;
    this.#family = family;
  }

  /** @returns ids of the records that a key of theirs says are erased */
  async findErased(records: Iterable<LineRecord>): Promise<Set<string>> {
    this.#pseudonyms ??= Pseudonyms.load(this.#db);
    const maker = await this.#pseudonyms;
    const named = new Map<string, string[]>();
    for (const { id, keys } of records) {
      for (const text of [`id:${id}`, ...keys]) {
        const key = parseKey(text);
        if (key === undefined) continue;
        const pseudonym = await maker.forKey({ family: this.#family, ...key });
        named.set(pseudonym, [...(named.get(pseudonym) ?? []), id]);
      }
    }
    const erased = new Set<string>();
    for (const pseudonym of await filterErasedPseudonyms(this.#db, [...named.keys()])) {
      for (const id of named.get(pseudonym) ?? []) erased.add(id);
    }
    return erased;
  }
}
