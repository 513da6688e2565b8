// The paths that write and read documents.
import { Hono } from 'hono';
import { answer, bodyText } from './answers.ts';
import { type BulkItem, readBulk } from './bulk.ts';
import { EsError, illegalArgument } from './es-error.ts';
import type { Facade, FacadeRoutes } from './facade.ts';
import { type JsonObject, readJson } from './json.ts';
import { checkIndexName } from './names.ts';
import { Parameters, searchMembers } from './parameters.ts';
import { filterSource, readSourceFilter } from './source-filter.ts';
import { type Write, type Written, writeAll } from './writes.ts';

const SHARDS = { total: 1, successful: 1, failed: 0 };
const CREATED = 201;

function statusOf(written: Written): number {
  if ('error' in written) return written.error.status;
  if (written.result === 'created') return CREATED;
  return written.result === 'not_found' ? 404 : 200;
}

function told(written: Written): JsonObject {
  const { index, id } = written;
  if ('error' in written)
    return { _index: index, _id: id, status: written.error.status, error: written.error.details };
  const { version, seqNo, result } = written;
  return {
    _index: index,
    _id: id,
    _version: version,
    result,
    _shards: SHARDS,
    _seq_no: seqNo,
    _primary_term: 1,
  };
}

async function writeOne(facade: Facade, url: URL, write: Write): Promise<Response> {
  checkIndexName(write.index);
  if (write.action !== 'delete' && write.source.trim() === '') {
    throw new EsError(400, 'parse_exception', 'request body is required');
  }
  const [written] = await writeAll(facade, [write]);
  if (written === undefined) throw new Error('a write without an outcome');
  if ('error' in written) throw written.error;
  return answer(url, told(written), statusOf(written));
}

/** @throws EsError for an action that is none */
function actionOf(parameters: Parameters): 'index' | 'create' {
  const type = parameters.text('op_type') ?? 'index';
  if (type !== 'index' && type !== 'create')
    throw illegalArgument(`opType must be 'create' or 'index', found: [${type}]`);
  return type;
}

async function writeBulk(facade: Facade, items: readonly BulkItem[]): Promise<JsonObject> {
  const started = facade.edges.now();
  const faults = new Map<BulkItem, EsError>();
  const writes: Write[] = [];
  for (const item of items) {
    const fault =
      item.action === 'update' ? illegalArgument('[update] is not supported') : nameFault(item.index);
    if (fault !== undefined) faults.set(item, fault);
    else if (item.action !== 'update') writes.push(item);
  }
  const written = (await writeAll(facade, writes)).values();
  const answers = items.map((item) => {
    const fault = faults.get(item);
    const outcome: Written | undefined =
      fault === undefined ? written.next().value : { index: item.index, id: item.id ?? '', error: fault };
    if (outcome === undefined) throw new Error('a write without an outcome');
    return { [item.action]: { ...told(outcome), status: statusOf(outcome) } };
  });
  const errors = answers.some((one) => Object.values(one).some((item) => 'error' in item));
  return { took: facade.edges.now() - started, errors, items: answers };
}

function nameFault(name: string): EsError | undefined {
  try {
    checkIndexName(name);
    return undefined;
  } catch (error) {
    if (error instanceof EsError) return error;
    throw error;
  }
}

/** Reads one document. @throws EsError where there is no such index */
async function readOne(facade: Facade, url: URL, index: string, id: string): Promise<Response> {
  const { _source: member } = searchMembers(new Parameters(url, 'read'));
  const filter = readSourceFilter(member);
  await facade.store.index(index);
  const kept = (await facade.store.documents(index, [id])).get(id);
  if (kept === undefined) return answer(url, { _index: index, _id: id, found: false }, 404);
  const { version, seqNo, routing, source } = kept;
  const whole = readJson(source);
  return answer(url, {
    _index: index,
    _id: id,
    _version: version,
    _seq_no: seqNo,
    _primary_term: 1,
    ...(routing === undefined ? {} : { _routing: routing }),
    found: true,
    ...(filter === false ? {} : { _source: filter === true ? whole : filterSource(whole, filter) }),
  });
}

/** The paths of documents. */
export function documentRoutes(): Hono<FacadeRoutes> {
  const app = new Hono<FacadeRoutes>();

  app.on(['POST', 'PUT'], ['/_bulk', '/:index/_bulk'], async (c) => {
    const url = new URL(c.req.url);
    new Parameters(url, 'write');
    const items = readBulk(await bodyText(c.req.raw), c.req.param('index'));
    return answer(url, await writeBulk(c.get('facade'), items));
  });

  app.on(['POST', 'PUT'], ['/:index/_doc/:id', '/:index/_doc', '/:index/_create/:id'], async (c) => {
    const url = new URL(c.req.url);
    const parameters = new Parameters(url, 'write');
    const { index, id } = c.req.param();
    if (id === undefined && c.req.method === 'PUT')
      throw new EsError(405, 'method_not_allowed', 'an id is needed');
    const creates = /\/_create\/[^/]*$/.test(url.pathname);
    return writeOne(c.get('facade'), url, {
      action: creates ? 'create' : actionOf(parameters),
      index: index ?? '',
      id,
      routing: parameters.text('routing'),
      source: await bodyText(c.req.raw),
    });
  });

  app.delete('/:index/_doc/:id', async (c) => {
    const url = new URL(c.req.url);
    new Parameters(url, 'write');
    const { index, id } = c.req.param();
    return writeOne(c.get('facade'), url, { action: 'delete', index, id, routing: undefined, source: '' });
  });

  app.get('/:index/_doc/:id', (c) => {
    const { index, id } = c.req.param();
    return readOne(c.get('facade'), new URL(c.req.url), index, id);
  });

  app.get('/:index/_source/:id', async (c) => {
    const { index, id } = c.req.param();
    const { store } = c.get('facade');
    await store.index(index);
    const kept = (await store.documents(index, [id])).get(id);
    if (kept === undefined) {
      throw new EsError(404, 'resource_not_found_exception', `Document not found [${index}]/[_doc]/[${id}]`);
    }
    return answer(new URL(c.req.url), readJson(kept.source));
  });
  return app;
}
