// The field types in the service's field tables, and builders for mappings.
import type { Mapping, Properties, Property } from './mapping.ts';

/** Analysed text. */
export const text: Property = { type: 'text' };
/** Text that is stored but not indexed: "not searchable". */
export const storedText: Property = { type: 'text', index: false };
/** One exact value. */
export const keyword: Property = { type: 'keyword' };
/** Keyword, "(NULL)": a missing value is indexed as the word NULL. */
export const keywordOrNull: Property = { type: 'keyword', null_value: 'NULL' };
export const exactText: Property = { type: 'text', fields: { exact: keyword } };
/** Text, "(exact) (NULL)": text itself can't have a substitute, so its exact variant holds it. */
export const exactTextOrNull: Property = { type: 'text', fields: { exact: keywordOrNull } };
/** Text that holds a URL, "(exact) (NULL) (domain)". */
export const addressOrNull: Property = {
  type: 'text',
  fields: { exact: keywordOrNull, domain_only: { type: 'text', derive: 'domain' } },
};
export const integer: Property = { type: 'integer' };
/** Number, "(-1)": a missing value is indexed as −1. */
export const integerOrMinusOne: Property = { type: 'integer', null_value: -1 };
export const longOrMinusOne: Property = { type: 'long', null_value: -1 };
/** Flags stored as 0 and 1. */
export const byte: Property = { type: 'byte' };
export const boolean: Property = { type: 'boolean' };
/** `2026-01-31` */
export const date: Property = { type: 'date', format: 'yyyy-MM-dd' };
/** `2026-01-31 09:30:00` */
export const dateTime: Property = { type: 'date', format: 'yyyy-MM-dd HH:mm:ss' };
/** A date with or without a time. */
export const dateOrDateTime: Property = { type: 'date', format: 'yyyy-MM-dd HH:mm:ss||yyyy-MM-dd' };
/** A date that may lack its day, or its day and month. */
export const partialDate: Property = { type: 'date', format: 'yyyy-MM-dd||yyyy-MM||yyyy' };

/** Creates a nested field: a list of objects that are searched one by one. */
export function nested(properties: Properties): Property {
  return { type: 'nested', properties };
}

/**
 * Creates several fields of the same type.
 * @param names - field names, separated by spaces
 */
export function withType(names: string, property: Property): Properties {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, property]));
}

/** Defines the index fields of a family. The function lets bundlers drop an unused mapping. */
export function defineMapping(make: () => Properties): Mapping {
  return { properties: make() };
}
