// The paths that make, show and delete indexes.
import { isObject } from '../../shared/lib/is-object.ts';
import { formError, illegalArgument } from './es-error.ts';
import type { EsIndex } from './facade.ts';
import type { JsonObject } from './json.ts';
import { mergeMappings, readMapping } from './mapping.ts';
import type { Call, Route } from './route.ts';
import { readSettings, shownSettings } from './settings.ts';

const ACKNOWLEDGED = { acknowledged: true };

/** A mapping may stand below the name of a type, as it once had to. */
function typeless(mapping: unknown): JsonObject {
  const given = mapping ?? {};
  if (!isObject(given)) throw formError('[mappings] must be an object');
  const [[name, inner] = [], second] = Object.entries(given);
  const isType = name !== undefined && second === undefined && isObject(inner) && 'properties' in inner;
  return isType && name !== 'properties' ? inner : given;
}

async function create(call: Call): Promise<JsonObject> {
  const { index: name = '' } = call;
  const { mappings, settings, aliases, ...rest } = await call.object();
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw formError(`unknown key [${unknown}] for create index`);
  if (isObject(aliases) && Object.keys(aliases).length > 0)
    throw illegalArgument('[aliases] are not supported');
  await call.facade.createIndex(name, typeless(mappings), readSettings(settings));
  return { ...ACKNOWLEDGED, shards_acknowledged: true, index: name };
}

async function remove(call: Call): Promise<JsonObject> {
  for (const { name } of call.indexes()) await call.facade.deleteIndex(name);
  return ACKNOWLEDGED;
}

async function addToMapping(call: Call): Promise<JsonObject> {
  const added = await call.object();
  for (const index of call.indexes(false)) {
    const given = mergeMappings(index.mapping.given, added);
    await call.facade.changeMapping(index, readMapping(given, index.settings));
  }
  return ACKNOWLEDGED;
}

async function addToSettings(call: Call): Promise<JsonObject> {
  const { settings, ...rest } = await call.object();
  const added = readSettings(settings ?? rest);
  for (const index of call.indexes(false)) index.settings = { ...index.settings, ...added };
  return ACKNOWLEDGED;
}

/** Shows one part of what is known of each index, by its name. */
function show(part: (index: EsIndex) => JsonObject): (call: Call) => JsonObject {
  return (call) => Object.fromEntries(call.indexes().map((index) => [index.name, part(index)]));
}

const mappings = ({ mapping }: EsIndex): JsonObject => mapping.given;
const settings = ({ settings: given }: EsIndex): JsonObject =>
  shownSettings({ 'index.number_of_shards': '1', 'index.number_of_replicas': '0', ...given });

const noted = ['_refresh', '_flush', '_forcemerge', '_cache/clear'];

/** The paths of indexes. */
export const indexRoutes: readonly Route[] = [
  ['GET', '/_mapping /:index/_mapping /:index/_mappings', show((index) => ({ mappings: mappings(index) }))],
  ['GET', '/_settings /:index/_settings', show((index) => ({ settings: settings(index) }))],
  ['PUT POST', '/:index/_mapping /:index/_mappings', addToMapping],
  ['PUT', '/:index/_settings', addToSettings],
  [
    'GET POST',
    noted.map((name) => `/${name} /:index/${name}`).join(' '),
    (call) => {
      const { length } = call.indexes();
      return { _shards: { total: length, successful: length, failed: 0 } };
    },
  ],
  ['PUT', '/:index', create],
  ['DELETE', '/:index', remove],
  [
    'GET',
    '/:index',
    show((index) => ({ aliases: {}, mappings: mappings(index), settings: settings(index) })),
  ],
];
