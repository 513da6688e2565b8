// Finds the records of erased people and companies in a page, by pseudonyms of their keys.
import type { Family, KeyKind } from '../../../shared/families/index.ts';
import { keyKinds } from '../../../shared/families/index.ts';
import { filterErasedPseudonyms } from '../../gateway/refusal-list/erasure-list.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import type { LineRecord } from './parse-line.ts';

/** @param text - such as `website:example.com` */
function parseKey(text: string): { kind: KeyKind; value: string } | undefined {
  const kind = keyKinds.find((name) => text.startsWith(`${name}:`));
  return kind && { kind, value: text.slice(kind.length + 1) };
}

/** Checks the records of one family against the erasure list. */
export class ErasedRecordFilter {
  readonly #db: D1Database;
  readonly #family: Family;
  #pseudonyms: Promise<Pseudonyms> | undefined;

  constructor(db: D1Database, family: Family) {
    this.#db = db;
    this.#family = family;
  }

  /** @returns ids of the records that have an erased key */
  async findErased(records: Iterable<LineRecord>): Promise<Set<string>> {
    this.#pseudonyms ??= Pseudonyms.load(this.#db);
    const pseudonyms = await this.#pseudonyms;
    const idsByPseudonym = new Map<string, string[]>();
    for (const { id, keys } of records) {
      for (const text of [`id:${id}`, ...keys]) {
        const key = parseKey(text);
        if (key === undefined) continue;
        const pseudonym = await pseudonyms.forKey({ family: this.#family, ...key });
        idsByPseudonym.set(pseudonym, [...(idsByPseudonym.get(pseudonym) ?? []), id]);
      }
    }
    const erased = new Set<string>();
    for (const pseudonym of await filterErasedPseudonyms(this.#db, [...idsByPseudonym.keys()])) {
      for (const id of idsByPseudonym.get(pseudonym) ?? []) erased.add(id);
    }
    return erased;
  }
}
