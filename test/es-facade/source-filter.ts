// Which part of a document's source a hit shows.

import { isObject } from '../../shared/is-object.ts';
import { fitsPattern } from '../../worker/provider/search/fields.ts';
import { parsingError } from './es-error.ts';
import type { JsonObject } from './json.ts';

/** All of it, nothing, or what fits a pattern of paths and no pattern of those that are left out. */
export type SourceFilter = boolean | { includes: readonly string[]; excludes: readonly string[] };

function patterns(value: unknown): readonly string[] {
  const list: readonly unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one !== 'string') throw parsingError('[_source] takes names of fields');
    return one;
  });
}

/**
 * Reads `_source` of a search's body.
 * @throws EsError for what is no filter
 */
export function readSourceFilter(json: unknown): SourceFilter {
  if (json === undefined) return true;
  if (typeof json === 'boolean') return json;
  if (!isObject(json)) return { includes: patterns(json), excludes: [] };
  const { includes, include, excludes, exclude, ...rest } = json;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw parsingError(`Unknown key [${unknown}] in [_source]`);
  return { includes: patterns(includes ?? include), excludes: patterns(excludes ?? exclude) };
}

/** A pattern names a field and all that is in it. */
function fits(path: string, pattern: string): boolean {
  return fitsPattern(path, pattern) || fitsPattern(path, `${pattern}.*`);
}

function filterObject(
  source: JsonObject,
  prefix: string,
  isIncluded: (path: string) => boolean,
  isExcluded: (path: string) => boolean,
): JsonObject {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(source)) {
    const path = prefix + name;
    if (isExcluded(path)) continue;
    const included = isIncluded(path);
    const inner = filterValue(value, `${path}.`, included, isIncluded, isExcluded);
    if (inner !== undefined) kept.push([name, inner]);
  }
  return Object.fromEntries(kept);
}

/** @returns undefined where nothing is left that was asked for */
function filterValue(
  value: unknown,
  prefix: string,
  included: boolean,
  isIncluded: (path: string) => boolean,
  isExcluded: (path: string) => boolean,
): unknown {
  if (Array.isArray(value)) {
    const items = value
      .map((item: unknown) => filterValue(item, prefix, included, isIncluded, isExcluded))
      .filter((item) => item !== undefined);
    return included || items.length > 0 ? items : undefined;
  }
  if (!isObject(value)) return included ? value : undefined;
  const object = filterObject(value, prefix, isIncluded, isExcluded);
  return included || Object.keys(object).length > 0 ? object : undefined;
}

/**
 * Cuts a source down to what a filter lets through.
 * @param filter - not `false`
 */
export function filterSource(source: unknown, filter: Exclude<SourceFilter, boolean>): unknown {
  if (!isObject(source)) return source;
  const { includes, excludes } = filter;
  return filterObject(
    source,
    '',
    (path) => includes.length === 0 || includes.some((pattern) => fits(path, pattern)),
    (path) => excludes.some((pattern) => fits(path, pattern)),
  );
}
