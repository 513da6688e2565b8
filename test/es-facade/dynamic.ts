// Dynamic mapping: what fields a document brings that its index has not.
import { isObject } from '../../shared/lib/is-object.ts';
import { getDateFormat, parseDate } from '../../worker/sandbox/search/dates.ts';
import { ValueError } from '../../worker/sandbox/search/value-error.ts';
import { EsError } from './es-error.ts';
import type { JsonObject } from './json.ts';
import { type Dynamic, readDynamic } from './mapping.ts';

/** Formats by which a text is taken for a date. The first is that of a date field without a format. */
const DATE_FORMATS = [undefined, 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'] as const;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORD = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };

/** What holds inside one object. */
interface Place {
  dynamic: Dynamic;
  detectsDates: boolean;
  /** Names of the objects around, from the outermost on. */
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

/** The field that a value asks for; undefined where it asks for none. */
function leafProperty(value: unknown, detectsDates: boolean): JsonObject | undefined {
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'bigint') return { type: 'long' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'long' : 'float' };
  if (typeof value !== 'string') return undefined;
  if (detectsDates && !NUMBER.test(value)) {
    for (const format of DATE_FORMATS) {
      if (isDate(value, format)) return format === undefined ? { type: 'date' } : { type: 'date', format };
    }
  }
  return WORD;
}

/** @returns the same properties where nothing is new */
function withObject(properties: JsonObject, source: JsonObject, place: Place): JsonObject {
  let read = properties;
  for (const [name, value] of Object.entries(source)) {
    const dot = name.indexOf('.');
    const isWhole = dot <= 0 || Object.hasOwn(read, name);
    read = isWhole
      ? withMember(read, name, value, place)
      : withMember(read, name.slice(0, dot), { [name.slice(dot + 1)]: value }, place);
  }
  return read;
}

function withMember(properties: JsonObject, name: string, value: unknown, place: Place): JsonObject {
  if (Array.isArray(value)) {
    return value.reduce<JsonObject>((read, item) => withMember(read, name, item, place), properties);
  }
  const present = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (present === undefined) return withField(properties, name, value, place);
  if (!isObject(present) || !isObject(value) || present.enabled === false) return properties;
  const { type = 'object', properties: inner = {} } = present;
  if ((type !== 'object' && type !== 'nested') || !isObject(inner)) return properties;
  const dynamic = readDynamic(present.dynamic, place.dynamic);
  const below = withObject(inner, value, { ...place, dynamic, path: [...place.path, name] });
  return below === inner ? properties : { ...properties, [name]: { ...present, properties: below } };
}

function withField(properties: JsonObject, name: string, value: unknown, place: Place): JsonObject {
  const { dynamic, detectsDates, path } = place;
  if (value === null || value === undefined || dynamic === 'false') return properties;
  if (dynamic === 'strict') {
    const reason = `mapping set to strict, dynamic introduction of [${name}] within [${path.join('.') || '_doc'}] is not allowed`;
    throw new EsError(400, 'strict_dynamic_mapping_exception', reason);
  }
  const property = isObject(value)
    ? { properties: withObject({}, value, { ...place, path: [...path, name] }) }
    : leafProperty(value, detectsDates);
  return property === undefined ? properties : { ...properties, [name]: property };
}

/**
 * Adds to a mapping what a document needs.
 * @param given - the mapping as it is shown
 * @param kinds - the document, as `readKinds` reads it
 * @returns the same mapping where nothing is new
 * @throws EsError where the mapping takes no new fields
 */
export function withDynamicFields(given: JsonObject, kinds: JsonObject): JsonObject {
  const { properties = {}, dynamic, date_detection: detectsDates } = given;
  if (!isObject(properties)) return given;
  const place = { dynamic: readDynamic(dynamic, 'true'), detectsDates: detectsDates !== false, path: [] };
  const read = withObject(properties, kinds, place);
  return read === properties ? given : { ...given, properties: read };
}
