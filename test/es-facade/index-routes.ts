// The paths that make, show and delete indexes.
import { Hono } from 'hono';
import { isObject } from '../../shared/is-object.ts';
import { answer, bodyJson } from './answers.ts';
import { EsError, illegalArgument } from './es-error.ts';
import type { Facade, FacadeRoutes } from './facade.ts';
import type { JsonObject } from './json.ts';
import { mergeMappings, readMapping } from './mapping.ts';
import { resolveIndexes } from './names.ts';
import { Parameters } from './parameters.ts';
import { readSettings, shownSettings } from './settings.ts';
import type { KeptIndex } from './store.ts';

/** How often a mapping is added to anew because somebody else did so. */
const ATTEMPTS = 10;
const ACKNOWLEDGED = { acknowledged: true };

/**
 * The indexes that a request names.
 * @throws EsError for one that is not there
 */
export async function namedIndexes(
  { store }: Facade,
  expression: string | undefined,
  parameters: Parameters,
  allowNone = true,
): Promise<KeptIndex[]> {
  const all = await store.indexes();
  const names = resolveIndexes(
    expression,
    all.map(({ name }) => name),
    {
      ignoreUnavailable: parameters.flag('ignore_unavailable'),
      allowNone: parameters.flag('allow_no_indices', allowNone),
    },
  );
  return all.filter(({ name }) => names.includes(name));
}

function members(json: unknown): JsonObject {
  if (json === undefined) return {};
  if (isObject(json)) return json;
  throw new EsError(400, 'parse_exception', 'the body must be an object');
}

/** A mapping may stand below the name of a type, as it once had to. */
function typeless(mapping: unknown): JsonObject {
  const given = members(mapping ?? undefined);
  const [[name, inner] = [], second] = Object.entries(given);
  const isType = name !== undefined && second === undefined && isObject(inner) && 'properties' in inner;
  return isType && name !== 'properties' ? inner : given;
}

async function create(facade: Facade, name: string, json: unknown): Promise<JsonObject> {
  const { mappings, settings, aliases, ...rest } = members(json);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new EsError(400, 'parse_exception', `unknown key [${unknown}] for create index`);
  if (isObject(aliases) && Object.keys(aliases).length > 0)
    throw illegalArgument('[aliases] are not supported');
  await facade.createIndex({ name, mapping: typeless(mappings), settings: readSettings(settings) });
  return { ...ACKNOWLEDGED, shards_acknowledged: true, index: name };
}

async function addToMapping(facade: Facade, { name }: KeptIndex, added: JsonObject): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const kept = await facade.store.index(name);
    const given = mergeMappings(kept.mapping, added);
    const { engine } = readMapping(given, kept.settings);
    if (!(await facade.store.changeMapping(kept, given))) continue;
    await facade.engine.createIndex(name, engine);
    return;
  }
  throw new EsError(503, 'process_cluster_event_timeout_exception', 'the mapping is busy');
}

const shown = ({ settings }: KeptIndex): JsonObject =>
  shownSettings({ 'index.number_of_shards': '1', 'index.number_of_replicas': '0', ...settings });

/** One part of what is known of each index, by its name. */
function byName(indexes: readonly KeptIndex[], part: (index: KeptIndex) => JsonObject): JsonObject {
  return Object.fromEntries(indexes.map((index) => [index.name, part(index)]));
}

/** The paths of indexes. */
export function indexRoutes(): Hono<FacadeRoutes> {
  const app = new Hono<FacadeRoutes>();

  const show = (paths: string[], part: (index: KeptIndex) => JsonObject): void => {
    app.on('GET', paths, async (c) => {
      const url = new URL(c.req.url);
      const named = await namedIndexes(c.get('facade'), c.req.param('index'), new Parameters(url, 'indices'));
      return answer(url, byName(named, part));
    });
  };
  show(['/_mapping', '/:index/_mapping', '/:index/_mappings'], ({ mapping }) => ({ mappings: mapping }));
  show(['/_settings', '/:index/_settings'], (index) => ({ settings: shown(index) }));

  app.on(['PUT', 'POST'], ['/:index/_mapping', '/:index/_mappings'], async (c) => {
    const url = new URL(c.req.url);
    const facade = c.get('facade');
    const named = await namedIndexes(facade, c.req.param('index'), new Parameters(url, 'indices'), false);
    const added = members(await bodyJson(c.req.raw));
    for (const index of named) await addToMapping(facade, index, added);
    return answer(url, ACKNOWLEDGED);
  });

  app.put('/:index/_settings', async (c) => {
    const url = new URL(c.req.url);
    const facade = c.get('facade');
    const named = await namedIndexes(facade, c.req.param('index'), new Parameters(url, 'indices'), false);
    const { settings, ...rest } = members(await bodyJson(c.req.raw));
    const added = readSettings(settings ?? rest);
    for (const { name, settings: present } of named) {
      await facade.store.changeSettings(name, { ...present, ...added });
    }
    return answer(url, ACKNOWLEDGED);
  });

  const noted = ['_refresh', '_flush', '_forcemerge', '_cache/clear'].flatMap((name) => [
    `/${name}`,
    `/:index/${name}`,
  ]);
  app.on(['GET', 'POST'], noted, async (c) => {
    const url = new URL(c.req.url);
    const named = await namedIndexes(c.get('facade'), c.req.param('index'), new Parameters(url, 'indices'));
    return answer(url, { _shards: { total: named.length, successful: named.length, failed: 0 } });
  });

  app.put('/:index', async (c) => {
    const url = new URL(c.req.url);
    new Parameters(url, 'indices');
    return answer(url, await create(c.get('facade'), c.req.param('index'), await bodyJson(c.req.raw)));
  });

  app.delete('/:index', async (c) => {
    const url = new URL(c.req.url);
    const facade = c.get('facade');
    const named = await namedIndexes(facade, c.req.param('index'), new Parameters(url, 'indices'));
    for (const { name } of named) await facade.deleteIndex(name);
    return answer(url, ACKNOWLEDGED);
  });

  show(['/:index'], (index) => ({ aliases: {}, mappings: index.mapping, settings: shown(index) }));
  return app;
}
