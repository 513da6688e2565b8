// Mappings as they are given, and what the engine makes of them.

import { isObject } from '../../shared/is-object.ts';
import { dateFormat } from '../../worker/provider/search/dates.ts';
import type { Mapping, Properties, Property } from '../../worker/provider/search/mapping.ts';
import { ValueError } from '../../worker/provider/search/value-error.ts';
import { indexedValue, type ValueProperty } from '../../worker/provider/search/values.ts';
import { EsError } from './es-error.ts';
import { checkedParameters, fieldTypes, limitedTypes, passedParameters } from './field-types.ts';
import type { JsonObject } from './json.ts';
import { metaProperties } from './meta-fields.ts';
import { normalizersOf, type Settings, toleratesMalformed } from './settings.ts';

/** What becomes of fields that a mapping does not name. */
export type Dynamic = 'true' | 'false' | 'strict';

/** A mapping, ready to index and search by. */
export interface EsMapping {
  /** As it is shown: what was given, and what was added since. */
  given: JsonObject;
  engine: Mapping;
  /** Path of an alias to the path of its field. */
  aliases: ReadonlyMap<string, string>;
  /** Fields of which only their presence is known, by path, with their type. */
  limited: ReadonlyMap<string, string>;
  /** Fields that pass over values that don't fit. */
  tolerant: ReadonlySet<string>;
}

interface Reading {
  aliases: Map<string, string>;
  limited: Map<string, string>;
  tolerant: Set<string>;
  tolerates: boolean;
  normalizers: ReadonlySet<string>;
  fields: number;
}

const MOST_FIELDS = 5000;
const DEEPEST = 20;

const rootParameters = new Set(['properties', 'dynamic', 'date_detection', '_meta', 'dynamic_date_formats']);
/** Members of a mapping's root with values that change nothing. */
const rootChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  numeric_detection: (value) => value === false,
  dynamic_templates: (value) => Array.isArray(value) && value.length === 0,
  _source: (value) =>
    isObject(value) && Object.entries(value).every(([name, on]) => name === 'enabled' && on === true),
  _routing: (value) => isObject(value) && value.required !== true,
  runtime: (value) => isObject(value) && Object.keys(value).length === 0,
  subobjects: (value) => value === true,
};

/** @returns a complaint about a mapping */
export function mapperError(reason: string): EsError {
  return new EsError(400, 'mapper_parsing_exception', reason);
}

/**
 * Reads `dynamic`.
 * @param inherited - that of the object around
 * @throws EsError for what is none, and for `runtime`
 */
export function readDynamic(value: unknown, inherited: Dynamic): Dynamic {
  if (value === undefined || value === null) return inherited;
  const text = String(value);
  if (text === 'true' || text === 'false' || text === 'strict') return text;
  throw mapperError(`[dynamic] takes true, false and strict here, not [${text}]`);
}

function flag(value: unknown, name: string): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw mapperError(
    `Failed to parse value [${String(value)}] of [${name}]: only [true] and [false] are allowed`,
  );
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** What a parameter adds to the engine's property. */
function parameter(type: ValueProperty['type'], name: string, value: unknown): object | undefined {
  if (name === 'index') return flag(value, name) ? {} : { index: false };
  if (name === 'null_value' && type !== 'text')
    return value === null ? {} : isScalar(value) ? { null_value: value } : undefined;
  if (name === 'ignore_above' && type === 'keyword') {
    return typeof value === 'number' ? { ignore_above: value } : undefined;
  }
  if (name === 'format' && type === 'date') return typeof value === 'string' ? { format: value } : undefined;
  return undefined;
}

function leafProperty(type: ValueProperty['type'], parameters: object): ValueProperty {
  const { null_value: nullValue, ...others }: { null_value?: unknown } = parameters;
  const rest = { type, ...others };
  switch (type) {
    case 'text':
      return { ...rest, type };
    case 'keyword':
      return nullValue === undefined ? { ...rest, type } : { ...rest, type, null_value: String(nullValue) };
    case 'date':
      return nullValue === undefined ? { ...rest, type } : { ...rest, type, null_value: String(nullValue) };
    case 'boolean':
      return nullValue === undefined
        ? { ...rest, type }
        : { ...rest, type, null_value: String(nullValue) === 'true' };
    default:
      return nullValue === undefined ? { ...rest, type } : { ...rest, type, null_value: Number(nullValue) };
  }
}

/** @throws EsError for a format that is none, a null_value that does not fit */
function checkProperty(path: string, property: ValueProperty, nullValue: unknown): void {
  try {
    if (property.type === 'date') dateFormat(property.format);
    if (isScalar(nullValue)) indexedValue(property, nullValue);
  } catch (error) {
    if (error instanceof ValueError)
      throw mapperError(`Failed to parse mapping: [${path}]: ${error.message}`);
    throw error;
  }
}

function checkRest(path: string, type: string, given: JsonObject): void {
  for (const [name, value] of Object.entries(given)) {
    if (passedParameters.has(name)) continue;
    const isHarmless = checkedParameters.get(name);
    if (isHarmless === undefined)
      throw mapperError(`unknown parameter [${name}] on mapper [${path}] of type [${type}]`);
    if (!isHarmless(value)) {
      throw mapperError(
        `parameter [${name}] of [${path}] with value [${JSON.stringify(value)}] is not supported`,
      );
    }
  }
}

/** What a normalizer adds to a keyword. @throws EsError for one that is not defined, or of another type */
function readNormalizer(path: string, type: string, name: unknown, { normalizers }: Reading): object {
  if (name === undefined || name === null) return {};
  if (type !== 'keyword')
    throw mapperError(`unknown parameter [normalizer] on mapper [${path}] of type [${type}]`);
  if (!normalizers.has(String(name)))
    throw mapperError(`normalizer [${String(name)}] not found for field [${path}]`);
  return { lowercase: true };
}

function readLeaf(path: string, type: string, given: JsonObject, reading: Reading): Property {
  // Of a picture it is known whether it is there only where it is kept beside the source.
  const limited =
    limitedTypes.has(type) || (type === 'binary' && (given.doc_values === true || given.store === true));
  const engineType = limited ? 'keyword' : fieldTypes.get(type);
  if (engineType === undefined)
    throw mapperError(`No handler for type [${type}] declared on field [${path}]`);
  const { fields, ignore_malformed: tolerates, normalizer, ...rest } = given;
  if (tolerates === undefined ? reading.tolerates : flag(tolerates, 'ignore_malformed'))
    reading.tolerant.add(path);
  if (limited) {
    reading.limited.set(path, type);
    return { type: 'keyword' };
  }
  if (engineType === 'binary') {
    checkRest(path, type, rest);
    return { type: 'binary' };
  }
  let parameters = {};
  const others: [string, unknown][] = [];
  for (const [name, value] of Object.entries(rest)) {
    const added = parameter(engineType, name, value);
    if (added === undefined) others.push([name, value]);
    else parameters = { ...parameters, ...added };
  }
  checkRest(path, type, Object.fromEntries(others));
  const property = leafProperty(engineType, {
    ...parameters,
    ...readNormalizer(path, type, normalizer, reading),
  });
  checkProperty(path, property, rest.null_value);
  return isObject(fields)
    ? { ...property, fields: readProperties(fields, `${path}.`, reading, 0) }
    : property;
}

function readProperty(path: string, given: unknown, reading: Reading, depth: number): Property | undefined {
  if (!isObject(given)) throw mapperError(`Expected map for property [fields] on field [${path}]`);
  reading.fields += 1;
  if (reading.fields > MOST_FIELDS)
    throw mapperError(`Limit of total fields [${MOST_FIELDS}] has been exceeded`);
  if (depth > DEEPEST) throw mapperError(`Limit of mapping depth [${DEEPEST}] has been exceeded`);
  const {
    type = 'properties' in given || 'dynamic' in given || 'enabled' in given ? 'object' : undefined,
    ...rest
  } = given;
  if (typeof type !== 'string') throw mapperError(`No type specified for field [${path}]`);
  if (type === 'alias') {
    if (typeof rest.path !== 'string')
      throw mapperError(`The [path] property must be specified for field [${path}]`);
    reading.aliases.set(path, rest.path);
    return undefined;
  }
  if (type !== 'object' && type !== 'nested') return readLeaf(path, type, rest, reading);
  const { properties = {}, dynamic, enabled = true, ...others } = rest;
  readDynamic(dynamic, 'true');
  checkRest(path, type, others);
  if (!isObject(properties)) throw mapperError(`Expected map for property [properties] on field [${path}]`);
  const inner = readProperties(properties, `${path}.`, reading, depth + 1);
  return { type, properties: flag(enabled, 'enabled') ? inner : {} };
}

function readProperties(given: JsonObject, prefix: string, reading: Reading, depth: number): Properties {
  const read: [string, Property][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (name.trim() === '' || name.startsWith('.') || name.endsWith('.')) {
      throw mapperError(
        `field name cannot be an empty string or only whitespace, nor begin or end with a dot: [${name}]`,
      );
    }
    const property = readProperty(prefix + name, value, reading, depth);
    if (property !== undefined) read.push([name, property]);
  }
  return Object.fromEntries(read);
}

/**
 * Reads a mapping.
 * @param given - what stands under `mappings`
 * @param settings - of its index
 * @throws EsError for what is no mapping, or one that would change answers in a way that is not there
 */
export function readMapping(given: unknown, settings: Settings): EsMapping {
  if (!isObject(given)) throw mapperError('Expected map for property [mappings]');
  for (const [name, value] of Object.entries(given)) {
    if (rootParameters.has(name)) continue;
    const isHarmless = Object.hasOwn(rootChecks, name) ? rootChecks[name] : undefined;
    if (isHarmless === undefined)
      throw mapperError(`Root mapping definition has unsupported parameters:  [${name}]`);
    if (!isHarmless(value))
      throw mapperError(`[${name}] with value [${JSON.stringify(value)}] is not supported`);
  }
  const { properties = {}, dynamic } = given;
  readDynamic(dynamic, 'true');
  if (!isObject(properties)) throw mapperError('Expected map for property [properties]');
  const reading: Reading = {
    aliases: new Map(),
    limited: new Map(),
    tolerant: new Set(),
    tolerates: toleratesMalformed(settings),
    normalizers: normalizersOf(settings),
    fields: 0,
  };
  const engine = { properties: { ...readProperties(properties, '', reading, 0), ...metaProperties } };
  return { given, engine, ...reading };
}

/** Members that hold further ones, which two mappings may both add to. */
const MERGED = new Set(['properties', 'fields']);

/**
 * Adds to a mapping; what is there can't become another type.
 * @throws EsError for a field of two types
 */
export function mergeMappings(present: JsonObject, added: JsonObject, path = ''): JsonObject {
  const merged: Record<string, unknown> = { ...present };
  for (const [name, value] of Object.entries(added)) {
    const there = merged[name];
    if (MERGED.has(name) && isObject(there) && isObject(value))
      merged[name] = mergeProperties(there, value, path);
    else merged[name] = value;
  }
  return merged;
}

const typeOf = (given: JsonObject): unknown => given.type ?? 'object';

function mergeProperties(present: JsonObject, added: JsonObject, prefix: string): JsonObject {
  const merged: Record<string, unknown> = { ...present };
  for (const [name, value] of Object.entries(added)) {
    const there = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (!isObject(there) || !isObject(value)) {
      merged[name] = value;
      continue;
    }
    const path = prefix + name;
    if (typeOf(there) !== typeOf(value)) {
      const reason = `mapper [${path}] cannot be changed from type [${String(typeOf(there))}] to [${String(typeOf(value))}]`;
      throw new EsError(400, 'illegal_argument_exception', reason);
    }
    merged[name] = mergeMappings(there, value, `${path}.`);
  }
  return merged;
}
