// Implements the service's index pipeline: converts a record to its index document.
import { isUrlField, toIndexedUrl } from '../../shared/index-fields/indexed-url.ts';
import type { Mapping, Properties, Property } from '../../shared/index-fields/mapping.ts';
import { isObject } from '../../shared/lib/is-object.ts';
import type { Source } from './search/engine/index/document.ts';

/** Checks for an absent field, a null or an array of such values. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.every(isMissing));
}

function hasSubstitute(property: Property): boolean {
  if ('null_value' in property) return true;
  return 'fields' in property && Object.values(property.fields ?? {}).some(hasSubstitute);
}

/** Applies a function to a value or to each item of an array. */
function mapItems(value: unknown, transform: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map((item) => mapItems(item, transform)) : transform(value);
}

function toIndexValue(name: string, property: Property, value: unknown): unknown {
  if (property.type === 'object' && isMissing(value)) return toIndexObject({}, property.properties);
  if (property.type === 'object' || property.type === 'nested') {
    return mapItems(value, (item) => (isObject(item) ? toIndexObject(item, property.properties) : item));
  }
  // The engine replaces only nulls by the field's substitute.
  if (isMissing(value)) return hasSubstitute(property) ? null : undefined;
  if (!isUrlField(name)) return value;
  return mapItems(value, (item) => (typeof item === 'string' ? toIndexedUrl(item) : item));
}

function toIndexObject(source: Source, properties: Properties): Source {
  const indexed = Object.entries(properties).map(([name, property]) => [
    name,
    toIndexValue(name, property, Object.hasOwn(source, name) ? source[name] : undefined),
  ]);
  return { ...source, ...Object.fromEntries(indexed.filter(([, value]) => value !== undefined)) };
}

/**
 * Converts a record to its index document: missing values become nulls if the field has a substitute
 * (`NULL` or −1), and URLs lose scheme and `www`.
 * @param mapping - the mapping of the record's family
 * @returns a copy; the record stays unchanged
 */
export function buildIndexSource(mapping: Mapping, record: Source): Source {
  return toIndexObject(record, mapping.properties);
}
