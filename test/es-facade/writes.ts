// Writing documents: what each one does to its index, in the order in which they came.
import { isObject } from '../../shared/lib/is-object.ts';
import { analyzeRecord, type MalformedField } from '../../worker/sandbox/search/engine/index/document.ts';
import { createMappingLookup } from '../../worker/sandbox/search/fields.ts';
import { withDynamicFields } from './dynamic.ts';
import { EsError, illegalArgument } from './es-error.ts';
import type { EsIndex, Facade } from './facade.ts';
import { type JsonObject, readJson, readKinds } from './json.ts';
import { type EsMapping, readMapping } from './mapping.ts';

/** One write. */
export interface Write {
  action: 'index' | 'create' | 'delete';
  index: string;
  /** Undefined: one is made up. */
  id: string | undefined;
  routing: string | undefined;
  /** JSON. */
  source: string;
}

/** What became of a write. */
export type Written =
  | {
      index: string;
      id: string;
      version: number;
      seqNo: number;
      result: 'created' | 'updated' | 'deleted' | 'not_found';
    }
  | { index: string; id: string; error: EsError };

/** Elasticsearch counts bytes. */
const LONGEST_ID = 512;
const LONGEST_SOURCE = 1_500_000;

/** What one request changes in one index; undefined stands for a document that is taken out. */
interface Change {
  index: EsIndex;
  mapping: EsMapping;
  documents: Map<string, JsonObject | undefined>;
}

/** @throws EsError for what is no JSON object */
function readSource(text: string, id: string): JsonObject {
  if (text.length > LONGEST_SOURCE) {
    const reason = `a document is longer than ${LONGEST_SOURCE} characters`;
    throw new EsError(413, 'illegal_argument_exception', reason);
  }
  let source: unknown;
  try {
    source = readJson(text);
  } catch {
    // It is told below.
  }
  if (isObject(source)) return source;
  const reason = `failed to parse: document with id '${id}' is no JSON object`;
  throw new EsError(400, 'document_parsing_exception', reason);
}

/** Puts a mark in place of a value of which only its presence is known. */
function markPresence(value: unknown, path: readonly string[]): unknown {
  const [name, ...below] = path;
  if (name === undefined) return value === null || value === undefined ? value : true;
  if (Array.isArray(value)) return value.map((item: unknown) => markPresence(item, path));
  if (!isObject(value)) return value;
  const whole = path.join('.');
  if (Object.hasOwn(value, whole)) return { ...value, [whole]: markPresence(value[whole], []) };
  return Object.hasOwn(value, name) ? { ...value, [name]: markPresence(value[name], below) } : value;
}

/**
 * Tells which fields pass over a value that does not fit.
 * @throws EsError for a field that doesn't
 */
function passedOver(malformed: readonly MalformedField[], mapping: EsMapping, id: string): string[] {
  const refused = malformed.find(({ path }) => !mapping.tolerant.has(path));
  if (refused !== undefined) {
    const type = createMappingLookup(mapping.engine).getField(refused.path)?.property.type ?? 'object';
    const reason = `failed to parse field [${refused.path}] of type [${type}] in document with id '${id}'`;
    const cause = { caused_by: { type: 'illegal_argument_exception', reason: refused.reason } };
    throw new EsError(400, 'document_parsing_exception', reason, cause);
  }
  return [...new Set(malformed.map(({ path }) => path))].sort();
}

/** Takes a document in. @throws EsError where it is refused */
function put(change: Change, { routing, source: text }: Write, id: string, version: number): void {
  const { index } = change;
  const source = readSource(text, id);
  const kinds = readKinds(text);
  const given = isObject(kinds) ? withDynamicFields(change.mapping.given, kinds) : change.mapping.given;
  const mapping = given === change.mapping.given ? change.mapping : readMapping(given, index.settings);
  let marked: unknown = source;
  for (const path of mapping.limited) marked = markPresence(marked, path.split('.'));
  const indexed = isObject(marked) ? marked : source;
  const { malformed } = analyzeRecord(indexed, mapping.engine.properties, () => []);
  const ignored = passedOver(malformed, mapping, id);
  const seqNo = index.nextSeqNo;
  const meta = {
    _index: index.name,
    _routing: routing,
    _ignored: ignored,
    _seq_no: seqNo,
    _version: version,
  };
  change.mapping = mapping;
  change.documents.set(id, { ...indexed, ...meta });
  index.documents.set(id, { version, seqNo, routing, ignored, source: text });
}

/** @throws EsError where the write is refused */
function take(change: Change, write: Write, id: string): Written {
  const { index } = change;
  const known = index.documents.get(id)?.version ?? 0;
  const version = known + 1;
  if (id === '') throw illegalArgument('if _id is specified it must not be empty');
  if (id.length > LONGEST_ID)
    throw illegalArgument(`id is too long, must be no longer than ${LONGEST_ID} bytes`);
  if (write.action === 'create' && known > 0) {
    const reason = `[${id}]: version conflict, document already exists (current version [${known}])`;
    throw new EsError(409, 'version_conflict_engine_exception', reason, { index: index.name });
  }
  const outcome = { index: index.name, id, version, seqNo: index.nextSeqNo };
  if (write.action === 'delete') {
    index.documents.delete(id);
    change.documents.set(id, undefined);
  } else put(change, write, id, version);
  index.nextSeqNo += 1;
  if (write.action === 'delete') return { ...outcome, result: known > 0 ? 'deleted' : 'not_found' };
  return { ...outcome, result: known > 0 ? 'updated' : 'created' };
}

/**
 * Does writes: those to one index in their order, each whether or not others are refused.
 * @returns what became of each, in their order
 */
export async function writeAll(facade: Facade, writes: readonly Write[]): Promise<Written[]> {
  const creating = new Set(writes.filter(({ action }) => action !== 'delete').map(({ index }) => index));
  const changes = new Map<string, Change>();
  const written: Written[] = [];
  for (const write of writes) {
    const id = write.id ?? facade.newId();
    try {
      let change = changes.get(write.index);
      if (change === undefined) {
        const index = await facade.indexToWrite(write.index, creating.has(write.index));
        change = { index, mapping: index.mapping, documents: new Map() };
        changes.set(write.index, change);
      }
      written.push(take(change, write, id));
    } catch (error) {
      if (!(error instanceof EsError)) throw error;
      written.push({ index: write.index, id, error });
    }
  }
  for (const { index, mapping, documents } of changes.values()) {
    if (mapping !== index.mapping) await facade.changeMapping(index, mapping);
    const puts = [...documents].flatMap(([id, source]) => (source === undefined ? [] : [{ id, source }]));
    const removed = [...documents].flatMap(([id, source]) => (source === undefined ? [id] : []));
    await facade.engine.put(index.name, puts);
    if (removed.length > 0) await facade.engine.remove(index.name, removed);
  }
  return written;
}
