// Removes erased people and companies from the records of a page, by pseudonyms of all keys in them.
import type { DataRecord } from '../../../shared/api/common.ts';
import type { Family } from '../../../shared/families/index.ts';
import { listErasedPseudonyms } from '../../gateway/refusal-list/erasure-list.ts';
import { isOwnKey, type SubjectKey, toKeyText } from '../../gateway/refusal-list/named-subjects.ts';
import { listItemKeys, stripRecord } from '../../gateway/refusal-list/strip-content.ts';
import { createBoundedCache } from '../../lib/bounded-cache.ts';
import type { RowStore } from './types.ts';

/** Records of a file repeat companies and places of work. */
const MAX_CACHED = 50_000;

/** Checks the records of one family against the erasure list. */
export class ErasedRecordFilter {
  readonly #store: Pick<RowStore, 'db' | 'loadPseudonyms' | 'refuseLinked'>;
  readonly #family: Family;
  readonly #cache = createBoundedCache<string>(MAX_CACHED);
  #erased: ReadonlySet<string> = new Set();
  /** Own keys of removed records by pseudonym, and the erased keys in them. */
  readonly #linked = new Map<string, SubjectKey>();
  readonly #because = new Set<string>();
  /** Size of the erasure list when it was read. */
  #erasedCount = 0;

  constructor(store: Pick<RowStore, 'db' | 'loadPseudonyms' | 'refuseLinked'>, family: Family) {
    this.#store = store;
    this.#family = family;
  }

  /** Reads the erasure list, unless it has not grown. @param count - its present size */
  async update(count: number): Promise<void> {
    if (count === this.#erasedCount) return;
    const erased = new Set<string>();
    for await (const page of listErasedPseudonyms(this.#store.db)) {
      for (const pseudonym of page) erased.add(pseudonym);
    }
    this.#erased = erased;
    this.#erasedCount = count;
  }

  /** Removes erased people and companies from a record, as {@link stripRecord} does. */
  async strip(record: DataRecord): Promise<DataRecord | undefined> {
    const { keys, owners, others } = listItemKeys(this.#family, record);
    const erased = new Set<string>();
    for (const key of [...keys, ...owners, ...others]) {
      if (this.#erased.has(await this.#toPseudonym(key))) erased.add(toKeyText(key));
    }
    if (erased.size === 0) return record;
    const stripped = stripRecord(this.#family, record, (key) => erased.has(toKeyText(key)));
    if (stripped === undefined) {
      for (const key of keys.filter(isOwnKey)) this.#linked.set(await this.#toPseudonym(key), key);
      for (const key of [...keys, ...owners])
        if (erased.has(toKeyText(key))) this.#because.add(await this.#toPseudonym(key));
    }
    return stripped;
  }

  /**
   * Refuses the own keys of the removed records from now on.
   * @returns whether there were any
   */
  async refuseLinked(): Promise<boolean> {
    if (this.#linked.size === 0) return false;
    await this.#store.refuseLinked?.({ keys: this.#linked, because: [...this.#because] });
    this.#linked.clear();
    this.#because.clear();
    return true;
  }

  async #toPseudonym(key: SubjectKey): Promise<string> {
    const text = toKeyText(key);
    const cached = this.#cache.get(text);
    if (cached !== undefined) return cached;
    const pseudonym = await (await this.#store.loadPseudonyms()).forSubjectKey(key);
    this.#cache.set(text, pseudonym);
    return pseudonym;
  }
}
