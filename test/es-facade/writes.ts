// Writes of documents: many at once, in order, each with an answer of its own.

import { isObject } from '../../shared/is-object.ts';
import { analyseRecord, type Malformed } from '../../worker/provider/search/engine/document.ts';
import { mappingLookup } from '../../worker/provider/search/fields.ts';
import { withDynamicFields } from './dynamic.ts';
import { EsError, noSuchIndex } from './es-error.ts';
import type { Facade } from './facade.ts';
import { type JsonObject, readJson, readKinds } from './json.ts';
import { type EsMapping, mergeMappings, readMapping } from './mapping.ts';
import { metaValues } from './meta-fields.ts';
import type { KeptDocument, KeptIndex } from './store.ts';

/** One write. */
export interface Write {
  action: 'index' | 'create' | 'delete';
  index: string;
  /** Undefined: one is made up. */
  id: string | undefined;
  routing: string | undefined;
  /** JSON; not for `delete`. */
  source: string;
}

/** What became of a write. */
export type Written = { index: string; id: string } & (
  | { result: 'created' | 'updated' | 'deleted' | 'not_found'; version: number; seqNo: number }
  | { error: EsError }
);

const LONGEST_SOURCE = 900_000;
const LONGEST_ID = 512;
/** How often a mapping is added to anew because somebody else did so. */
const ATTEMPTS = 10;

/** The writes of one request to one index, gathered. */
class IndexWrites {
  readonly #facade: Facade;
  readonly #kept: KeptIndex;
  readonly #known: Map<string, number>;
  #mapping: EsMapping;
  #nextNumber: number;
  readonly #puts = new Map<string, KeptDocument & { indexed: JsonObject }>();
  readonly #removals = new Set<string>();

  /** @param known - the versions of documents that are there */
  constructor(facade: Facade, kept: KeptIndex, known: Map<string, number>, firstNumber: number) {
    this.#facade = facade;
    this.#kept = kept;
    this.#known = known;
    this.#nextNumber = firstNumber;
    this.#mapping = this.#read(kept.mapping);
  }

  #read(given: JsonObject): EsMapping {
    return readMapping(given, this.#kept.settings);
  }

  /** Takes a write up. @throws EsError where it is refused */
  take(write: Write, id: string): Written {
    const version = (this.#known.get(id) ?? 0) + 1;
    const isThere = version > 1;
    if (id === '') {
      throw new EsError(400, 'illegal_argument_exception', 'if _id is specified it must not be empty');
    }
    if (id.length > LONGEST_ID) {
      throw new EsError(
        400,
        'illegal_argument_exception',
        `id is too long, must be no longer than ${LONGEST_ID} bytes`,
      );
    }
    if (write.action === 'create' && isThere) {
      const reason = `[${id}]: version conflict, document already exists (current version [${version - 1}])`;
      throw new EsError(409, 'version_conflict_engine_exception', reason, { index: write.index });
    }
    const outcome = { index: write.index, id, version, seqNo: this.#nextNumber };
    if (write.action === 'delete') {
      this.#known.delete(id);
      this.#puts.delete(id);
      this.#removals.add(id);
      this.#nextNumber += 1;
      return { ...outcome, result: isThere ? 'deleted' : 'not_found' };
    }
    this.#put(write, id, version);
    this.#known.set(id, version);
    this.#removals.delete(id);
    this.#nextNumber += 1;
    return { ...outcome, result: isThere ? 'updated' : 'created' };
  }

  #put({ index, routing, source: text }: Write, id: string, version: number): void {
    const source = readSource(text, id);
    const kinds = readKinds(text);
    const given = isObject(kinds) ? withDynamicFields(this.#mapping.given, kinds) : this.#mapping.given;
    const mapping = given === this.#mapping.given ? this.#mapping : this.#read(given);
    const marked = markLimited(source, mapping);
    const { malformed } = analyseRecord(marked, mapping.engine.properties, () => []);
    const ignored = passedOver(malformed, mapping, id);
    const meta = { index, routing, ignored, seqNo: this.#nextNumber, version };
    this.#mapping = mapping;
    this.#puts.set(id, {
      ...{ id, version, seqNo: this.#nextNumber, routing, ignored, source: text },
      indexed: { ...marked, ...metaValues(meta) },
    });
  }

  /** Does what was taken up. */
  async finish(): Promise<void> {
    const { engine, store } = this.#facade;
    const { name } = this.#kept;
    if (this.#mapping.given !== this.#kept.mapping) await this.#keepMapping();
    const puts = [...this.#puts.values()];
    await store.put(name, puts);
    await engine.put(
      name,
      puts.map(({ id, indexed }) => ({ id, source: indexed })),
    );
    if (this.#removals.size === 0) return;
    await engine.remove(name, [...this.#removals]);
    await store.remove(name, [...this.#removals]);
  }

  async #keepMapping(): Promise<void> {
    const { engine, store } = this.#facade;
    let kept = this.#kept;
    let given = this.#mapping.given;
    for (let attempt = 1; !(await store.changeMapping(kept, given)); attempt += 1) {
      if (attempt === ATTEMPTS)
        throw new EsError(503, 'process_cluster_event_timeout_exception', 'the mapping is busy');
      kept = await store.index(kept.name);
      given = mergeMappings(kept.mapping, this.#mapping.given);
    }
    await engine.createIndex(kept.name, this.#read(given).engine);
  }
}

function readSource(text: string, id: string): JsonObject {
  if (text.length > LONGEST_SOURCE) {
    throw new EsError(
      413,
      'illegal_argument_exception',
      `a document is longer than ${LONGEST_SOURCE} characters`,
    );
  }
  let source: unknown;
  try {
    source = readJson(text);
  } catch {
    // It is told below.
  }
  if (isObject(source)) return source;
  throw new EsError(
    400,
    'document_parsing_exception',
    `failed to parse: document with id '${id}' is no JSON object`,
  );
}

/** Puts a mark in place of values of which only their presence is known. */
function markLimited(source: JsonObject, { limited }: EsMapping): JsonObject {
  const mark = (value: unknown, path: readonly string[]): unknown => {
    if (path.length === 0) return value === null || value === undefined ? value : 'present';
    if (Array.isArray(value)) return value.map((item: unknown) => mark(item, path));
    if (!isObject(value)) return value;
    const whole = path.join('.');
    if (Object.hasOwn(value, whole)) return { ...value, [whole]: mark(value[whole], []) };
    const [name = '', ...below] = path;
    return Object.hasOwn(value, name) ? { ...value, [name]: mark(value[name], below) } : value;
  };
  let marked: unknown = source;
  for (const path of limited.keys()) marked = mark(marked, path.split('.'));
  return isObject(marked) ? marked : source;
}

/**
 * Tells which fields pass over a value that does not fit.
 * @throws EsError for a field that doesn't
 */
function passedOver(malformed: readonly Malformed[], mapping: EsMapping, id: string): string[] {
  if (malformed.length === 0) return [];
  const lookup = mappingLookup(mapping.engine);
  for (const { path, reason } of malformed) {
    if (mapping.tolerant.has(path)) continue;
    const type = lookup.field(path)?.property.type ?? 'object';
    throw new EsError(
      400,
      'document_parsing_exception',
      `failed to parse field [${path}] of type [${type}] in document with id '${id}'`,
      { caused_by: { type: 'illegal_argument_exception', reason } },
    );
  }
  return [...new Set(malformed.map(({ path }) => path))].sort();
}

/** The index of a write, made where that is allowed. */
async function openIndex(facade: Facade, name: string, writes: readonly Write[]): Promise<IndexWrites> {
  const existing = (await facade.store.indexes()).find((index) => index.name === name);
  const creating = writes.some(({ action }) => action !== 'delete');
  if (existing === undefined && !(creating && facade.creates(name))) throw noSuchIndex(name);
  const kept = existing ?? { name, mapping: {}, settings: {} };
  if (existing === undefined) await facade.createIndex(kept);
  const ids = writes.flatMap(({ id }) => id ?? []);
  const present = await facade.store.documents(name, ids);
  const versions = new Map([...present].map(([id, { version }]) => [id, version]));
  return new IndexWrites(facade, kept, versions, await facade.store.takeNumbers(name, writes.length));
}

/**
 * Does writes: those to one index in their order, each whether or not others are refused.
 * @returns what became of each, in their order
 */
export async function writeAll(facade: Facade, writes: readonly Write[]): Promise<Written[]> {
  const opened = new Map<string, IndexWrites | EsError>();
  for (const [name, some] of Map.groupBy(writes, ({ index }) => index)) {
    opened.set(name, await refusable(() => openIndex(facade, name, some)));
  }
  const written: Written[] = [];
  for (const write of writes) {
    const id = write.id ?? facade.newId();
    const index = opened.get(write.index);
    const outcome = await refusable(async () => {
      if (index instanceof IndexWrites) return index.take(write, id);
      throw index ?? noSuchIndex(write.index);
    });
    written.push(outcome instanceof EsError ? { index: write.index, id, error: outcome } : outcome);
  }
  for (const index of opened.values()) {
    if (index instanceof IndexWrites) await index.finish();
  }
  return written;
}

async function refusable<T>(work: () => Promise<T>): Promise<T | EsError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EsError) return error;
    throw error;
  }
}
