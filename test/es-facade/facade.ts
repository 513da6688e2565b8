// What the façade works with: the engine, the documents beside it, time and chance.
import { analyze } from '../../worker/provider/search/analysis/standard.ts';
import { createEngine, type SearchEngine } from '../../worker/provider/search/engine/engine.ts';
import { fitsPattern } from '../../worker/provider/search/fields.ts';
import { readMapping } from './mapping.ts';
import { checkIndexName } from './names.ts';
import { DocumentStore, type KeptIndex } from './store.ts';

/** Time and chance. */
export interface FacadeEdges {
  /** Milliseconds since 1970. */
  now: () => number;
  randomBytes: (length: number) => Uint8Array;
}

/** The databases: of the engine's tables, and of the façade's own. They may be one. */
export interface FacadeDatabases {
  index: D1Database;
  documents: D1Database;
}

/** What the routes find beside a request. */
export type FacadeRoutes = { Variables: { facade: Facade } };

const ID_BYTES = 15;

/** One façade: its state beside the databases is only what `_cluster/settings` says. */
export class Facade {
  readonly engine: SearchEngine;
  readonly store: DocumentStore;
  readonly edges: FacadeEdges;
  /** `true`, `false`, or patterns of names with `+` or `-` before them, the first that fits counts. */
  autoCreate = 'true';

  constructor({ index, documents }: FacadeDatabases, edges: FacadeEdges) {
    this.engine = createEngine(index, analyze);
    this.store = new DocumentStore(documents);
    this.edges = edges;
  }

  /** An id for a document that came without one: 20 letters, digits, `-` and `_`. */
  newId(): string {
    const text = btoa(String.fromCharCode(...this.edges.randomBytes(ID_BYTES)));
    return text.replaceAll('+', '-').replaceAll('/', '_');
  }

  /** Whether a document may make its index. */
  creates(name: string): boolean {
    if (this.autoCreate === 'true' || this.autoCreate === 'false') return this.autoCreate === 'true';
    const rule = this.autoCreate.split(',').find((one) => fitsPattern(name, one.replace(/^[+-]/, '')));
    return rule !== undefined && !rule.startsWith('-');
  }

  /**
   * Makes an index.
   * @throws EsError where there is one, its name is none, its mapping is refused
   */
  async createIndex(index: KeptIndex): Promise<void> {
    checkIndexName(index.name);
    const { engine } = readMapping(index.mapping, index.settings);
    await this.store.addIndex(index);
    await this.engine.createIndex(index.name, engine);
  }

  async deleteIndex(name: string): Promise<void> {
    await this.engine.deleteIndex(name);
    await this.store.removeIndex(name);
  }
}
