// The paths that tell of the façade as a whole.
import { Hono } from 'hono';
import { isObject } from '../../shared/is-object.ts';
import { answer, bodyJson } from './answers.ts';
import type { FacadeRoutes } from './facade.ts';
import { namedIndexes } from './index-routes.ts';
import type { JsonObject } from './json.ts';
import { Parameters } from './parameters.ts';

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
  tagline: 'A development façade: plain Elasticsearch paths over an embedded engine',
};

function health(shards: number): JsonObject {
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
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number: 100,
  };
}

/** `action.auto_create_index` of a body's parts, flat or nested. */
function autoCreateOf(json: unknown): string | undefined {
  if (!isObject(json)) return undefined;
  const action = isObject(json.action) ? json.action.auto_create_index : undefined;
  const value = json['action.auto_create_index'] ?? action;
  return value === undefined || value === null ? undefined : String(value);
}

/** Rows as `_cat` tells them: columns of text, or JSON. */
function catAnswer(url: URL, rows: readonly JsonObject[], parameters: Parameters): Response {
  const columns = parameters.list('h');
  const told = rows.map((row) =>
    columns === undefined ? row : Object.fromEntries(columns.map((name) => [name, row[name]])),
  );
  if (parameters.text('format') === 'json') return answer(url, told);
  const lines = told.map((row) => Object.values(row).join(' '));
  if (parameters.flag('v')) lines.unshift(Object.keys(told[0] ?? {}).join(' '));
  return new Response(lines.map((line) => `${line}\n`).join(''), {
    headers: { 'content-type': 'text/plain' },
  });
}

/** The paths of the whole. */
export function clusterRoutes(): Hono<FacadeRoutes> {
  const app = new Hono<FacadeRoutes>();
  app.get('/', (c) => answer(new URL(c.req.url), banner));

  app.on('GET', ['/_cluster/health', '/_cluster/health/:index'], async (c) => {
    const url = new URL(c.req.url);
    const named = await namedIndexes(c.get('facade'), c.req.param('index'), new Parameters(url, 'cluster'));
    return answer(url, health(named.length));
  });

  app.get('/_cluster/settings', (c) => {
    const { autoCreate } = c.get('facade');
    return answer(new URL(c.req.url), {
      persistent: {},
      transient: { action: { auto_create_index: autoCreate } },
    });
  });
  app.put('/_cluster/settings', async (c) => {
    const json = await bodyJson(c.req.raw);
    const { persistent = {}, transient = {} } = isObject(json) ? json : {};
    const facade = c.get('facade');
    facade.autoCreate = autoCreateOf(transient) ?? autoCreateOf(persistent) ?? facade.autoCreate;
    return answer(new URL(c.req.url), { acknowledged: true, persistent, transient });
  });

  app.get('/_resolve/index/:index', async (c) => {
    const url = new URL(c.req.url);
    const named = await namedIndexes(c.get('facade'), c.req.param('index'), new Parameters(url, 'indices'));
    const indices = named.map(({ name }) => ({ name, attributes: ['open'] }));
    return answer(url, { indices, aliases: [], data_streams: [] });
  });

  app.on('GET', ['/_cat/indices', '/_cat/indices/:index'], async (c) => {
    const url = new URL(c.req.url);
    const parameters = new Parameters(url, 'cat');
    const facade = c.get('facade');
    const named = await namedIndexes(facade, c.req.param('index'), parameters);
    const counts = await facade.store.counts();
    const rows = named.map(({ name }) => ({
      health: 'green',
      status: 'open',
      index: name,
      uuid: name,
      pri: '1',
      rep: '0',
      'docs.count': String(counts.get(name) ?? 0),
      'docs.deleted': '0',
    }));
    const wanted = parameters.text('health') ?? 'green';
    return catAnswer(url, wanted === 'green' ? rows : [], parameters);
  });
  return app;
}
