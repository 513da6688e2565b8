// Routes that write and read documents.
import { isObject } from '../../shared/lib/is-object.ts';
import { type Call, jsonResponse, type Route, splitLines } from './call.ts';
import { EsError, illegalArgument, malformedRequest } from './errors.ts';
import { type JsonObject, parseJson } from './json.ts';
import { parseSourceParameters } from './parameters.ts';
import { filterSource, parseSourceFilter } from './source-filter.ts';
import { applyWrites, type Write, type WriteResult } from './writes.ts';

const actions = ['create', 'delete', 'index', 'update'] as const;
type Action = (typeof actions)[number];

/** A write of `_bulk`, or an unsupported update. */
type BulkItem = Write | { action: 'update'; index: string; id: string | undefined };

const isAction = (name: string | undefined): name is Action => actions.some((action) => action === name);

/** Ignored members of an action's line. */
const ignoredMembers = new Set([
  ...['_type', 'require_alias', 'require_data_stream', 'dynamic_templates', 'retry_on_conflict'],
  ...['routing', '_routing'],
]);

const toOptionalText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value);

function parseActionLine(line: string, number: number): { action: Action; members: JsonObject } {
  const createError = (reason: string): EsError =>
    illegalArgument(`Malformed action/metadata line [${number}], ${reason}`);
  let json: unknown;
  try {
    json = parseJson(line);
  } catch {
    throw createError('it is no JSON');
  }
  if (!isObject(json)) throw createError('expected START_OBJECT');
  const [[action, members] = [], second] = Object.entries(json);
  if (!isAction(action)) throw createError(`expected one of [${actions.join(', ')}] but found [${action}]`);
  if (!isObject(members) || second !== undefined) throw createError('expected one action with an object');
  const invalid = Object.entries(members).find(([, value]) => typeof value === 'object' && value !== null);
  if (invalid !== undefined) throw createError(`expected a simple value for field [${invalid[0]}]`);
  return { action, members };
}

/**
 * Parses the body of `_bulk`.
 * @param defaultIndex - the index in the path
 * @throws EsError if the body as a whole is invalid
 */
function parseBulk(body: string, defaultIndex: string | undefined): BulkItem[] {
  const lines = splitLines(body, 'bulk');
  const items: BulkItem[] = [];
  const problems: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const { action: name, members } = parseActionLine(line, at + 1);
    const { _index: index = defaultIndex, _id: id, op_type: type, ...others } = members;
    const unknown = Object.keys(others).find((member) => !ignoredMembers.has(member));
    if (unknown !== undefined)
      throw illegalArgument(`Action/metadata line [${at + 1}] contains an unknown parameter [${unknown}]`);
    const action = name === 'index' && type === 'create' ? 'create' : name;
    if (action !== 'delete') at += 1;
    const source = action === 'delete' ? '' : lines[at];
    // Elasticsearch ignores a last action without a document.
    if (source === undefined) break;
    const item = { index: toOptionalText(index) ?? '', id: toOptionalText(id) };
    if (item.index === '') problems.push('index is missing');
    if (item.id === undefined && (action === 'delete' || action === 'update')) problems.push('id is missing');
    if (action === 'update') items.push({ ...item, action });
    else items.push({ ...item, action, source });
  }
  if (items.length === 0) problems.push('no requests added');
  if (problems.length === 0) return items;
  const reason = `Validation Failed: ${problems.map((problem, at) => `${at + 1}: ${problem};`).join('')}`;
  throw new EsError(400, 'action_request_validation_exception', reason);
}

function getStatus(result: WriteResult): number {
  if ('error' in result) return result.error.status;
  if (result.result === 'created') return 201;
  return result.result === 'not_found' ? 404 : 200;
}

function formatResult(written: WriteResult): JsonObject {
  const document = { _index: written.index, _id: written.id };
  if ('error' in written) return { ...document, status: written.error.status, error: written.error.details };
  const { version, seqNo, result } = written;
  const _shards = { total: 1, successful: 1, failed: 0 };
  return { ...document, _version: version, result, _shards, _seq_no: seqNo, _primary_term: 1 };
}

async function writeDocument({ facade }: Call, write: Write): Promise<Response> {
  if (write.action !== 'delete' && write.source.trim() === '')
    throw malformedRequest('request body is required');
  const [result] = await applyWrites(facade, [write]);
  if (result === undefined) throw new Error('a write without a result');
  if ('error' in result) throw result.error;
  return jsonResponse(formatResult(result), getStatus(result));
}

async function putDocument(call: Call): Promise<Response> {
  const { index = '', id, parameters } = call;
  const isCreate = /\/_create\/[^/]*$/.test(call.url.pathname);
  const action = isCreate ? 'create' : (parameters.getText('op_type') ?? 'index');
  if (action !== 'index' && action !== 'create')
    throw illegalArgument(`opType must be 'create' or 'index', found: [${action}]`);
  const source = await call.readText();
  return writeDocument(call, { action, index, id, source });
}

function deleteDocument(call: Call): Promise<Response> {
  const { index = '', id } = call;
  return writeDocument(call, { action: 'delete', index, id, source: '' });
}

async function writeBulk(call: Call): Promise<JsonObject> {
  const items = parseBulk(await call.readText(), call.index);
  const writes = items.flatMap((item) => (item.action === 'update' ? [] : [item]));
  const written = (await applyWrites(call.facade, writes)).values();
  const error = illegalArgument('[update] is not supported');
  const results = items.map(({ action, index, id = '' }) => {
    const result = action === 'update' ? { index, id, error } : written.next().value;
    if (result === undefined) throw new Error('a write without a result');
    return { action, result };
  });
  return {
    took: 0,
    errors: results.some(({ result }) => 'error' in result),
    items: results.map(({ action, result }) => ({
      [action]: { ...formatResult(result), status: getStatus(result) },
    })),
  };
}

function readDocument({ facade, index = '', id = '', parameters }: Call): unknown {
  const filter = parseSourceFilter(parseSourceParameters(parameters));
  const document = facade.getIndex(index).documents.get(id);
  if (document === undefined) return jsonResponse({ _index: index, _id: id, found: false }, 404);
  const { version, seqNo, source } = document;
  return {
    _index: index,
    _id: id,
    _version: version,
    _seq_no: seqNo,
    _primary_term: 1,
    found: true,
    _source: filterSource(parseJson(source), filter),
  };
}

/** Routes of documents. */
export const documentRoutes: readonly Route[] = [
  ['POST PUT', '/_bulk /:index/_bulk', writeBulk],
  ['POST', '/:index/_doc', putDocument],
  ['POST PUT', '/:index/_doc/:id /:index/_create/:id', putDocument],
  ['DELETE', '/:index/_doc/:id', deleteDocument],
  ['GET', '/:index/_doc/:id', readDocument],
];
