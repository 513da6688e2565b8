// Applies writes of documents to their indexes.
import { isObject } from '../../shared/lib/is-object.ts';
import { analyzeRecord } from '../../worker/sandbox/search/engine/index/document.ts';
import { createMappingLookup } from '../../worker/sandbox/search/fields.ts';
import { addDynamicFields } from './dynamic-mapping.ts';
import { EsError, illegalArgument } from './errors.ts';
import type { EsIndex, Facade } from './facade.ts';
import { type JsonObject, parseJson, parseJsonTypes } from './json.ts';
import { type EsMapping, parseMapping } from './mapping.ts';

/** A write of one document. */
export interface Write {
  action: 'index' | 'create' | 'delete';
  index: string;
  /** Undefined generates an id. */
  id: string | undefined;
  /** JSON text. */
  source: string;
}

/** The result of a write. */
export type WriteResult = { index: string; id: string } & (
  | { version: number; seqNo: number; result: 'created' | 'updated' | 'deleted' | 'not_found' }
  | { error: EsError }
);

/** Elasticsearch counts bytes. */
const MAX_ID_LENGTH = 512;

/** The pending changes of one index; undefined removes a document. */
interface Change {
  index: EsIndex;
  mapping: EsMapping;
  documents: Map<string, JsonObject | undefined>;
}

function parseSource(text: string, id: string): JsonObject {
  let source: unknown;
  try {
    source = parseJson(text);
  } catch {
    // Reported below, like other values that are not objects.
  }
  if (isObject(source)) return source;
  const reason = `failed to parse: document with id '${id}' is no JSON object`;
  throw new EsError(400, 'document_parsing_exception', reason);
}

/** @throws EsError for a value that doesn't fit its field */
function checkValues(source: JsonObject, { engine }: EsMapping, id: string): void {
  const [malformed] = analyzeRecord(source, engine.properties, () => []).malformed;
  if (malformed === undefined) return;
  const type = createMappingLookup(engine).getField(malformed.path)?.property.type ?? 'object';
  const reason = `failed to parse field [${malformed.path}] of type [${type}] in document with id '${id}'`;
  const cause = { caused_by: { type: 'illegal_argument_exception', reason: malformed.reason } };
  throw new EsError(400, 'document_parsing_exception', reason, cause);
}

function putDocument(change: Change, { source: text }: Write, id: string, version: number): void {
  const { index } = change;
  const source = parseSource(text, id);
  const types = parseJsonTypes(text);
  const extended = isObject(types) ? addDynamicFields(change.mapping.source, types) : change.mapping.source;
  const mapping =
    extended === change.mapping.source ? change.mapping : parseMapping(extended, index.settings);
  checkValues(source, mapping, id);
  change.mapping = mapping;
  change.documents.set(id, source);
  index.documents.set(id, { version, seqNo: index.nextSeqNo, source: text });
}

/** @throws EsError if the write is rejected */
function applyWrite(change: Change, write: Write, id: string): WriteResult {
  const { index } = change;
  const existing = index.documents.get(id)?.version ?? 0;
  const version = existing + 1;
  if (id === '') throw illegalArgument('if _id is specified it must not be empty');
  if (id.length > MAX_ID_LENGTH)
    throw illegalArgument(`id is too long, must be no longer than ${MAX_ID_LENGTH} bytes`);
  if (write.action === 'create' && existing > 0) {
    const reason = `[${id}]: version conflict, document already exists (current version [${existing}])`;
    throw new EsError(409, 'version_conflict_engine_exception', reason, { index: index.name });
  }
  const result = { index: index.name, id, version, seqNo: index.nextSeqNo };
  if (write.action === 'delete') {
    index.documents.delete(id);
    change.documents.set(id, undefined);
  } else putDocument(change, write, id, version);
  index.nextSeqNo += 1;
  if (write.action === 'delete') return { ...result, result: existing > 0 ? 'deleted' : 'not_found' };
  return { ...result, result: existing > 0 ? 'updated' : 'created' };
}

/**
 * Applies writes in order. A rejected write doesn't affect the others.
 * @returns the result of each write, in order
 */
export async function applyWrites(facade: Facade, writes: readonly Write[]): Promise<WriteResult[]> {
  const changes = new Map<string, Change>();
  const results: WriteResult[] = [];
  for (const write of writes) {
    const id = write.id ?? facade.platform.newId();
    try {
      let change = changes.get(write.index);
      if (change === undefined) {
        const isDelete = write.action === 'delete';
        const index = isDelete ? facade.getIndex(write.index) : await facade.getOrCreateIndex(write.index);
        change = { index, mapping: index.mapping, documents: new Map() };
        changes.set(write.index, change);
      }
      results.push(applyWrite(change, write, id));
    } catch (error) {
      if (!(error instanceof EsError)) throw error;
      results.push({ index: write.index, id, error });
    }
  }
  for (const { index, mapping, documents } of changes.values()) {
    if (mapping !== index.mapping) await facade.changeMapping(index, mapping);
    const puts = [...documents].flatMap(([id, source]) => (source === undefined ? [] : [{ id, source }]));
    const removed = [...documents].flatMap(([id, source]) => (source === undefined ? [id] : []));
    await facade.engine.put(index.name, puts);
    if (removed.length > 0) await facade.engine.remove(index.name, removed);
  }
  return results;
}
