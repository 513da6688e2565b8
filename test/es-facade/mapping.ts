// Mappings as they are given, and what the engine makes of them.
import { isObject } from '../../shared/lib/is-object.ts';
import { getDateFormat } from '../../worker/sandbox/search/dates.ts';
import type { Mapping, Properties, Property } from '../../worker/sandbox/search/mapping.ts';
import { ValueError } from '../../worker/sandbox/search/value-error.ts';
import { type Scalar, toIndexedValue, type ValueProperty } from '../../worker/sandbox/search/values.ts';
import { EsError, illegalArgument } from './es-error.ts';
import { changesNothing, fieldTypes, limitedTypes } from './field-types.ts';
import type { JsonObject } from './json.ts';
import { normalizersOf, type Settings } from './settings.ts';

/** What becomes of fields that a mapping does not name. */
export type Dynamic = 'true' | 'false' | 'strict';

/** A mapping, ready to index and search by. */
export interface EsMapping {
  /** As it is shown: what was given, and what was added since. */
  given: JsonObject;
  engine: Mapping;
  /** Path of an alias to the path of its field. */
  aliases: ReadonlyMap<string, string>;
  /** Fields of which only their presence is known: to the engine they are booleans, so that it refuses other values. */
  limited: ReadonlySet<string>;
  /** Fields that pass over values that don't fit. */
  tolerant: ReadonlySet<string>;
}

/** What every document has beside its source: fields that a query may name and a mapping does not show. */
export const metaProperties = {
  _index: { type: 'keyword' },
  _routing: { type: 'keyword' },
  _ignored: { type: 'keyword' },
  _seq_no: { type: 'long' },
  _version: { type: 'long' },
} as const satisfies Properties;

/** What a leaf of the engine's mapping may have beside its type. */
interface LeafOptions {
  index?: boolean;
  ignore_above?: number;
  format?: string;
  lowercase?: boolean;
}

const DEEPEST = 20;

/** Members of a mapping's root, with whether a value of theirs changes nothing that is not there. */
const rootMembers: Readonly<Record<string, (value: unknown) => boolean>> = {
  properties: () => true,
  dynamic: () => true,
  date_detection: () => true,
  dynamic_date_formats: () => true,
  _meta: () => true,
  numeric_detection: (value) => value === false,
  dynamic_templates: (value) => Array.isArray(value) && value.length === 0,
  _source: (value) => isObject(value) && JSON.stringify({ enabled: true, ...value }) === '{"enabled":true}',
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
  if (String(value) === 'true') return true;
  if (String(value) === 'false') return false;
  throw mapperError(
    `Failed to parse value [${String(value)}] of [${name}]: only [true] and [false] are allowed`,
  );
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function leafProperty(
  type: ValueProperty['type'],
  options: LeafOptions,
  nullValue: Scalar | null,
): ValueProperty {
  const missing = <T>(read: (value: Scalar) => T): { null_value?: T } =>
    nullValue === null ? {} : { null_value: read(nullValue) };
  switch (type) {
    case 'text':
      return { ...options, type };
    case 'keyword':
    case 'date':
      return { ...options, type, ...missing(String) };
    case 'boolean':
      return { ...options, type, ...missing((value) => String(value) === 'true') };
    default:
      return { ...options, type, ...missing(Number) };
  }
}

/** Reads the fields of one mapping. */
class MappingReader {
  readonly aliases = new Map<string, string>();
  readonly limited = new Set<string>();
  readonly tolerant = new Set<string>();
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  properties(given: unknown, prefix: string, depth: number): Properties {
    if (!isObject(given)) throw mapperError(`Expected map for property [properties] on field [${prefix}]`);
    const read: [string, Property][] = [];
    for (const [name, value] of Object.entries(given)) {
      if (name.trim() === '' || name.startsWith('.') || name.endsWith('.')) {
        const reason = 'field name cannot be an empty string or only whitespace, nor begin or end with a dot';
        throw mapperError(`${reason}: [${name}]`);
      }
      const property = this.#property(prefix + name, value, depth);
      if (property !== undefined) read.push([name, property]);
    }
    return Object.fromEntries(read);
  }

  /** @returns undefined for an alias */
  #property(path: string, given: unknown, depth: number): Property | undefined {
    if (!isObject(given)) throw mapperError(`Expected map for property [fields] on field [${path}]`);
    if (depth > DEEPEST) throw mapperError(`Limit of mapping depth [${DEEPEST}] has been exceeded`);
    const isObjectField = ['properties', 'dynamic', 'enabled'].some((name) => name in given);
    const { type = isObjectField ? 'object' : undefined, ...rest } = given;
    if (typeof type !== 'string') throw mapperError(`No type specified for field [${path}]`);
    if (type === 'alias') {
      if (typeof rest.path !== 'string')
        throw mapperError(`The [path] property must be specified for field [${path}]`);
      this.aliases.set(path, rest.path);
      return undefined;
    }
    if (type !== 'object' && type !== 'nested') return this.#leaf(path, type, rest);
    const { properties = {}, dynamic, enabled = true, ...others } = rest;
    readDynamic(dynamic, 'true');
    for (const [name, value] of Object.entries(others)) checkHarmless(path, type, name, value);
    const inner = this.properties(properties, `${path}.`, depth + 1);
    return { type, properties: flag(enabled, 'enabled') ? inner : {} };
  }

  #leaf(path: string, type: string, given: JsonObject): Property {
    // Of a picture it is known whether it is there only where it is kept beside the source.
    const isKeptBinary = type === 'binary' && (given.doc_values === true || given.store === true);
    const isLimited = limitedTypes.has(type) || isKeptBinary;
    const engineType = isLimited ? 'boolean' : fieldTypes.get(type);
    if (engineType === undefined)
      throw mapperError(`No handler for type [${type}] declared on field [${path}]`);
    const { fields, ignore_malformed: ignores, ...rest } = given;
    const tolerates = ignores ?? this.#settings['index.mapping.ignore_malformed'] ?? false;
    if (flag(tolerates, 'ignore_malformed')) this.tolerant.add(path);
    if (isLimited) {
      this.limited.add(path);
      return { type: 'boolean' };
    }
    if (engineType === 'binary') {
      for (const [name, value] of Object.entries(rest)) checkHarmless(path, type, name, value);
      return { type: engineType };
    }
    const property = this.#valueProperty(path, type, engineType, rest);
    return isObject(fields) ? { ...property, fields: this.properties(fields, `${path}.`, 0) } : property;
  }

  #valueProperty(path: string, name: string, type: ValueProperty['type'], given: JsonObject): ValueProperty {
    const options: LeafOptions = {};
    let nullValue: Scalar | null = null;
    for (const [parameter, value] of Object.entries(given)) {
      if (parameter === 'index') options.index = flag(value, parameter);
      else if (parameter === 'null_value' && type !== 'text' && (value === null || isScalar(value)))
        nullValue = value;
      else if (parameter === 'ignore_above' && type === 'keyword' && typeof value === 'number')
        options.ignore_above = value;
      else if (parameter === 'format' && type === 'date' && typeof value === 'string') options.format = value;
      else if (parameter === 'normalizer' && type === 'keyword') {
        const lowercase = value === null ? false : normalizersOf(this.#settings).get(String(value));
        if (lowercase === undefined)
          throw mapperError(`normalizer [${String(value)}] not found for field [${path}]`);
        options.lowercase = lowercase;
      } else checkHarmless(path, name, parameter, value);
    }
    const property = leafProperty(type, options, nullValue);
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

function checkHarmless(path: string, type: string, name: string, value: unknown): void {
  const harmless = changesNothing(name, value);
  if (harmless === undefined)
    throw mapperError(`unknown parameter [${name}] on mapper [${path}] of type [${type}]`);
  if (!harmless)
    throw mapperError(
      `parameter [${name}] of [${path}] with value [${JSON.stringify(value)}] is not supported`,
    );
}

/**
 * Reads a mapping.
 * @param given - what stands under `mappings`
 * @param settings - of its index
 * @throws EsError for what is no mapping, or one that would change answers in a way that is not there
 */
export function readMapping(given: JsonObject, settings: Settings): EsMapping {
  for (const [name, value] of Object.entries(given)) {
    const isHarmless = Object.hasOwn(rootMembers, name) ? rootMembers[name] : undefined;
    if (isHarmless === undefined)
      throw mapperError(`Root mapping definition has unsupported parameters:  [${name}]`);
    if (!isHarmless(value))
      throw mapperError(`[${name}] with value [${JSON.stringify(value)}] is not supported`);
  }
  readDynamic(given.dynamic, 'true');
  const reader = new MappingReader(settings);
  const properties = { ...reader.properties(given.properties ?? {}, '', 0), ...metaProperties };
  const { aliases, limited, tolerant } = reader;
  return { given, engine: { properties }, aliases, limited, tolerant };
}

/** Members that hold further ones, which two mappings may both add to. */
const MERGED = new Set(['properties', 'fields']);
const typeOf = (given: JsonObject): unknown => given.type ?? 'object';

/**
 * Adds to a mapping, or to one field of it; what is there can't become another type.
 * @throws EsError for a field of two types
 */
export function mergeMappings(present: JsonObject, added: JsonObject, prefix = ''): JsonObject {
  const merged: Record<string, unknown> = { ...present };
  for (const [name, value] of Object.entries(added)) {
    const there = merged[name];
    const isMerged = MERGED.has(name) && isObject(there) && isObject(value);
    merged[name] = isMerged ? mergeProperties(there, value, prefix) : value;
  }
  return merged;
}

function mergeProperties(present: JsonObject, added: JsonObject, prefix: string): JsonObject {
  const merged: Record<string, unknown> = { ...present };
  for (const [name, value] of Object.entries(added)) {
    const there = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (isObject(there) && isObject(value) && typeOf(there) !== typeOf(value)) {
      const change = `from type [${String(typeOf(there))}] to [${String(typeOf(value))}]`;
      throw illegalArgument(`mapper [${prefix}${name}] cannot be changed ${change}`);
    }
    const isMerged = isObject(there) && isObject(value);
    merged[name] = isMerged ? mergeMappings(there, value, `${prefix}${name}.`) : value;
  }
  return merged;
}
