// The paths that tell of the façade as a whole.
import { isObject } from '../../shared/lib/is-object.ts';
import type { JsonObject } from './json.ts';
import type { Call, Route } from './route.ts';

const CLUSTER = 'es-facade';

/** Whose API this is like; clients and suites decide by the number what they may ask. */
const banner = {
  name: CLUSTER,
  cluster_name: CLUSTER,
  cluster_uuid: CLUSTER,
  version: {
    number: '8.13.0',
    build_flavor: 'default',
    build_type: 'facade',
    build_hash: 'none',
    build_date: '2024-01-01T00:00:00.000000000Z',
    build_snapshot: false,
    lucene_version: '8.7.0',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'A development façade: plain Elasticsearch paths over a sandbox search engine',
};

function health(call: Call): JsonObject {
  const shards = call.indexes().length;
  return {
    cluster_name: CLUSTER,
    status: 'green',
    timed_out: false,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    active_primary_shards: shards,
    active_shards: shards,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: 0,
    active_shards_percent_as_number: 100,
  };
}

/** `action.auto_create_index` of a body's parts, flat or nested. */
function autoCreateOf(json: unknown): string | undefined {
  if (!isObject(json)) return undefined;
  const action = isObject(json.action) ? json.action.auto_create_index : undefined;
  const value = json['action.auto_create_index'] ?? action ?? undefined;
  return value === undefined ? undefined : String(value);
}

async function changeSettings(call: Call): Promise<JsonObject> {
  const { facade } = call;
  const { persistent = {}, transient = {} } = await call.object();
  facade.autoCreate = autoCreateOf(transient) ?? autoCreateOf(persistent) ?? facade.autoCreate;
  return { acknowledged: true, persistent, transient };
}

/** Rows of indexes: columns of text, or JSON. */
function listIndexes(call: Call): unknown {
  const { parameters } = call;
  const isHealthy = (parameters.text('health') ?? 'green') === 'green';
  const columns = parameters.list('h');
  const rows = (isHealthy ? call.indexes() : []).map(({ name, documents }) => {
    const row: JsonObject = {
      health: 'green',
      status: 'open',
      index: name,
      uuid: name,
      pri: '1',
      rep: '0',
      'docs.count': String(documents.size),
      'docs.deleted': '0',
    };
    return Object.fromEntries((columns ?? Object.keys(row)).map((column) => [column, row[column]]));
  });
  if (parameters.text('format') === 'json') return rows;
  const lines = rows.map((row) => Object.values(row).join(' '));
  if (parameters.flag('v')) lines.unshift(Object.keys(rows[0] ?? {}).join(' '));
  return new Response(lines.map((line) => `${line}\n`).join(''), {
    headers: { 'content-type': 'text/plain' },
  });
}

/** The paths of the whole. */
export const clusterRoutes: readonly Route[] = [
  ['GET', '/', () => banner],
  ['GET', '/_cluster/health /_cluster/health/:index', health],
  [
    'GET',
    '/_cluster/settings',
    ({ facade }) => ({ persistent: {}, transient: { action: { auto_create_index: facade.autoCreate } } }),
  ],
  ['PUT', '/_cluster/settings', changeSettings],
  [
    'GET',
    '/_resolve/index/:index',
    (call) => {
      const indices = call.indexes().map(({ name }) => ({ name, attributes: ['open'] }));
      return { indices, aliases: [], data_streams: [] };
    },
  ],
  ['GET', '/_cat/indices /_cat/indices/:index', listIndexes],
];
