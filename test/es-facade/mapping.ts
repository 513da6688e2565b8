// Parses mappings of Elasticsearch to mappings of the engine.
import { isObject } from '../../shared/lib/is-object.ts';
import { getDateFormat } from '../../worker/sandbox/search/dates.ts';
import {
  createMappingLookup,
  type MappingLookup,
  matchesPattern,
} from '../../worker/sandbox/search/fields.ts';
import type { Mapping, Properties, Property } from '../../worker/sandbox/search/mapping.ts';
import { ValueError } from '../../worker/sandbox/search/value-error.ts';
import { type Scalar, toIndexedValue, type ValueProperty } from '../../worker/sandbox/search/values.ts';
import { EsError, illegalArgument } from './errors.ts';
import { fieldTypes, getParameterSupport } from './field-types.ts';
import type { JsonObject } from './json.ts';
import { getNormalizers, type Settings } from './settings.ts';

/** What happens to unmapped fields. */
export type Dynamic = 'true' | 'false' | 'strict';

/** A parsed mapping. */
export interface EsMapping {
  /** The mapping as clients see it: the original one and later additions. */
  source: JsonObject;
  engine: Mapping;
  /** Field paths by alias. */
  aliases: ReadonlyMap<string, string>;
}

/** Members of a mapping's root, with a check for supported values. */
const rootMembers: Readonly<Record<string, (value: unknown) => boolean>> = {
  properties: () => true,
  dynamic: () => true,
  date_detection: () => true,
  _meta: () => true,
  dynamic_templates: (value) => Array.isArray(value) && value.length === 0,
  _source: (value) => isObject(value) && JSON.stringify({ enabled: true, ...value }) === '{"enabled":true}',
  _routing: (value) => isObject(value) && value.required !== true,
  runtime: (value) => isObject(value) && Object.keys(value).length === 0,
};

interface LeafOptions {
  index?: boolean;
  ignore_above?: number;
  format?: string;
  lowercase?: boolean;
}

const MAX_DEPTH = 20;

function mapperError(reason: string): EsError {
  return new EsError(400, 'mapper_parsing_exception', reason);
}

/**
 * Parses `dynamic`.
 * @param inherited - the value of the enclosing object
 * @throws EsError for unsupported values, such as `runtime`
 */
export function parseDynamic(value: unknown, inherited: Dynamic): Dynamic {
  if (value === undefined || value === null) return inherited;
  const text = String(value);
  if (text === 'true' || text === 'false' || text === 'strict') return text;
  throw mapperError(`[dynamic] takes true, false and strict here, not [${text}]`);
}

function parseFlag(value: unknown, name: string): boolean {
  if (String(value) === 'true') return true;
  if (String(value) === 'false') return false;
  throw mapperError(
    `Failed to parse value [${String(value)}] of [${name}]: only [true] and [false] are allowed`,
  );
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function buildLeaf(
  type: ValueProperty['type'],
  options: LeafOptions,
  nullValue: Scalar | null,
): ValueProperty {
  const withNullValue = <T>(convert: (value: Scalar) => T): { null_value?: T } =>
    nullValue === null ? {} : { null_value: convert(nullValue) };
  switch (type) {
    case 'text':
      return { ...options, type };
    case 'keyword':
    case 'date':
      return { ...options, type, ...withNullValue(String) };
    case 'boolean':
      return { ...options, type, ...withNullValue((value) => String(value) === 'true') };
    default:
      return { ...options, type, ...withNullValue(Number) };
  }
}

function checkParameter(path: string, type: string, name: string, value: unknown): void {
  const support = getParameterSupport(name, value);
  if (support === 'unknown')
    throw mapperError(`unknown parameter [${name}] on mapper [${path}] of type [${type}]`);
  if (support === 'unsupported')
    throw mapperError(
      `parameter [${name}] of [${path}] with value [${JSON.stringify(value)}] is not supported`,
    );
}

class MappingParser {
  readonly aliases = new Map<string, string>();
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  parseProperties(json: unknown, prefix: string, depth: number): Properties {
    if (!isObject(json)) throw mapperError(`Expected map for property [properties] on field [${prefix}]`);
    const properties: [string, Property][] = [];
    for (const [name, value] of Object.entries(json)) {
      if (name.trim() === '' || name.startsWith('.') || name.endsWith('.')) {
        const reason = 'field name cannot be an empty string or only whitespace, nor begin or end with a dot';
        throw mapperError(`${reason}: [${name}]`);
      }
      const property = this.#parseProperty(prefix + name, value, depth);
      if (property !== undefined) properties.push([name, property]);
    }
    return Object.fromEntries(properties);
  }

  /** @returns undefined for an alias */
  #parseProperty(path: string, json: unknown, depth: number): Property | undefined {
    if (!isObject(json)) throw mapperError(`Expected map for property [fields] on field [${path}]`);
    if (depth > MAX_DEPTH) throw mapperError(`Limit of mapping depth [${MAX_DEPTH}] has been exceeded`);
    const isObjectField = ['properties', 'dynamic', 'enabled'].some((name) => name in json);
    const { type = isObjectField ? 'object' : undefined, ...parameters } = json;
    if (typeof type !== 'string') throw mapperError(`No type specified for field [${path}]`);
    if (type === 'alias') {
      if (typeof parameters.path !== 'string')
        throw mapperError(`The [path] property must be specified for field [${path}]`);
      this.aliases.set(path, parameters.path);
      return undefined;
    }
    if (type !== 'object' && type !== 'nested') return this.#parseLeaf(path, type, parameters);
    const { properties = {}, dynamic, enabled = true, ...others } = parameters;
    parseDynamic(dynamic, 'true');
    for (const [name, value] of Object.entries(others)) checkParameter(path, type, name, value);
    const inner = this.parseProperties(properties, `${path}.`, depth + 1);
    return { type, properties: parseFlag(enabled, 'enabled') ? inner : {} };
  }

  #parseLeaf(path: string, name: string, { fields, ...parameters }: JsonObject): Property {
    const type = fieldTypes.get(name);
    if (type === undefined) throw mapperError(`No handler for type [${name}] declared on field [${path}]`);
    if (type === 'binary') return { type };
    const property = this.#parseValueProperty(path, name, type, parameters);
    return isObject(fields) ? { ...property, fields: this.parseProperties(fields, `${path}.`, 0) } : property;
  }

  #parseValueProperty(
    path: string,
    name: string,
    type: ValueProperty['type'],
    parameters: JsonObject,
  ): ValueProperty {
    const options: LeafOptions = {};
    let nullValue: Scalar | null = null;
    for (const [parameter, value] of Object.entries(parameters)) {
      if (parameter === 'index') options.index = parseFlag(value, parameter);
      else if (parameter === 'null_value' && type !== 'text' && (value === null || isScalar(value)))
        nullValue = value;
      else if (parameter === 'ignore_above' && type === 'keyword' && typeof value === 'number')
        options.ignore_above = value;
      else if (parameter === 'format' && type === 'date' && typeof value === 'string') options.format = value;
      else if (parameter === 'normalizer' && type === 'keyword') {
        const lowercase = value === null ? false : getNormalizers(this.#settings).get(String(value));
        if (lowercase === undefined)
          throw mapperError(`normalizer [${String(value)}] not found for field [${path}]`);
        options.lowercase = lowercase;
      } else checkParameter(path, name, parameter, value);
    }
    const property = buildLeaf(type, options, nullValue);
    try {
      if (property.type === 'date') getDateFormat(property.format);
      if (nullValue !== null) toIndexedValue(property, nullValue);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      throw mapperError(`Failed to parse mapping: [${path}]: ${error.message}`);
    }
    return property;
  }
}

/**
 * Parses a mapping.
 * @param source - the value of `mappings`
 * @param settings - the settings of its index
 * @throws EsError for an invalid or unsupported mapping
 */
export function parseMapping(source: JsonObject, settings: Settings): EsMapping {
  for (const [name, value] of Object.entries(source)) {
    const isSupported = Object.hasOwn(rootMembers, name) ? rootMembers[name] : undefined;
    if (isSupported === undefined)
      throw mapperError(`Root mapping definition has unsupported parameters:  [${name}]`);
    if (!isSupported(value))
      throw mapperError(`[${name}] with value [${JSON.stringify(value)}] is not supported`);
  }
  parseDynamic(source.dynamic, 'true');
  const parser = new MappingParser(settings);
  const properties = parser.parseProperties(source.properties ?? {}, '', 0);
  return { source, engine: { properties }, aliases: parser.aliases };
}

/** Creates the lookup of fields for queries, with aliases. */
export function createQueryLookup({ engine, aliases }: EsMapping): MappingLookup {
  const lookup = createMappingLookup(engine);
  return {
    ...lookup,
    getField: (path) => lookup.getField(aliases.get(path) ?? path),
    findMatching: (pattern) => {
      const aliased = [...aliases]
        .filter(([alias]) => matchesPattern(alias, pattern))
        .map(([, path]) => path);
      const paths = new Set([...lookup.findMatching(pattern).map(({ path }) => path), ...aliased]);
      return [...paths].flatMap((path) => lookup.getField(path) ?? []);
    },
  };
}

const getType = (property: JsonObject): unknown => property.type ?? 'object';

/**
 * Merges additions into a mapping or one of its fields.
 * @throws EsError if the type of a field changes
 */
export function mergeMappings(existing: JsonObject, added: JsonObject, prefix = ''): JsonObject {
  const merged: Record<string, unknown> = { ...existing, ...added };
  for (const member of ['properties', 'fields']) {
    const [before, after] = [existing[member], added[member]];
    if (isObject(before) && isObject(after)) merged[member] = mergeProperties(before, after, prefix);
  }
  return merged;
}

function mergeProperties(existing: JsonObject, added: JsonObject, prefix: string): JsonObject {
  const merged: Record<string, unknown> = { ...existing, ...added };
  for (const [name, after] of Object.entries(added)) {
    const before = Object.hasOwn(existing, name) ? existing[name] : undefined;
    if (!isObject(before) || !isObject(after)) continue;
    if (getType(before) !== getType(after)) {
      const change = `from type [${String(getType(before))}] to [${String(getType(after))}]`;
      throw illegalArgument(`mapper [${prefix}${name}] cannot be changed ${change}`);
    }
    merged[name] = mergeMappings(before, after, `${prefix}${name}.`);
  }
  return merged;
}
