// Routes of the cluster and of indexes.
import { isObject } from '../../shared/lib/is-object.ts';
import type { Call, Route } from './call.ts';
import { illegalArgument, malformedRequest } from './errors.ts';
import type { EsIndex } from './facade.ts';
import type { JsonObject } from './json.ts';
import { mergeMappings, parseMapping } from './mapping.ts';
import { parseSettings } from './settings.ts';

const CLUSTER = 'es-facade';
const ACKNOWLEDGED = { acknowledged: true };

/** Clients and suites choose their requests by the version number. */
const banner = {
  name: CLUSTER,
  cluster_name: CLUSTER,
  cluster_uuid: CLUSTER,
  version: {
    number: '8.13.0',
    build_date: '2024-01-01T00:00:00.000000000Z',
    lucene_version: '8.7.0',
  },
  tagline: 'A development façade: plain Elasticsearch paths over a sandbox search engine',
};

function getHealth(call: Call): JsonObject {
  const { length: active_shards } = call.getIndexes();
  return { cluster_name: CLUSTER, status: 'green', timed_out: false, number_of_nodes: 1, active_shards };
}

async function createIndex(call: Call): Promise<JsonObject> {
  const { index: name = '' } = call;
  const { mappings = {}, settings, aliases, ...others } = await call.readObject();
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw malformedRequest(`unknown key [${unknown}] for create index`);
  if (isObject(aliases) && Object.keys(aliases).length > 0)
    throw illegalArgument('[aliases] are not supported');
  if (!isObject(mappings)) throw malformedRequest('[mappings] must be an object');
  await call.facade.createIndex(name, mappings, parseSettings(settings));
  return { ...ACKNOWLEDGED, shards_acknowledged: true, index: name };
}

async function deleteIndexes(call: Call): Promise<JsonObject> {
  for (const { name } of call.getIndexes()) await call.facade.deleteIndex(name);
  return ACKNOWLEDGED;
}

async function putMapping(call: Call): Promise<JsonObject> {
  const added = await call.readObject();
  for (const index of call.getIndexes(false)) {
    const merged = mergeMappings(index.mapping.source, added);
    await call.facade.changeMapping(index, parseMapping(merged, index.settings));
  }
  return ACKNOWLEDGED;
}

/** Creates a handler that returns an object for each index. */
function forEachIndex(build: (index: EsIndex) => JsonObject): (call: Call) => JsonObject {
  return (call) => Object.fromEntries(call.getIndexes().map((index) => [index.name, build(index)]));
}

async function changeSettings(call: Call): Promise<JsonObject> {
  parseSettings(await call.readJson());
  call.getIndexes(false);
  return ACKNOWLEDGED;
}

async function changeClusterSettings(call: Call): Promise<JsonObject> {
  const { transient } = await call.readObject();
  const pattern = isObject(transient) ? transient['action.auto_create_index'] : undefined;
  if (pattern !== undefined) call.facade.autoCreate = String(pattern);
  return { ...ACKNOWLEDGED, persistent: {}, transient };
}

/** Lists indexes as JSON. All are healthy. */
function listIndexes(call: Call): JsonObject[] {
  const { parameters } = call;
  const isHealthy = (parameters.getText('health') ?? 'green') === 'green';
  return (isHealthy ? call.getIndexes() : []).map(({ name, documents }) => {
    const columns: JsonObject = { health: 'green', index: name, 'docs.count': String(documents.size) };
    const names = parameters.getList('h') ?? Object.keys(columns);
    return Object.fromEntries(names.map((column) => [column, columns[column]]));
  });
}

function resolveExpression(call: Call): JsonObject {
  const indices = call.getIndexes().map(({ name }) => ({ name, attributes: ['open'] }));
  return { indices, aliases: [], data_streams: [] };
}

const showMapping = forEachIndex(({ mapping }) => ({ mappings: mapping.source }));

function acknowledgeMaintenance(call: Call): JsonObject {
  const { length } = call.getIndexes();
  return { _shards: { total: length, successful: length, failed: 0 } };
}

const maintenance = ['_refresh', '_flush', '_forcemerge', '_cache/clear'];

/** Routes of the cluster and of indexes. */
export const indexRoutes: readonly Route[] = [
  ['GET', '/', () => banner],
  ['GET', '/_cluster/health /_cluster/health/:index', getHealth],
  ['PUT', '/_cluster/settings', changeClusterSettings],
  ['PUT', '/:index/_settings', changeSettings],
  ['GET', '/_cat/indices /_cat/indices/:index', listIndexes],
  ['GET', '/_resolve/index/:index', resolveExpression],
  ['GET', '/_mapping /:index/_mapping /:index/_mappings', showMapping],
  ['PUT POST', '/:index/_mapping /:index/_mappings', putMapping],
  ['GET POST', maintenance.map((name) => `/${name} /:index/${name}`).join(' '), acknowledgeMaintenance],
  ['PUT', '/:index', createIndex],
  ['DELETE', '/:index', deleteIndexes],
  ['GET', '/:index', showMapping],
];
