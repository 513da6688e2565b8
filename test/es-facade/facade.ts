// What the façade works with: the engine, its indexes with their documents, time and chance.
import { analyze } from '../../worker/sandbox/search/analysis/standard.ts';
import { createEngine, type SearchEngine } from '../../worker/sandbox/search/engine/engine.ts';
import { matchesPattern } from '../../worker/sandbox/search/fields.ts';
import { EsError, noSuchIndex } from './es-error.ts';
import type { JsonObject } from './json.ts';
import { type EsMapping, readMapping } from './mapping.ts';
import { checkIndexName } from './names.ts';
import type { Settings } from './settings.ts';

/** Time and chance. */
export interface FacadePlatform {
  /** Milliseconds since 1970. */
  now: () => number;
  randomBytes: (length: number) => Uint8Array;
}

/** A document as it came. */
export interface EsDocument {
  version: number;
  seqNo: number;
  routing: string | undefined;
  /** Fields of which a value was passed over. */
  ignored: readonly string[];
  /** JSON. */
  source: string;
}

/** An index with its documents. */
export interface EsIndex {
  readonly name: string;
  settings: Settings;
  mapping: EsMapping;
  readonly documents: Map<string, EsDocument>;
  nextSeqNo: number;
}

const ID_BYTES = 15;

/** One façade. What it knows beside the engine's tables is kept in memory. */
export class Facade {
  readonly engine: SearchEngine;
  readonly platform: FacadePlatform;
  readonly #indexes = new Map<string, EsIndex>();
  /** `true`, `false`, or patterns of names with `+` or `-` before them, the first that fits counts. */
  autoCreate = 'true';

  /** @param db - has the engine's tables */
  constructor(db: D1Database, platform: FacadePlatform) {
    this.engine = createEngine(db, analyze);
    this.platform = platform;
  }

  /** @returns all indexes, by name */
  get indexes(): EsIndex[] {
    return [...this.#indexes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @throws EsError where there is no such index */
  index(name: string): EsIndex {
    const index = this.#indexes.get(name);
    if (index === undefined) throw noSuchIndex(name);
    return index;
  }

  /**
   * The index that documents are written to.
   * @param creates - makes it where there is none, if that is allowed
   * @throws EsError where there is none
   */
  async indexToWrite(name: string, creates: boolean): Promise<EsIndex> {
    if (!this.#indexes.has(name) && creates && this.#mayCreate(name)) await this.createIndex(name, {}, {});
    return this.index(name);
  }

  #mayCreate(name: string): boolean {
    if (this.autoCreate === 'true' || this.autoCreate === 'false') return this.autoCreate === 'true';
    const rule = this.autoCreate.split(',').find((one) => matchesPattern(name, one.replace(/^[+-]/, '')));
    return rule !== undefined && !rule.startsWith('-');
  }

  /** @throws EsError where there is one, its name is none, its mapping is refused */
  async createIndex(name: string, given: JsonObject, settings: Settings): Promise<void> {
    checkIndexName(name);
    const mapping = readMapping(given, settings);
    if (this.#indexes.has(name)) {
      const reason = `index [${name}] already exists`;
      throw new EsError(400, 'resource_already_exists_exception', reason, { index: name });
    }
    await this.engine.createIndex(name, mapping.engine);
    this.#indexes.set(name, { name, settings, mapping, documents: new Map(), nextSeqNo: 0 });
  }

  /** Gives an index a mapping that has more fields. */
  async changeMapping(index: EsIndex, mapping: EsMapping): Promise<void> {
    index.mapping = mapping;
    await this.engine.createIndex(index.name, mapping.engine);
  }

  /** Deletes an index with its documents. */
  async deleteIndex(name: string): Promise<void> {
    this.#indexes.delete(name);
    await this.engine.deleteIndex(name);
  }

  /** An id for a document that came without one: 20 letters, digits, `-` and `_`. */
  newId(): string {
    const text = btoa(String.fromCharCode(...this.platform.randomBytes(ID_BYTES)));
    return text.replaceAll('+', '-').replaceAll('/', '_');
  }
}
