// The paths that write and read documents.
import { answer } from './answers.ts';
import { type BulkItem, readBulk } from './bulk.ts';
import { EsError, formError, illegalArgument } from './es-error.ts';
import { type JsonObject, readJson } from './json.ts';
import { checkIndexName } from './names.ts';
import { sourceMember } from './parameters.ts';
import { filterSource } from './path-filter.ts';
import type { Call, Route } from './route.ts';
import { readSourceFilter } from './search-body.ts';
import { type Write, type Written, writeAll } from './writes.ts';

const CREATED = 201;

function statusOf(written: Written): number {
  if ('error' in written) return written.error.status;
  if (written.result === 'created') return CREATED;
  return written.result === 'not_found' ? 404 : 200;
}

function told(written: Written): JsonObject {
  const place = { _index: written.index, _id: written.id };
  if ('error' in written) return { ...place, status: written.error.status, error: written.error.details };
  const { version, seqNo, result } = written;
  const _shards = { total: 1, successful: 1, failed: 0 };
  return { ...place, _version: version, result, _shards, _seq_no: seqNo, _primary_term: 1 };
}

async function writeOne({ facade, url }: Call, write: Write): Promise<Response> {
  checkIndexName(write.index);
  if (write.action !== 'delete' && write.source.trim() === '') throw formError('request body is required');
  const [written] = await writeAll(facade, [write]);
  if (written === undefined) throw new Error('a write without an outcome');
  if ('error' in written) throw written.error;
  return answer(url, told(written), statusOf(written));
}

async function putOne(call: Call): Promise<Response> {
  const { index = '', id, parameters } = call;
  const isCreate = /\/_create\/[^/]*$/.test(call.url.pathname);
  const action = isCreate ? 'create' : (parameters.text('op_type') ?? 'index');
  if (action !== 'index' && action !== 'create')
    throw illegalArgument(`opType must be 'create' or 'index', found: [${action}]`);
  return writeOne(call, {
    action,
    index,
    id,
    routing: parameters.text('routing'),
    source: await call.text(),
  });
}

function faultOf({ action, index }: BulkItem): EsError | undefined {
  if (action === 'update') return illegalArgument('[update] is not supported');
  try {
    checkIndexName(index);
  } catch (error) {
    if (error instanceof EsError) return error;
    throw error;
  }
  return undefined;
}

async function writeBulk(call: Call): Promise<JsonObject> {
  const { facade } = call;
  const started = facade.platform.now();
  const items = readBulk(await call.text(), call.index);
  const faults = new Map(items.map((item) => [item, faultOf(item)]));
  const writes = items.flatMap((item) =>
    item.action === 'update' || faults.get(item) !== undefined ? [] : [item],
  );
  const written = (await writeAll(facade, writes)).values();
  const outcomes = items.map((item) => {
    const { index, id = '' } = item;
    const error = faults.get(item);
    const outcome: Written | undefined = error ? { index, id, error } : written.next().value;
    if (outcome === undefined) throw new Error('a write without an outcome');
    return {
      item: { [item.action]: { ...told(outcome), status: statusOf(outcome) } },
      failed: 'error' in outcome,
    };
  });
  return {
    took: facade.platform.now() - started,
    errors: outcomes.some(({ failed }) => failed),
    items: outcomes.map(({ item }) => item),
  };
}

/** Reads one document. @throws EsError where there is no such index */
function readOne({ facade, url, index = '', id = '', parameters }: Call): unknown {
  const filter = readSourceFilter(sourceMember(parameters));
  const kept = facade.index(index).documents.get(id);
  if (kept === undefined) return answer(url, { _index: index, _id: id, found: false }, 404);
  const { version, seqNo, routing, source } = kept;
  const whole = readJson(source);
  return {
    _index: index,
    _id: id,
    _version: version,
    _seq_no: seqNo,
    _primary_term: 1,
    _routing: routing,
    found: true,
    _source: typeof filter === 'object' ? filterSource(whole, filter) : filter ? whole : undefined,
  };
}

function readSource({ facade, index = '', id = '' }: Call): unknown {
  const kept = facade.index(index).documents.get(id);
  if (kept !== undefined) return readJson(kept.source);
  throw new EsError(404, 'resource_not_found_exception', `Document not found [${index}]/[_doc]/[${id}]`);
}

/** The paths of documents. */
export const documentRoutes: readonly Route[] = [
  ['POST PUT', '/_bulk /:index/_bulk', writeBulk],
  ['POST', '/:index/_doc', putOne],
  ['POST PUT', '/:index/_doc/:id /:index/_create/:id', putOne],
  [
    'DELETE',
    '/:index/_doc/:id',
    (call) => {
      const { index = '', id } = call;
      return writeOne(call, { action: 'delete', index, id, routing: undefined, source: '' });
    },
  ],
  ['GET', '/:index/_doc/:id', readOne],
  ['GET', '/:index/_source/:id', readSource],
];
