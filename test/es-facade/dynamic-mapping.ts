// Dynamic mapping: adds the new fields of a document to a mapping.
import { isObject } from '../../shared/lib/is-object.ts';
import { getDateFormat, parseDate } from '../../worker/sandbox/search/dates.ts';
import { ValueError } from '../../worker/sandbox/search/value-error.ts';
import { EsError } from './errors.ts';
import type { JsonObject } from './json.ts';
import { type Dynamic, parseDynamic } from './mapping.ts';

/** Formats by which texts are recognised as dates. The first is the default of date fields. */
const DATE_FORMATS = [undefined, 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'] as const;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TEXT_FIELD = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };

interface Context {
  dynamic: Dynamic;
  detectsDates: boolean;
  /** Names of the enclosing objects. */
  path: readonly string[];
}

function isDate(text: string, pattern: string | undefined): boolean {
  try {
    parseDate(getDateFormat(pattern), text);
    return true;
  } catch (error) {
    if (error instanceof ValueError) return false;
    throw error;
  }
}

/** Returns the field for a value; undefined if the value needs none. */
function buildLeaf(value: unknown, detectsDates: boolean): JsonObject | undefined {
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'bigint') return { type: 'long' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'long' : 'float' };
  if (typeof value !== 'string') return undefined;
  if (detectsDates && !NUMBER.test(value)) {
    for (const format of DATE_FORMATS) {
      if (isDate(value, format)) return format === undefined ? { type: 'date' } : { type: 'date', format };
    }
  }
  return TEXT_FIELD;
}

/** @returns the same object if nothing is new */
function addObject(properties: JsonObject, source: JsonObject, context: Context): JsonObject {
  return Object.entries(source).reduce<JsonObject>((result, [name, value]) => {
    const dot = name.indexOf('.');
    if (dot <= 0 || Object.hasOwn(result, name)) return addMember(result, name, value, context);
    return addMember(result, name.slice(0, dot), { [name.slice(dot + 1)]: value }, context);
  }, properties);
}

function addMember(properties: JsonObject, name: string, value: unknown, context: Context): JsonObject {
  if (Array.isArray(value))
    return value.reduce<JsonObject>((result, item) => addMember(result, name, item, context), properties);
  const existing = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (existing === undefined) return addField(properties, name, value, context);
  if (!isObject(existing) || !isObject(value) || existing.enabled === false) return properties;
  const { type = 'object', properties: inner = {} } = existing;
  if ((type !== 'object' && type !== 'nested') || !isObject(inner)) return properties;
  const dynamic = parseDynamic(existing.dynamic, context.dynamic);
  const extended = addObject(inner, value, { ...context, dynamic, path: [...context.path, name] });
  return extended === inner ? properties : { ...properties, [name]: { ...existing, properties: extended } };
}

function addField(properties: JsonObject, name: string, value: unknown, context: Context): JsonObject {
  const { dynamic, detectsDates, path } = context;
  if (value === null || value === undefined || dynamic === 'false') return properties;
  if (dynamic === 'strict') {
    const reason = `mapping set to strict, dynamic introduction of [${name}] within [${path.join('.') || '_doc'}] is not allowed`;
    throw new EsError(400, 'strict_dynamic_mapping_exception', reason);
  }
  const property = isObject(value)
    ? { properties: addObject({}, value, { ...context, path: [...path, name] }) }
    : buildLeaf(value, detectsDates);
  return property === undefined ? properties : { ...properties, [name]: property };
}

/**
 * Adds the new fields of a document to a mapping.
 * @param mapping - the mapping as clients see it
 * @param types - the document as `parseJsonTypes` parses it
 * @returns the same object if nothing is new
 * @throws EsError if the mapping allows no new fields
 */
export function addDynamicFields(mapping: JsonObject, types: JsonObject): JsonObject {
  const { properties = {}, dynamic, date_detection: detectsDates } = mapping;
  if (!isObject(properties)) return mapping;
  const context = { dynamic: parseDynamic(dynamic, 'true'), detectsDates: detectsDates !== false, path: [] };
  const extended = addObject(properties, types, context);
  return extended === properties ? mapping : { ...mapping, properties: extended };
}
