// Filters the `_source` of documents.
import { isObject } from '../../shared/lib/is-object.ts';
import { Options, textListReader } from '../../worker/sandbox/search/parse/options.ts';

/** The whole source, nothing, or the fields that match a pattern of `includes` and none of `excludes`. */
export type SourceFilter = boolean | { includes: readonly string[]; excludes: readonly string[] };

type PathTest = (path: string) => boolean;

/** Parses `_source`. @throws QueryError for an invalid filter */
export function parseSourceFilter(json: unknown): SourceFilter {
  if (json === undefined) return true;
  if (typeof json === 'boolean') return json;
  const options = new Options('_source', isObject(json) ? json : { includes: json });
  const readLists = (...names: string[]): readonly string[] =>
    names.flatMap((name) => options.read(name, textListReader) ?? []);
  const filter = { includes: readLists('includes', 'include'), excludes: readLists('excludes', 'exclude') };
  options.finish('unknown key');
  return filter;
}

/** Creates a test for paths that match a pattern or are inside a matching object. `*` matches dots, too. */
function createPathTest(patterns: readonly string[]): PathTest {
  const tests = patterns.map((pattern) => {
    const source = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');
    return new RegExp(`^${source}(?:\\..*)?$`, 's');
  });
  return (path) => tests.some((test) => test.test(path));
}

function filterValue(value: unknown, path: string, isIncluded: PathTest, isExcluded: PathTest): unknown {
  const included = path !== '' && isIncluded(path);
  if (Array.isArray(value)) {
    const items = value
      .map((item: unknown) => filterValue(item, path, isIncluded, isExcluded))
      .filter((item) => item !== undefined);
    return included || items.length > 0 ? items : undefined;
  }
  if (!isObject(value)) return included ? value : undefined;
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const innerPath = path === '' ? name : `${path}.${name}`;
    const filtered = isExcluded(innerPath)
      ? undefined
      : filterValue(inner, innerPath, isIncluded, isExcluded);
    return filtered === undefined ? [] : [[name, filtered]];
  });
  return included || members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** Applies a filter to a source. @returns undefined if the filter is false */
export function filterSource(source: unknown, filter: SourceFilter): unknown {
  if (typeof filter === 'boolean') return filter ? source : undefined;
  const { includes, excludes } = filter;
  const isIncluded = includes.length === 0 ? () => true : createPathTest(includes);
  return filterValue(source, '', isIncluded, createPathTest(excludes)) ?? {};
}
