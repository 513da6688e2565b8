// Dynamic mapping: what fields a document brings that its index has not.

import { isObject } from '../../shared/is-object.ts';
import { dateFormat, parseDate } from '../../worker/provider/search/dates.ts';
import { ValueError } from '../../worker/provider/search/value-error.ts';
import { EsError } from './es-error.ts';
import type { JsonObject } from './json.ts';
import { type Dynamic, mapperError, readDynamic } from './mapping.ts';

/** Formats by which a text is taken for a date. The first is that of a date field without a format. */
const DATE_FORMATS = [undefined, 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'] as const;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DEEPEST = 20;
const KEYWORD_LENGTH = 256;

function isDate(text: string, pattern: string | undefined): boolean {
  try {
    parseDate(dateFormat(pattern), text);
    return true;
  } catch (error) {
    if (error instanceof ValueError) return false;
    throw error;
  }
}

function textProperty(text: string, detectsDates: boolean): JsonObject {
  if (detectsDates && !NUMBER.test(text)) {
    for (const format of DATE_FORMATS) {
      if (isDate(text, format)) return format === undefined ? { type: 'date' } : { type: 'date', format };
    }
  }
  return { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: KEYWORD_LENGTH } } };
}

/** The field that a value asks for; undefined where it asks for none. */
function leafProperty(value: unknown, detectsDates: boolean): JsonObject | undefined {
  if (typeof value === 'string') return textProperty(value, detectsDates);
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'bigint') return { type: 'long' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'long' : 'float' };
  return undefined;
}

class DynamicReader {
  readonly #detectsDates: boolean;

  constructor(detectsDates: boolean) {
    this.#detectsDates = detectsDates;
  }

  /** @returns the same properties where nothing is new */
  object(
    properties: JsonObject,
    source: JsonObject,
    dynamic: Dynamic,
    path: string,
    depth: number,
  ): JsonObject {
    if (depth > DEEPEST) throw mapperError(`Limit of mapping depth [${DEEPEST}] has been exceeded`);
    let read = properties;
    for (const [name, value] of Object.entries(source)) {
      const dot = name.indexOf('.');
      const whole = dot <= 0 || Object.hasOwn(read, name);
      read = whole
        ? this.#member(read, name, value, dynamic, path, depth)
        : this.#member(read, name.slice(0, dot), { [name.slice(dot + 1)]: value }, dynamic, path, depth);
    }
    return read;
  }

  #member(
    properties: JsonObject,
    name: string,
    value: unknown,
    dynamic: Dynamic,
    path: string,
    depth: number,
  ): JsonObject {
    if (Array.isArray(value)) {
      return value.reduce<JsonObject>(
        (read, item: unknown) => this.#member(read, name, item, dynamic, path, depth),
        properties,
      );
    }
    const present = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (present === undefined) return this.#added(properties, name, value, dynamic, path, depth);
    if (!isObject(present) || !isObject(value) || present.enabled === false) return properties;
    const { type = 'object', properties: inner = {} } = present;
    if ((type !== 'object' && type !== 'nested') || !isObject(inner)) return properties;
    const below = this.object(
      inner,
      value,
      readDynamic(present.dynamic, dynamic),
      `${path}${name}.`,
      depth + 1,
    );
    return below === inner ? properties : { ...properties, [name]: { ...present, properties: below } };
  }

  #added(
    properties: JsonObject,
    name: string,
    value: unknown,
    dynamic: Dynamic,
    path: string,
    depth: number,
  ): JsonObject {
    if (value === null || value === undefined || dynamic === 'false') return properties;
    if (dynamic === 'strict') {
      const reason = `mapping set to strict, dynamic introduction of [${name}] within [${path.slice(0, -1) || '_doc'}] is not allowed`;
      throw new EsError(400, 'strict_dynamic_mapping_exception', reason);
    }
    const property = isObject(value)
      ? { properties: this.object({}, value, dynamic, `${path}${name}.`, depth + 1) }
      : leafProperty(value, this.#detectsDates);
    return property === undefined ? properties : { ...properties, [name]: property };
  }
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
  const reader = new DynamicReader(detectsDates !== false);
  const read = reader.object(properties, kinds, readDynamic(dynamic, 'true'), '', 0);
  return read === properties ? given : { ...given, properties: read };
}
