// The façade's indexes with their documents, and the index expressions of requests.
import { analyze } from '../../worker/sandbox/search/analysis/standard.ts';
import { createEngine, type SearchEngine } from '../../worker/sandbox/search/engine/engine.ts';
import { isPattern, matchesPattern } from '../../worker/sandbox/search/fields.ts';
import { EsError, noSuchIndex } from './errors.ts';
import type { JsonObject } from './json.ts';
import { type EsMapping, parseMapping } from './mapping.ts';
import type { Settings } from './settings.ts';

/** Clock and ids of new documents. */
export interface FacadePlatform {
  /** Milliseconds since 1970. */
  now: () => number;
  newId: () => string;
}

/** A stored document. */
export interface EsDocument {
  version: number;
  seqNo: number;
  /** The original JSON text. */
  source: string;
}

/** An index with its documents. */
export interface EsIndex {
  readonly name: string;
  readonly settings: Settings;
  mapping: EsMapping;
  readonly documents: Map<string, EsDocument>;
  nextSeqNo: number;
}

const FORBIDDEN_CHARACTERS = /[\s\\/*?"<>|,#:]/;

/** @throws EsError for an invalid name of an index */
export function checkIndexName(name: string): void {
  const reject = (reason: string): never => {
    const message = `Invalid index name [${name}], ${reason}`;
    throw new EsError(400, 'invalid_index_name_exception', message, { index: name });
  };
  if (name === '' || name === '.' || name === '..') reject("must not be empty, '.' or '..'");
  if (/^[_+-]/.test(name)) reject("must not start with '_', '-', or '+'");
  if (FORBIDDEN_CHARACTERS.test(name))
    reject('must not contain the following characters [\\, /, *, ?, ", <, >, |, :, #, comma, space]');
  if (name !== name.toLowerCase()) reject('must be lowercase');
}

/**
 * Finds the indexes of an expression.
 * @param expression - names and patterns with `*`, separated by commas; `-` after a pattern excludes; empty or `_all`
 *   means all
 * @param options - whether to ignore missing names, and whether a pattern may match nothing
 * @throws EsError for a missing index
 */
export function resolveIndexes<Index extends { name: string }>(
  indexes: readonly Index[],
  expression: string | undefined,
  options: { ignoreUnavailable: boolean; allowNone: boolean },
): Index[] {
  const found = new Set<Index>();
  let hasPattern = false;
  for (const part of (expression === '_all' ? '*' : expression || '*').split(',')) {
    const isExclusion = part.startsWith('-') && hasPattern;
    const pattern = isExclusion ? part.slice(1) : part;
    hasPattern ||= isPattern(pattern);
    const matches = indexes.filter(({ name }) => matchesPattern(name, pattern));
    for (const index of matches) {
      if (isExclusion) found.delete(index);
      else found.add(index);
    }
    const mayMiss = isExclusion || (isPattern(pattern) ? options.allowNone : options.ignoreUnavailable);
    if (matches.length === 0 && !mayMiss) throw noSuchIndex(part);
  }
  return indexes.filter((index) => found.has(index));
}

/** A façade. It keeps its documents in memory, and their index in the engine's tables. */
export class Facade {
  readonly engine: SearchEngine;
  readonly platform: FacadePlatform;
  readonly #indexes = new Map<string, EsIndex>();
  /** `action.auto_create_index`: true, false, or patterns, separated by commas. */
  autoCreate = 'true';

  /** @param db - a database with the engine's tables */
  constructor(db: D1Database, platform: FacadePlatform) {
    this.engine = createEngine(db, analyze);
    this.platform = platform;
  }

  /** Lists all indexes by name. */
  listIndexes(): EsIndex[] {
    return [...this.#indexes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @throws EsError for a missing index */
  getIndex(name: string): EsIndex {
    const index = this.#indexes.get(name);
    if (index === undefined) throw noSuchIndex(name);
    return index;
  }

  /** Returns an index, and creates it first if it is missing. @throws EsError if {@link autoCreate} forbids that */
  async getOrCreateIndex(name: string): Promise<EsIndex> {
    const mayCreate =
      this.autoCreate === 'true' ||
      this.autoCreate.split(',').some((pattern) => matchesPattern(name, pattern));
    if (!this.#indexes.has(name) && mayCreate) await this.createIndex(name, {}, {});
    return this.getIndex(name);
  }

  /** @throws EsError for an existing or invalid name, or an unsupported mapping */
  async createIndex(name: string, source: JsonObject, settings: Settings): Promise<void> {
    checkIndexName(name);
    const mapping = parseMapping(source, settings);
    if (this.#indexes.has(name)) {
      const reason = `index [${name}] already exists`;
      throw new EsError(400, 'resource_already_exists_exception', reason, { index: name });
    }
    await this.engine.createIndex(name, mapping.engine);
    this.#indexes.set(name, { name, settings, mapping, documents: new Map(), nextSeqNo: 0 });
  }

  /** Replaces the mapping of an index by one with more fields. */
  async changeMapping(index: EsIndex, mapping: EsMapping): Promise<void> {
    index.mapping = mapping;
    await this.engine.createIndex(index.name, mapping.engine);
  }

  async deleteIndex(name: string): Promise<void> {
    this.#indexes.delete(name);
    await this.engine.deleteIndex(name);
  }
}
