// `filter_path`: which parts of an answer are told.

import { isObject } from '../../shared/is-object.ts';
import { fitsPattern } from '../../worker/provider/search/fields.ts';
import type { JsonObject } from './json.ts';

/** Names of members, from the outermost on; `**` is any number of them. */
type Path = readonly string[];

/** What is left of paths below a member; an empty path means that all of it is meant. */
function below(paths: readonly Path[], name: string): Path[] {
  return paths.flatMap((path) => {
    const [first = '', ...rest] = path;
    if (first !== '**') return fitsPattern(name, first) ? [rest] : [];
    return [path, ...below([rest], name)];
  });
}

const isWhole = (paths: readonly Path[]): boolean =>
  paths.some((path) => path.every((part) => part === '**'));

function include(value: unknown, paths: readonly Path[]): unknown {
  if (isWhole(paths)) return value;
  if (paths.length === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => include(item, paths)).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (!isObject(value)) return undefined;
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const told = include(inner, below(paths, name));
    return told === undefined ? [] : [[name, told]];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function exclude(value: unknown, paths: readonly Path[]): unknown {
  if (paths.length === 0) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => exclude(item, paths));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const left = below(paths, name);
      return left.some((path) => path.length === 0) ? [] : [[name, exclude(inner, left)]];
    }),
  );
}

/**
 * Cuts an answer down.
 * @param filter - paths separated by commas, those to be left out with `-` before them
 */
export function filterPath(answer: unknown, filter: string): JsonObject {
  const paths = filter.split(',').filter((path) => path !== '');
  const wanted = paths.filter((path) => !path.startsWith('-')).map((path) => path.split('.'));
  const unwanted = paths.filter((path) => path.startsWith('-')).map((path) => path.slice(1).split('.'));
  const left = exclude(answer, unwanted);
  const told = wanted.length === 0 ? left : include(left, wanted);
  return isObject(told) ? told : {};
}
